package collection

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestList(t *testing.T) {
	w := newWorld(t)
	w.write("src", plain)
	w.install(Request{Source: "src"})
	w.install(Request{Source: "src", Scope: Project})
	w.write("project/.ampersat/collections/foundation", map[string]string{"context/AGENTS.md": "ours"})
	w.write("changed", map[string]string{"a.md": "a"})
	w.write("gone", map[string]string{"a.md": "a"})
	changed := w.install(Request{Source: "changed"})
	must(t, os.WriteFile(filepath.Join(changed.Path, "a.md"), []byte("b"), 0o644))
	must(t, os.RemoveAll(w.install(Request{Source: "gone"}).Path))
	w.write("home/.ampersat/collections/broken", map[string]string{"collection.yaml": "name: ["})
	w.write("home/.ampersat/collections", map[string]string{"stray.md": "no collection"})
	w.write("home/.ampersat/collections/folder", map[string]string{"collection.yaml": "name: company\nversion: 3", "a.md": "a"})
	w.write("home/.ampersat/collections/odd", map[string]string{"collection.yaml": "name: a b", "a.md": "a"})
	entries, problems := w.List()
	if len(problems) > 0 {
		t.Error(problems)
	}
	var have []string
	for _, e := range entries {
		line := e.Name + " " + string(e.Scope) + " " + string(e.State) + " " + e.Version
		for _, scope := range e.Behind {
			line += " behind " + string(scope)
		}
		if e.Problem != "" {
			line += " problem"
		}
		have = append(have, strings.TrimSpace(line))
		if len(e.Files) > 0 {
			t.Errorf("%s has files", e.Name)
		}
	}
	want := []string{
		"broken user local  problem", "changed user changed", "company user local 3", "expertise index available 2.0",
		"foundation project local", "foundation bundled bundled  behind project",
		"gone user gone", "odd user local", "standards project installed 1.0", "standards user installed 1.0 behind project",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("-want +have\n%s", diff)
	}
	for _, name := range []string{"company", "folder"} {
		if shown, err := w.Show(name); err != nil || len(shown) != 1 || shown[0].Name != "company" || filepath.Base(shown[0].Path) != "folder" || len(shown[0].Files) != 2 {
			t.Errorf("%s: %+v, %v", name, shown, err)
		}
	}
	shown, err := w.Show("standards")
	if err != nil || len(shown) != 2 || len(shown[0].Files) != 3 || shown[0].Record == nil || shown[0].Record.Source != filepath.Join(w.base, "src") {
		t.Errorf("%+v, %v", shown, err)
	}
	if shown, err = w.Show("expertise"); err != nil || len(shown) != 1 || len(shown[0].Files) != 2 || shown[0].Record != nil {
		t.Errorf("%+v, %v", shown, err)
	}
	if _, err := w.Show("nothing"); err == nil {
		t.Error("nothing is shown")
	}
	w.install(Request{Source: "expertise"})
	if shown, err = w.Show("expertise"); err != nil || len(shown) != 1 || shown[0].State != Installed {
		t.Errorf("what is installed is available as well: %+v, %v", shown, err)
	}
}

// TestInTheHome holds that the user's folder is not taken for that of a project
// around it.
func TestInTheHome(t *testing.T) {
	w := newWorld(t)
	for _, project := range []string{filepath.Join(w.base, "home"), filepath.Join(w.base, "linked")} {
		w.project = project
		w.reset(Limits{})
		must(t, os.MkdirAll(filepath.Join(w.base, "home", ".ampersat"), 0o755))
		if project != filepath.Join(w.base, "home") {
			must(t, os.MkdirAll(project, 0o755))
			must(t, os.Symlink(w.user, filepath.Join(project, ".ampersat")))
		} else {
			w.install(Request{Source: "expertise"})
		}
		entries, problems := w.List()
		if len(entries) != 2 || len(problems) > 0 || entries[0].Scope != User {
			t.Errorf("%+v, %v", entries, problems)
		}
		w.refused(Request{Source: "expertise", Scope: Project}, "the user's own")
	}
}

// TestLockFile holds that what others wrote into it stays, and that one that
// cannot be read is neither believed nor lost.
func TestLockFile(t *testing.T) {
	w := newWorld(t)
	w.write("src", plain)
	w.write("project/lib", map[string]string{"a.md": "a"})
	result := w.install(Request{Source: "src"})
	lock := filepath.Join(filepath.Dir(result.Path), lockName)
	text, err := os.ReadFile(lock)
	must(t, err)
	extended := strings.Replace(strings.Replace(string(text), `"version": 1`, `"version": 1, "signed_by": ["a"]`, 1), `"name": "standards"`, `"name": "standards", "license": "MIT"`, 1)
	must(t, os.WriteFile(lock, []byte(extended), 0o644))
	w.install(Request{Source: "expertise"})
	w.write("src", map[string]string{"context/coding.md": "changed"})
	_, err = w.Update(t.Context(), "standards", "", false)
	must(t, err)
	text, err = os.ReadFile(lock)
	must(t, err)
	for _, kept := range []string{`"signed_by"`, `"license": "MIT"`, `"expertise"`} {
		if !strings.Contains(string(text), kept) {
			t.Errorf("%s is lost:\n%s", kept, text)
		}
	}
	// Inside the project a path is that of the project.
	if inside := w.install(Request{Source: "project/lib", Scope: Project}); inside.Source != "./lib" {
		t.Errorf("%+v", inside)
	}
	if _, err := w.Update(t.Context(), "lib", "", false); err != nil {
		t.Error(err)
	}
	for _, damaged := range []string{"", "{", `{"version":1,"collections":[{"name":"../x","source":"","digest":"","installed":"2026-01-01T00:00:00Z"}]}`,
		`{"version":1,"collections":[{"name":"a"},{"name":"A"}]}`, strings.Repeat(" ", maxLock+1)} {
		must(t, os.WriteFile(lock, []byte(damaged), 0o644))
		before := w.tree()
		for _, do := range []func() error{
			func() error { _, err := w.Install(t.Context(), Request{Source: "src", Scope: User}); return err },
			func() error { _, err := w.Update(t.Context(), "standards", User, true); return err },
			func() error { _, err := w.Remove(t.Context(), "standards", User, true); return err },
			func() error { _, err := w.Show("standards"); return err },
		} {
			if err := do(); err == nil || !strings.Contains(err.Error(), "read collections.lock in "+filepath.Dir(lock)) {
				t.Errorf("%.60q: %v", damaged, err)
			}
		}
		if w.tree() != before {
			t.Errorf("%.60q: something was changed", damaged)
		}
	}
	must(t, os.WriteFile(lock, []byte(`{"version":2,"collections":[]}`), 0o644))
	must(t, os.RemoveAll(result.Path))
	w.refused(Request{Source: "src"}, "a later version of the program wrote it")
}
