package zed_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
	"pgregory.net/rapid"
)

func TestURIOfEveryKind(t *testing.T) {
	for _, c := range []struct {
		rule  string
		style zed.Style
		m     mention.Mention
		want  string
	}{
		{"file", zed.Posix, mention.File{Path: "/src/main.rs"}, "file:///src/main.rs"},
		{"file on windows", zed.Windows, mention.File{Path: `C:\src\main.rs`}, "file:///C:/src/main.rs"},
		{"spaces are escaped", zed.Posix, mention.File{Path: "/a b.rs"}, "file:///a%20b.rs"},
		{"percent signs are escaped", zed.Posix, mention.File{Path: "/a%20b.rs"}, "file:///a%2520b.rs"},
		{"hash and question mark are escaped", zed.Posix, mention.File{Path: "/a#b?c"}, "file:///a%23b%3Fc"},
		{"a posix backslash is a character", zed.Posix, mention.File{Path: `/a\b`}, "file:///a%5Cb"},
		{"brackets stay", zed.Posix, mention.File{Path: "/app/(auth)/[id]/page.tsx"}, "file:///app/(auth)/[id]/page.tsx"},
		{"controls are escaped", zed.Posix, mention.File{Path: "/a\n\x01\x7fb"}, "file:///a%0A%01%7Fb"},
		{"other scripts are escaped", zed.Posix, mention.File{Path: "/é"}, "file:///%C3%A9"},
		{"a posix name that looks like a drive", zed.Posix, mention.File{Path: "/C:x"}, "file:///C%3Ax"},
		{"a posix name that looks like an old drive", zed.Posix, mention.File{Path: "/C|/x"}, "file:///C%7C/x"},
		{"dot segments go into the query", zed.Posix, mention.File{Path: "/a/../b"}, "zed:///agent/file?path=%2Fa%2F..%2Fb"},
		{"doubled slashes too", zed.Posix, mention.File{Path: "//a"}, "zed:///agent/file?path=%2F%2Fa"},
		{"so do UNC paths", zed.Windows, mention.File{Path: `\\server\share\a.rs`}, "zed:///agent/file?path=%5C%5Cserver%5Cshare%5Ca.rs"},
		{"and drives in lower case", zed.Windows, mention.File{Path: `c:\a.rs`}, "zed:///agent/file?path=c%3A%5Ca.rs"},
		{"and files with a slash at the end", zed.Posix, mention.File{Path: "/a/"}, "zed:///agent/file?path=%2Fa%2F"},
		{"directory", zed.Posix, mention.Directory{Path: "/src"}, "file:///src/"},
		{"root", zed.Posix, mention.Directory{Path: "/"}, "file:///"},
		{"directory on windows", zed.Windows, mention.Directory{Path: `C:\src`}, "file:///C:/src/"},
		{"drive", zed.Windows, mention.Directory{Path: `C:\`}, "file:///C:/"},
		{"share", zed.Windows, mention.Directory{Path: `\\server\share`}, "zed:///agent/directory?path=%5C%5Cserver%5Cshare"},
		{"symbol", zed.Posix, mention.Symbol{Path: "/a.rs", Name: "fn <T>", First: 10, Last: 20}, "file:///a.rs?symbol=fn+%3CT%3E#L10:20"},
		{"symbol without lines", zed.Posix, mention.Symbol{Path: "/a.rs", Name: "f"}, "file:///a.rs?symbol=f"},
		{"symbol on a share", zed.Windows, mention.Symbol{Path: `\\s\h\a.rs`, Name: "A::b", First: 1, Last: 2}, "zed:///agent/symbol/A::b?path=%5C%5Cs%5Ch%5Ca.rs#L1:2"},
		{"selection", zed.Posix, mention.Selection{Path: "/a.rs", First: 5, Last: 15}, "file:///a.rs#L5:15"},
		{"selection with a column", zed.Posix, mention.Selection{Path: "/a.rs", First: 5, Last: 5, Column: 3}, "file:///a.rs?column=3#L5:5"},
		{"selection on a share", zed.Windows, mention.Selection{Path: `\\s\h\a.rs`, First: 5, Last: 5, Column: 3}, "zed:///agent/selection?path=%5C%5Cs%5Ch%5Ca.rs&column=3#L5:5"},
		{"untitled selection", zed.Posix, mention.Selection{First: 1, Last: 10}, "zed:///agent/untitled-buffer#L1:10"},
		{"untitled selection with a column", zed.Posix, mention.Selection{First: 1, Last: 1, Column: 2}, "zed:///agent/untitled-buffer?column=2#L1:1"},
		{"image", zed.Posix, mention.Image{Name: "a b.png"}, "zed:///agent/pasted-image?name=a+b.png"},
		{"the bytes of an image travel beside it", zed.Posix, mention.Image{Name: "a.png", MIME: "image/png", Digest: blob.Of([]byte("x"))}, "zed:///agent/pasted-image?name=a.png"},
		{"session", zed.Posix, mention.Session{ID: "s1", Name: "A & B"}, "zed:///agent/thread/s1?name=A+%26+B"},
		{"session without a name", zed.Posix, mention.Session{ID: "s1"}, "zed:///agent/thread/s1?name="},
		{"errors", zed.Posix, mention.Diagnostics{Errors: true}, "zed:///agent/diagnostics"},
		{"no diagnostics at all", zed.Posix, mention.Diagnostics{}, "zed:///agent/diagnostics?include_errors=false"},
		{"terminal", zed.Posix, mention.Terminal{Lines: 42}, "zed:///agent/terminal-selection?lines=42"},
		{"git diff", zed.Posix, mention.GitDiff{Base: "origin/main"}, "zed:///agent/git-diff?base=origin%2Fmain"},
		{"url", zed.Posix, mention.URL{URL: "https://go.dev/a?b#c"}, "https://go.dev/a?b#c"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := zed.URI(c.m, c.style)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestURIOfWhatZedCannotSay(t *testing.T) {
	for _, c := range []struct {
		style  zed.Style
		m      mention.Mention
		reason string
	}{
		{zed.Posix, nil, "no such kind"},
		{zed.Posix, mention.Agent{Name: "reviewer"}, "no such kind"},
		{zed.Posix, mention.Subtask{Agent: "a", Prompt: "p"}, "no such kind"},
		{zed.Posix, mention.Resource{Server: "docs", URI: "file:///a"}, "no such kind"},
		{zed.Posix, mention.Glob{Pattern: "/a/*"}, "no such kind"},
		{zed.Posix, mention.Custom{Scheme: "jira", Arg: "A-1"}, "no such kind"},
		{zed.Posix, mention.File{Path: "docs/api.md"}, "not an absolute posix path"},
		{zed.Posix, mention.File{Path: `C:\a`}, "not an absolute posix path"},
		{zed.Windows, mention.File{Path: "C:a"}, "not an absolute windows path"},
		{zed.Posix, mention.File{}, "not an absolute"},
		{zed.Posix, mention.Directory{}, "not an absolute"},
		{zed.Posix, mention.File{Namespace: "docs", Path: "/a"}, "namespace"},
		{zed.Posix, mention.Selection{Namespace: "docs", First: 1, Last: 1}, "namespace"},
		{zed.Posix, mention.File{Path: "/a\xff"}, "not UTF-8"},
		{zed.Posix, mention.Session{ID: "s", Name: "\xff"}, "not UTF-8"},
		{zed.Posix, mention.Symbol{Path: "/a", Name: "\xff"}, "not UTF-8"},
		{zed.Posix, mention.Symbol{Path: "/a"}, "no name"},
		{zed.Posix, mention.Symbol{Path: "/a", Name: "f", First: 3}, "lines 3 to 0"},
		{zed.Posix, mention.Symbol{Path: "/../a", Name: "f"}, "something else"},
		{zed.Posix, mention.Symbol{Path: "/../a", Name: "f g", First: 1, Last: 1}, "something else"},
		{zed.Posix, mention.Selection{Path: "/a"}, "lines 0 to 0"},
		{zed.Posix, mention.Selection{Path: "/a", First: 2, Last: 1}, "lines 2 to 1"},
		{zed.Posix, mention.Selection{Path: "/a", First: 1, Last: 1, Column: -1}, "column -1"},
		{zed.Posix, mention.Session{ID: "a b", Name: "n"}, "something else"},
		{zed.Posix, mention.Session{Name: "n"}, "something else"},
		{zed.Posix, mention.Diagnostics{Errors: true, Path: "src"}, "no path"},
		{zed.Posix, mention.Terminal{Lines: -1}, "-1 lines"},
		{zed.Posix, mention.GitDiff{}, "against a base"},
		{zed.Posix, mention.GitDiff{Base: "a", Head: "b"}, "against a base"},
		{zed.Posix, mention.GitDiff{Staged: true}, "against a base"},
		{zed.Posix, mention.URL{URL: "ftp://example.com"}, "something else"},
		{zed.Posix, mention.URL{URL: "file:///a"}, "something else"},
		{zed.Posix, mention.URL{URL: " https://go.dev"}, "something else"},
		{zed.Posix, mention.URL{URL: "https://a.0x/"}, "something else"}, // an address that is none
		{zed.Posix, mention.Unknown{Name: "hologram", Raw: `{"kind":"hologram"}`}, "not Zed's"},
		{zed.Posix, mention.Unknown{Name: "zed-rule", Raw: `{"kind":`}, "unexpected EOF"},
		{zed.Posix, mention.Unknown{Name: "zed-rule", Raw: `{"kind":"zed-rule"}`}, "parse zed uri"},
		{zed.Posix, mention.Unknown{Name: "zed-rule", Raw: `{"kind":"zed-rule","uri":"file:///a"}`}, "the URI of a file"},
	} {
		got, err := zed.URI(c.m, c.style)
		if !errors.Is(err, zed.ErrNoURI) {
			t.Errorf("%#v: got %q, %v; want ErrNoURI", c.m, got, err)
		} else if text := err.Error(); !strings.HasPrefix(text, "write zed uri of ") || !strings.Contains(text, c.reason) {
			t.Errorf("%#v: %q does not say %q", c.m, text, c.reason)
		}
	}
}

// What has no kind of ours comes back byte for byte, however odd its spelling.
func TestForeignKindsComeBackByteForByte(t *testing.T) {
	for uri, kind := range map[string]mention.Kind{
		"zed:///agent/rule/d8694ff2-90d5-4b6f-be33-33c1763acd52?name=Some+rule": "zed-rule",
		"zed:///agent/rule/?name=":                             "zed-rule",
		"ZED:/agent/rule/%41?name=a%20b#x":                     "zed-rule",
		"zed:///agent/skill?name=n&source=&path=%2Fa":          "zed-skill",
		"zed:///agent/skill?path=C%3A%5Ca&source=s&name=\"<日>": "zed-skill",
		"zed:///agent/merge-conflict?path=src%2Fa.rs":          "zed-merge-conflict",
		"zed:///agent/merge-conflict":                          "zed-merge-conflict",
		" zed:///agent/merge-conflict\n":                       "zed-merge-conflict",
	} {
		for _, style := range []zed.Style{zed.Posix, zed.Windows} {
			m, err := zed.Parse(uri, style)
			if err != nil {
				t.Fatal(err)
			}
			if m.Kind() != kind {
				t.Errorf("%s is a %s, want %s", uri, m.Kind(), kind)
			}
			if got, err := zed.URI(m, style); got != uri || err != nil {
				t.Errorf("got %q, %v; want %q", got, err, uri)
			}
		}
	}
}

// odd draws names that have given URI writers trouble.
func odd() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z]{1,8}(\.[a-z]{1,3})?`),
		rapid.StringMatching(`[ -.0-\[\]-~é日本😀\x01-\x1f]{1,12}`),
		rapid.SampledFrom([]string{
			"a%20b", "%", "%25", "%2F", "%zz", "a#b", "a?b", "a b", " ", ".", "..", "...", "%2e%2e", "日本語.txt",
			"a:12", "a(3)", "a:b", "C:", "C|", "x[1]", "[", "]", "(", ")", "`", "a`", "a&b=c+d", "tab\tname", "line\nname", "\x00",
		}),
	)
}

func paths(style zed.Style) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		separator, root := "/", "/"
		if style == zed.Windows {
			separator = `\`
			root = rapid.SampledFrom([]string{`C:\`, `Z:\`, `c:\`, `C:/`, `\\server\share\`, `\`, "/", `\\?\C:\`}).Draw(t, "root")
		} else if rapid.IntRange(0, 9).Draw(t, "backslashes") == 0 {
			root = `/a\b\`
		}
		return root + strings.Join(rapid.SliceOfN(odd(), 1, 4).Draw(t, "names"), separator)
	})
}

// isName tells whether a host is a name: one that ends in a number, such as a.0x,
// is read as an address, and one with xn-- as another alphabet's.
func isName(host string) bool {
	return !strings.HasPrefix(host[strings.LastIndex(host, ".")+1:], "0x") && !strings.Contains(host, "xn--")
}

// sayable draws the mentions that have a Zed URI.
func sayable(style zed.Style) *rapid.Generator[mention.Mention] {
	return rapid.Custom(func(t *rapid.T) mention.Mention {
		path := paths(style).Draw(t, "path")
		first := rapid.IntRange(1, 1<<31-1).Draw(t, "first")
		last := rapid.IntRange(first, 1<<31-1).Draw(t, "last")
		switch rapid.IntRange(0, 10).Draw(t, "kind") {
		case 0:
			return mention.File{Path: path}
		case 1:
			return mention.Directory{Path: path}
		case 2:
			return mention.Symbol{Path: path, Name: odd().Draw(t, "name"), First: first, Last: last}
		case 3:
			return mention.Selection{Path: path, First: first, Last: last, Column: rapid.IntRange(0, 1000).Draw(t, "column")}
		case 4:
			return mention.Selection{First: first, Last: last, Column: rapid.IntRange(0, 1000).Draw(t, "column")}
		case 5:
			host := rapid.StringMatching(`[a-z][a-z0-9.-]{0,8}[a-z](:[1-9][0-9]{0,3})?`).Filter(isName).Draw(t, "host")
			return mention.URL{URL: "https://" + host + "/" + rapid.StringMatching(`[!-~é日]{0,12}`).Draw(t, "rest")}
		case 6:
			return mention.Image{Name: odd().Draw(t, "name")}
		case 7:
			return mention.Session{ID: rapid.StringMatching(`[A-Za-z0-9_~-]{1,36}`).Draw(t, "id"), Name: odd().Draw(t, "name")}
		case 8:
			return mention.Diagnostics{Errors: rapid.Bool().Draw(t, "errors"), Warnings: rapid.Bool().Draw(t, "warnings")}
		case 9:
			return mention.Terminal{Lines: rapid.IntRange(0, 1<<31-1).Draw(t, "lines")}
		default:
			return mention.GitDiff{Base: odd().Draw(t, "base")}
		}
	})
}

func TestParseIsTheInverseOfURI(t *testing.T) {
	for _, style := range []zed.Style{zed.Posix, zed.Windows} {
		t.Run(style.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := sayable(style).Draw(t, "mention")
				uri, err := zed.URI(m, style)
				if symbol, ok := m.(mention.Symbol); ok && errors.Is(err, zed.ErrNoURI) && !strings.HasPrefix(plainURI(t, symbol.Path, style), "file:") {
					// Neither form holds both an odd path and an odd name.
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				for i := range len(uri) {
					if _, web := m.(mention.URL); !web && (uri[i] <= ' ' || uri[i] > '~') {
						t.Fatalf("%q has a character that cannot stand in a URI", uri)
					}
				}
				if read, err := zed.Parse(uri, style); err != nil || read != m {
					t.Fatalf("%s\nreads as %#v, %v\nwant     %#v", uri, read, err, m)
				}
				if read, err := zed.ParseLink(uri, style); err != nil || read != m {
					t.Fatalf("as a link %s\nreads as %#v, %v\nwant     %#v", uri, read, err, m)
				}
			})
		})
	}
}

func plainURI(t *rapid.T, path string, style zed.Style) string {
	uri, err := zed.URI(mention.File{Path: path}, style)
	if err != nil {
		t.Fatal(err)
	}
	return uri
}
