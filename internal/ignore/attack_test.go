package ignore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What somebody may put into a folder to hurt whoever lists it.

// A repository's configuration may name programs. Each of these would run in
// some git command, and the first in ls-files.
func TestAttackConfigurationThatRunsPrograms(t *testing.T) {
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.pager", "pager.ls-files", "core.editor", "core.askPass", "core.hooksPath", "alias.ls-files", "diff.external"} {
		t.Run(key, func(t *testing.T) {
			r := newRepository(t)
			ran := filepath.Join(folder(t), "ran")
			fill(t, r.dir, map[string]string{"a": "", "a.log": "", "d/b": "", ".gitignore": "*.log", ".ignore": "!x"})
			r.git("add", "a", "d")
			hooks := filepath.Join(r.dir, "hooks")
			value := filepath.Join(hooks, "post-index-change")
			fill(t, hooks, map[string]string{"post-index-change": "#!/bin/sh\necho >" + ran + "\n"})
			if err := os.Chmod(value, 0o755); err != nil {
				t.Fatal(err)
			}
			if key == "core.hooksPath" {
				value = hooks
			}
			if key == "alias.ls-files" {
				value = "!" + value
			}
			r.git("config", key, value)
			// What is tracked looks changed, so that git has something to refresh.
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(filepath.Join(r.dir, "a"), later, later); err != nil {
				t.Fatal(err)
			}
			have := mustList(t, r.dir, ".", Options{})
			if !have.Git || !slices.Contains(paths(have.Files), "d/b") {
				t.Errorf("by git %t: %q", have.Git, paths(have.Files))
			}
			mustList(t, r.dir, "d", Options{})
			if _, source, err := Ignored(t.Context(), r.dir, "a.log"); err != nil || source == "" {
				t.Errorf("ignored by %q, error %v", source, err)
			}
			if _, err := os.Stat(ran); !errors.Is(err, fs.ErrNotExist) {
				t.Fatal("the program ran")
			}
			if key == "core.fsmonitor" { // the trap is one
				r.git("status")
				if _, err := os.Stat(ran); err != nil {
					t.Errorf("git without precautions does not run the program either: %v", err)
				}
			}
		})
	}
}

// A partial clone fetches what it lacks, by the programs that its remote names.
func TestAttackPartialCloneThatFetches(t *testing.T) {
	r := newRepository(t)
	ran := filepath.Join(folder(t), "ran")
	fill(t, r.dir, map[string]string{"a": "", "d/b": ""})
	r.git("add", "-A")
	r.git("commit", "-qm", "1")
	for key, value := range map[string]string{
		"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"remote.origin.url": r.dir, "remote.origin.uploadpack": "touch " + ran + ";",
		"core.sparseCheckout": "true", "core.sparseCheckoutCone": "true", "index.sparse": "true",
	} {
		r.git("config", key, value)
	}
	r.git("sparse-checkout", "set", "--sparse-index", "x")
	tree := strings.TrimSpace(r.git("rev-parse", "HEAD:d"))
	if err := os.Remove(filepath.Join(r.dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	wantPaths(t, mustList(t, r.dir, ".", Options{}).Files, "a")
	if _, err := os.Stat(ran); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("the program ran")
	}
}

// A folder may hold a whole bare repository among ordinary files.
func TestAttackBareRepositoryInside(t *testing.T) {
	r := newRepository(t)
	ran := filepath.Join(folder(t), "ran")
	fill(t, r.dir, map[string]string{
		"d/HEAD": "ref: refs/heads/main\n", "d/objects/": "", "d/refs/": "", "d/x": "",
		"d/config": "[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = \"echo >" + ran + ";\"\n",
	})
	have := mustList(t, r.dir, "d", Options{})
	wantPaths(t, have.Files, "HEAD", "config", "x")
	if _, err := os.Stat(ran); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("the program ran")
	}
}

func TestAttackEnvironmentThatPointsElsewhere(t *testing.T) {
	other := newRepository(t)
	fill(t, other.dir, map[string]string{"other": ""})
	r := newRepository(t)
	fill(t, r.dir, map[string]string{"a": "", "b.log": ""})
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.excludesFile")
	t.Setenv("GIT_CONFIG_VALUE_0", filepath.Join(r.dir, "a"))
	t.Setenv("GIT_TRACE", "1")
	have := mustList(t, r.dir, ".", Options{})
	wantPaths(t, have.Files, "a", "b.log")
	if len(have.Problems) > 0 {
		t.Error(have.Problems)
	}
}

func TestAttackSymlinks(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		secret := folder(t)
		fill(t, secret, map[string]string{"secret": "", "rules": "*"})
		fill(t, r.dir, map[string]string{"d/a": "", "linked/b": ""})
		for link, to := range map[string]string{
			"d/loop": "..", "self": "self", "out": secret, "d/dangling": "nothing", "linked/.gitignore": filepath.Join(secret, "rules"), "linked/.ampersatignore": filepath.Join(secret, "rules"),
		} {
			if err := os.Symlink(to, filepath.Join(r.dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		have := mustList(t, r.dir, ".", o)
		wantPaths(t, have.Files, "d/a", "d/dangling", "d/loop", "linked/.ampersatignore", "linked/.gitignore", "linked/b", "out", "self")
		for _, f := range have.Files {
			if file := f.Path == "d/a" || f.Path == "linked/b"; file != (f.Type == 0) {
				t.Errorf("%s: type %v", f.Path, f.Type)
			}
		}
	})
}

func TestAttackPipes(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		fill(t, r.dir, map[string]string{"a": "", "d/b": "", "e/c": "", "f/g": ""})
		for _, name := range []string{"pipe", "d/.ignore", "e/.ampersatignore", "f/.git"} {
			pipe(t, filepath.Join(r.dir, name))
		}
		wantPaths(t, mustList(t, r.dir, ".", o).Files, "a", "d/b", "e/c", "f/g")
		if _, _, err := Ignored(t.Context(), r.dir, "d/b"); err != nil {
			t.Error(err)
		}
	})
}

// git opens a .gitignore that is a pipe, and waits for somebody to write.
func TestAttackGitThatHangs(t *testing.T) {
	r := newRepository(t)
	fill(t, r.dir, map[string]string{"a": "", "d/b": ""})
	pipe(t, filepath.Join(r.dir, ".gitignore"))
	begin := time.Now()
	have := mustList(t, r.dir, ".", Options{Timeout: 200 * time.Millisecond})
	wantPaths(t, have.Files, "a", "d/b")
	if have.Git || len(have.Problems) != 1 || !strings.Contains(fmt.Sprint(have.Problems[0]), "no end within 200ms") {
		t.Errorf("by git %t, problems %v", have.Git, have.Problems)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := List(ctx, r.dir, ".", Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %v", took)
	}
}

// Whatever git starts ends with it, and does not keep its output open. How soon it
// starts something depends on the machine, so that a time that was too short for
// it is tried again as a longer one.
func TestAttackProcessThatLivesOn(t *testing.T) {
	isolate(t)
	dir := folder(t)
	fill(t, dir, map[string]string{"git": "#!/bin/sh\nsleep 60 &\necho $! >pid\nwait\n"})
	program := filepath.Join(dir, "git")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	for limit := 300 * time.Millisecond; limit < time.Minute; limit *= 5 {
		g := &git{program: program, timeout: limit}
		_, err := g.run(t.Context(), dir, "", func(r *bufio.Reader) error { return each(r, func(string) error { return nil }) }, "x")
		if err == nil || !strings.Contains(err.Error(), "git x: no end within "+limit.String()) {
			t.Errorf("error %v", err)
		}
		pid, err := os.ReadFile(filepath.Join(dir, "pid"))
		if err != nil || !strings.HasSuffix(string(pid), "\n") {
			continue
		}
		for deadline := time.Now().Add(time.Minute); alive(strings.TrimSpace(string(pid))); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("what git started lives on")
			}
		}
		return
	}
	t.Error("git was not started")
}

func TestAttackNames(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		r := newRepository(t)
		names := []string{"new\nline", "\x1b[31mred", "quo\"te", "<tag>", "-x", ":(top)", "\xff\xfe", "? x", "a\\b", "H y/z", " "}
		want := slices.Clone(names)
		for _, name := range names {
			fill(t, r.dir, map[string]string{name: ""})
		}
		fill(t, r.dir, map[string]string{"\xff/.gitignore": "*.log", "\xff/a.log": "", "\xff/b": ""})
		want = append(want, "\xff/.gitignore", "\xff/b")
		slices.Sort(want)
		have := mustList(t, r.dir, ".", o)
		wantPaths(t, have.Files, want...)
		if len(have.Problems) > 0 {
			t.Error(have.Problems)
		}
		for _, name := range append(names, "\xff/b") {
			if ignored, source, err := Ignored(t.Context(), r.dir, name); ignored || err != nil {
				t.Errorf("%q: ignored by %q, error %v", name, source, err)
			}
		}
		if ignored, _, err := Ignored(t.Context(), r.dir, "\xff/a.log"); !ignored || err != nil {
			t.Errorf("ignored %t, error %v", ignored, err)
		}
	})
}

func TestAttackEndlessRules(t *testing.T) {
	isolate(t)
	dir := folder(t)
	fill(t, dir, map[string]string{"a": "", ".ignore": ""})
	if err := os.Truncate(filepath.Join(dir, ".ignore"), 10<<30); err != nil {
		t.Fatal(err)
	}
	have := mustList(t, dir, ".", Options{})
	wantPaths(t, have.Files, ".ignore", "a")
	if len(have.Problems) != 1 || !strings.Contains(have.Problems[0].Error(), "list .: read rules: read .ignore: more than") {
		t.Errorf("problems %v", have.Problems)
	}
}

// Git refuses a repository that belongs to somebody else, a broken one, and one
// of a version to come: the rules are then read here.
func TestRepositoryThatGitRefuses(t *testing.T) {
	r := newRepository(t)
	fill(t, r.dir, map[string]string{"a": "", "a.log": "", ".gitignore": "*.log"})
	r.git("config", "core.repositoryFormatVersion", "99")
	have := mustList(t, r.dir, ".", Options{})
	wantPaths(t, have.Files, ".gitignore", "a")
	if have.Git || len(have.Problems) != 1 {
		t.Errorf("by git %t, problems %v", have.Git, have.Problems)
	}
	if ignored, source, err := Ignored(t.Context(), r.dir, "a.log"); !ignored || source != ".gitignore:1:*.log" || err != nil {
		t.Errorf("ignored %t by %q, error %v", ignored, source, err)
	}
}

func TestWithoutGit(t *testing.T) {
	r := newRepository(t)
	fill(t, r.dir, map[string]string{"a": "", "a.log": "", ".gitignore": "*.log"})
	t.Setenv("PATH", t.TempDir())
	have := mustList(t, r.dir, ".", Options{})
	wantPaths(t, have.Files, ".gitignore", "a")
	if have.Git || len(have.Problems) != 0 {
		t.Errorf("by git %t, problems %v", have.Git, have.Problems)
	}
}
