package git_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/git"
)

const added = "diff --git a/%[1]s b/%[1]s\nnew file mode 100644\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1 @@\n+%[2]s\n"

func add(name, line string) string {
	return strings.NewReplacer("%[1]s", name, "%[2]s", line).Replace(added)
}

func change(name, from, to string) string {
	return strings.NewReplacer("%n", name, "%f", from, "%t", to).Replace("diff --git a/%n b/%n\n--- a/%n\n+++ b/%n\n@@ -1 +1 @@\n-%f\n+%t\n")
}

// changed is a repository with a change of each sort.
func changed(t testing.TB) repository {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n", "b": "1\n", "c": "1\n", ".gitignore": "*.log\n"})
	r.write(map[string]string{"b": "2\n"})
	r.git("add", "b")
	r.write(map[string]string{"a": "2\n", "new": "hi\n", "x.log": "no\n", "sub/new file": "ü\n"})
	must(t, os.Remove(filepath.Join(r.dir, "c")))
	return r
}

func TestWorkTreeAgainstHead(t *testing.T) {
	r := changed(t)
	before := r.git("status", "--porcelain")
	index, err := os.ReadFile(filepath.Join(r.dir, ".git/index"))
	must(t, err)
	objects := r.git("count-objects", "-v")
	c := r.load(mention.GitDiff{})
	wantText(t, c, change("a", "1", "2")+change("b", "1", "2")+
		"diff --git a/c b/c\ndeleted file mode 100644\n--- a/c\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"+
		add("new", "hi")+strings.Replace(add("sub/new file", "ü"), "+++ b/sub/new file\n", "+++ b/sub/new file\t\n", 1))
	if c.Name != "diff" || c.Note != "" || c.Shown != "" {
		t.Errorf("name %q, note %q, shown %q", c.Name, c.Note, c.Shown)
	}
	after, err := os.ReadFile(filepath.Join(r.dir, ".git/index"))
	must(t, err)
	if string(after) != string(index) || r.git("count-objects", "-v") != objects || r.git("status", "--porcelain") != before {
		t.Error("the repository is not as it was")
	}
	sub := r
	sub.dir = filepath.Join(r.dir, "sub")
	if below := sub.load(mention.GitDiff{}); below.Text != c.Text {
		t.Errorf("seen from a folder:\n%s", below.Text)
	}
}

func TestStaged(t *testing.T) {
	r := changed(t)
	c := r.load(mention.GitDiff{Staged: true})
	wantText(t, c, change("b", "1", "2"))
	if c.Name != "diff:staged" {
		t.Errorf("name %q", c.Name)
	}
	r.git("reset", "-q")
	wantText(t, r.load(mention.GitDiff{Staged: true}), "[no changes: nothing is staged]\n")
}

func TestRefs(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.git("branch", "side")
	r.git("branch", "staged")
	r.commit("second", map[string]string{"a": "2\n"})
	r.git("tag", "-a", "-m", "tag", "v1")
	r.git("checkout", "-q", "side")
	r.commit("third", map[string]string{"b": "1\n"})
	r.write(map[string]string{"new": "hi\n"})
	drop := "diff --git a/b b/b\ndeleted file mode 100644\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
	for _, test := range []struct {
		m    mention.GitDiff
		name string
		want string
	}{
		{mention.GitDiff{Base: "main"}, "diff:main", change("a", "2", "1") + add("b", "1") + add("new", "hi")},
		{mention.GitDiff{Base: "staged"}, "diff:staged", add("b", "1") + add("new", "hi")},
		{mention.GitDiff{Base: "main", Head: "side"}, "diff:main..side", change("a", "2", "1") + add("b", "1")},
		{mention.GitDiff{Base: "side", Head: "v1"}, "diff:side..v1", change("a", "1", "2") + drop},
		{mention.GitDiff{Head: "main"}, "diff:..main", change("a", "1", "2") + drop},
		{mention.GitDiff{Base: "main", Head: "side", MergeBase: true}, "diff:main...side", add("b", "1")},
		{mention.GitDiff{Base: "main", MergeBase: true}, "diff:main...", add("b", "1")},
		{mention.GitDiff{Head: "main", MergeBase: true}, "diff:...main", change("a", "1", "2")},
		{mention.GitDiff{Base: "HEAD~1", Head: "HEAD"}, "diff:HEAD~1..HEAD", add("b", "1")},
		{mention.GitDiff{Base: "main", Head: "v1"}, "diff:main..v1", "[no changes: main and v1 have the same files]\n"},
	} {
		t.Run(test.m.String(), func(t *testing.T) {
			r := repository{t, r.dir}
			c := r.load(test.m)
			wantText(t, c, test.want)
			if c.Name != test.name {
				t.Errorf("name %q", c.Name)
			}
		})
	}
}

func TestCommit(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.commit("second: a  change\n\nWhy it was made.\ndiff --git a/x b/x", map[string]string{"a": "2\n"})
	hash := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	head := "commit " + hash + "\nAuthor: Ada <ada@example.com>\nDate: 2024-05-06T07:08:09Z\n\n"
	if date := strings.TrimSpace(r.git("log", "-1", "--format=%aI")); date != "2024-05-06T07:08:09Z" {
		head = strings.Replace(head, "2024-05-06T07:08:09Z", date, 1) // older versions write +00:00
	}
	c := r.load(mention.GitDiff{Commit: "HEAD"})
	wantText(t, c, head+"    second: a  change\n\n    Why it was made.\n    diff --git a/x b/x\n\n"+change("a", "1", "2"))
	if c.Name != "commit:"+hash[:7]+" second: a change" {
		t.Errorf("name %q", c.Name)
	}
	if short := r.load(mention.GitDiff{Commit: hash[:8]}); short.Text != c.Text {
		t.Errorf("by its short hash:\n%s", short.Text)
	}
	wantParts(t, r.load(mention.GitDiff{Commit: "HEAD~1"}), "    first\n\n"+"diff --git a/a b/a\nnew file mode 100644\n")
	r.commit("empty", nil)
	wantParts(t, r.load(mention.GitDiff{Commit: "HEAD"}), "    empty\n\n[no changes: the commit is empty]\n")
}

func TestMergeCommitIsShownAgainstItsFirstParent(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.git("checkout", "-q", "-b", "side")
	r.commit("side", map[string]string{"b": "1\n"})
	r.git("checkout", "-q", "main")
	r.commit("main", map[string]string{"c": "1\n"})
	r.git("merge", "-q", "--no-edit", "side")
	c := r.load(mention.GitDiff{Commit: "HEAD"})
	wantParts(t, c, "\nMerge: ", add("b", "1")[:40])
	if strings.Contains(c.Text, "a/c b/c") || c.Note != "a merge, shown against its first parent" {
		t.Errorf("note %q, text:\n%s", c.Note, c.Text)
	}
}

func TestNoChanges(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	wantText(t, r.load(mention.GitDiff{}), "[no changes: the work tree is as HEAD is]\n")
	wantText(t, r.load(mention.GitDiff{Base: "main"}), "[no changes: the work tree is as main is]\n")
	later := filepath.Join(r.dir, "a") // touched, and the same
	must(t, os.WriteFile(later, []byte("1\n"), 0o644))
	wantText(t, r.load(mention.GitDiff{}), "[no changes: the work tree is as HEAD is]\n")
}

func TestNoCommitsYet(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := newRepository(t, "--object-format="+format)
			c := r.load(mention.GitDiff{})
			if c.Text != "[no changes: the work tree is as HEAD is]\n" || c.Note != "there are no commits yet" {
				t.Errorf("note %q, text %q", c.Note, c.Text)
			}
			r.write(map[string]string{"a": "1\n", "b": "1\n"})
			r.git("add", "a")
			wantText(t, r.load(mention.GitDiff{}), add("a", "1")+add("b", "1"))
			wantText(t, r.load(mention.GitDiff{Staged: true}), add("a", "1"))
			r.missed(mention.GitDiff{Commit: "HEAD"}, ampersat.Missing, "there are no commits yet")
			r.missed(mention.GitDiff{Base: "main"}, ampersat.Missing, `unknown ref "main"`)
			r.commit("first", nil)
			wantParts(t, r.load(mention.GitDiff{Commit: "HEAD"}), "    first\n\ndiff --git a/a b/a\nnew file")
		})
	}
}

// A folder of the branch's name holds other branches, and is no branch that is broken.
func TestNoCommitsYetBesideOtherBranches(t *testing.T) {
	r := newRepository(t)
	must(t, os.MkdirAll(filepath.Join(r.dir, ".git/refs/heads/main"), 0o755))
	if c := r.load(mention.GitDiff{}); c.Note != "there are no commits yet" {
		t.Errorf("note %q, text %q", c.Note, c.Text)
	}
}

// What git warns of while it finds a change is no failure.
func TestSubmoduleThatGitWarnsOf(t *testing.T) {
	r, sub := withSubmodule(t)
	sub.git("config", "core.autocrlf", "true")
	sub.write(map[string]string{"i": "1\n2\n"})
	wantText(t, r.load(mention.GitDiff{}), "[not shown: the changes in the submodule sub]\n[no other changes]\n")
}

func TestBrokenHead(t *testing.T) {
	r := newRepository(t)
	r.write(map[string]string{".git/refs/heads/main": strings.Repeat("1", 40) + "\n"})
	r.missed(mention.GitDiff{}, ampersat.Failed, "the commit that HEAD names cannot be read")
}

// Each sort of file that is not tracked is shown as git shows it once added.
func TestUntrackedAsIfAdded(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"moved": strings.Repeat("line\n", 20), "file": "1\n", "kept": "1\n", "cached": "1\n"})
	must(t, os.Rename(filepath.Join(r.dir, "moved"), filepath.Join(r.dir, "moved here")))
	must(t, os.Remove(filepath.Join(r.dir, "file")))
	r.git("rm", "-q", "--cached", "cached")
	r.write(map[string]string{
		"empty": "", "no newline": "x", "binary": "a\x00b", "file/below": "1\n", "exec": "#!/bin/sh\n", "quo\"te": "1\n",
		":(glob)x": "1\n", "-x": "1\n", "crlf": "1\r\n", "ü\t": "1\n", "cached": "2\n",
	})
	must(t, os.Chmod(filepath.Join(r.dir, "exec"), 0o755))
	must(t, os.Symlink("/etc/passwd", filepath.Join(r.dir, "link")))
	have := r.load(mention.GitDiff{})
	r.git("add", "-A")
	want := r.git("-c", "core.quotepath=off", "diff", "-M", "HEAD")
	bare := func(text string) string {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "index ") {
				b.WriteString(line)
			}
		}
		return b.String()
	}
	if bare(have.Text) != bare(want) {
		t.Errorf("have:\n%s\nwant:\n%s", have.Text, want)
	}
	wantParts(t, have, "rename to moved here", "Binary files /dev/null and b/binary differ", "new file mode 120000", "new file mode 100755", "--- a/cached\n+++ b/cached")
}

// A file that changes at the moment at which the index is written looks
// unchanged, but for the time of the index; the copy of the index must have it.
func TestChangeAtTheTimeOfTheIndex(t *testing.T) {
	r := newRepository(t)
	r.git("config", "core.checkStat", "minimal")
	r.git("config", "core.trustctime", "false")
	moment := time.Now().Add(-time.Hour).Truncate(time.Second)
	at := func(name string) { must(t, os.Chtimes(filepath.Join(r.dir, name), moment, moment)) }
	r.write(map[string]string{"a": "1\n"})
	at("a")
	r.commit("first", nil)
	r.write(map[string]string{"a": "2\n", "new": "1\n"})
	at("a")
	at(".git/index")
	wantText(t, r.load(mention.GitDiff{}), change("a", "1", "2")+add("new", "1"))
}

func TestMergeInProgress(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n", "z": "1\n"})
	r.git("checkout", "-q", "-b", "side")
	r.commit("side", map[string]string{"a": "2\n"})
	r.git("checkout", "-q", "main")
	r.commit("main", map[string]string{"a": "3\n"})
	if out, err := r.try("merge", "side"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	for _, untracked := range []bool{false, true} {
		if untracked {
			r.write(map[string]string{"new": "1\n"})
		}
		c := r.load(mention.GitDiff{})
		wantParts(t, c, "[in conflict: a]\ndiff --git a/a b/a\n", "+<<<<<<< HEAD\n", "+>>>>>>> side\n")
		if c.Note != "a merge is in progress; 1 file in conflict" {
			t.Errorf("note %q", c.Note)
		}
	}
	wantText(t, r.load(mention.GitDiff{Staged: true}), "[in conflict: a]\n")
	if c := r.load(mention.GitDiff{Commit: "HEAD"}); c.Note != "" {
		t.Errorf("note %q", c.Note)
	}
	r.git("merge", "--abort")
	if out, err := r.try("rebase", "side"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	if c := r.load(mention.GitDiff{}); c.Note != "a rebase is in progress; 1 file in conflict" {
		t.Errorf("note %q", c.Note)
	}
}

func TestDetachedHead(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.commit("second", map[string]string{"a": "2\n"})
	r.git("checkout", "-q", "--detach", "HEAD~1")
	r.write(map[string]string{"a": "3\n"})
	wantText(t, r.load(mention.GitDiff{}), change("a", "1", "3"))
	wantText(t, r.load(mention.GitDiff{Head: "main"}), change("a", "1", "2"))
}

func TestLinkedWorkTree(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	other := repository{t, filepath.Join(r.dir, "other")}
	r.git("worktree", "add", "-q", other.dir)
	other.write(map[string]string{"a": "2\n", "new": "1\n"})
	wantText(t, other.load(mention.GitDiff{}), change("a", "1", "2")+add("new", "1"))
	if c := r.load(mention.GitDiff{}); c.Note != "untracked repositories, which are not shown: 1" {
		t.Errorf("note %q, text:\n%s", c.Note, c.Text)
	}
}

// withSubmodule returns a repository with a submodule, in which there is a file i.
func withSubmodule(t *testing.T) (r, sub repository) {
	inner := newRepository(t)
	inner.commit("inner", map[string]string{"i": "1\n"})
	r = newRepository(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "sub")
	r.commit("first", nil)
	return r, repository{t, filepath.Join(r.dir, "sub")}
}

func TestSubmodule(t *testing.T) {
	r, sub := withSubmodule(t)
	wantText(t, r.load(mention.GitDiff{}), "[no changes: the work tree is as HEAD is]\n")
	sub.write(map[string]string{"i": "2\n"})
	wantText(t, sub.load(mention.GitDiff{}), change("i", "1", "2"))
	r.git("config", "diff.submodule", "log")
	sub.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qam", "2")
	wantParts(t, r.load(mention.GitDiff{}), "diff --git a/sub b/sub\n", "\n-Subproject commit ", "\n+Subproject commit ")
}

// What is changed in a submodule and not committed there is not shown, and said to
// be there, also of those in it.
func TestSubmoduleWithChangesOfItsOwn(t *testing.T) {
	innermost := newRepository(t)
	innermost.commit("innermost", map[string]string{"i": "1\n"})
	add := func(to repository, from repository, name string) repository {
		to.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from.dir, name)
		to.commit("with "+name, nil)
		return repository{t, filepath.Join(to.dir, name)}
	}
	inner := newRepository(t)
	inner.commit("inner", map[string]string{"i": "1\n", ".gitignore": "*.log\n"})
	add(inner, innermost, "deep")
	r := newRepository(t)
	first, second := add(r, inner, "first"), add(r, inner, "lib/second")
	first.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
	const none = "[no changes: the work tree is as HEAD is]\n"
	wantText(t, r.load(mention.GitDiff{}), none)
	first.write(map[string]string{"x.log": "ignored\n"})
	wantText(t, r.load(mention.GitDiff{}), none)

	for name, change := range map[string]struct {
		file string
		in   repository
	}{
		"a file that is tracked":     {"i", first},
		"a file that is not":         {"new/file", first},
		"a file of one in it":        {"deep/i", first},
		"one in it that is not, too": {"deep/new", first},
	} {
		t.Run(name, func(t *testing.T) {
			change.in.write(map[string]string{change.file: "changed\n"})
			for _, m := range []mention.GitDiff{{}, {Base: "main"}} {
				c := r.load(m)
				wantText(t, c, "[not shown: the changes in the submodule first]\n[no other changes]\n")
				if c.Note != "1 submodule has changes of its own, which are not shown" {
					t.Errorf("note %q", c.Note)
				}
			}
			wantText(t, r.load(mention.GitDiff{Staged: true}), "[no changes: nothing is staged]\n")
			first.git("clean", "-fdq")
			first.git("checkout", "-q", ".")
			deep := repository{t, filepath.Join(first.dir, "deep")}
			deep.git("clean", "-fdq")
			deep.git("checkout", "-q", ".")
			wantText(t, r.load(mention.GitDiff{}), none)
		})
	}

	first.write(map[string]string{"i": "2\n"})
	second.write(map[string]string{"new": ""})
	r.write(map[string]string{"own": "new\n"})
	c := r.load(mention.GitDiff{})
	wantParts(t, c, "[not shown: the changes in the submodule first]\n[not shown: the changes in the submodule lib/second]\ndiff --git a/own b/own\n")
	if c.Note != "2 submodules have changes of their own, which are not shown" {
		t.Errorf("note %q", c.Note)
	}

	// One that cannot be looked into is named as well, and is no error.
	must(t, os.WriteFile(filepath.Join(second.dir, ".git"), []byte("gitdir: /nowhere/at/all\n"), 0o644))
	if c := r.load(mention.GitDiff{}); !strings.Contains(c.Note, "the submodule lib/second could not be looked into: ") {
		t.Errorf("note %q", c.Note)
	}
}

// A link where a submodule was leads to what is not its.
func TestAttackSubmoduleThatIsALink(t *testing.T) {
	inner := newRepository(t)
	inner.commit("inner", map[string]string{"i": "1\n"})
	r := newRepository(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "lib/sub")
	r.commit("first", nil)
	inner.write(map[string]string{"sub/x": ""})
	must(t, os.Rename(filepath.Join(r.dir, "lib"), filepath.Join(t.TempDir(), "lib")))
	must(t, os.Symlink(filepath.Dir(inner.dir), filepath.Join(r.dir, "lib")))
	must(t, os.Rename(inner.dir, filepath.Join(filepath.Dir(inner.dir), "sub")))
	if c := r.load(mention.GitDiff{}); strings.Contains(c.Text, "not shown") || strings.Contains(c.Note, "submodule") {
		t.Errorf("note %q, text:\n%s", c.Note, c.Text)
	}
}

func TestShallowClone(t *testing.T) {
	far := newRepository(t)
	far.commit("first", map[string]string{"a": "1\n"})
	far.git("branch", "side")
	far.commit("second", map[string]string{"a": "2\n"})
	far.git("checkout", "-q", "side")
	far.commit("third", map[string]string{"b": "1\n"})
	r := repository{t, filepath.Join(t.TempDir(), "clone")}
	far.git("clone", "-q", "--depth=1", "--no-single-branch", "file://"+far.dir, r.dir)
	r.missed(mention.GitDiff{Base: "origin/main", Head: "side", MergeBase: true}, ampersat.Failed,
		"where origin/main and side parted is not in this shallow clone; git fetch --unshallow gets the rest")
	r.missed(mention.GitDiff{Base: "HEAD~1"}, ampersat.Missing, `unknown ref "HEAD~1" in this shallow clone`)
	c := r.load(mention.GitDiff{Commit: "HEAD"})
	wantParts(t, c, "    third\n", "diff --git a/a b/a\nnew file")
	if !strings.Contains(c.Note, "the first commit of this shallow clone") {
		t.Errorf("note %q", c.Note)
	}
	wantParts(t, r.load(mention.GitDiff{Base: "origin/main", Head: "side"}), "diff --git a/b b/b\nnew file")
}

func TestUnknownRefNamesSimilarOnes(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.git("branch", "feature/login")
	r.git("tag", "v1.2.0")
	r.git("update-ref", "refs/remotes/origin/release", "HEAD")
	for ref, reason := range map[string]string{
		"mian":          `unknown ref "mian"; similar: main`,
		"Main":          `similar: main`,
		"feature/logn":  `similar: feature/login`,
		"HAED":          `similar: HEAD`,
		"mian~1":        `unknown ref "mian~1"; similar: main`,
		"v1.2":          `unknown ref "v1.2"`,
		"v1.2.1":        `similar: v1.2.0`,
		"relese":        `similar: origin/release`,
		"completely":    `unknown ref "completely"`,
		"main:a":        `unknown ref "main:a"`,
		"HEAD~7":        `unknown ref "HEAD~7"`,
		"a\x00b":        `is not a ref`,
		"main\nHEAD":    `is not a ref`,
		"1234567890abc": `unknown ref`,
	} {
		if ref == "Main" {
			if _, err := os.Stat(filepath.Join(r.dir, ".git/refs/heads/Main")); err == nil {
				continue // on a disk without regard to case it is one
			}
		}
		r.missed(mention.GitDiff{Base: ref}, ampersat.Missing, reason)
		r.missed(mention.GitDiff{Commit: ref}, ampersat.Missing, reason)
		r.missed(mention.GitDiff{Base: "main", Head: ref}, ampersat.Missing, reason)
	}
}

func TestNoCommonHistory(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.git("checkout", "-q", "--orphan", "other")
	r.commit("other", nil)
	r.missed(mention.GitDiff{Base: "main", Head: "other", MergeBase: true}, ampersat.Missing, "main and other have no commit in common")
}

// A repository that is there and cannot be read is not said to be absent.
func TestRepositoryThatGitDoesNotKnow(t *testing.T) {
	type test struct {
		spoil  func(t *testing.T, r repository) repository
		reason string
	}
	write := func(t *testing.T, path, text string) {
		t.Helper()
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for name, test := range map[string]test{
		"a work tree whose repository was moved": {func(t *testing.T, r repository) repository {
			tree := repository{t, filepath.Join(t.TempDir(), "tree")}
			r.git("worktree", "add", "-q", tree.dir)
			must(t, os.Rename(r.dir, r.dir+".moved"))
			return tree
		}, "leads to a repository that is not there, *.git/worktrees/tree; if it was moved, git worktree repair *tree mends that where it is now"},
		"a .git that leads nowhere": {func(t *testing.T, r repository) repository {
			dir := filepath.Join(r.dir, "below")
			must(t, os.Mkdir(dir, 0o755))
			write(t, filepath.Join(dir, ".git"), "gitdir: ../nothing\n")
			return repository{t, dir}
		}, "below/.git leads to a repository that is not there, *nothing"},
		"a .git that leads to what is none": {func(t *testing.T, r repository) repository {
			dir := filepath.Join(r.dir, "below")
			must(t, os.MkdirAll(filepath.Join(dir, "other"), 0o755))
			write(t, filepath.Join(dir, ".git"), "gitdir: other\n")
			return repository{t, dir}
		}, "the repository *below/other is damaged: it has no HEAD"},
		"a HEAD of rubbish": {func(t *testing.T, r repository) repository {
			write(t, filepath.Join(r.dir, ".git/HEAD"), "rubbish\n")
			return r
		}, "the repository *.git is damaged: its HEAD names neither a branch nor a commit"},
		"a HEAD that is empty, seen from a folder": {func(t *testing.T, r repository) repository {
			write(t, filepath.Join(r.dir, ".git/HEAD"), "")
			must(t, os.Mkdir(filepath.Join(r.dir, "d"), 0o755))
			return repository{t, filepath.Join(r.dir, "d")}
		}, "the repository *.git is damaged: its HEAD names neither a branch nor a commit"},
		"no HEAD": {func(t *testing.T, r repository) repository {
			must(t, os.Remove(filepath.Join(r.dir, ".git/HEAD")))
			return r
		}, "the repository *.git is damaged: it has no HEAD"},
		"no objects": {func(t *testing.T, r repository) repository {
			must(t, os.Rename(filepath.Join(r.dir, ".git/objects"), filepath.Join(r.dir, ".git/gone")))
			return r
		}, "the repository *.git is damaged: it has no objects"},
		"a branch of nothing": {func(t *testing.T, r repository) repository {
			write(t, filepath.Join(r.dir, ".git/refs/heads/main"), "")
			return r
		}, "the commit that HEAD names cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.commit("first", map[string]string{"a": "1\n"})
			r = test.spoil(t, r)
			_, err := r.ask(mention.GitDiff{}, 0)
			miss := (*ampersat.Miss)(nil)
			if !errors.As(err, &miss) || miss.Outcome != ampersat.Failed {
				t.Fatal(err)
			}
			rest := miss.Detail()
			for part := range strings.SplitSeq(test.reason, "*") {
				_, after, ok := strings.Cut(rest, part)
				if !ok {
					t.Fatalf("have %q, want %q", miss.Detail(), test.reason)
				}
				rest = after
			}
		})
	}
}

func TestNoFolder(t *testing.T) {
	isolate(t)
	for _, name := range []string{"nothing", "file", "file/below"} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
		r := repository{t, filepath.Join(dir, name)}
		r.missed(mention.GitDiff{}, ampersat.Failed, "there is no folder "+r.dir)
	}
}

func TestNoRepository(t *testing.T) {
	isolate(t)
	r := repository{t, t.TempDir()}
	r.missed(mention.GitDiff{}, ampersat.Missing, "not in a git repository; looked in "+r.dir)
	r.dir = filepath.Join(r.dir, "nothing")
	r.missed(mention.GitDiff{}, ampersat.Failed, "there is no folder "+r.dir)
}

func TestBareRepository(t *testing.T) {
	r := newRepository(t, "--bare")
	r.missed(mention.GitDiff{}, ampersat.Failed, "is a bare repository, or the inside of one")
	r.missed(mention.GitDiff{Commit: "HEAD"}, ampersat.Failed, "one can be hidden among ordinary files; work in a clone of it")
	r = newRepository(t)
	r.dir = filepath.Join(r.dir, ".git")
	r.missed(mention.GitDiff{}, ampersat.Failed, "is a bare repository, or the inside of one")
}

func TestGitIsNotInstalled(t *testing.T) {
	r := newRepository(t)
	t.Setenv("PATH", t.TempDir())
	r.missed(mention.GitDiff{}, ampersat.Failed, "git is not installed")
}

func TestTextThatIsNotUTF8(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.write(map[string]string{"a": "caf\xe9\n"})
	c := r.load(mention.GitDiff{})
	wantText(t, c, change("a", "1", "caf\uFFFD"))
	if !strings.Contains(c.Note, "not UTF-8") {
		t.Errorf("note %q", c.Note)
	}
}

func TestOnlyPeopleAsk(t *testing.T) {
	r := changed(t)
	q := ampersat.Query{Mention: mention.GitDiff{}, Asker: access.Asker{Origin: access.FromFile, Tree: r.dir}}
	if _, err := git.New(git.Config{Dir: r.dir}).Resolve(t.Context(), q); err == nil {
		t.Error("a file may mention a diff")
	} else if _, denied := access.IsDenied(err); !denied {
		t.Error(err)
	}
	if _, err := r.ask(mention.File{Path: "a"}, 0); err == nil || !strings.Contains(err.Error(), "a file is not a difference") {
		t.Errorf("error %v", err)
	}
}

func TestCancelledContext(t *testing.T) {
	r := changed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := git.New(git.Config{Dir: r.dir}).Resolve(ctx, ampersat.Query{Mention: mention.GitDiff{}, Asker: person})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// The diffs that are made here can be applied.
func TestDiffCanBeApplied(t *testing.T) {
	r := changed(t)
	patch := r.load(mention.GitDiff{}).Text
	r.git("stash", "-q", "-u")
	cmd := exec.Command("git", "apply", "--index", "-")
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if have := r.load(mention.GitDiff{}).Text; have != patch {
		t.Errorf("have:\n%s\nwant:\n%s", have, patch)
	}
}
