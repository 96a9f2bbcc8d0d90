//go:build unix

package git_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
)

// trap is a program that must not run: all it does is leave a mark.
type trap struct {
	t             testing.TB
	program, mark string
}

func newTrap(t testing.TB) trap {
	t.Helper()
	dir := t.TempDir()
	x := trap{t, filepath.Join(dir, "program"), filepath.Join(dir, "mark")}
	must(t, os.WriteFile(x.program, []byte("#!/bin/sh\necho ran >"+x.mark+"\n"), 0o755))
	return x
}

func (x trap) sprung() bool {
	_, err := os.Stat(x.mark)
	return !errors.Is(err, fs.ErrNotExist)
}

// every is each way to ask.
var every = []mention.GitDiff{
	{}, {Staged: true}, {Base: "HEAD~1"}, {Base: "HEAD~1", Head: "HEAD"}, {Base: "HEAD~1", Head: "HEAD", MergeBase: true}, {Commit: "HEAD"},
	{Commit: "nothing"},
}

// hostile is a repository with history, changes and a file for each program.
func hostile(t testing.TB) repository {
	r := newRepository(t)
	r.commit("first", map[string]string{"a.txt": "1\n", "b.txt": "1\n"})
	r.commit("second", map[string]string{"a.txt": "2\n"})
	return r
}

// dirty changes files after the traps are laid, so that git has work to do.
func (r repository) dirty() {
	r.write(map[string]string{"a.txt": "3\n", "new.txt": "1\n"})
	// Same size, other time: only the content tells.
	path := filepath.Join(r.dir, "b.txt")
	info, err := os.Stat(path)
	must(r.t, err)
	must(r.t, os.Chtimes(path, info.ModTime().Add(-3600e9), info.ModTime().Add(-3600e9)))
}

// Whatever the configuration names, none of it runs; and git without
// precautions would have run it.
func TestAttackProgramsInTheConfiguration(t *testing.T) {
	for _, test := range []struct {
		name       string
		attributes string
		config     func(x trap) map[string]string
		would      []string // the command that springs the trap
	}{
		{"fsmonitor", "", func(x trap) map[string]string { return map[string]string{"core.fsmonitor": x.program} }, []string{"diff"}},
		{"clean filter", "* filter=x", func(x trap) map[string]string { return map[string]string{"filter.x.clean": x.program} }, []string{"diff"}},
		{"clean filter with an odd name", "* filter=a=b.c", func(x trap) map[string]string { return map[string]string{"filter.a=b.c.clean": x.program} }, []string{"diff"}},
		{"smudge filter", "* filter=x", func(x trap) map[string]string { return map[string]string{"filter.x.smudge": x.program} }, []string{"checkout", "-f", "--", "a.txt"}},
		{"filter process", "* filter=x", func(x trap) map[string]string { return map[string]string{"filter.x.process": x.program} }, []string{"diff"}},
		{"required filter", "* filter=x", func(x trap) map[string]string {
			return map[string]string{"filter.x.clean": x.program, "filter.x.required": "true"}
		}, []string{"diff"}},
		{"external diff", "", func(x trap) map[string]string { return map[string]string{"diff.external": x.program} }, []string{"diff"}},
		{"diff driver", "* diff=x", func(x trap) map[string]string { return map[string]string{"diff.x.command": x.program} }, []string{"diff"}},
		{"text conversion", "* diff=x", func(x trap) map[string]string { return map[string]string{"diff.x.textconv": x.program} }, []string{"diff"}},
		{"pager", "", func(x trap) map[string]string {
			return map[string]string{"core.pager": x.program, "pager.diff": x.program, "pager.log": x.program}
		}, []string{"-p", "diff"}},
		{"alias", "", func(x trap) map[string]string {
			return map[string]string{"alias.diff": "!" + x.program, "alias.rev-parse": "!" + x.program, "alias.log": "!" + x.program, "alias.trap": "!" + x.program}
		}, []string{"trap"}},
		{"hooks", "", func(x trap) map[string]string { return map[string]string{"core.hooksPath": filepath.Dir(x.program)} }, []string{"add", "a.txt"}},
		{"signature", "", func(x trap) map[string]string {
			return map[string]string{"log.showSignature": "true", "gpg.program": x.program, "gpg.format": "openpgp"}
		}, []string{"verify-commit", "HEAD"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, x := hostile(t), newTrap(t)
			if test.name == "signature" {
				r.sign()
			}
			if test.name == "hooks" {
				must(t, os.Link(x.program, filepath.Join(filepath.Dir(x.program), "post-index-change")))
			}
			for key, value := range test.config(x) {
				r.git("config", key, value)
			}
			if test.attributes != "" {
				r.write(map[string]string{".git/info/attributes": test.attributes, ".gitattributes": test.attributes})
			}
			r.dirty()
			for _, m := range every {
				c, err := r.ask(m, 0)
				if x.sprung() {
					t.Fatalf("%v: the program ran", m)
				}
				if m.Commit == "nothing" {
					continue
				}
				if err != nil {
					t.Error(err)
				}
				if m == (mention.GitDiff{}) {
					wantParts(t, c, "\n-2\n+3\n", "+++ b/new.txt\n")
				}
			}
			// git waits for a pager only on a terminal.
			if test.name == "pager" {
				return
			}
			r.try(test.would...)
			if !x.sprung() {
				t.Errorf("git %s without precautions does not run it either", test.would)
			}
		})
	}
}

// sign replaces HEAD by the same commit with something like a signature.
func (r repository) sign() {
	r.t.Helper()
	text := r.git("cat-file", "commit", "HEAD")
	head, message, _ := strings.Cut(text, "\n\n")
	signed := head + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n" + message
	cmd := exec.Command("git", "hash-object", "-t", "commit", "-w", "--stdin")
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(signed)
	hash, err := cmd.Output()
	must(r.t, err)
	r.git("reset", "-q", "--soft", strings.TrimSpace(string(hash)))
}

func TestAttackRefsThatAreOptions(t *testing.T) {
	r := hostile(t)
	r.dirty()
	for _, ref := range []string{"--output=x", "-x", "--ext-diff", "-", "--no-index", "-O/dev/null", "--upload-pack=touch x"} {
		for _, m := range []mention.GitDiff{{Base: ref}, {Commit: ref}, {Base: ref, Head: "main"}, {Base: "main", Head: ref}, {Base: "main", Head: ref, MergeBase: true}} {
			r.missed(m, ampersat.Blocked, fmt.Sprintf("%q is an option, not a ref", ref))
		}
	}
	// A branch can have such a name by its full one, and a file that of a branch.
	r.git("update-ref", "refs/heads/--output=x", "HEAD")
	r.write(map[string]string{"main": "1\n"})
	wantParts(t, r.load(mention.GitDiff{Base: "refs/heads/--output=x"}), "diff --git a/main b/main\n")
	wantParts(t, r.load(mention.GitDiff{Base: "main"}), "diff --git a/main b/main\n")
	if _, err := os.Stat(filepath.Join(r.dir, "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a ref was taken for an option")
	}
}

// A clone without all its objects would fetch them: by ssh, by a program of the
// remote, by a helper, each allowed by the repository itself.
func TestAttackFetchingOfWhatIsMissing(t *testing.T) {
	for _, test := range []struct {
		name   string
		config func(x trap, dir string) map[string]string
	}{
		{"ssh", func(x trap, dir string) map[string]string {
			return map[string]string{"remote.origin.url": "ssh://localhost/x", "core.sshCommand": x.program}
		}},
		{"upload-pack", func(x trap, dir string) map[string]string {
			return map[string]string{"remote.origin.url": dir, "remote.origin.uploadpack": x.program}
		}},
		{"ext", func(x trap, dir string) map[string]string {
			return map[string]string{"remote.origin.url": "ext::" + x.program}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, x := hostile(t), newTrap(t)
			for key, value := range test.config(x, r.dir) {
				r.git("config", key, value)
			}
			for key, value := range map[string]string{
				"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
				"protocol.allow": "always", "protocol.ext.allow": "always", "protocol.file.allow": "always", "protocol.ssh.allow": "always",
			} {
				r.git("config", key, value)
			}
			blob := strings.TrimSpace(r.git("rev-parse", "HEAD:a.txt"))
			must(t, os.Remove(filepath.Join(r.dir, ".git/objects", blob[:2], blob[2:])))
			r.dirty()
			r.missed(mention.GitDiff{}, ampersat.Failed, "")
			r.missed(mention.GitDiff{Commit: "HEAD"}, ampersat.Failed, "")
			r.missed(mention.GitDiff{Commit: strings.Repeat("1", 40)}, ampersat.Missing, "")
			if x.sprung() {
				t.Fatal("the program ran")
			}
			r.try("diff")
			if !x.sprung() {
				t.Error("git without precautions does not run it either")
			}
		})
	}
}

// The programs of a submodule are those of another repository.
func TestAttackSubmodule(t *testing.T) {
	inner := hostile(t)
	r, x := hostile(t), newTrap(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "sub")
	r.commit("third", nil)
	sub := repository{t, filepath.Join(r.dir, "sub")}
	sub.git("config", "core.fsmonitor", x.program)
	sub.git("config", "filter.x.clean", x.program)
	sub.write(map[string]string{".gitattributes": "* filter=x"})
	sub.dirty()
	r.dirty()
	r.git("config", "diff.submodule", "diff")
	r.git("config", "submodule.sub.ignore", "none")
	r.git("config", "diff.ignoreSubmodules", "none")
	for _, m := range every {
		r.ask(m, 0)
	}
	if x.sprung() {
		t.Fatal("the program ran")
	}
	r.git("diff")
	if !x.sprung() {
		t.Error("git without precautions does not run it either")
	}
}

func TestAttackEnvironment(t *testing.T) {
	other := hostile(t)
	r, x := hostile(t), newTrap(t)
	r.dirty()
	want := r.load(mention.GitDiff{})
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other.dir, ".git"), "GIT_WORK_TREE": other.dir, "GIT_INDEX_FILE": filepath.Join(other.dir, "x"),
		"GIT_EXTERNAL_DIFF": x.program, "GIT_PAGER": x.program, "PAGER": x.program, "GIT_SSH_COMMAND": x.program, "GIT_ASKPASS": x.program,
		"GIT_EXEC_PATH": filepath.Dir(x.program), "GIT_DIFF_OPTS": "-u0", "GIT_TRACE": "1", "GIT_LITERAL_PATHSPECS": "0",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "diff.noprefix", "GIT_CONFIG_VALUE_0": "true",
		"GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='" + x.program + "'", "GIT_OBJECT_DIRECTORY": t.TempDir(), "GIT_NAMESPACE": "x",
		"GIT_CEILING_DIRECTORIES": r.dir, "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de",
	} {
		t.Setenv(name, value)
	}
	if have := r.load(mention.GitDiff{}); have.Text != want.Text {
		t.Errorf("have:\n%s\nwant:\n%s", have.Text, want.Text)
	}
	if x.sprung() {
		t.Error("a program ran")
	}
}

// No setting of the person or the repository changes the form of a diff.
func TestConfigurationOfTheForm(t *testing.T) {
	r := hostile(t)
	r.write(map[string]string{"long.txt": strings.Repeat("line\n\n", 20)})
	r.commit("third", nil)
	r.write(map[string]string{"long.txt": "x\n" + strings.Repeat("line\n\n", 20) + "y\n"})
	r.dirty()
	want := r.load(mention.GitDiff{})
	for key, value := range map[string]string{
		"diff.noprefix": "true", "diff.mnemonicPrefix": "true", "color.ui": "always", "color.diff": "always", "diff.context": "0",
		"diff.interHunkContext": "99", "diff.renames": "false", "diff.relative": "true", "diff.orderFile": filepath.Join(r.dir, "a.txt"),
		"diff.colorMoved": "zebra", "diff.wsErrorHighlight": "all", "diff.algorithm": "patience", "diff.suppressBlankEmpty": "true",
		"core.quotePath": "true", "diff.autoRefreshIndex": "true", "diff.submodule": "log", "core.splitIndex": "true", "core.untrackedCache": "true",
		"feature.manyFiles": "true",
	} {
		r.git("config", key, value)
	}
	if have := r.load(mention.GitDiff{}); have.Text != want.Text {
		t.Errorf("have:\n%s\nwant:\n%s", have.Text, want.Text)
	}
}

// git refuses what belongs to somebody else, and the repository's own
// configuration does not count for that.
func TestAttackRepositoryOfAnotherOwner(t *testing.T) {
	r, x := hostile(t), newTrap(t)
	r.git("config", "safe.directory", "*")
	r.git("config", "core.fsmonitor", x.program)
	program, err := exec.LookPath("git")
	must(t, err)
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '"+program+"' \"$@\"\n"), 0o755))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r.dirty()
	for _, m := range every {
		r.missed(m, ampersat.Blocked, "the repository "+r.dir+" belongs to somebody else; if you trust it: git config --global --add safe.directory '"+r.dir+"'")
	}
	if x.sprung() {
		t.Error("the program ran")
	}
	must(t, os.WriteFile(filepath.Join(os.Getenv("HOME"), ".gitconfig"), []byte("[safe]\n\tdirectory = "+r.dir+"\n"), 0o644))
	wantParts(t, r.load(mention.GitDiff{}), "\n+3\n")
}

func TestAttackWorkTreeElsewhere(t *testing.T) {
	r := hostile(t)
	private := t.TempDir()
	must(t, os.WriteFile(filepath.Join(private, "key"), []byte("private\n"), 0o600))
	r.git("config", "core.worktree", private)
	r.missed(mention.GitDiff{}, ampersat.Blocked, "the repository claims a work tree that is not its own")
	r.git("config", "core.worktree", filepath.Dir(r.dir))
	r.missed(mention.GitDiff{}, ampersat.Blocked, "the repository claims a work tree that is not its own")
	// Nor is it, if there is another repository.
	other := hostile(t)
	r.git("config", "core.worktree", other.dir)
	r.missed(mention.GitDiff{}, ampersat.Blocked, other.dir+" belongs to another one")
}

// A folder may hold a whole bare repository among ordinary files.
func TestAttackBareRepositoryInside(t *testing.T) {
	r, x := hostile(t), newTrap(t)
	r.write(map[string]string{
		"d/HEAD": "ref: refs/heads/main\n", "d/objects/x": "", "d/refs/x": "",
		"d/config": "[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = " + x.program + "\n",
	})
	inside := repository{t, filepath.Join(r.dir, "d")}
	for _, m := range every {
		inside.ask(m, 0)
	}
	if x.sprung() {
		t.Error("the program ran")
	}
}

func TestAttackTooManyFilters(t *testing.T) {
	r, x := hostile(t), newTrap(t)
	var config strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&config, "[filter \"%d\"]\n\tclean = %s\n", i, x.program)
	}
	file, err := os.OpenFile(filepath.Join(r.dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = file.WriteString(config.String())
	must(t, errors.Join(err, file.Close()))
	r.write(map[string]string{".gitattributes": "* filter=1999"})
	r.dirty()
	r.missed(mention.GitDiff{}, ampersat.Blocked, "too many filters")
	if x.sprung() {
		t.Error("the program ran")
	}
}
