package fs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/source/fs"
)

// prepare runs a prompt through the pipeline and tells what became of each
// mention, nested ones indented.
func (p place) prepare(t *testing.T, prompt string) (told []string, stack ampersat.Stack) {
	t.Helper()
	var mux ampersat.Mux
	mux.Handle(fs.New(p.config), fs.Kinds()...)
	stack, err := (&ampersat.Pipeline{Resolver: &mux, Consent: p.config.Consent}).Prepare(t.Context(), ampersat.Ask(prompt))
	must(t, err)
	depth := map[int]int{-1: -1}
	for i, r := range stack.Reports {
		depth[i] = depth[r.Parent] + 1
		line := strings.Repeat("  ", depth[i]) + fmt.Sprintf("%s %s", r.Written, r.Outcome)
		if r.Written == "" {
			line = strings.Repeat("  ", depth[i]) + fmt.Sprintf("%s %s", r.Name, r.Outcome)
		}
		told = append(told, line)
	}
	return told, stack
}

// Mentions in files are looked for where the file is, inside its tree, and
// cycles end.
func TestNestedMentions(t *testing.T) {
	p := newPlace(t, map[string]string{
		"AGENTS.md":                           "Read @docs/guide.md and @base:rules.md",
		"docs/guide.md":                       "See @detail.md, @../AGENTS.md and `@code.md`",
		"docs/detail.md":                      "detail of @~/secret.md, @docs/guide.md and @missing.md",
		"detail.md":                           "the wrong one",
		".ampersat/collections/base/rules.md": "also @more.md",
		".ampersat/collections/base/more.md":  "but not @docs/guide.md",
	})
	write(t, p.home, map[string]string{"secret.md": "secret"})
	told, stack := p.prepare(t, "Follow @AGENTS.md")
	want := []string{
		"@AGENTS.md loaded",
		"  @docs/guide.md loaded",
		"    @detail.md loaded",
		"      @~/secret.md blocked",
		"      @docs/guide.md duplicate",
		"      @missing.md missing",
		"    @../AGENTS.md duplicate",
		"  @base:rules.md loaded",
		"    @more.md loaded",
		"      @docs/guide.md missing",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	for _, m := range stack.All() {
		if text := fmt.Sprint(m.Rendered()); strings.Contains(text, "the wrong one") || strings.Contains(text, ">\nsecret") {
			t.Error(text)
		}
	}
}

func TestNestedMentionsInTheBundle(t *testing.T) {
	p := newPlace(t, map[string]string{"private.md": "private"})
	p.config.Bundled = fstest.MapFS{
		"collections/base/a.md":         {Data: []byte("@sub/b.md @../../context/c.md @private.md")},
		"collections/base/sub/b.md":     {Data: []byte("@../a.md @base:sub/d.md")},
		"collections/base/sub/d.md":     {Data: []byte("d")},
		"collections/base/unrelated.md": {Data: []byte("u")},
		"context/c.md":                  {Data: []byte("c")},
	}
	told, _ := p.prepare(t, "@base:a.md")
	want := []string{
		"@base:a.md loaded",
		"  @sub/b.md loaded",
		"    @../a.md duplicate",
		"    @base:sub/d.md loaded",
		"  @../../context/c.md blocked",
		"  @private.md missing",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

// The words of a prompt that name nothing are words.
func TestWhatDoesNotExistIsPlainText(t *testing.T) {
	p := newPlace(t, map[string]string{"Makefile": "all:\n", "src/a.go": "package a\n"})
	told, _ := p.prepare(t, "@param @alice @angular/core @/components/button @Makefile @src and @nowhere.md")
	if diff := cmp.Diff([]string{"@Makefile loaded", "@src loaded", "@nowhere.md missing"}, told); diff != "" {
		t.Error(diff)
	}
}

func TestSecretsInPatternsAreBlocked(t *testing.T) {
	token := "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5"
	p := newPlace(t, map[string]string{"a.md": "fine", "b.md": "token: " + token, ".env": "X=1"})
	_, stack := p.prepare(t, "@*.md")
	for _, m := range stack.All() {
		if strings.Contains(fmt.Sprint(m.Rendered()), token) {
			t.Error("the token is sent")
		}
	}
	told, _ := p.prepare(t, "@.env @b.md")
	if diff := cmp.Diff([]string{"@.env blocked", "@b.md blocked"}, told); diff != "" {
		t.Error(diff)
	}
	memory := new(access.Memory)
	must(t, memory.Allow(access.Secret{Name: filepath.Join(p.dir, "b.md")}))
	p.config.Consent = memory
	told, _ = p.prepare(t, "@.env @b.md")
	if diff := cmp.Diff([]string{"@.env blocked", "@b.md loaded"}, told); diff != "" {
		t.Error(diff)
	}
}

// Files of a file system of one's own are allowed by the names that they have in it.
func TestSecretsInAFileSystemAreAllowedByName(t *testing.T) {
	tree := fstest.MapFS{".env": {Data: []byte("X=1\n")}, "d/.env": {Data: []byte("X=2\n")}}
	memory := new(access.Memory)
	p := place{config: fs.Config{FS: tree, Consent: memory}}
	told, _ := p.prepare(t, "@.env @d/.env")
	if diff := cmp.Diff([]string{"@.env blocked", "@d/.env blocked"}, told); diff != "" {
		t.Error(diff)
	}
	must(t, memory.Allow(access.Secret{Name: ".env"}))
	told, _ = p.prepare(t, "@.env @d/.env")
	if diff := cmp.Diff([]string{"@.env loaded", "@d/.env blocked"}, told); diff != "" {
		t.Error(diff)
	}
}

func TestAttackTenThousandMentions(t *testing.T) {
	p := newPlace(t, nil)
	var prompt strings.Builder
	for i := range 10_000 {
		name := fmt.Sprintf("f%d.md", i%100)
		if i < 100 {
			must(t, os.WriteFile(filepath.Join(p.dir, name), []byte("text "+name), 0o644))
		}
		if i%2 == 1 {
			name = fmt.Sprintf("missing%d.md", i)
		}
		fmt.Fprintf(&prompt, "@%s ", name)
	}
	told, _ := p.prepare(t, prompt.String())
	if len(told) != 10_000 {
		t.Errorf("%d reports", len(told))
	}
}
