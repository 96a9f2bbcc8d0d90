package bundled

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	var have []string
	err := fs.WalkDir(Files(), "collections", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			have = append(have, strings.TrimPrefix(path, "collections/foundation/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"agents/architect.md", "agents/explorer.md", "agents/reviewer.md", "agents/tester.md", "collection.yaml",
		"context/AGENTS.md", "context/DISCOVERIES.md", "context/IMPLEMENTATION_PHILOSOPHY.md", "context/README.md",
		"profiles/base.md", "profiles/dev.md", "profiles/docs.md", "profiles/general.md", "profiles/research.md", "profiles/review.md",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have %q", have)
	}
}

// Texts of the foundation are found by their plain names, but for those that a
// project without one must not get from us.
func TestPlainNames(t *testing.T) {
	for name, there := range map[string]bool{
		"context": true, "context/DISCOVERIES.md": true, "context/IMPLEMENTATION_PHILOSOPHY.md": true,
		"context/README.md": false, "context/AGENTS.md": false, "context/nothing.md": false, "index": false, "index/developer-expertise/README.md": false,
		"../bundled.go": false, "/etc": false, "context/../collections": false,
	} {
		file, err := Files().Open(name)
		if (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			file.Close()
		} else if !errors.Is(err, fs.ErrNotExist) && fs.ValidPath(name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIndex(t *testing.T) {
	entries, err := fs.ReadDir(Index(), ".")
	if err != nil || len(entries) != 1 || entries[0].Name() != "developer-expertise" {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, topic := range []string{"apis", "go", "python", "testing", "typescript"} {
		text, err := fs.ReadFile(Index(), "developer-expertise/"+topic+"/best-practices.md")
		if err != nil || len(text) < 1000 {
			t.Errorf("%s: %d bytes, %v", topic, len(text), err)
		}
	}
}
