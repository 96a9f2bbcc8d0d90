package mention

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/internal/union"
	"pgregory.net/rapid"
)

// every has one value of each kind, with all its members set.
var every = []Mention{
	File{Namespace: "foundation", Path: "context/AGENTS.md"},
	Directory{Namespace: "foundation", Path: "context"},
	Glob{Namespace: "foundation", Pattern: "**/*.md"},
	Selection{Namespace: "foundation", Path: "f.go", First: 10, Last: 20, Column: 5},
	Symbol{Namespace: "foundation", Path: "f.go", Name: "Server.Close", First: 10, Last: 20},
	URL{URL: "https://go.dev/doc"},
	Image{Digest: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", MIME: "image/png", Name: "shot.png"},
	Resource{Server: "docs", URI: "file:///guide.md"},
	Agent{Name: "reviewer"},
	Subtask{Agent: "reviewer", Prompt: "check the error paths", Description: "review"},
	Diagnostics{Errors: true, Warnings: true, Path: "src"},
	GitDiff{Base: "main", Head: "feature", MergeBase: true, Staged: true, Commit: "HEAD~1"},
	Terminal{Lines: 200},
	Session{ID: "01J5", Name: "yesterday"},
	Custom{Scheme: "jira", Arg: "ABC-1"},
	Unknown{Name: "hologram", Raw: `{ "kind":"hologram",  "depth":3 }`},
}

func TestEveryKindIsAMapKey(t *testing.T) {
	seen := map[Mention]Kind{}
	for _, m := range every {
		seen[m] = m.Kind()
	}
	for _, m := range every {
		if seen[m] != m.Kind() {
			t.Errorf("%#v is not found again", m)
		}
	}
	if len(seen) != len(every) || len(every) != len(variants)+1 {
		t.Errorf("%d values of %d kinds", len(seen), len(variants)+1)
	}
}

// TestJSON freezes the form in which mentions are stored: what was written
// yesterday must be read tomorrow.
func TestJSON(t *testing.T) {
	var b strings.Builder
	for _, m := range every {
		value, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(value)
		b.WriteByte('\n')
		back, rest, err := Decode(value)
		if err != nil || back != m || rest != nil {
			t.Errorf("%s reads as %#v, rest %s, %v", value, back, rest, err)
		}
	}
	golden := filepath.Join("testdata", "kinds.jsonl")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the stored form has changed:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestUnknownMembersComeBack(t *testing.T) {
	m, rest, err := Decode([]byte(`{"hue":{"a":[1, 2]},"kind":"file","path":"a.md","Path":"b.md"}`))
	if err != nil || m != (File{Path: "a.md"}) {
		t.Fatalf("%#v, %v", m, err)
	}
	var members map[string]any
	if err := json.Unmarshal(rest, &members); err != nil || len(members) != 2 || members["Path"] != "b.md" {
		t.Errorf("rest is %s, %v", rest, err)
	}
}

func TestBadJSON(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`{"path":"a.md"}`, `without a "kind"`},
		{`{"kind":7}`, `"kind" must be a string`},
		{`[]`, "want an object"},
		{`{"kind":"file","path":7}`, "decode file mention"},
		{`{"kind":"selection","path":"a","first":"x"}`, "decode selection mention"},
		{`{"kind":"file","kind":"file"}`, "duplicate"},
		{``, "decode mention"},
	} {
		_, _, err := Decode([]byte(c.json))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.json, err, c.want)
		}
	}
	if _, err := Encode(nil); err == nil {
		t.Error("no mention was encoded")
	}
}

func TestJSONOfAnyMention(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := writable().Draw(t, "mention")
		value, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if back, rest, err := Decode(value); err != nil || back != m || rest != nil {
			t.Fatalf("%s reads as %#v, rest %s, %v", value, back, rest, err)
		}
	})
}

// Files are written by hand for speed; how every other kind is written judges
// it, for any bytes.
func TestFileIsWrittenAsAnyOtherKind(t *testing.T) {
	any := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })
	rapid.Check(t, func(t *rapid.T) {
		f := File{Namespace: rapid.OneOf(any, rapid.String()).Draw(t, "namespace"), Path: rapid.OneOf(any, rapid.String()).Draw(t, "path")}
		want, err := union.Join(tag, string(KindFile), f)
		if err != nil {
			t.Fatal(err)
		}
		if have, err := Encode(f); err != nil || string(have) != string(want) {
			t.Fatalf("have %s, %v, want %s", have, err, want)
		}
	})
}

func TestRefJSON(t *testing.T) {
	for text, want := range map[string]string{
		"see @f.go:10-20": `{"kind":"selection","written":"@f.go:10-20","start":4,"end":15,"path":"f.go","first":10,"last":20}`,
		"@alice":          `{"kind":"file","written":"@alice","start":0,"end":6,"bare":true,"path":"alice"}`,
		"@diff":           `{"kind":"git-diff","written":"@diff","start":0,"end":5}`,
	} {
		got, err := Find(text)[0].MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("%s\nhave %s %v\nwant %s", text, got, err, want)
		}
	}
	_, err := Ref{}.MarshalJSON()
	if err == nil {
		t.Error("a ref without a mention was written")
	}
}
