package zed_test

import (
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
)

var fuzzSeeds = []string{
	"file:///a%20b.rs?symbol=f&column=3#L5:15", "file:///C:/a/../b/", "/a b.rs:4:2", "`C:\\a.cs(4,2)#L3`", "/c/a%2Fb",
	"zed:///agent/thread/s?name=n", "zed:///agent/rule/r?name=n", "zed:///agent/skill?name=n&source=&path=p",
	"zed:///agent/untitled-buffer?column=2#L1-L2", "zed:///agent/symbol/f?path=/a#L1", "zed:///agent/diagnostics?include_errors=false",
	"zed:///agent/merge-conflict?path=%ff", "zed:///agent/git-diff", "zed:///agent/terminal-selection?lines=4", "zed:///agent/pasted-image",
	"https://user@[::1]:80/a(b)?c#d", "http://0x7f.1", `\\server\share\a`, "//a", "[@a](file:///a)",
}

// Whatever Parse or ParseLink read, URI writes, and Parse reads it again.
func FuzzParse(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, windows bool) {
		style := zed.Posix
		if windows {
			style = zed.Windows
		}
		m, err := zed.Parse(text, style)
		comesBack(t, text, m, err, style)
		m, err = zed.ParseLink(text, style)
		comesBack(t, text, m, err, style)
		if m, ok := zed.ParseLinkLiteral(text, style); ok {
			comesBack(t, text, m, nil, style)
		}
	})
}

func comesBack(t *testing.T, text string, m mention.Mention, err error, style zed.Style) {
	t.Helper()
	if (m == nil) == (err == nil) {
		t.Fatalf("%q gives both or neither: %#v, %v", text, m, err)
	}
	if err != nil {
		return
	}
	uri, err := zed.URI(m, style)
	if err != nil {
		t.Fatalf("%q is %#v, which has no URI: %v", text, m, err)
	}
	if again, err := zed.Parse(uri, style); err != nil || again != m {
		t.Fatalf("%q is %#v, written %q, read again %#v, %v", text, m, uri, again, err)
	}
	if zed.Name(m, style, 1) == "" && zed.Name(m, style, 0) != "" {
		t.Fatalf("%#v has a name without detail but none with it", m)
	}
}

// Cutting the text at the links gives links that are found alone too.
func FuzzFindLinks(f *testing.F) {
	f.Add("a [@b [c]](file:///d) [@e](https://x.org/f_(g))[@h] ([@i](j)")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, ref := range zed.FindLinks(text, zed.Posix) {
			if ref.Start < end || text[ref.Start:ref.End] != ref.Written {
				t.Fatalf("%+v is not where it says in %q", ref, text)
			}
			end = ref.End
			alone := zed.FindLinks(ref.Written, zed.Posix)
			if len(alone) != 1 || alone[0].Mention != ref.Mention {
				t.Fatalf("%q alone is %+v", ref.Written, alone)
			}
		}
	})
}
