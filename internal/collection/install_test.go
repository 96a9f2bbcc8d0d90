package collection

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var plain = map[string]string{"collection.yaml": "name: standards\nversion: 1.0\ndescription: How we work\n", "context/coding.md": "tabs", "profiles/dev.md": "be kind"}

func TestInstallFromEverywhere(t *testing.T) {
	w := newWorld(t)
	w.write("src/plain", plain)
	address := w.repository("src/repo", map[string]string{"README.md": "---\nname: from-readme\n---\nHello", "a/deep/x.md": "x"})
	archive := filepath.Join(w.base, "pack.zip")
	must(t, os.WriteFile(archive, zipOf(t, map[string]string{"pack-main/collection.yaml": "name: packed", "pack-main/a.md": "a"}), 0o644))
	tarball := filepath.Join(w.base, "loose.tar.gz")
	must(t, os.WriteFile(tarball, gz(t, tarOf(t, file("context/a.md", "a"))), 0o644))
	must(t, os.WriteFile(filepath.Join(w.base, "flat.TAR"), tarOf(t, file("./a.md", "a"), file("b/c.md", "c")), 0o644))
	for name, test := range map[string]struct {
		request Request
		name    string
		file    string
	}{
		"a folder":                  {Request{Source: "src/plain"}, "standards", "context/coding.md"},
		"a part of a folder":        {Request{Source: "./src", Subfolder: "plain/"}, "standards", "profiles/dev.md"},
		"a repository":              {Request{Source: address}, "from-readme", "a/deep/x.md"},
		"a part of a repository":    {Request{Source: address, Subfolder: "a"}, "a", "deep/x.md"},
		"a version of a folder":     {Request{Source: "src/repo", Ref: "main"}, "from-readme", "README.md"},
		"an archive":                {Request{Source: archive}, "packed", "a.md"},
		"an archive without a name": {Request{Source: "loose.tar.gz"}, "loose", "context/a.md"},
		"a tar":                     {Request{Source: "flat.TAR"}, "flat", "b/c.md"},
		"a part of an archive":      {Request{Source: "flat.TAR", Subfolder: "b"}, "b", "c.md"},
		"the index":                 {Request{Source: "expertise"}, "expertise", "go.md"},
	} {
		for _, scope := range []Scope{User, Project} {
			t.Run(name+" for the "+string(scope), func(t *testing.T) {
				test.request.Scope = scope
				result := w.install(test.request)
				home := filepath.Join(w.user, "collections")
				if scope == Project {
					home = filepath.Join(w.project, ".ampersat", "collections")
				}
				if result.Name != test.name || result.Path != filepath.Join(home, test.name) || result.Digest == "" || result.Installed.IsZero() {
					t.Errorf("%+v", result)
				}
				if w.read(result, test.file) == "" {
					t.Error("it is empty")
				}
				if info, err := os.Stat(filepath.Join(result.Path, test.file)); err != nil || info.Mode().Perm()&0o111 != 0 {
					t.Errorf("%v, %v: a file can be run", info.Mode(), err)
				}
				if hidden, err := filepath.Glob(filepath.Join(home, ".new*")); err != nil || len(hidden) > 0 {
					t.Errorf("%v is left over", hidden)
				}
				if scope == Project && !cmp.Equal(result.Hides, []Scope{User}) {
					t.Errorf("it hides %v", result.Hides)
				}
				same, err := w.Update(t.Context(), test.name, scope, false)
				if err != nil || !same.Unchanged || same.Digest != result.Digest {
					t.Errorf("%+v, %v", same, err)
				}
				if scope == Project {
					removeBoth(t, w, test.name)
				}
			})
		}
	}
	if tree := strings.ReplaceAll(w.tree(), "\\", "/"); strings.Contains(tree, ".md") {
		t.Errorf("left over:\n%s", tree)
	}
}

func removeBoth(t *testing.T, w *world, name string) {
	t.Helper()
	if _, err := w.Remove(t.Context(), name, "", false); err == nil || !strings.Contains(err.Error(), "--scope") {
		t.Errorf("one of two was removed: %v", err)
	}
	for range 2 {
		for _, scope := range []Scope{Project, User} {
			_, err := w.Remove(t.Context(), name, scope, false)
			if err != nil && !errors.Is(err, errNotInstalled) {
				t.Error(err)
			}
		}
	}
	if _, err := w.Remove(t.Context(), name, "", false); !errors.Is(err, errNotInstalled) {
		t.Errorf("removed twice: %v", err)
	}
}

// TestVersions installs by branch, tag and commit, and follows a branch.
func TestVersions(t *testing.T) {
	w := newWorld(t)
	address := w.repository("repo", map[string]string{"collection.yaml": "name: lib", "a.md": "one"})
	dir := filepath.Join(w.base, "repo")
	first := w.git(dir, "rev-parse", "HEAD")
	w.git(dir, "tag", "-a", "v1", "-m", "one")
	w.write("repo", map[string]string{"a.md": "two", "b.md": "new"})
	second := w.commit(dir, "second")
	w.git(dir, "branch", "feature/x")
	for ref, want := range map[string][2]string{
		"": {second, "two"}, "main": {second, "two"}, "v1": {first, "one"}, "refs/tags/v1": {first, "one"},
		"feature/x": {second, "two"}, first: {first, "one"}, first[:10]: {first, "one"},
	} {
		result := w.install(Request{Source: address, Ref: ref})
		if result.Commit != want[0] || w.read(result, "a.md") != want[1] || result.Ref != ref {
			t.Errorf("%q: %+v", ref, result)
		}
		_, err := w.Remove(t.Context(), "lib", User, false)
		must(t, err)
	}
	w.refused(Request{Source: address, Ref: "nope"}, "nope")
	w.refused(Request{Source: address, Ref: "deadbeef"}, "no commit deadbeef")
	w.install(Request{Source: address})
	w.write("repo", map[string]string{"a.md": "three"})
	must(t, os.Remove(filepath.Join(dir, "b.md")))
	third := w.commit(dir, "third")
	result, err := w.Update(t.Context(), "lib", "", false)
	must(t, err)
	if result.Unchanged || result.Commit != third || w.read(result, "a.md") != "three" {
		t.Errorf("%+v", result)
	}
	if _, err := os.Stat(filepath.Join(result.Path, "b.md")); err == nil {
		t.Error("what was removed is still there")
	}
	fourth := w.commit(dir, "says nothing new")
	result, err = w.Update(t.Context(), "lib", "", false)
	must(t, err)
	if !result.Unchanged || result.Commit != fourth {
		t.Errorf("%+v", result)
	}
}

func TestUpdateThatFails(t *testing.T) {
	w := newWorld(t)
	w.write("src", plain)
	w.install(Request{Source: "src"})
	changed := filepath.Join(w.user, "collections", "standards", "context", "coding.md")
	must(t, os.WriteFile(changed, []byte("spaces"), 0o644))
	w.write("src", map[string]string{"context/coding.md": "tabs, mostly"})
	before := w.tree()
	for _, do := range []func() error{
		func() error { _, err := w.Update(t.Context(), "standards", "", false); return err },
		func() error { _, err := w.Remove(t.Context(), "standards", "", false); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "changed by hand") {
			t.Errorf("changes by hand were lost: %v", err)
		}
	}
	must(t, os.Symlink("/etc/hosts", filepath.Join(w.base, "src", "link.md")))
	if _, err := w.Update(t.Context(), "standards", "", true); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("%v", err)
	}
	if after := w.tree(); after != before {
		t.Errorf("have\n%s\nwant\n%s", after, before)
	}
	must(t, os.Remove(filepath.Join(w.base, "src", "link.md")))
	result, err := w.Update(t.Context(), "standards", "", true)
	if err != nil || w.read(result, "context/coding.md") != "tabs, mostly" {
		t.Errorf("by force: %+v, %v", result, err)
	}
	w.write("src", map[string]string{"collection.yaml": "name: other"})
	if _, err := w.Update(t.Context(), "standards", "", false); err == nil || !strings.Contains(err.Error(), "it is called other now") {
		t.Errorf("%v", err)
	}
	must(t, os.RemoveAll(filepath.Join(w.base, "src")))
	if _, err := w.Update(t.Context(), "standards", "", false); err == nil || !strings.Contains(err.Error(), "no such file or folder") {
		t.Errorf("%v", err)
	}
	// One that somebody deleted comes back, or is forgotten.
	w.write("src", plain)
	must(t, os.RemoveAll(filepath.Join(w.user, "collections", "standards")))
	if _, err = w.Update(t.Context(), "standards", "", false); err != nil {
		t.Error(err)
	}
	must(t, os.RemoveAll(filepath.Join(w.user, "collections", "standards")))
	if _, err = w.Remove(t.Context(), "standards", "", false); err != nil {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	w := newWorld(t)
	w.write("src", plain)
	w.install(Request{Source: "src"})
	w.refused(Request{Source: "src"}, "standards is installed already, from "+filepath.Join(w.base, "src"))
	for name, why := range map[string]string{
		"Standards": "installed already", "foundation": "comes with the program", "FOUNDATION": "comes with the program",
		"user": "nothing could be mentioned", "project": "nothing could be mentioned", "diff": "nothing could be mentioned", "url": "nothing could be mentioned",
		"../up": "nothing could be mentioned", "a/b": "nothing could be mentioned", ".hidden": "nothing could be mentioned", "two words": "nothing could be mentioned",
		"a:b": "nothing could be mentioned", "main.go": "nothing could be mentioned", "[1]": "must be a plain text",
	} {
		w.write("named", map[string]string{"collection.yaml": "name: " + name, "a.md": "a"})
		w.refused(Request{Source: "named"}, why)
	}
	for i, readme := range []string{"---\nname: My Site\n---\n", "---\nname: [\n---\n", "---\nname: x", "no front matter", "---\ncollection: {name: below}\n---\n"} {
		dir := w.write(fmt.Sprint("readme-", i), map[string]string{"README.md": readme})
		want := filepath.Base(dir)
		if i == 4 {
			want = "below"
		}
		if result := w.install(Request{Source: dir}); result.Name != want {
			t.Errorf("%q: %s", readme, result.Name)
		}
	}
	w.write("home/.ampersat/collections/handmade", map[string]string{"a.md": "mine"})
	w.write("named", map[string]string{"collection.yaml": "name: handmade"})
	w.refused(Request{Source: "named"}, "which was not installed")
	for _, do := range []func() error{
		func() error { _, err := w.Update(t.Context(), "handmade", "", true); return err },
		func() error { _, err := w.Remove(t.Context(), "handmade", "", true); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "somebody made") {
			t.Errorf("%v", err)
		}
	}
	if _, err := w.Remove(t.Context(), "foundation", "", false); err == nil || !strings.Contains(err.Error(), "comes with the program") {
		t.Errorf("%v", err)
	}
}

// TestManyAtOnce installs different collections into one folder at once: all
// are there in the end, and all are recorded.
func TestManyAtOnce(t *testing.T) {
	w := newWorld(t)
	names := []string{"one", "two", "three", "four", "five", "six"}
	var wait sync.WaitGroup
	for _, name := range names {
		source := w.write("src/"+name, map[string]string{"a.md": name})
		wait.Go(func() {
			if _, err := w.Install(t.Context(), Request{Source: source, Scope: User}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	entries, problems := w.List()
	count := 0
	for _, e := range entries {
		if e.State == Installed {
			count++
		}
	}
	if count != len(names) || len(problems) > 0 {
		t.Errorf("%d of %d: %v", count, len(names), problems)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Install(ctx, Request{Source: filepath.Join(w.base, "src"), Scope: User}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRecovery holds what becomes of a folder in which a process died at any
// step.
func TestRecovery(t *testing.T) {
	for name, test := range map[string]struct {
		break_ func(t *testing.T, home string)
		want   string
	}{
		"while it was put together": {func(t *testing.T, home string) {
			must(t, os.MkdirAll(filepath.Join(home, ".new-1", "half"), 0o755))
		}, "tabs"},
		"between the two moves": {func(t *testing.T, home string) {
			must(t, os.Rename(filepath.Join(home, "standards"), filepath.Join(home, ".standards.old")))
		}, "tabs"},
		"before it was recorded": {func(t *testing.T, home string) {
			must(t, os.Rename(filepath.Join(home, "standards"), filepath.Join(home, ".standards.old")))
			must(t, os.MkdirAll(filepath.Join(home, "standards", "context"), 0o755))
			must(t, os.WriteFile(filepath.Join(home, "standards", "context", "coding.md"), []byte("unrecorded"), 0o644))
		}, "tabs"},
		"after it was recorded": {func(t *testing.T, home string) {
			must(t, os.MkdirAll(filepath.Join(home, ".standards.old"), 0o755))
		}, "tabs"},
		"after another was removed": {func(t *testing.T, home string) {
			must(t, os.MkdirAll(filepath.Join(home, ".other.old"), 0o755))
		}, "tabs"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("src", plain)
			result := w.install(Request{Source: "src"})
			home := filepath.Dir(result.Path)
			test.break_(t, home)
			w.install(Request{Source: "expertise"})
			if have := w.read(result, "context/coding.md"); have != test.want {
				t.Errorf("%q", have)
			}
			if hidden, err := filepath.Glob(filepath.Join(home, ".[^b]*")); err != nil || len(hidden) > 0 {
				t.Errorf("%v is left over, %v", hidden, err)
			}
		})
	}
}
