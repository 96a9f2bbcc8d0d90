package ignore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// holdSettings compares what is read in a file of configuration with what git
// reads: a zero after each variable, and a line end between its name and its
// value, if it has one.
func holdSettings(t failer, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "config", "--no-includes", "--list", "-z", "--file", file)
	out, err := cmd.Output()
	var have strings.Builder
	understood := settings([]byte(text), func(key, value string, hasValue bool) {
		have.WriteString(key)
		if hasValue {
			have.WriteString("\n" + value)
		}
		have.WriteByte(0)
	})
	if understood != (err == nil) {
		t.Errorf("%q: understood %t, git says %v", text, understood, err)
	} else if blanks := strings.NewReplacer("\t", " ", "\r", " "); understood && blanks.Replace(have.String()) != blanks.Replace(string(out)) {
		// Older versions write each blank inside a value as a space.
		t.Errorf("%q\nhave %q\ngit  %q", text, have.String(), out)
	}
}

// Random files of configuration are read as git reads them.
func TestSettingsAsGitReadsThem(t *testing.T) {
	isolate(t)
	file := filepath.Join(folder(t), "config")
	piece := rapid.SampledFrom([]string{
		"[core]", "[Core]", "[core \"a\"]", "[include]", "[includeIf \"gitdir:~/x/\"]", "[a.b]", "[a \"q\\\"\\\\x\"]", "[core", "[]", "\n", "\n", "\n", "\n\t",
		"excludesFile", "excludesfile = ", "path=", "a1-b = ", "1a = ", "=", " = ", "x", "~/y", "/abs olute/z", " ", "  ", "\t", "\"", "\"a b\"", "\"a # b\"", "\\\"", "\\\\", "\\n", "\\t", "\\\n",
		"\\q", "#", "; comment", "# comment \\", "\r\n", "\ufeff", "é",
	})
	rapid.Check(t, func(t *rapid.T) {
		holdSettings(t, file, strings.Join(rapid.SliceOfN(piece, 0, 14).Draw(t, "pieces"), ""))
	})
}

func FuzzSettingsAsGitReadsThem(f *testing.F) {
	f.Add("[core]\n\texcludesFile = ~/x # y\n")
	f.Add("[a \"b\"] c = \"d\\\n e\"\n[x.y]\nz\n")
	isolate(f)
	file := filepath.Join(folder(f), "config")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 500 && !strings.Contains(text, "\x00") {
			holdSettings(t, file, text)
		}
	})
}

// workTrees are repositories as they come: alone, with the work tree elsewhere,
// in another one.
func workTrees(t testing.TB) map[string]string {
	t.Helper()
	r := newRepository(t)
	r.git("commit", "-q", "--allow-empty", "-m", "first")
	linked := filepath.Join(folder(t), "linked")
	r.git("worktree", "add", "-q", linked)
	origin := folder(t)
	(&repository{t, origin}).git("init", "-q")
	(&repository{t, origin}).git("commit", "-q", "--allow-empty", "-m", "first")
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin, "sub")
	return map[string]string{"alone": r.dir, "a linked work tree": linked, "a submodule": filepath.Join(r.dir, "sub")}
}

// checkIgnore is git's answers about paths of a work tree.
func checkIgnore(t failer, dir string, files []string) map[string]Rule {
	t.Helper()
	cmd := exec.Command("git", "check-ignore", "--no-index", "-v", "-z", "--stdin")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader("./" + strings.Join(files, "\x00./") + "\x00")
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatal(err)
	}
	answers := map[string]Rule{}
	for fields := strings.Split(string(out), "\x00"); len(fields) > 4; fields = fields[4:] {
		rule := Rule{File: fields[0], Pattern: fields[2]}
		fmt.Sscan(fields[1], &rule.Line)
		if !filepath.IsAbs(rule.File) {
			rule.File = filepath.Join(dir, rule.File)
		}
		answers[strings.TrimPrefix(fields[3], "./")] = rule
	}
	return answers
}

// Wherever a repository has its rules, and whatever kind of work tree it has,
// they count as they do for git.
func TestMatchesAsGitDoesOutsideOfTheWorkTree(t *testing.T) {
	trees := workTrees(t)
	home := os.Getenv("HOME")
	kinds := []string{"alone", "a linked work tree", "a submodule"}
	write := func(t failer, file, text string) {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	original := map[string][]byte{}
	for _, kind := range kinds {
		_, common := gitFolders(filepath.Join(trees[kind], ".git"))
		text, err := os.ReadFile(filepath.Join(common, "config"))
		if err != nil {
			t.Fatal(err)
		}
		original[kind] = text
	}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		dir := trees[kind]
		gitDir, common := gitFolders(filepath.Join(dir, ".git"))
		write(t, filepath.Join(common, "info/exclude"), drawRules(t, "exclude"))
		write(t, filepath.Join(dir, ".gitignore"), drawRules(t, "rules"))
		write(t, filepath.Join(home, "mine"), drawRules(t, "mine"))
		write(t, filepath.Join(home, "git/ignore"), drawRules(t, "usual"))
		write(t, filepath.Join(dir, "relative"), drawRules(t, "relative"))
		setting := rapid.SampledFrom([]string{"", "", "excludesFile = ~/mine", "EXCLUDESFILE=\"" + home + "/mine\"", "excludesFile = relative", "excludesFile = ~/nothing", "excludesfile ="})
		config := func(label string) string {
			return rapid.SampledFrom([]string{"[core]", "[CORE]", "[core \"x\"]"}).Draw(t, label+" section") + "\n\t" + setting.Draw(t, label) + "\n"
		}
		write(t, filepath.Join(home, "more"), config("included"))
		included := rapid.SampledFrom([]string{"", "[include]\npath = ~/more\n", "[include]\npath = more\n", "[include]\npath=gone\n"}).Draw(t, "include")
		write(t, filepath.Join(home, ".gitconfig"), config("user")+included)
		write(t, filepath.Join(home, "git/config"), config("other"))
		own := string(original[kind]) + config("repository")
		write(t, filepath.Join(gitDir, "config.worktree"), "")
		if rapid.Bool().Draw(t, "worktree") && kind != "a submodule" {
			own += "[extensions]\nworktreeConfig = true\n"
			write(t, filepath.Join(gitDir, "config.worktree"), config("worktree"))
		}
		write(t, filepath.Join(common, "config"), own)

		files := sane(rapid.SliceOfN(drawPath(), 1, 20).Draw(t, "paths"))
		for i := range files {
			files[i] = strings.TrimSuffix(files[i], "/")
		}
		if len(files) == 0 {
			return
		}
		answers := checkIgnore(t, dir, files)
		tree, err := openDisk(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.close()
		for name, m := range map[string]*Matcher{"open": NewMatcher(tree), "by name": NewMatcherOnDisk(dir)} {
			for _, file := range files {
				want, matched := answers[file]
				hides := matched && !strings.HasPrefix(want.Pattern, "!")
				have, by, err := m.Match(file, isFolder(filepath.Join(dir, file)))
				if by != (Rule{}) && !filepath.IsAbs(by.File) {
					by.File = filepath.Join(dir, by.File)
				}
				if err != nil || have != hides || by != want || have != m.Perhaps(file, false) && !isFolder(filepath.Join(dir, file)) {
					t.Errorf("%s, %s, %q: ignored %t by %v (%v), git says %t by %v", kind, name, file, have, by, err, hides, want)
				}
			}
			if err := m.Err(); err != nil {
				t.Error(err)
			}
		}
	})
}

// What only git can tell may be, and what is said in the end is what git says.
func TestConditionalExcludesFile(t *testing.T) {
	for _, test := range []struct {
		name, config string
		hidden       bool
	}{
		{"a condition that holds", "[includeIf \"gitdir:**/here/\"]\npath = ~/more\n", true},
		{"a condition that does not", "[includeIf \"gitdir:**/there/\"]\npath = ~/more\n", false},
		{"a home that git finds", "[core]\nexcludesFile = ~root/nothing\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			isolate(t)
			home := os.Getenv("HOME")
			r := &repository{t, filepath.Join(folder(t), "here")}
			fill(t, r.dir, map[string]string{"a.log": "", "a.md": ""})
			fill(t, home, map[string]string{".gitconfig": test.config, "more": "[core]\nexcludesFile = ~/mine\n", "mine": "*.log\n"})
			r.git("init", "-q")
			m := NewMatcherOnDisk(r.dir)
			if ignored, by, _ := m.Match("a.log", false); ignored || !m.Perhaps("a.log", false) {
				t.Errorf("ignored %t by %v, perhaps %t", ignored, by, m.Perhaps("a.log", false))
			}
			if sure := !strings.Contains(test.config, "~root"); m.Perhaps("a.md", false) == sure {
				t.Errorf("perhaps a.md: %t", !sure)
			}
			ignored, source, err := Ignored(t.Context(), r.dir, "a.log")
			if err != nil || ignored != test.hidden || ignored && source != filepath.Join(home, "mine")+":1:*.log" {
				t.Errorf("%t, %q, %v", ignored, source, err)
			}
			ignored, _, err = Ignored(t.Context(), r.dir, "a.md")
			if err != nil || ignored {
				t.Errorf("a.md: %t, %v", ignored, err)
			}
		})
	}
}

// Listings leave out what the rules outside of the work tree hide, by git and
// without.
func TestListsByRulesOutsideOfTheWorkTree(t *testing.T) {
	trees := workTrees(t)
	fill(t, os.Getenv("HOME"), map[string]string{".gitconfig": "[core]\nexcludesFile = ~/mine\n", "mine": "*.mine\n"})
	for kind, dir := range trees {
		_, common := gitFolders(filepath.Join(dir, ".git"))
		fill(t, common, map[string]string{"info/exclude": "*.own\n"})
		fill(t, dir, map[string]string{"d/a.mine": "", "d/a.own": "", "d/a.md": ""})
		for _, o := range []Options{{}, {NoGit: true}} {
			listing := mustList(t, dir, "d", o)
			if !slices.Equal(paths(listing.Files), []string{"a.md"}) || listing.Git == o.NoGit || len(listing.Problems) > 0 {
				t.Errorf("%s, %+v: %+v", kind, o, listing)
			}
		}
	}
}

// A repository that is sure of its rules may stand in one that is not.
func TestPerhapsAroundARepository(t *testing.T) {
	r := newRepository(t)
	inner := &repository{t, filepath.Join(r.dir, "in")}
	fill(t, r.dir, map[string]string{"in/d/a.md": "", "other/a.md": "", "mine": "in/\n", "more": "[core]\nexcludesFile = " + r.dir + "/mine\n"})
	inner.git("init", "-q")
	for _, sure := range []bool{true, false} {
		if !sure {
			r.git("config", "includeIf.gitdir:**/there/.path", r.dir+"/more")
		}
		m := NewMatcherOnDisk(r.dir)
		if m.Perhaps("in/d/a.md", false) == sure || m.Perhaps("other/a.md", false) || m.Err() != nil {
			t.Errorf("sure %t: in %t, other %t, %v", sure, m.Perhaps("in/d/a.md", false), m.Perhaps("other/a.md", false), m.Err())
		}
	}
}

// A configuration that includes itself, or that is none, ends.
func TestAttackConfigurationThatNeverEnds(t *testing.T) {
	r := newRepository(t)
	fill(t, r.dir, map[string]string{"a.log": ""})
	home := os.Getenv("HOME")
	fill(t, home, map[string]string{".gitconfig": "[include]\npath = .gitconfig\n"})
	if m := NewMatcherOnDisk(r.dir); !m.Perhaps("a.log", false) {
		t.Error("git has an opinion, and is not asked")
	}
	fill(t, home, map[string]string{".gitconfig": "[core]\nexcludesFile = /dev/zero\n"})
	if m := NewMatcherOnDisk(r.dir); m.Perhaps("a.log", false) || m.Err() != nil {
		t.Errorf("%v", m.Err())
	}
	fill(t, home, map[string]string{".gitconfig": "[core]\nexcludesFile = " + home + "\n"})
	if m := NewMatcherOnDisk(r.dir); m.Perhaps("a.log", false) || m.Err() != nil {
		t.Errorf("%v", m.Err())
	}
	if _, err := readPlain(filepath.Join(home, "nothing")); err == nil || !os.IsNotExist(err) {
		t.Error(err)
	}
}
