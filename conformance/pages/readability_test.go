package pages

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	readability "codeberg.org/readeck/go-readability"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/web"
)

func TestReadability(t *testing.T) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "codeberg.org/readeck/go-readability")
	dir, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "test-pages", "*", "source.html"))
	if err != nil || len(pages) < 100 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		http.ServeFile(w, r, filepath.Join(strings.TrimSpace(string(dir)), "test-pages", filepath.Base(r.URL.Path), "source.html"))
	}))
	defer server.Close()
	consent := new(access.Memory)
	if err := consent.Allow(access.URL{Prefix: server.URL}); err != nil {
		t.Fatal(err)
	}
	resolver := web.New(web.Config{Consent: consent})

	var kept, size []float64
	for _, page := range pages {
		name := filepath.Base(filepath.Dir(page))
		source, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		at, err := url.Parse(server.URL + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		article, err := readability.FromReader(bytes.NewReader(source), at)
		if err != nil {
			t.Fatal(err)
		}
		theirs := words(article.TextContent)
		if len(theirs) < 20 {
			continue // it found no article
		}
		content, err := resolver.Resolve(context.Background(), ampersat.Query{Mention: mention.URL{URL: at.String()}, Asker: access.Asker{Origin: access.FromPerson}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ours := words(withoutAddresses(content.Text))
		left := map[string]int{}
		for _, word := range ours {
			left[word]++
		}
		both := 0
		for _, word := range theirs {
			if left[word] > 0 {
				left[word]--
				both++
			}
		}
		share := float64(both) / float64(len(theirs))
		kept, size = append(kept, share), append(size, float64(len(ours))/float64(len(theirs)))
		if share < 0.9 {
			t.Logf("%s: %.2f of %d words are kept", name, share, len(theirs))
		}
	}
	slices.Sort(kept)
	slices.Sort(size)
	worst, median, usual := kept[len(kept)/10], kept[len(kept)/2], size[len(size)/2]
	t.Logf("%d pages: of what readability keeps, half of them have %.3f or more, nine tenths %.3f; half are at most %.2f times as long", len(kept), median, worst, usual)
	if len(kept) < 100 || median < 0.99 || worst < 0.95 || usual > 1.2 {
		t.Error("that is not enough")
	}
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// withoutAddresses takes out where links and pictures of Markdown lead to.
func withoutAddresses(text string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "](")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, text, _ = strings.Cut(after, ")")
		b.WriteByte(' ')
	}
}
