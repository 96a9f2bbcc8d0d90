package zed_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		style  zed.Style
		m      mention.Mention
		detail int
		want   string
	}{
		{zed.Posix, mention.File{Path: "/a/b/c.rs"}, 0, "c.rs"},
		{zed.Posix, mention.File{Path: "/a/b/c.rs"}, 9, "a/b/c.rs"},
		{zed.Posix, mention.File{Path: "/a/b/c.rs"}, -1, "c.rs"},
		{zed.Posix, mention.File{Path: `/a/b\c.rs`}, 0, `b\c.rs`},
		{zed.Windows, mention.File{Path: `C:\a\b\c.rs`}, 0, "c.rs"},
		{zed.Windows, mention.File{Path: `C:\a\b\c.rs`}, 9, "a/b/c.rs"},
		{zed.Windows, mention.File{Path: `\\server\share\a\c.rs`}, 9, "a/c.rs"},
		{zed.Posix, mention.Directory{Path: "/a/b"}, 0, "b"},
		{zed.Posix, mention.Directory{Path: "/"}, 0, "/"},
		{zed.Windows, mention.Directory{Path: `C:\`}, 1, `C:\`},
		{zed.Posix, mention.Symbol{Path: "/a", Name: "Server.Close"}, 1, "Server.Close"},
		{zed.Posix, mention.Image{Name: "a.png"}, 0, "a.png"},
		{zed.Posix, mention.Image{}, 0, "Image"},
		{zed.Posix, mention.Session{ID: "s1"}, 0, "s1"},
		{zed.Posix, mention.Terminal{Lines: 1}, 0, "Terminal (1 line)"},
		{zed.Posix, mention.GitDiff{Base: "main"}, 1, "Branch Diff (main)"},
		{zed.Posix, mention.Unknown{Name: "hologram", Raw: `{"kind":"hologram"}`}, 0, "hologram"},
		{zed.Posix, foreign(t, "zed:///agent/skill?name=n&source=s&path=/p#x", zed.Posix), 0, "n"},
		{zed.Posix, nil, 0, ""},
	} {
		if got := zed.Name(c.m, c.style, c.detail); got != c.want {
			t.Errorf("%#v at detail %d: got %q, want %q", c.m, c.detail, got, c.want)
		}
	}
}

// No name and no path can end the link that it stands in.
func TestLinksCannotBeBrokenOutOf(t *testing.T) {
	for _, c := range []struct {
		m    mention.Mention
		want string
	}{
		{mention.File{Path: "/app/[id]/(a).rs"}, "[@(a).rs](file:///app/[id]/(a).rs)"},
		{mention.File{Path: "/a[b"}, "[@a(b](file:///a[b)"},
		{mention.File{Path: "/a(b"}, "[@a(b](file:///a%28b)"},
		{mention.File{Path: "/a)(b"}, "[@a)(b](file:///a%29%28b)"},
		{mention.File{Path: "/a\nb"}, "[@a b](file:///a%0Ab)"},
		{mention.Session{ID: "s", Name: "x](file:///etc/passwd) [y"}, "[@x)(file:///etc/passwd) (y](zed:///agent/thread/s?name=x%5D%28file%3A%2F%2F%2Fetc%2Fpasswd%29+%5By)"},
		{mention.URL{URL: "https://x.org/a_(b)"}, "[@https://x.org/a_(b)](https://x.org/a_(b))"},
		{mention.URL{URL: "https://x.org/a)"}, "[@https://x.org/a)](https://x.org/a%29)"},
	} {
		got, err := zed.Link(c.m, zed.Posix)
		if got != c.want || err != nil {
			t.Errorf("%#v\ngot  %s, %v\nwant %s", c.m, got, err, c.want)
		}
	}
	for _, m := range []mention.Mention{mention.Session{ID: "a(b", Name: "n"}, mention.Agent{Name: "a"}} {
		if got, err := zed.Link(m, zed.Posix); !errors.Is(err, zed.ErrNoURI) {
			t.Errorf("%#v: got %s, %v; want ErrNoURI", m, got, err)
		}
	}
}

func TestFindLinksIsTheInverseOfLink(t *testing.T) {
	for _, style := range []zed.Style{zed.Posix, zed.Windows} {
		rapid.Check(t, func(t *rapid.T) {
			var text strings.Builder
			var want []mention.Mention
			for range rapid.IntRange(0, 4).Draw(t, "count") {
				text.WriteString(rapid.SampledFrom([]string{"", " ", "see ", "(", ")", "]", "[x] ", "[x](y) ", "日 "}).Draw(t, "between"))
				m := sayable(style).Draw(t, "mention")
				if url, web := m.(mention.URL); web && strings.ContainsAny(url.URL, "()") {
					continue
				}
				link, err := zed.Link(m, style)
				if errors.Is(err, zed.ErrNoURI) {
					continue
				}
				want = append(want, m)
				text.WriteString(link)
			}
			refs := zed.FindLinks(text.String(), style)
			if len(refs) != len(want) {
				t.Fatalf("%q: found %v, want %v", text.String(), refs, want)
			}
			for i, ref := range refs {
				if ref.Mention != want[i] {
					t.Fatalf("%q: found %#v, want %#v", text.String(), ref.Mention, want[i])
				}
				if text.String()[ref.Start:ref.End] != ref.Written {
					t.Fatalf("%q is not at %d to %d of %q", ref.Written, ref.Start, ref.End, text.String())
				}
			}
		})
	}
}

// As in Zed, what stands in the name of a link is not looked at, whether the
// brackets turn out to be a link or not.
func TestFindLinksNotInsideNames(t *testing.T) {
	for text, want := range map[string][]mention.Mention{
		"[@a [@b](file:///x)](file:///y)":                     {mention.File{Path: "/y"}},
		"[@a [@b](file:///x)] [@c](file:///z)":                {mention.File{Path: "/z"}},
		"[@a](https://x.org/[@b](file:///x)) [@c](file:///z)": {mention.URL{URL: "https://x.org/[@b](file:///x)"}, mention.File{Path: "/z"}},
		"[@a](ssh://x [@b](file:///x)) [@c](file:///z)":       {mention.File{Path: "/z"}},
		"[@open [@b](file:///x)":                              {mention.File{Path: "/x"}},
		"[@a](file:///x [@b](file:///y)":                      {mention.File{Path: "/y"}},
	} {
		var got []mention.Mention
		for _, ref := range zed.FindLinks(text, zed.Posix) {
			got = append(got, ref.Mention)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A link that is looked for from every bracket to the end of the text would
// take quadratic time on these: one text eight times as long as eight short ones.
// They take turns, so that a busy machine slows down both.
func TestFindLinksTakesLinearTime(t *testing.T) {
	for _, unit := range []string{"[@", "[@a](", "[@]", "[@a]((", "[", "(", "[@a](file:///a)", "[@[@a]](", "](", "[@a](/a:1:"} {
		const times = 8
		long, short := strings.Repeat(unit, 1<<17/len(unit)), strings.Repeat(unit, 1<<17/times/len(unit))
		takes := func(text string, n int) time.Duration {
			start := time.Now()
			for range n {
				zed.FindLinks(text, zed.Posix)
			}
			return time.Since(start)
		}
		one, many := takes(long, 1), takes(short, times)
		for range 50 {
			if one <= 4*many {
				break
			}
			one, many = takes(long, 1), takes(short, times)
		}
		if one > 4*many {
			t.Errorf("%q: 128 KB take %v, as much in pieces of 16 KB takes %v", unit, one, many)
		}
	}
}
