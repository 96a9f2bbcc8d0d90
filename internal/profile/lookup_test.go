package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhereProfilesAreFound(t *testing.T) {
	const body = "Be kind."
	w := newWorld(t, map[string]string{
		"project/.ampersat/profiles/a.md":                          body,
		"user/profiles/a.md":                                       body,
		"user/profiles/b.md":                                       body,
		"user/profiles/README.md":                                  body,
		"user/profiles/notes.txt":                                  body,
		"user/profiles/.hidden.md":                                 body,
		"user/profiles/sub/deep.md":                                body,
		"project/.ampersat/collections/company/profiles/c.md":      body,
		"user/collections/company/profiles/c.md":                   body,
		"user/collections/company/profiles/d.md":                   body,
		"user/collections/other/profiles/d.md":                     body,
		"user/collections/other/profiles/file.md":                  front("profile: {name: called}"),
		"bundled/collections/foundation/profiles/b.md":             body,
		"bundled/collections/foundation/profiles/e.md":             body,
		"user/collections/foundation/profiles/e.md":                body,
		"bundled/collections/foundation/profiles/f.md":             body,
		"bundled/collections/foundation/context/not-a-profile.md":  body,
		"project/.ampersat/collections/foundation/context/this.md": body,
	})
	for name, want := range map[string]string{
		"a": "project/.ampersat/profiles/a.md",
		"b": "user/profiles/b.md",
		"c": "project/.ampersat/collections/company/profiles/c.md",
		// One file of a bundled collection can be replaced, and the others stay.
		"e":                        "user/collections/foundation/profiles/e.md",
		"foundation:e":             "user/collections/foundation/profiles/e.md",
		"foundation:f":             "bundled:foundation/profiles/f.md",
		"f":                        "bundled:foundation/profiles/f.md",
		"foundation:b":             "bundled:foundation/profiles/b.md",
		"foundation:profiles/b.md": "bundled:foundation/profiles/b.md",
		"foundation:b.md":          "bundled:foundation/profiles/b.md",
		"company:d":                "user/collections/company/profiles/d.md",
		"called":                   "user/collections/other/profiles/file.md",
		"other:called":             "user/collections/other/profiles/file.md",
		"other:profiles/file.md":   "user/collections/other/profiles/file.md",
		"a.md":                     "project/.ampersat/profiles/a.md",
		"company:profiles/c.md":    "project/.ampersat/collections/company/profiles/c.md",
	} {
		if m := w.profile(name); m.File != want {
			t.Errorf("%s: have %s, want %s", name, m.File, want)
		}
	}
	w.fails("d", `"d" could be company:d or other:d; write one of these`)
	w.fails("calld", `there is no profile called "calld", did you mean "called"?`)
	w.fails("foundtion:e", `there is no collection called "foundtion" with profiles in it, did you mean "foundation"?`)
	w.fails("other:zzzzzz", `there is no profile called "other:zzzzzz"; looked in the collection other`)
	w.fails("nothing-like-it", `there is no profile called "nothing-like-it"; looked in project/.ampersat/profiles, user/profiles, the collection company, the collection foundation, the collection other`)
	for _, name := range []string{"", ":", "a b", "a/b", "../a", "x:y:z", "company:", ":a", "company:../profiles/c.md", "a\x00"} {
		if _, err := w.library().Profile(name); err == nil {
			t.Errorf("%q is found", name)
		}
	}

	entries, problems := w.library().Profiles()
	if len(problems) > 0 {
		t.Error(problems)
	}
	var listed []string
	for _, e := range entries {
		line := e.Call + " " + e.Qualified() + " " + string(e.Place)
		if e.ShadowedBy != "" {
			line += " by " + e.ShadowedBy
		}
		listed = append(listed, line)
	}
	want := `a a project
a a user by project/.ampersat/profiles/a.md
b b user
c company:c project
company:c company:c user by project/.ampersat/collections/company/profiles/c.md
company:d company:d user
e foundation:e user
other:d other:d user
called other:called user
foundation:b foundation:b bundled
foundation:e foundation:e bundled by user/collections/foundation/profiles/e.md
f foundation:f bundled`
	if have := strings.Join(listed, "\n"); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestTwoOfAName(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/one.md":    front("profile: {name: same}"),
		"user/profiles/two.md":    front("profile: {name: same}"),
		"user/profiles/child.md":  front("profile: {extends: same}"),
		"user/agents/a.md":        front("meta: {name: same}"),
		"user/agents/b.md":        front("meta: {name: same}"),
		"user/profiles/single.md": "Be kind.",
	})
	what := `two profiles are called "same": user/profiles/one.md and user/profiles/two.md; rename one of them`
	w.fails("same", "user/profiles/one.md: "+what)
	w.fails("child", "user/profiles/one.md: "+what+" (child → same)")
	w.profile("single")
	if _, err := w.library().Agent("same"); err == nil || !strings.Contains(err.Error(), "two agents are called") {
		t.Error(err)
	}
}

func TestChainsThatDoNotEnd(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/a.md":                                        front("profile: {extends: b}"),
		"user/profiles/b.md":                                        front("profile: {extends: c}"),
		"user/profiles/c.md":                                        front("profile: {extends: a}"),
		"user/profiles/into.md":                                     front("profile: {extends: a}"),
		"user/profiles/self.md":                                     front("profile: {extends: self}"),
		"user/profiles/alone.md":                                    front("profile: {extends: bsae}"),
		"user/profiles/below.md":                                    front("profile: {extends: alone, modle: x}"),
		"user/profiles/base.md":                                     front("profile: {extends: base}", "tools: [own]"),
		"user/profiles/odd.md":                                      front("profile: {extends: a/b/c}"),
		"bundled/collections/foundation/profiles/base.md":           front("tools: [bundled]"),
		"user/collections/company/profiles/x.md":                    front("profile: {extends: y}"),
		"user/collections/company/profiles/y.md":                    front("tools: [company]"),
		"user/profiles/y.md":                                        front("tools: [user]"),
		"project/.ampersat/collections/foundation/profiles/base.md": front("profile: {extends: foundation:base}", "tools: [project]"),
	})
	w.fails("a", "user/profiles/c.md:2:20: it extends a, which extends it in turn (a → b → c → a)")
	w.fails("into", "user/profiles/c.md:2:20: it extends a, which extends it in turn (into → a → b → c → a)")
	w.fails("self", "user/profiles/self.md:2:20: it extends itself (self → self)")
	w.fails("alone", `user/profiles/alone.md:2:20: there is no profile called "bsae", did you mean "base"? (alone → bsae)`)
	// All that is wrong along the chain is told.
	w.fails("below",
		`user/profiles/below.md:2:27: unknown key "modle" in profile, did you mean "model"?`,
		`user/profiles/alone.md:2:20: there is no profile called "bsae", did you mean "base"? (below → alone → bsae)`)
	w.fails("odd", `user/profiles/odd.md:2:20: "a/b/c" is no name of a profile; write it as name, collection:name or collection:profiles/name.md (odd → a/b/c)`)

	// Who extends what is called alike extends what it replaces.
	if m := w.profile("base"); ids(m.Tools) != "bundled own" {
		t.Errorf("%s: %s", files(m.Chain), ids(m.Tools))
	}
	// A profile of a collection means its own collection first.
	if m := w.profile("company:x"); ids(m.Tools) != "company" {
		t.Errorf("%s: %s", files(m.Chain), ids(m.Tools))
	}
	w.trusted = true
	if m := w.profile("foundation:base"); ids(m.Tools) != "bundled project" {
		t.Errorf("%s: %s", files(m.Chain), ids(m.Tools))
	}
}

// A project that nobody trusts cannot slip itself under the user's profiles.
func TestTrustedProfilesDoNotExtendUntrustedOnes(t *testing.T) {
	w := newWorld(t, map[string]string{
		"project/.ampersat/profiles/base.md":                        front("tools: [shell]"),
		"project/.ampersat/collections/foundation/profiles/base.md": front("tools: [shell]"),
		"bundled/collections/foundation/profiles/base.md":           front("tools: [read_file]"),
		"bundled/collections/foundation/profiles/dev.md":            front("profile: {extends: base}"),
		"user/profiles/mine.md":                                     front("profile: {extends: base}"),
		"user/profiles/only.md":                                     front("profile: {extends: theirs}"),
		"project/.ampersat/profiles/theirs.md":                      front("tools: [shell]"),
	})
	for _, name := range []string{"dev", "mine"} {
		if m := w.profile(name); ids(m.Tools) != "read_file" || m.Chain[1].Place != InBundle {
			t.Errorf("%s: %s", name, files(m.Chain))
		}
	}
	w.fails("only", `user/profiles/only.md:2:20: there is no profile called "theirs"; looked in project/.ampersat/profiles, user/profiles, the collection foundation (only → theirs)`)
	w.trusted = true
	if m := w.profile("dev"); m.Chain[1].File != "project/.ampersat/collections/foundation/profiles/base.md" {
		t.Errorf("%s", files(m.Chain))
	}
	if m := w.profile("only"); ids(m.Tools) != "shell" {
		t.Errorf("%s", files(m.Chain))
	}
}

func TestManifests(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/collections/folder/collection.yaml":  "name: company\nversion: 1\n",
		"user/collections/folder/profiles/a.md":    "Be kind.",
		"user/collections/broken/collection.yaml":  "name: [",
		"user/collections/broken/profiles/b.md":    "Be kind.",
		"user/collections/unnamed/collection.yaml": "\ufeff# nothing\r\n",
		"user/collections/unnamed/profiles/c.md":   "Be kind.",
		"user/collections/wrong/collection.yaml":   "name: a b\n",
		"user/collections/wrong/profiles/d.md":     "Be kind.",
		"user/collections/a-file.md":               "no collection",
		"user/collections/listed/collection.yaml":  "- x\n",
		"user/collections/listed/profiles/e.md":    "Be kind.",
		"user/collections/endless/collection.yaml": strings.Repeat("# x\n", 20_000),
		"user/collections/endless/profiles/f.md":   "Be kind.",
	})
	for name, collection := range map[string]string{"a": "company", "b": "broken", "c": "unnamed", "d": "wrong", "e": "listed", "f": "endless"} {
		if m := w.profile(name); m.Collection != collection {
			t.Errorf("%s: %+v", name, m.Source)
		}
	}
	_, problems := w.library().Profiles()
	want := `user/collections/broken/collection.yaml:2:1: the front matter is not YAML: did not find expected node content
user/collections/endless/collection.yaml: it is too long for a manifest
user/collections/listed/collection.yaml:1:1: a manifest is a list; it must be keys and values
user/collections/wrong/collection.yaml:1:7: name is "a b"; use letters, digits, dots, dashes and underscores`
	if have := problems.Error(); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

// What cannot be read is said, and does not hide the rest.
func TestFilesThatCannotBeRead(t *testing.T) {
	w := newWorld(t, map[string]string{
		"project/secret.md":          "outside of nothing",
		"user/profiles/fine.md":      "Be kind.",
		"user/profiles/long.md":      strings.Repeat("x", maxFile+1),
		"user/profiles/two words.md": "Be kind.",
		"elsewhere/private.md":       "private",
	})
	link := func(from, to string) {
		if err := os.Symlink(filepath.Join(w.base, to), filepath.Join(w.base, from)); err != nil {
			t.Fatal(err)
		}
	}
	link("user/profiles/out.md", "elsewhere/private.md")
	link("user/profiles/dangling.md", "user/profiles/nowhere.md")
	w.profile("fine")
	// A link from the user's folder into the project is the project's text.
	link("user/profiles/theirs.md", "project/secret.md")
	link("user/profiles/mine.md", "user/profiles/fine.md")
	if w.profile("theirs").Trusted || !w.profile("mine").Trusted {
		t.Error("a link into the project is believed, or one that stays is not")
	}
	for name, want := range map[string]string{
		"out":      "a symbolic link leads to",
		"dangling": "it cannot be read",
		"long":     "it is longer than 1 MB",
	} {
		if _, err := w.library().Profile(name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "private\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, problems := w.library().Profiles()
	if len(entries) != 7 || len(problems) > 0 {
		t.Errorf("%d entries, %v", len(entries), problems)
	}
	// A folder that is none, and too many files.
	if err := os.MkdirAll(filepath.Join(w.base, "project/.ampersat/agents"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.base, "project/.ampersat/profiles"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, problems := w.library().Profiles(); len(problems) != 1 || !strings.Contains(problems.Error(), "it is not a folder") {
		t.Error(problems)
	}
	for i := range maxFiles + 1 {
		if err := os.WriteFile(filepath.Join(w.base, "project/.ampersat/agents", fmt.Sprintf("agent%d.md", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, problems := w.library().Agents(); len(problems) != 1 || !strings.Contains(problems.Error(), "more than 1000 files") {
		t.Error(problems)
	}
}
