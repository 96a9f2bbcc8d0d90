package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/web"
)

func newResolver(c web.Config) *web.Resolver { return web.New(c) }

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func pack(t testing.TB, encoding, text string) string {
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if encoding == "br" {
		w = brotli.NewWriter(&b)
	}
	_, err := io.WriteString(w, text)
	must(t, err)
	must(t, w.Close())
	return b.String()
}

// packed serves bytes with an encoding, and a type in the path.
func packed(t testing.TB, encoding, body string) *site {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		w.Header().Set("Content-Type", strings.TrimPrefix(r.URL.Path, "/"))
		io.WriteString(w, body)
	})
}

func TestUnpacking(t *testing.T) {
	text := strings.Repeat("many words ", 1000)
	for _, encoding := range []string{"gzip", "br", "x-gzip", "GZIP"} {
		s := packed(t, encoding, pack(t, strings.ToLower(encoding), text))
		if c := load(t, direct(t, s.URL), s.URL+"/text/plain"); c.Text != text {
			t.Errorf("%s: %d bytes", encoding, len(c.Text))
		}
		if accept := s.asked()[0].Header.Get("Accept-Encoding"); accept != "gzip, br" {
			t.Error(accept)
		}
	}
	half := func(encoding string) string { p := pack(t, encoding, text); return p[:len(p)/2] }
	for _, test := range []struct{ encoding, body, reason string }{
		{"gzip", "not packed at all", "packed with gzip, and it is not"},
		{"br", "\xff\xff\xff not packed at all", "cannot be unpacked"},
		{"gzip", half("gzip"), "ended early"},
		{"br", half("br"), "ended early"},
		{"zstd", "x", `packed as "zstd", which was not asked for`},
		{"gzip, br", "x", "which was not asked for"},
		{"gzip", "", "ended early"},
	} {
		s := packed(t, test.encoding, test.body)
		wantMiss(t, direct(t, s.URL), s.URL+"/text/plain", ampersat.Failed, test.reason)
	}
}

// TestBombs holds that a small answer that unpacks to a large one is read as
// far as any other, and one that unpacks to nothing not for ever.
func TestBombs(t *testing.T) {
	for _, encoding := range []string{"gzip", "br"} {
		body := pack(t, encoding, strings.Repeat("0123456789\n", 1<<20)) // 11 MB
		s := packed(t, encoding, body)
		config := direct(t, s.URL)
		config.Limits.Body = 1 << 20
		c := load(t, config, s.URL+"/text/plain")
		if len(c.Text) > 1<<20 || c.Shown != "made of the first 1,048,576 bytes" || c.Source != "" {
			t.Errorf("%s: %d bytes, shown %q", encoding, len(c.Text), c.Shown)
		}
	}
	// Blocks of gzip that hold nothing, without an end.
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, pack(t, "gzip", "")[:10])
		empty := bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 10_000)
		for {
			if _, err := w.Write(empty); err != nil {
				return
			}
		}
	})
	config := direct(t, s.URL)
	config.Limits.Body = 1 << 20
	wantMiss(t, config, s.URL, ampersat.Failed, "packed, and to more than is read")
}

func TestLongAnswers(t *testing.T) {
	line := strings.Repeat("word ", 20) + "\n"
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", strings.TrimPrefix(r.URL.Path, "/"))
		if r.URL.Path == "/text/html" {
			line = "<p>" + strings.TrimSpace(line) + "</p>\n"
		}
		for {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	})
	config := direct(t, s.URL)
	config.Limits = web.Limits{Body: 1 << 20, Page: 1 << 19}
	c := load(t, config, s.URL+"/text/plain")
	if len(c.Text) != 1<<20 || c.Shown != "made of the first 1,048,576 bytes" {
		t.Errorf("%d bytes: %s", len(c.Text), c.Shown)
	}
	c = load(t, config, s.URL+"/text/html")
	if len(c.Text) > 1<<19 || len(c.Text) < 1<<18 || !strings.HasPrefix(c.Shown, "made of the first 524,288 bytes") || c.Source != "" {
		t.Errorf("%d bytes: %s", len(c.Text), c.Shown)
	}
	// What is longer than the caller can use has a head and a tail.
	long := answering(t, "text/html", strings.Repeat("<p>first line</p>", 100)+strings.Repeat("<p>last line</p>", 100))
	c, err := newResolver(direct(t, long.URL)).Resolve(t.Context(), ampersat.Query{Mention: mention.URL{URL: long.URL}, Asker: person, Limit: 400})
	must(t, err)
	if len(c.Text)+len(c.Tail) > 400 || !strings.HasPrefix(c.Text, "first line") || !strings.HasSuffix(c.Tail, "last line\n") || c.Source != "" || c.Size < 2000 {
		t.Errorf("%q … %q of %d", c.Text, c.Tail, c.Size)
	}
}

// TestServersThatDoNotAnswer holds that none of them keeps a turn.
func TestServersThatDoNotAnswer(t *testing.T) {
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hang":
			<-done
		case "/cancelled":
			cancel()
			<-done
		case "/drip":
			for {
				if _, err := fmt.Fprint(w, "."); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
		case "/short":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "too short")
		case "/headers":
			for i := range 10_000 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 100))
			}
		}
	})
	t.Cleanup(func() { close(done) }) // before the server is closed
	config := direct(t, s.URL)
	wantMiss(t, config, s.URL+"/short", ampersat.Failed, "ended early")
	wantMiss(t, config, s.URL+"/headers", ampersat.Failed, "could not be fetched")
	config.Limits.Time = 100 * time.Millisecond
	for _, path := range []string{"/hang", "/drip"} {
		start := time.Now()
		wantMiss(t, config, s.URL+path, ampersat.Failed, "it took longer than 100ms")
		if took := time.Since(start); took > soon {
			t.Errorf("%s took %v", path, took)
		}
	}
	// A line at a time that is no answer, and one that is no HTTP.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "SSH-2.0-nothing\r\n")
			conn.Close()
		}
	}()
	wantMiss(t, direct(t, "http://"+listener.Addr().String()), "http://"+listener.Addr().String(), ampersat.Failed, "could not be fetched")
	closed := answering(t, "", "")
	closed.Close()
	wantMiss(t, direct(t, closed.URL), closed.URL, ampersat.Failed, "connection refused")

	config.Limits.Time = time.Hour
	_, err = newResolver(config).Resolve(ctx, ampersat.Query{Mention: mention.URL{URL: s.URL + "/cancelled"}, Asker: person})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestHostilePages holds that no page becomes many times its size, or takes for
// ever.
func TestHostilePages(t *testing.T) {
	for name, page := range map[string]string{
		"deep":          strings.Repeat("<div>", 100_000) + "end",
		"deep lists":    strings.Repeat("<ul><li>", 400) + strings.Repeat("<li>x", 10_000),
		"deep quotes":   strings.Repeat("<blockquote>", 400) + strings.Repeat("<p>x", 10_000),
		"spans":         "<table>" + strings.Repeat("<tr><td colspan=1000 rowspan=1000>x</td></tr>", 1000) + "</table>",
		"one span":      "<table><tr><td colspan=2000000000>x</td></tr><tr><td rowspan=99999999999999999999>y</td></tr></table>",
		"a wide table":  "<table><tr><td>" + strings.Repeat("x", 50_000) + strings.Repeat("<tr><td>y", 5_000) + "</table>",
		"formatting":    strings.Repeat("<b><i><p>", 5_000),
		"different":     formatting(5_000),
		"tables":        strings.Repeat("<table><tr><td>", 200) + "x",
		"attributes":    "<p " + strings.Repeat("a ", 100_000) + ">x",
		"open comment":  "<!--" + strings.Repeat("-", 100_000),
		"entities":      strings.Repeat("&amp;lt;&#0;&#x110000;", 20_000),
		"headings":      strings.Repeat("<h1 id=x>x</h1>", 5_000),
		"articles":      strings.Repeat("<article>x</article>", 5_000),
		"nested titles": strings.Repeat("<title>", 10_000) + "x",
		"backslashes":   strings.Repeat(`\`, 100_000) + strings.Repeat("*_`", 30_000),
		"odd bytes":     "\x00<p>\x00a\xff\xfe</p\x00>",
	} {
		t.Run(name, func(t *testing.T) {
			s := answering(t, "text/html", page)
			start := time.Now()
			for _, fragment := range []string{"", "#x"} {
				c, err := resolve(direct(t, s.URL), s.URL+"/"+fragment)
				var miss *ampersat.Miss
				if err != nil && !errors.As(err, &miss) {
					t.Fatal(err)
				}
				if len(c.Text) > 8*len(page)+1<<20 {
					t.Errorf("%d bytes became %d", len(page), len(c.Text))
				}
			}
			if took := time.Since(start); took > soon {
				t.Errorf("took %v", took)
			}
			t.Logf("%v", time.Since(start))
		})
	}
}

// formatting is elements that a parser opens again and again.
func formatting(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<b id=%d></div><p>x", i)
	}
	return b.String()
}
