package access

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func roots(t testing.TB, list ...Root) Roots {
	t.Helper()
	r, err := NewRoots(list...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestContainmentIsByName(t *testing.T) {
	for _, c := range []struct {
		rule, tree, path string
		want             bool
	}{
		{"a tree contains itself", "/a/b", "/a/b", true},
		{"a tree contains what is below", "/a/b", "/a/b/c/d", true},
		{"a trailing slash does not matter", "/a/b/", "/a/b/c", true},
		{"the root contains all", "/", "/etc/passwd", true},
		{"attack: a sibling with the same beginning", "/a/b", "/a/bc", false},
		{"attack: a sibling with the same beginning and a file", "/a/b", "/a/b.old/x", false},
		{"attack: dots that lead out", "/a/b", "/a/b/../c", false},
		{"attack: dots that lead out and in again elsewhere", "/a/b", "/a/b/../../etc/passwd", false},
		{"dots that stay inside", "/a/b", "/a/b/c/../d", true},
		{"attack: doubled slashes", "/a/b", "//a//bc", false},
		{"a parent is outside", "/a/b", "/a", false},
		{"attack: a relative path", "/a/b", "a/b/c", false},
		{"attack: a zero byte", "/a/b", "/a/b/\x00/../../etc", false},
		{"attack: an empty tree contains nothing", "", "/a", false},
		{"case matters", "/a/b", "/a/B/c", false},
	} {
		if got := Inside(c.tree, c.path); got != c.want {
			t.Errorf("%s: Inside(%q, %q) = %v", c.rule, c.tree, c.path, got)
		}
	}
}

// Whatever is joined to a tree is inside exactly if it does not climb out, which
// filepath.IsLocal judges in its own way.
func TestContainmentAgreesWithIsLocal(t *testing.T) {
	segment := rapid.SampledFrom([]string{"a", "b", "..", ".", "", "a b", "...", "b.c", "é"})
	rapid.Check(t, func(t *rapid.T) {
		tree := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "z"}), 1, 3).Draw(t, "tree"), "/")
		rel := strings.Join(rapid.SliceOfN(segment, 1, 8).Draw(t, "rel"), "/")
		if strings.HasPrefix(rel, "/") || rel == "" {
			rel = "." + rel
		}
		path := tree + "/" + rel
		// Climbing out and coming back by name is inside again.
		back := strings.HasPrefix(filepath.Clean(path)+"/", tree+"/")
		if got := Inside(tree, path); got != back || filepath.IsLocal(rel) && !got {
			t.Fatalf("Inside(%q, %q) = %v", tree, path, got)
		}
	})
}

func TestOutsideSaysWhatGrantsIt(t *testing.T) {
	r := roots(t, Root{"/home/me/project", Project}, Root{"/home/me/.ampersat", User})
	err := r.Check("/etc/hosts")
	denied, ok := IsDenied(err)
	if !ok || denied.Reason != ReasonOutside || denied.Grant != "--allow /etc/hosts" {
		t.Errorf("got %#v", err)
	}
	if err := r.Check("/home/me/project/a.go"); err != nil {
		t.Error(err)
	}
	if err := (Roots{}).Check("/home"); err == nil {
		t.Error("the empty set let something be read")
	}
	if _, err := NewRoots(Root{"project", Project}); err == nil {
		t.Error("a relative root was taken")
	}
}

func TestFileReadsOnlyItsOwnTree(t *testing.T) {
	all := roots(t, Root{"/p", Project}, Root{"/home/me/.ampersat", User}, Root{"/p/.ampersat/collections/c", Collection}, Root{"/data", Allowed})
	for _, c := range []struct {
		rule  string
		asker Asker
		path  string
		want  bool
	}{
		{"a person reads every root", Asker{Origin: FromPerson}, "/data/x", true},
		{"a file reads its tree", Asker{Origin: FromFile, Tree: "/p"}, "/p/a.md", true},
		{"attack: a project file reads the user's folder", Asker{Origin: FromFile, Tree: "/p"}, "/home/me/.ampersat/config", false},
		{"attack: a project file reads what the person allowed for themselves", Asker{Origin: FromFile, Tree: "/p"}, "/data/x", false},
		{"attack: a collection reads the project around it", Asker{Origin: FromFile, Tree: "/p/.ampersat/collections/c"}, "/p/a.md", false},
		{"a collection reads itself", Asker{Origin: FromFile, Tree: "/p/.ampersat/collections/c"}, "/p/.ampersat/collections/c/a.md", true},
		{"attack: a tree that is no root", Asker{Origin: FromFile, Tree: "/"}, "/etc/passwd", false},
		{"attack: no tree at all", Asker{Origin: FromFile}, "/p/a.md", false},
		{"attack: a tree with dots", Asker{Origin: FromFile, Tree: "/p/.."}, "/etc/passwd", false},
		{"an untrusted profile reads its tree", Asker{Origin: FromProfile, Tree: "/p"}, "/p/a", true},
		{"attack: an untrusted profile reads further", Asker{Origin: FromProfile, Tree: "/p"}, "/data/a", false},
		{"a trusted profile reads all", Asker{Origin: FromProfile, Trusted: true, Tree: "/p"}, "/data/a", true},
		{"text without an origin reads nothing", Asker{Tree: "/p"}, "/p/a", false},
	} {
		err := all.For(c.asker).Check(c.path)
		if (err == nil) != c.want {
			t.Errorf("%s: %v", c.rule, err)
		}
		if denied, ok := IsDenied(err); err != nil && (!ok || denied.Grant != "") {
			t.Errorf("%s: a flag is offered that would not help: %v", c.rule, err)
		}
	}
	if got := len(all.List()); got != 4 {
		t.Errorf("narrowing changed the set: %d roots", got)
	}
}
