package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/store/sqlite"
)

// On a machine without any programs doctor says what they are for and how they
// are installed.
func TestDoctorWithoutPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AMPERSAT_HOME", "")
	t.Setenv("TMUX", "")
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"doctor", "-C", t.TempDir()}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitDone || errs.Len() > 0 {
		t.Errorf("code %d: %s", code, errs.String())
	}
	for _, want := range []string{
		`git-diff +missing +git is not installed; install git\n`,
		`terminal +missing +tmux is not installed; install tmux; or name a file with --terminal\n`,
		`rg +missing +which makes searching faster; install ripgrep\n`,
		`gopls +missing +for @diagnostics of go; go install golang.org/x/tools/gopls@latest\n`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in:\n%s", want, out.String())
		}
	}
}

// A store that can be read and not be written to is not one that sessions can be
// kept in.
func TestDoctorOfAStoreOfANewerVersion(t *testing.T) {
	home := t.TempDir()
	t.Setenv("AMPERSAT_HOME", home)
	path := filepath.Join(home, "sessions.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	diagnose := func() (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), []string{"doctor", "-C", t.TempDir()}, streams{in: strings.NewReader(""), out: &out, err: &out})
		return code, out.String()
	}
	if code, said := diagnose(); code != exitDone || !regexp.MustCompile(`store +ok`).MatchString(said) {
		t.Errorf("code %d:\n%s", code, said)
	}
	// The file says in its header, at 60, which version of the store it is.
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteAt([]byte{0, 0, 0, 99}, 60)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	if code, said := diagnose(); code != exitFailed || !regexp.MustCompile(`store +broken .*update ampersat`).MatchString(said) {
		t.Errorf("code %d:\n%s", code, said)
	}
}
