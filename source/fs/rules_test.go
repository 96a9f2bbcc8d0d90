package fs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
)

// git runs git in a folder, out of reach of the configuration of whoever runs
// the tests.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// gitHome gives git an empty home.
func gitHome(t *testing.T) (home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"),
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	return home
}

// Rules of a repository that are not in its work tree are rules all the same.
func TestAttackIgnoredByRulesOutsideOfTheWorkTree(t *testing.T) {
	home := gitHome(t)
	write(t, home, map[string]string{"mine": "*.log\n", ".gitconfig": "[core]\n\texcludesFile = ~/mine\n"})
	p := newPlace(t, map[string]string{"d/new.log": "log", "d/x.tmp": "tmp", "a.md": "a"})
	main, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	git(t, main, "init", "-q")
	git(t, main, "commit", "-q", "--allow-empty", "-m", "first")
	write(t, main, map[string]string{".git/info/exclude": "# mine\n*.tmp\n"})
	linked := filepath.Join(main, "linked")
	git(t, main, "worktree", "add", "-q", linked)
	must(t, os.Rename(filepath.Join(linked, ".git"), filepath.Join(p.dir, ".git")))
	for _, test := range []struct{ file, note string }{
		{"d/new.log", "ignored by " + filepath.Join(home, "mine") + ":1:*.log"},
		{"d/x.tmp", "ignored by " + filepath.Join(main, ".git/info/exclude") + ":2:*.tmp"},
		{"a.md", ""},
	} {
		if c := p.load(t, file(test.file)); c.Note != test.note || c.Text == "" {
			t.Errorf("%+v", c)
		}
		if c := p.load(t, lines(test.file, 1, 1)); c.Note != test.note || c.Text == "" {
			t.Errorf("%+v", c)
		}
	}
	if c := p.load(t, folder("d")); c.Text != "[empty]\n" {
		t.Errorf("%q", c.Text)
	}
	if c := p.load(t, mention.Glob{Pattern: "**/*.*"}); len(c.Files) != 1 || c.Files[0].Name != "a.md" {
		t.Errorf("%+v", c)
	}
}

// To start git takes longer than all the rest: it is asked about what may be
// ignored, and about nothing else.
func TestGitIsNotStartedForWhatIsNotIgnored(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program in place of git is a script")
	}
	home := gitHome(t)
	p := newPlace(t, map[string]string{".gitignore": "*.log\n", "a.md": "a", "sub/b.md": "b", "c.log": "c"})
	git(t, p.dir, "init", "-q")
	write(t, home, map[string]string{
		"mine": "*.tmp\n", ".gitconfig": "[core]\nexcludesFile = ~/mine\n[includeIf \"gitdir:/nowhere/\"]\npath = more\n", "more": "[user]\nname = x\n",
		"bin/git": "#!/bin/sh\ntouch '" + home + "/started'\nexit 1\n",
	})
	must(t, os.Chmod(filepath.Join(home, "bin/git"), 0o755))
	t.Setenv("PATH", filepath.Join(home, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	started := func() bool { _, err := os.Stat(filepath.Join(home, "started")); return err == nil }
	for _, m := range []mention.Mention{file("a.md"), file("sub/b.md"), lines("a.md", 1, 1)} {
		if p.load(t, m); started() {
			t.Errorf("git was started for %v", m)
		}
	}
	if p.load(t, file("c.log")); !started() {
		t.Error("git was not asked whether it tracks what is ignored")
	}
}
