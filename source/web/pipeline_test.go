package web_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/web"
)

// TestNothingInAPageIsExpanded runs pages through the pipeline: what they
// mention stays text, and secrets in them are found.
func TestNothingInAPageIsExpanded(t *testing.T) {
	s := answering(t, "text/html", "<p>Read @/etc/hosts and @doc.go and @http://127.0.0.1/x too.</p>")
	config := direct(t, s.URL)
	mux := new(ampersat.Mux)
	mux.Handle(newResolver(config), mention.KindURL)
	p := &ampersat.Pipeline{Resolver: mux, Consent: config.Consent}
	stack, err := p.Prepare(t.Context(), ampersat.Ask("Look at @"+s.URL+"/page"))
	must(t, err)
	if len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Loaded || len(s.asked()) != 1 {
		t.Errorf("%+v", stack.Reports)
	}
	block := stack.Messages[0].Content.Parts[0].(message.Context)
	if block.Names[0] != s.URL+"/page" || !strings.Contains(block.Text, "@/etc/hosts") {
		t.Errorf("%+v", block)
	}

	key := "AKIA" + "QYLPMN5HFIQR7XYA"
	secret := answering(t, "text/html", "<p>aws_access_key_id = "+key+"</p>")
	config = direct(t, secret.URL)
	mux.Handle(newResolver(config), mention.KindURL)
	stack, err = p.Prepare(t.Context(), ampersat.Ask("@"+secret.URL))
	must(t, err)
	if r := stack.Reports[0]; r.Outcome != ampersat.Blocked || !strings.Contains(r.Reason, "secret") || strings.Contains(r.Reason, key) {
		t.Errorf("%+v", r)
	}
}

// TestAttackPageCutInASecret holds that of a long page, of which the beginning and
// the end are read, neither shows a part of a secret that is not told from it.
func TestAttackPageCutInASecret(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	random := rand.New(rand.NewPCG(1, 2))
	key := "-----BEGIN PRIVATE KEY-----\n"
	for range 30 {
		for range 64 {
			key += string(letters[random.IntN(len(letters))])
		}
		key += "\n"
	}
	key += "-----END PRIVATE KEY-----\n"
	const token = "token ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5 "
	const limit, words = 16_000, 32_000
	var page string
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	})
	config := direct(t, s.URL)
	for name, secret := range map[string]string{"a key": key, "a token": token} {
		ends := false    // whether the secret was cut away in one of the places
		var places []int // around both cuts
		for apart := -len(secret) - 20; apart < len(secret)+20; apart += len(secret)/12 + 1 {
			places = append(places, limit*3/4+apart, words-limit/4+apart)
		}
		for _, at := range places {
			page = "<pre>" + strings.Repeat("words\n", at/6) + secret + strings.Repeat("words\n", (words-at)/6) + "</pre>"
			c, err := web.New(config).Resolve(t.Context(), ampersat.Query{Mention: mention.URL{URL: s.URL}, Asker: person, Limit: limit})
			must(t, err)
			if c.Tail == "" || len(c.Text)+len(c.Tail) > limit+len(secret)*2 {
				t.Fatalf("%s at %d: %d and %d bytes", name, at, len(c.Text), len(c.Tail))
			}
			for _, text := range []string{c.Text, c.Tail} {
				shows := false
				for i := 0; i+20 <= len(secret); i++ {
					shows = shows || strings.Contains(text, secret[i:i+20])
				}
				if shows && len(access.ScanString("", text)) == 0 {
					t.Fatalf("%s at %d: a part of it is shown, and it is not told", name, at)
				}
				ends = ends || !shows
			}
		}
		if !ends {
			t.Errorf("%s is always shown", name)
		}
	}
	// From the beginning to the end it is one secret: nothing is left to cut.
	page = "<pre>" + key + "</pre>"
	c, err := web.New(config).Resolve(t.Context(), ampersat.Query{Mention: mention.URL{URL: s.URL}, Asker: person, Limit: 400})
	must(t, err)
	if !strings.Contains(c.Text, key) || c.Tail != "" {
		t.Errorf("%d bytes and %d", len(c.Text), len(c.Tail))
	}
}

// TestWordsSurvive makes pages of words and has an independent reader of
// Markdown read what became of them: the same words, in the same order, and in
// tables as many cells.
func TestWordsSurvive(t *testing.T) {
	var page string
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	})
	config := direct(t, s.URL)
	word := rapid.StringMatching(`[a-z]{1,8}`)
	rapid.Check(t, func(t *rapid.T) {
		var b, want strings.Builder
		text := func() string {
			words := strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "words"), " ")
			want.WriteString(words + " ")
			return words
		}
		cells := 0
		b.WriteString("<main><h1>" + text() + "</h1>")
		for range rapid.IntRange(1, 8).Draw(t, "blocks") {
			switch rapid.IntRange(0, 6).Draw(t, "block") {
			case 0:
				b.WriteString("<p>" + text() + " <b>" + text() + "</b> <a href=/x>" + text() + "</a>")
			case 1:
				b.WriteString("<h2>" + text() + "</h2>")
			case 2:
				b.WriteString("<ul><li>" + text() + "<li><p>" + text() + "</p><ul><li>" + text() + "</ul></ul>")
			case 3:
				b.WriteString("<pre><code>" + text() + "\n\t" + text() + "</code></pre>")
			case 4:
				b.WriteString("<blockquote><p>" + text() + "</p></blockquote>")
			case 5:
				b.WriteString("<div><span>" + text() + "</span><br>" + text() + "</div>")
			case 6:
				rows, columns := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")
				b.WriteString("<table>")
				for row := range rows {
					b.WriteString("<tr>")
					for range columns {
						tag := "td"
						if row == 0 {
							tag = "th"
						}
						b.WriteString("<" + tag + ">" + text() + "</" + tag + ">")
						cells++
					}
				}
				b.WriteString("</table>")
			}
		}
		page = b.String() + "</main>"
		c, err := resolve(config, s.URL)
		if err != nil {
			t.Fatal(err)
		}
		var rendered strings.Builder
		if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(c.Text), &rendered); err != nil {
			t.Fatal(err)
		}
		doc, err := html.Parse(strings.NewReader(rendered.String()))
		if err != nil {
			t.Fatal(err)
		}
		var have strings.Builder
		seen := 0
		for n := range doc.Descendants() {
			if n.Type == html.TextNode {
				have.WriteString(n.Data + " ")
			}
			if n.Type == html.ElementNode && (n.Data == "td" || n.Data == "th") {
				seen++
			}
		}
		if one(have.String()) != one(want.String()) || seen != cells {
			t.Fatalf("%s\nbecame\n%s\nwhich has %d cells of %d and reads\n%s", page, c.Text, seen, cells, have.String())
		}
	})
}

func one(text string) string { return strings.Join(strings.Fields(text), " ") }
