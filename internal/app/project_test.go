package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ampersat/ampersat"
)

// TestProject: the project is what the person works on, by whatever path they came
// to it, and never their home for the sake of their own folder.
func TestProject(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(base, filepath.FromSlash(path)) }
	for _, folder := range []string{
		"home/.ampersat", "home/plain/in", "home/repo/.git", "home/repo/in/deep",
		"data/.ampersat", "data/plain", "data/repo/.git", "data/repo/in", "store/.git", "store/.ampersat", "store/in",
		"both/.git", "both/user/proj/.ampersat", "both/user/plain",
	} {
		if err := os.MkdirAll(at(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"link": "home", "home/self": "home", "dl": "home/repo/in/deep", "home/dl": "home/repo/in/deep", "repo": "home/repo",
		"data/repo/dl": "home/repo/in/deep", "moved": "data", "linked": "store", "home/pl": "home/plain",
	} {
		if err := os.Symlink(at(to), at(link)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		name, home, moved string // HOME and AMPERSAT_HOME
		dir               string
		root, in, own     string // "" for in and own means dir, and home/.ampersat
	}{
		{name: "no project", home: "home", dir: "home/plain", root: "home/plain"},
		{name: "a home that ends in a slash", home: "home/", dir: "home/plain", root: "home/plain"},
		{name: "a home that is not clean", home: "home/../home/.", dir: "home/plain/in", root: "home/plain/in"},
		{name: "a link for a home", home: "link", dir: "home/plain", root: "home/plain", own: "link/.ampersat"},
		{name: "through a link to the home", home: "home", dir: "link/plain", root: "link/plain"},
		{name: "a link in the home to itself", home: "home", dir: "home/self/plain", root: "home/self/plain"},
		{name: "a link in the home", home: "home", dir: "home/pl", root: "home/pl"},
		{name: "the home", home: "home", dir: "home", root: "home"},
		{name: "the home, through a link", home: "home", dir: "link", root: "link", own: "link/.ampersat"},
		{name: "the home, which is a link", home: "link", dir: "home", root: "home", own: "home/.ampersat"},
		{name: "a home in a repository", home: "both/user", dir: "both/user/plain", root: "both/user/plain", own: "both/user/.ampersat"},
		{name: "a project in it", home: "both/user", dir: "both/user/proj", root: "both/user/proj", own: "both/user/.ampersat"},
		{name: "a repository", home: "home", dir: "home/repo/in/deep", root: "home/repo"},
		{name: "a repository, and a link for a home", home: "link", dir: "home/repo/in", root: "home/repo", own: "link/.ampersat"},
		{name: "an own folder above", home: "home", moved: "data/.ampersat", dir: "data/plain", root: "data/plain", own: "data/.ampersat"},
		{name: "an own folder above, through a link", home: "home", moved: "moved/.ampersat", dir: "data/plain", root: "data/plain", own: "moved/.ampersat"},
		{name: "an own folder above a repository", home: "home", moved: "data/.ampersat", dir: "data/repo/in", root: "data/repo", own: "data/.ampersat"},
		{name: "an own folder here", home: "home", moved: "moved/.ampersat", dir: "data", root: "data", own: "data/.ampersat"},
		{name: "an own folder in a repository", home: "home", moved: "linked/.ampersat", dir: "store/in", root: "store", own: "store/.ampersat"},
		{name: "a link to a repository", home: "home", dir: "repo/in", root: "repo"},
		{name: "a link into a repository", home: "home", dir: "dl", root: "home/repo", in: "home/repo/in/deep"},
		{name: "a link into a repository, in the home", home: "home", dir: "home/dl", root: "home/repo", in: "home/repo/in/deep"},
		{name: "a link into a repository, in another", home: "home", dir: "data/repo/dl", root: "data/repo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("HOME", base+"/"+c.home)
			t.Setenv("AMPERSAT_HOME", "")
			if c.moved != "" {
				t.Setenv("AMPERSAT_HOME", at(c.moved))
			}
			ground, err := Locate(at(c.dir))
			if err != nil {
				t.Fatal(err)
			}
			in, own := c.in, c.own
			if in == "" {
				in = c.dir
			}
			if own == "" {
				own = "home/.ampersat"
			}
			if ground.Root != at(c.root) || ground.Dir != at(in) || ground.UserDir != at(own) {
				t.Errorf("work in %s, project %s, own folder %s", ground.Dir, ground.Root, ground.UserDir)
			}
		})
	}
}

// TestALinkIntoAProject is no other project: what is around is found from there.
func TestALinkIntoAProject(t *testing.T) {
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "", "top.txt": "top\n", "in/deep/low.txt": "low\n", "~/other.txt": "other\n"})
	link := filepath.Join(filepath.Dir(w.project), "dl")
	if err := os.Symlink(filepath.Join(w.project, "in", "deep"), link); err != nil {
		t.Skip(err)
	}
	a, err := New(Options{Dir: link})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for text, want := range map[string]ampersat.Outcome{
		"@../../top.txt": ampersat.Loaded, "@low.txt": ampersat.Loaded, "@~/other.txt": ampersat.Blocked,
	} {
		if have := outcome(t, a, text); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
	if a.beganIn() != "in/deep" {
		t.Errorf("a session begins in %q", a.beganIn())
	}
}
