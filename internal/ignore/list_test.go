package ignore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// On random trees both ways to list agree with git, and Ignored with both.
func TestListsAsGitDoes(t *testing.T) {
	r := newRepository(t)
	rapid.Check(t, func(t *rapid.T) {
		clear(t, r.dir)
		drawTree(t, r.dir, false)
		if rapid.Bool().Draw(t, "exclude") {
			fill(r.t, r.dir, map[string]string{".git/info/exclude": "# x\n*.go\nz\n"})
		} else {
			fill(r.t, r.dir, map[string]string{".git/info/exclude": ""})
		}
		want := r.listed()
		for _, o := range []Options{{}, {NoGit: true}} {
			have, err := List(context.Background(), r.dir, ".", o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(paths(have.Files), want) || len(have.Problems) > 0 || have.Git == o.NoGit {
				t.Fatalf("%+v: %s\nproblems %v, by git %t", o, differ(paths(have.Files), want), have.Problems, have.Git)
			}
		}
	})
}

// With all three sorts of rules, both ways agree; a cap takes the first; a
// subfolder's listing is the part of the whole below it; and Ignored says of
// exactly the files listed that they are not.
func TestListingsAgree(t *testing.T) {
	r := newRepository(t)
	rapid.Check(t, func(t *rapid.T) {
		clear(t, r.dir)
		drawTree(t, r.dir, true)
		list := func(dir string, o Options) Listing {
			have, err := List(context.Background(), r.dir, dir, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(have.Problems) > 0 {
				t.Fatal(have.Problems)
			}
			return have
		}
		byGit, own := list(".", Options{}), list(".", Options{NoGit: true})
		if !slices.Equal(byGit.Files, own.Files) {
			t.Fatalf("by git, against without: %s", differ(paths(byGit.Files), paths(own.Files)))
		}
		if !slices.IsSorted(paths(own.Files)) {
			t.Fatalf("not sorted: %q", paths(own.Files))
		}
		if most := rapid.IntRange(1, 10).Draw(t, "max"); true {
			for _, o := range []Options{{Max: most}, {Max: most, NoGit: true}} {
				few := list(".", o)
				if !slices.Equal(few.Files, own.Files[:min(most, len(own.Files))]) || few.More != (len(own.Files) > most) {
					t.Fatalf("%+v: have %q, more %t", o, paths(few.Files), few.More)
				}
			}
		}
		var all, folders []string
		filepath.WalkDir(r.dir, func(file string, entry fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(r.dir, file)
			switch {
			case err != nil:
				t.Fatal(err)
			case rel == ".git":
				return fs.SkipDir
			case entry.IsDir():
				folders = append(folders, filepath.ToSlash(rel))
			default:
				all = append(all, filepath.ToSlash(rel))
			}
			return nil
		})
		for range 3 {
			file := rapid.SampledFrom(append(all, "missing", "a/missing.log")).Draw(t, "file")
			for _, git := range []*git{findGit(0), nil} {
				ignored, by, err := judgeOnDisk(context.Background(), r.dir, file, git)
				if err != nil {
					t.Fatal(err)
				}
				if listed := slices.Contains(paths(own.Files), file); slices.Contains(all, file) && listed == ignored {
					t.Fatalf("%q: listed %t, ignored %t by %q (git %t)", file, listed, ignored, by, git != nil)
				}
			}
		}
		dir := rapid.SampledFrom(folders).Draw(t, "folder")
		var below []File
		for _, f := range own.Files {
			if rest, is := strings.CutPrefix(f.Path, dir+"/"); is && dir != "." {
				below = append(below, File{rest, f.Type})
			}
		}
		byGit, own = list(dir, Options{}), list(dir, Options{NoGit: true})
		if !slices.Equal(byGit.Files, own.Files) || byGit.Ignored != own.Ignored {
			t.Fatalf("%s: by git, against without: %s\nignored by %q and %q", dir, differ(paths(byGit.Files), paths(own.Files)), byGit.Ignored, own.Ignored)
		}
		if dir != "." && own.Ignored == (Rule{}) && !slices.Equal(own.Files, below) {
			t.Fatalf("%s: %s", dir, differ(paths(own.Files), paths(below)))
		}
	})
}

// differ says what only one of two lists has.
func differ(have, want []string) string {
	var text strings.Builder
	for i, list := range [][]string{have, want} {
		other := [][]string{want, have}[i]
		for at, file := range list {
			if !slices.Contains(other, file) || slices.Index(list, file) != at {
				fmt.Fprintf(&text, "\n%s %q", []string{"too many", "missing"}[i], file)
			}
		}
	}
	return text.String()
}

// clear empties a repository of all but its .git.
func clear(t *rapid.T, dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != ".git" {
			if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func both(t *testing.T, test func(t *testing.T, o Options)) {
	t.Helper()
	t.Run("by git", func(t *testing.T) { test(t, Options{}) })
	t.Run("without", func(t *testing.T) { test(t, Options{NoGit: true}) })
}

func TestLayers(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		for _, c := range []struct {
			name  string
			files map[string]string
			want  string
		}{
			{".ampersatignore hides", map[string]string{".ampersatignore": "b", "a": "", "b": ""}, ".ampersatignore a"},
			{".ignore hides", map[string]string{".ignore": "b", "a": "", "b": ""}, ".ignore a"},
			{".ignore shows what .gitignore hides", map[string]string{".gitignore": "dist/\n*.log", ".ignore": "!dist/\n!a.log", "dist/x": "", "dist/b.log": "", "a.log": ""}, ".gitignore .ignore a.log dist/x"},
			{".ampersatignore beats .ignore", map[string]string{".ignore": "b", ".ampersatignore": "!b\na", "a": "", "b": ""}, ".ampersatignore .ignore b"},
			{"a stronger layer beats a nearer file", map[string]string{".ampersatignore": "!b", "s/.ignore": "b", "s/b": ""}, ".ampersatignore s/.ignore s/b"},
			{"a nearer file beats one further up", map[string]string{".ampersatignore": "b", "s/.ampersatignore": "!b", "b": "", "s/b": ""}, ".ampersatignore s/.ampersatignore s/b"},
			{"nothing in a hidden folder is shown again", map[string]string{".gitignore": "dist/", ".ignore": "!dist/x", "dist/x": ""}, ".gitignore .ignore"},
			{"rules inside a folder that is shown again", map[string]string{".gitignore": "dist/", ".ignore": "!dist/", "dist/.gitignore": "y", "dist/x": "", "dist/y": "", "dist/s/y": "", "dist/s/z": ""}, ".gitignore .ignore dist/.gitignore dist/s/z dist/x"},
			{"nothing else is hidden", map[string]string{"node_modules/x": "", ".hidden/x": "", "target/x": ""}, ".hidden/x node_modules/x target/x"},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := newRepository(t)
				fill(t, r.dir, c.files)
				have := mustList(t, r.dir, ".", o)
				wantPaths(t, have.Files, strings.Fields(c.want)...)
				for file := range c.files {
					ignored, _, err := Ignored(t.Context(), r.dir, file)
					if listed := slices.Contains(paths(have.Files), file); err != nil || ignored == listed {
						t.Errorf("%s: listed %t, ignored %t, error %v", file, listed, ignored, err)
					}
				}
			})
		}
	})
}

// Only git knows what is tracked.
func TestTracked(t *testing.T) {
	r := newRepository(t)
	fill(t, r.dir, map[string]string{
		"forced.log": "", "build/forced": "", "deleted": "", "gone/deleted": "", "swapped/file": "", "pipe": "", "folder": "", "fixture": "", "link": "",
		"sub/kept": "", "a*": "",
	})
	r.git("add", "-A")
	fill(t, r.dir, map[string]string{".gitignore": "*.log\nbuild/\na?", ".ampersatignore": "fixture", "new.log": "", "build/new": "", "ab": ""})
	for _, name := range []string{"deleted", "gone", "swapped", "pipe", "folder", "link"} {
		if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := folder(t)
	fill(t, elsewhere, map[string]string{"file": "secret"})
	fill(t, r.dir, map[string]string{"folder/inside": ""})
	for link, to := range map[string]string{"swapped": elsewhere, "link": "/etc/passwd"} {
		if err := os.Symlink(to, filepath.Join(r.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	pipe(t, filepath.Join(r.dir, "pipe"))
	have := mustList(t, r.dir, ".", Options{})
	wantPaths(t, have.Files, ".ampersatignore", ".gitignore", "a*", "build/forced", "folder/inside", "forced.log", "link", "sub/kept", "swapped")
	for _, f := range have.Files {
		if link := f.Path == "link" || f.Path == "swapped"; link != (f.Type == fs.ModeSymlink) {
			t.Errorf("%s: type %v", f.Path, f.Type)
		}
	}
	for file, want := range map[string]string{
		"forced.log": "", "build/forced": "", "build": "", "a*": "",
		"ab": ".gitignore:3:a?", "new.log": ".gitignore:1:*.log", "build/new": ".gitignore:2:build/", "fixture": ".ampersatignore:1:fixture",
	} {
		ignored, source, err := Ignored(t.Context(), r.dir, file)
		if err != nil || source != want || ignored != (want != "") {
			t.Errorf("%s: ignored %t by %q, want %q, error %v", file, ignored, source, want, err)
		}
	}
	// A folder in an ignored one is listed when asked for, tracked or not.
	wantPaths(t, mustList(t, r.dir, "build", Options{}).Files, "forced")
}

func TestConflictIsListedOnce(t *testing.T) {
	r := newRepository(t)
	fill(t, r.dir, map[string]string{"a": "1\n", "b": ""})
	r.git("add", "-A")
	r.git("commit", "-qm", "1")
	r.git("checkout", "-qb", "other")
	fill(t, r.dir, map[string]string{"a": "2\n"})
	r.git("commit", "-qam", "2")
	r.git("checkout", "-q", "-")
	fill(t, r.dir, map[string]string{"a": "3\n"})
	r.git("commit", "-qam", "3")
	merge := exec.Command("git", "merge", "-q", "other")
	merge.Dir = r.dir
	if merge.Run() == nil {
		t.Fatal("no conflict")
	}
	wantPaths(t, mustList(t, r.dir, ".", Options{}).Files, "a", "b")
}

// The user's own core.excludesFile is left to git.
func TestExcludesFileOfTheUser(t *testing.T) {
	r := newRepository(t)
	home := os.Getenv("HOME")
	fill(t, home, map[string]string{".gitconfig": "[core]\n\texcludesFile = ~/mine\n", "mine": "*~\n"})
	fill(t, r.dir, map[string]string{"a": "", "a~": ""})
	wantPaths(t, mustList(t, r.dir, ".", Options{}).Files, "a")
	ignored, source, err := Ignored(t.Context(), r.dir, "a~")
	if want := filepath.ToSlash(filepath.Join(home, "mine")) + ":1:*~"; !ignored || source != want || err != nil {
		t.Errorf("ignored %t by %q, error %v, want %q", ignored, source, err, want)
	}
}

func TestRepositoriesInside(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		fill(t, r.dir, map[string]string{".gitignore": "*.log\nhidden/\n", ".ignore": "*.tmp", "a": "", "z": "", "hidden/repo/x": "", "nested.txt": "", "nested-x": ""})
		for _, name := range []string{"nested", "sub/module", "hidden/repo"} {
			inner := &repository{t: t, dir: filepath.Join(r.dir, name)}
			fill(t, inner.dir, map[string]string{".gitignore": "*.obj\n", "x.log": "", "x.obj": "", "x.tmp": "", "d/y": ""})
			inner.git("init", "-q")
			inner.git("add", "-A")
			inner.git("commit", "-qm", "1")
		}
		// A folder that only looks like a repository is none.
		fill(t, r.dir, map[string]string{"fake/.git/": "", "fake/x.log": "", "fake/y": ""})
		cmd := exec.Command("git", "-c", "advice.addEmbeddedRepo=false", "add", "sub/module")
		cmd.Dir = r.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want := []string{
			".gitignore", ".ignore", "a", "fake/y", "nested-x", "nested.txt", "nested/.gitignore", "nested/d/y", "nested/x.log",
			"sub/module/.gitignore", "sub/module/d/y", "sub/module/x.log", "z",
		}
		have := mustList(t, r.dir, ".", o)
		wantPaths(t, have.Files, want...)
		for most := range want {
			o.Max = most + 1
			wantPaths(t, mustList(t, r.dir, ".", o).Files, want[:most+1]...)
		}
		for file, want := range map[string]string{
			"nested/x.log": "", "nested/x.obj": "nested/.gitignore:1:*.obj", "nested/x.tmp": ".ignore:1:*.tmp", "hidden/repo/x": ".gitignore:2:hidden/", "x.log": ".gitignore:1:*.log",
			"sub/module/x.obj": "sub/module/.gitignore:1:*.obj", "nested/.git/config": "nested/.git:folder of version control",
		} {
			if _, source, err := Ignored(t.Context(), r.dir, file); source != want || err != nil {
				t.Errorf("%s: by %q, want %q, error %v", file, source, want, err)
			}
		}
		wantPaths(t, mustList(t, r.dir, "nested/d", Options{NoGit: o.NoGit}).Files, "y")
	})
}

// A folder of several clones is none itself; each is listed by its own rules.
func TestFolderOfRepositories(t *testing.T) {
	r := newRepository(t)
	above := filepath.Join(folder(t), "clones")
	fill(t, above, map[string]string{".gitignore": "*.log\n", "x.log": "", ".hg/x": "", "plain/x.log": "", "plain/y": ""})
	if err := os.Rename(r.dir, filepath.Join(above, "one")); err != nil {
		t.Fatal(err)
	}
	r.dir = filepath.Join(above, "one")
	fill(t, r.dir, map[string]string{".gitignore": "*.tmp\n", "x.log": "", "x.tmp": "", "forced.tmp": ""})
	r.git("add", "-f", "forced.tmp")
	have := mustList(t, above, ".", Options{})
	wantPaths(t, have.Files, ".gitignore", "one/.gitignore", "one/forced.tmp", "one/x.log", "plain/y")
	if !have.Git {
		t.Error("git was not asked")
	}
}

// The rules of the whole work tree hold, not only those below the root.
func TestRootBelowTheTop(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		fill(t, r.dir, map[string]string{".gitignore": "*.log\n/p/q/x\n", "p/.ignore": "y", "p/q/x": "", "p/q/y": "", "p/q/z": "", "p/q/r/z.log": "", "p/q/r/z": ""})
		root := filepath.Join(r.dir, "p", "q")
		wantPaths(t, mustList(t, root, ".", o).Files, "r/z", "z")
		wantPaths(t, mustList(t, root, "r", o).Files, "z")
		for file, want := range map[string]string{"x": "../../.gitignore:2:/p/q/x", "y": "../.ignore:1:y", "r/z.log": "../../.gitignore:1:*.log", "z": ""} {
			if _, source, err := Ignored(t.Context(), root, file); source != want || err != nil {
				t.Errorf("%s: by %q, want %q, error %v", file, source, want, err)
			}
		}
	})
}

// A home that is a repository which ignores everything is common.
func TestRootHiddenFromAbove(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		fill(t, r.dir, map[string]string{".gitignore": "*\n", "p/.gitignore": "*.log\n", "p/a": "", "p/a.log": "", "p/d/a": ""})
		root := filepath.Join(r.dir, "p")
		have := mustList(t, root, ".", o)
		wantPaths(t, have.Files, ".gitignore", "a", "d/a")
		if have.Ignored != (Rule{}) {
			t.Errorf("ignored by %q", have.Ignored)
		}
		wantPaths(t, mustList(t, root, "d", o).Files, "a")
		for file, want := range map[string]string{"a": "", "d/a": "", "a.log": ".gitignore:1:*.log"} {
			if _, source, err := Ignored(t.Context(), root, file); source != want || err != nil {
				t.Errorf("%s: by %q, want %q, error %v", file, source, want, err)
			}
		}
	})
}

func TestIgnoredFolderThatIsAskedFor(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		fill(t, r.dir, map[string]string{".gitignore": "build/\n*.o\n", "build/.gitignore": "y", "build/x.o": "", "build/y": "", "build/d/z": ""})
		have := mustList(t, r.dir, "build", o)
		wantPaths(t, have.Files, ".gitignore", "d/z", "x.o")
		if want := (Rule{".gitignore", 1, "build/"}); have.Ignored != want {
			t.Errorf("ignored by %q, want %q", have.Ignored, want)
		}
		have = mustList(t, r.dir, "build/d", o)
		wantPaths(t, have.Files, "z")
		if have.Ignored.Line != 1 {
			t.Errorf("ignored by %q", have.Ignored)
		}
	})
}

func TestListFS(t *testing.T) {
	tree := fstest.MapFS{
		".gitignore": {Data: []byte("*.log\n")}, "a.log": {}, "a": {}, "a-b": {}, "a.b": {}, "d/.ampersatignore": {Data: []byte("!*.log\nx")}, "d/b.log": {}, "d/x": {}, "d/e/x": {}, "d/e/y": {},
		".git/HEAD": {}, ".jj/x": {}, ".svn/x": {}, "s/.hg": {}, "pipe": {Mode: fs.ModeNamedPipe}, "device": {Mode: fs.ModeDevice}, "link": {Mode: fs.ModeSymlink, Data: []byte("d")},
	}
	have, err := ListFS(t.Context(), tree, ".", Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantPaths(t, have.Files, ".gitignore", "a", "a-b", "a.b", "d/.ampersatignore", "d/b.log", "d/e/y", "link", "s/.hg")
	have, err = ListFS(t.Context(), tree, "d", Options{Max: 1})
	if err != nil || !have.More {
		t.Fatalf("more %t, error %v", have.More, err)
	}
	wantPaths(t, have.Files, ".ampersatignore")
	for dir, want := range map[string]string{"a": "not a folder", "missing": "file does not exist", "../x": "not a path"} {
		if _, err := ListFS(t.Context(), tree, dir, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", dir, err, want)
		}
	}
}

func TestListOfWhatIsNoFolder(t *testing.T) {
	isolate(t)
	dir := folder(t)
	fill(t, dir, map[string]string{"file": ""})
	if err := os.Symlink(os.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"file": "not a folder", "missing": "no such file", "../x": "not a path", "/": "not a path", "out": "leads out"} {
		_, err := List(t.Context(), dir, name, Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "list "+name+": ") && name != "../x" && name != "/" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	if _, _, err := Ignored(t.Context(), dir, "out/x"); err == nil {
		t.Error("a path that leads out has rules")
	}
	if _, _, err := Ignored(t.Context(), dir, "../x"); err == nil {
		t.Error("a path above the root has rules")
	}
}

func TestCancelled(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		fill(t, r.dir, map[string]string{"a": "", "d/b": ""})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, dir := range []string{".", "d"} {
			if _, err := List(ctx, r.dir, dir, o); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v", dir, err)
			}
		}
		if _, err := ListFS(ctx, os.DirFS(r.dir), ".", o); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		for _, git := range []*git{findGit(0), nil} {
			if _, _, err := judgeOnDisk(ctx, r.dir, "a", git); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		}
	})
}

// A listing that is cancelled while it runs ends at once.
func TestCancelledOnTheWay(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := ListFS(ctx, endless{opened: new(int), stop: cancel}, ".", Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// endless has a folder in every folder.
type endless struct {
	opened *int
	stop   func()
}

func (endless) Open(string) (fs.File, error)     { return nil, fs.ErrNotExist }
func (endless) Stat(string) (fs.FileInfo, error) { return fstest.MapFS{}.Stat(".") }
func (e endless) ReadDir(string) ([]fs.DirEntry, error) {
	if *e.opened++; *e.opened == 100 && e.stop != nil {
		e.stop()
	}
	return fstest.MapFS{"d/f": {}}.ReadDir(".")
}

func TestAttackTowerOfFolders(t *testing.T) {
	opened := 0
	have, err := ListFS(t.Context(), endless{opened: &opened}, ".", Options{})
	if err != nil || len(have.Problems) != 1 || opened > maxDepth+1 {
		t.Errorf("error %v, problems %d, %d folders opened", err, len(have.Problems), opened)
	}
}

var errDenied = &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}

// denied refuses what is called secret.
type denied struct{ fs.FS }

func (d denied) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, "secret") || strings.HasSuffix(name, ".gitignore") {
		return nil, errDenied
	}
	return d.FS.Open(name)
}

func TestNoPermissionIsAProblemOfTheFolder(t *testing.T) {
	tree := denied{fstest.MapFS{"a": {}, "d/secret/x": {}, "d/y": {}, "z/.gitignore": {Data: []byte("*")}}}
	have, err := ListFS(t.Context(), tree, ".", Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantPaths(t, have.Files, "a", "d/y", "z/.gitignore")
	var where []string
	for _, p := range have.Problems {
		where = append(where, p.Dir)
		if !errors.Is(p, fs.ErrPermission) {
			t.Errorf("%v is no error of permission", p)
		}
	}
	if !slices.Equal(where, []string{"d/secret", "z"}) {
		t.Errorf("problems in %q", where)
	}
	m := NewMatcher(tree)
	if _, _, err := m.Match("z/x", false); err != nil || !errors.Is(m.Err(), fs.ErrPermission) {
		t.Errorf("error %v, Err %v", err, m.Err())
	}
}

func TestComplaintsOfGit(t *testing.T) {
	for line, want := range map[string]string{
		"warning: could not open directory 'a/b/': Permission denied": "a/b",
		"warning: could not open directory 'it's: x/': No such file":  "it's: x",
		"warning: could not open directory '../../': x":               ".",
		"warning: something else":                                     ".",
		"":                                                            ".",
	} {
		if have, err := complaint(line); have != want || err == nil {
			t.Errorf("%q: have %q, %v", line, have, err)
		}
	}
}
