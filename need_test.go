package ampersat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNeed runs scripts/need on planted lists, with an apt-get and an npm that
// only pretend: what is missing is installed where that is allowed, named where
// it is not, and a failure where everything is required.
func TestNeed(t *testing.T) {
	dependOnTree(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is missing: scripts/need cannot run")
	}
	const widget = "widget debian widget-package the widget tests run it\n"
	const peer = "peer npm FOLDER the peer is held against ours\n"
	for _, c := range []struct {
		name, list    string
		uid, require  string
		without       string // a program that this machine does not have
		says          string
		fails, leaves bool // leaves: what was asked for is there afterwards
	}{
		{name: "what is there is not spoken of", list: "sh debian dash everything\n# a comment\n\n", uid: "1000", require: "all"},
		{name: "root installs Debian packages", list: widget, uid: "0", says: "installed widget: the widget tests run it\n", leaves: true},
		{name: "others are told what to install", list: widget, uid: "1000", says: "missing widget: the widget tests run it; only root may install it: apt-get install widget-package\n"},
		{name: "elsewhere than on Debian too", list: widget, uid: "0", without: "apt-get", says: "install widget-package by hand"},
		{name: "what is required and missing is a failure", list: widget, uid: "1000", require: "all", says: "1 missing, and AMPERSAT_REQUIRE=all allows none", fails: true},
		{name: "a package that does not bring its command is missing", list: "gadget debian broken-package x\n" + widget, uid: "0", require: "all", says: "apt-get install broken-package failed", fails: true},
		{name: "anyone installs npm packages", list: peer, uid: "1000", says: "installed peer: the peer is held against ours\n", leaves: true},
		{name: "without npm they are missing", list: peer, uid: "1000", without: "npm", says: "missing peer: the peer is held against ours; npm is missing"},
		{name: "a line that cannot be understood is a failure", list: "widget brew widget x\n", uid: "0", says: "widget: no such way to install: brew", fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			bin, cache, folder := filepath.Join(temp, "bin"), filepath.Join(temp, "cache"), filepath.Join(temp, "folder")
			list := filepath.Join(temp, "needs")
			write(t, list, strings.ReplaceAll(c.list, "FOLDER", folder))
			write(t, filepath.Join(folder, "package.json"), "{}")
			write(t, filepath.Join(folder, "package-lock.json"), `{"lockfileVersion":3}`)
			programs := map[string]string{
				"apt-get": `echo "$1" >>BIN/asked; case "$*" in *widget-package) echo '#!/bin/sh' >BIN/widget && chmod +x BIN/widget ;; esac`,
				"npm":     `case "$*" in "ci "*"--prefix CACHE/npm/peer") test -f CACHE/npm/peer/package-lock.json && mkdir CACHE/npm/peer/node_modules ;; *) exit 1 ;; esac`,
			}
			delete(programs, c.without)
			for name, script := range programs {
				script = strings.NewReplacer("BIN", bin, "CACHE", cache).Replace(script)
				write(t, filepath.Join(bin, name), "#!/bin/sh\n"+script+"\n")
			}
			// Only what the script itself is made of, so that the machine's own
			// apt-get and npm are out of reach.
			for _, name := range []string{"cat", "chmod", "cmp", "cp", "dirname", "id", "mkdir", "rm", "sh"} {
				real, err := exec.LookPath(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(real, filepath.Join(bin, name)); err != nil {
					t.Fatal(err)
				}
			}
			need := func() (string, error) {
				run := exec.Command(bash, "scripts/need", list)
				run.Env = []string{"PATH=" + bin, "AMPERSAT_UID=" + c.uid, "AMPERSAT_REQUIRE=" + c.require, "AMPERSAT_CACHE=" + cache}
				out, err := run.CombinedOutput()
				return string(out), err
			}
			out, err := need()
			if (err != nil) != c.fails {
				t.Errorf("error %v, want one: %t", err, c.fails)
			}
			if !strings.Contains(out, c.says) || c.says == "" && out != "" {
				t.Errorf("want %q in:\n%s", c.says, out)
			}
			if asked, _ := os.ReadFile(filepath.Join(bin, "asked")); strings.Count(string(asked), "update") > 1 {
				t.Errorf("the list of packages is fetched once, have:\n%s", asked)
			}
			if c.leaves {
				if out, err := need(); out != "" || err != nil {
					t.Errorf("a second time, with all there: %v\n%s", err, out)
				}
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}
