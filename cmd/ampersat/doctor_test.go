package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
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
