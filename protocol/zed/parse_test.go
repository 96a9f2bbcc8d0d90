package zed_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
)

func TestParseReads(t *testing.T) {
	for _, c := range []struct {
		rule  string
		style zed.Style
		text  string
		want  mention.Mention
	}{
		{"a plain path with a separator at its end is a directory", zed.Posix, "/src/", mention.Directory{Path: "/src"}},
		{"on windows too", zed.Windows, `C:\src\`, mention.Directory{Path: `C:\src`}},
		{"a root keeps its separator", zed.Posix, "/", mention.Directory{Path: "/"}},
		{"a drive keeps its separator", zed.Windows, "file:///C:/", mention.Directory{Path: `C:\`}},
		{"a posix file ends in a backslash", zed.Posix, `/src\`, mention.File{Path: `/src\`}},
		{"slashes at the end are one", zed.Posix, "file:///src///", mention.Directory{Path: "/src"}},
		{"an escaped slash is a slash", zed.Posix, "file:///src%2Fa", mention.File{Path: "/src/a"}},
		{"bytes that are not UTF-8 stay escaped", zed.Posix, "file:///a%FFb", mention.File{Path: "/a%FFb"}},
		{"the host is dropped", zed.Posix, "file://localhost/a", mention.File{Path: "/a"}},
		{"one line", zed.Posix, "file:///a#L7", mention.Selection{Path: "/a", First: 7, Last: 7}},
		{"lines without an L", zed.Posix, "file:///a#7:9", mention.Selection{Path: "/a", First: 7, Last: 9}},
		{"lines in the wrong order", zed.Posix, "file:///a#L9:7", mention.Selection{Path: "/a", First: 7, Last: 9}},
		{"column", zed.Posix, "file:///a?column=3#L7:7", mention.Selection{Path: "/a", First: 7, Last: 7, Column: 3}},
		{"symbol without lines", zed.Posix, "file:///a?symbol=f", mention.Symbol{Path: "/a", Name: "f"}},
		{"further parameters without lines say nothing", zed.Posix, "file:///a?x=1", mention.File{Path: "/a"}},
		{"file in a query", zed.Posix, "zed:///agent/file?path=%2Fa%2Fb", mention.File{Path: "/a/b"}},
		{"directory in a query", zed.Posix, "zed:///agent/directory?path=%2Fa%2Fb%2F", mention.Directory{Path: "/a/b"}},
		{"symbol in a query", zed.Posix, "zed:///agent/symbol/f?path=/a#L1:2", mention.Symbol{Path: "/a", Name: "f", First: 1, Last: 2}},
		{"selection in a query", zed.Posix, "zed:///agent/selection?path=/a&column=4#L1", mention.Selection{Path: "/a", First: 1, Last: 1, Column: 4}},
		{"image without a name", zed.Posix, "zed:///agent/pasted-image", mention.Image{Name: "Image"}},
		{"terminal without a count", zed.Posix, "zed:///agent/terminal-selection", mention.Terminal{}},
		{"diff without a base", zed.Posix, "zed:///agent/git-diff", mention.GitDiff{Base: "main"}},
		{"the id of a thread is not decoded", zed.Posix, "zed:///agent/thread/a%20b?name=n", mention.Session{ID: "a%20b", Name: "n"}},
		{"https", zed.Posix, "https://go.dev/doc", mention.URL{URL: "https://go.dev/doc"}},
		{"white space around a URI", zed.Posix, " https://go.dev/doc\n", mention.URL{URL: "https://go.dev/doc"}},
		{"backticks around a URI", zed.Posix, "`https://go.dev/doc`", mention.URL{URL: "https://go.dev/doc"}},
		{"a UNC path", zed.Windows, `\\server\share\a.rs:4`, mention.Selection{Path: `\\server\share\a.rs`, First: 4, Last: 4}},

		{"row and column in brackets", zed.Posix, "/a.cs(22,5)", mention.Selection{Path: "/a.cs", First: 22, Last: 22, Column: 5}},
		{"row and column in brackets with a colon", zed.Posix, "/a.cs(22:5)", mention.Selection{Path: "/a.cs", First: 22, Last: 22, Column: 5}},
		{"row in brackets", zed.Posix, "/a.cs(22)", mention.Selection{Path: "/a.cs", First: 22, Last: 22}},
		{"brackets after a colon", zed.Posix, "/a.cs:(22,5)", mention.Selection{Path: "/a.cs", First: 22, Last: 22, Column: 5}},
		{"colons after the brackets", zed.Posix, "/a.cs(22,5):", mention.Selection{Path: "/a.cs", First: 22, Last: 22, Column: 5}},
		{"brackets inside a name", zed.Posix, "/a(22).cs", mention.File{Path: "/a(22).cs"}},
		{"half a position in brackets", zed.Posix, "/a.cs(22,)", mention.File{Path: "/a.cs(22,)"}},
		{"a sign in brackets", zed.Posix, "/a.cs(+22)", mention.File{Path: "/a.cs(+22)"}},
		{"brackets around words", zed.Posix, "/a(x).cs", mention.File{Path: "/a(x).cs"}},
		{"a name of brackets", zed.Posix, "/(22)", mention.File{Path: "/(22)"}},
		{"a word after the row", zed.Posix, "/a.rb:22:in", mention.Selection{Path: "/a.rb", First: 22, Last: 22}},
		{"a time in a name", zed.Posix, "/logs/12:30:00.txt", mention.File{Path: "/logs/12:30:00.txt"}},
		{"digits that end a name", zed.Posix, "/a1:2", mention.Selection{Path: "/a1", First: 2, Last: 2}},
		{"a name of colons and digits", zed.Posix, "/:1:2", mention.Selection{Path: "/:1", First: 2, Last: 2}},
		{"colons at the end", zed.Posix, "/a.rs:", mention.File{Path: "/a.rs"}},
		{"a name of colons", zed.Posix, "/::", mention.File{Path: "/::"}},
		{"a row that is no number we have", zed.Posix, "/a.rs:99999999999", mention.File{Path: "/a.rs:99999999999"}},
		{"column zero is the first", zed.Posix, "/a.rs:4:0", mention.Selection{Path: "/a.rs", First: 4, Last: 4, Column: 1}},
		{"a folder that has the file's name", zed.Posix, "/a.rs/a.rs:4", mention.Selection{Path: "/a.rs/a.rs", First: 4, Last: 4}},
		{"a position in a folder's name", zed.Posix, "/a:4/b", mention.File{Path: "/a:4/b"}},
		{"a fragment that is no range, after a path", zed.Posix, "/a.md#install", mention.File{Path: "/a.md"}},
		{"a fragment wins over a row", zed.Posix, "/a.rs:4#L7", mention.Selection{Path: "/a.rs:4", First: 7, Last: 7}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := zed.Parse(c.text, c.style)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%s\ngot  %#v\nwant %#v", c.text, got, c.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		style        zed.Style
		text, reason string
	}{
		{zed.Posix, "", "neither an absolute path nor a URI"},
		{zed.Posix, "src/main.rs", "neither an absolute path nor a URI"},
		{zed.Posix, `C:\a`, "scheme is not"},
		{zed.Posix, "ssh://example.com", "scheme is not"},
		{zed.Posix, "/a\xff", "not UTF-8"},
		{zed.Posix, "http://", "no host"},
		{zed.Posix, "http://host:99999/", "port"},
		{zed.Posix, "http://a b/", "host is not valid"},
		{zed.Windows, "file:///src/a.rs", "not an absolute windows path"},
		{zed.Windows, "file:///", "not an absolute windows path"},
		{zed.Windows, "file:///C:", "not an absolute windows path"},
		{zed.Posix, "file:///a#install", `"install" is not a line range`},
		{zed.Posix, "file:///a#", "not a line range"},
		{zed.Posix, "file:///a#L0", "not a line range"},
		{zed.Posix, "file:///a#L1:0", "not a line range"},
		{zed.Posix, "file:///a#L1-", "not a line range"},
		{zed.Posix, "file:///a#L-1", "not a line range"},
		{zed.Posix, "file:///a#L99999999999", "not a line range"},
		{zed.Posix, "file:///a?x=1#L1", `"x" is not known`},
		{zed.Posix, "file:///a?column=0#L1", "column"},
		{zed.Posix, "file:///a?column=x#L1", "column"},
		{zed.Posix, "file:///a?symbol=#L1", "no name"},
		{zed.Posix, "/a.rs:0", "count from one"},
		{zed.Posix, "zed:///agent", "no such kind"},
		{zed.Posix, "zed:agent/diagnostics", "no such kind"},
		{zed.Posix, "zed:///agent/diagnosticsx", "no such kind"},
		{zed.Posix, "zed:///agent/diagnostics?x=1", `"x" is not known`},
		{zed.Posix, "zed:///agent/thread/s", "no name"},
		{zed.Posix, "zed:///agent/thread/?name=n", "no id"},
		{zed.Posix, "zed:///agent/thread/s?name=a&name=b", "more than one"},
		{zed.Posix, "zed:///agent/thread/s?title=a", `"title" is not known`},
		{zed.Posix, "zed:///agent/rule/r", "no name"},
		{zed.Posix, "zed:///agent/rule/r?x=1", "not known"},
		{zed.Posix, "zed:///agent/pasted-image?x=1", "not known"},
		{zed.Posix, "zed:///agent/untitled-buffer", "needs a line range"},
		{zed.Posix, "zed:///agent/untitled-buffer#x", "not a line range"},
		{zed.Posix, "zed:///agent/untitled-buffer?path=/a#L1", "not known"},
		{zed.Posix, "zed:///agent/symbol/f?path=/a", "needs a line range"},
		{zed.Posix, "zed:///agent/symbol/f#L1", "no path"},
		{zed.Posix, "zed:///agent/symbol/?path=/a#L1", "no name"},
		{zed.Posix, "zed:///agent/file", "no path"},
		{zed.Posix, "zed:///agent/file?path=a", "not an absolute posix path"},
		{zed.Posix, "zed:///agent/file?path=/a&path=/b", "more than one path"},
		{zed.Posix, "zed:///agent/directory?x=/a", "not known"},
		{zed.Posix, "zed:///agent/selection?path=/a", "needs a line range"},
		{zed.Posix, "zed:///agent/selection#L1", "no path"},
		{zed.Posix, "zed:///agent/terminal-selection?lines=x", "not a number"},
		{zed.Posix, "zed:///agent/terminal-selection?x=1", "not known"},
		{zed.Posix, "zed:///agent/git-diff?base=", "no base"},
		{zed.Posix, "zed:///agent/git-diff?head=x", "not known"},
		{zed.Posix, "zed:///agent/merge-conflict?x=1", "not known"},
		{zed.Posix, "zed:///agent/skill?name=n&source=s", "0 times a path"},
		{zed.Posix, "zed:///agent/skill?name=n&name=n&source=s&path=p", "2 times a name"},
		{zed.Posix, "zed:///agent/skill?x=1", "not known"},
	} {
		got, err := zed.Parse(c.text, c.style)
		var parsing *zed.ParseError
		if got != nil || !errors.As(err, &parsing) {
			t.Errorf("%q: got %#v, %v; want a ParseError", c.text, got, err)
			continue
		}
		if parsing.Text != c.text || !strings.Contains(parsing.Reason, c.reason) {
			t.Errorf("%q: %+v does not say %q", c.text, parsing, c.reason)
		}
		if !strings.HasPrefix(err.Error(), `parse zed uri "`) {
			t.Errorf("%q: the error is %q", c.text, err)
		}
	}
}

func TestParseLinkReads(t *testing.T) {
	for _, c := range []struct {
		rule  string
		style zed.Style
		text  string
		want  mention.Mention
	}{
		{"escapes are decoded before the position is read", zed.Posix, "/a%20b.rs:4:2", mention.Selection{Path: "/a b.rs", First: 4, Last: 4, Column: 2}},
		{"also in backticks", zed.Posix, "`/a%20b.rs`", mention.File{Path: "/a b.rs"}},
		{"what would not be UTF-8 is not decoded", zed.Posix, "/a%20%FF", mention.File{Path: "/a%20%FF"}},
		{"half an escape", zed.Posix, "/a%2", mention.File{Path: "/a%2"}},
		{"an escaped backslash stays", zed.Windows, "C:/a%5Cb", mention.File{Path: `C:\a%5Cb`}},
		{"an escaped hash belongs to the name", zed.Posix, "/a%23L4", mention.File{Path: "/a#L4"}},
		{"a drive in a shell", zed.Windows, "/c/src/", mention.Directory{Path: `C:\src`}},
		{"a posix folder called c", zed.Posix, "/c/src", mention.File{Path: "/c/src"}},
		{"a UNC path with slashes", zed.Windows, "//server/share/a.rs", mention.File{Path: `\\server\share\a.rs`}},
		{"a file URI with a heading", zed.Posix, "file:///a%20b.md#install", mention.File{Path: "/a b.md"}},
		{"a file URI with lines", zed.Posix, "file:///a.md#L4", mention.Selection{Path: "/a.md", First: 4, Last: 4}},
		{"a web address is as it is", zed.Posix, "https://go.dev/a%20b#c", mention.URL{URL: "https://go.dev/a%20b#c"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := zed.ParseLink(c.text, c.style)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%s\ngot  %#v\nwant %#v", c.text, got, c.want)
			}
		})
	}
	for _, text := range []string{"", "src/main.rs", "/a\xff", "ssh://x", "/a:0", "file:///a?column=0#L1"} {
		var parsing *zed.ParseError
		if got, err := zed.ParseLink(text, zed.Posix); got != nil || !errors.As(err, &parsing) {
			t.Errorf("%q: got %#v, %v; want a ParseError", text, got, err)
		}
	}
}

// The other reading is there exactly when decoding changes the path.
func TestParseLinkLiteralIsTheOtherReading(t *testing.T) {
	got, ok := zed.ParseLinkLiteral("/C:/dir/a%20b.rs", zed.Windows)
	if want := (mention.File{Path: `C:\dir\a%20b.rs`}); !ok || got != want {
		t.Errorf("got %#v, %t; want %#v", got, ok, want)
	}
	for _, text := range []string{"file:///tmp/a%20b.rs", "/a%20\xff", "/a.rs#a%20b", "/a%20b:0"} {
		if got, ok := zed.ParseLinkLiteral(text, zed.Posix); ok || got != nil {
			t.Errorf("%q: got %#v, want nothing", text, got)
		}
	}
}
