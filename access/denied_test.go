package access

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// People copy hints into a shell, and whoever names a file chooses the hint. A
// shell is the judge: what it makes of the flag is the one path. The commands
// are harmless ones, since on the day this test fails they run; and the shell
// runs in an empty folder, without a home.
func TestAttackFileNameInjectsIntoTheHint(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	empty := t.TempDir()
	read := func(path string) ([]byte, error) {
		command := exec.Command(shell, "-c", `printf '%s\n' `+AllowFlag(path))
		command.Dir, command.Env = empty, []string{"HOME=" + empty, "PATH="}
		return command.Output()
	}
	asIs := func(t testing.TB, path string) {
		out, err := read(path)
		if want := "--allow\n" + path + "\n"; err != nil || string(out) != want {
			t.Errorf("%q: the shell reads %q, %v", path, out, err)
		}
	}
	for _, path := range []string{"/a b", "/$(echo ran)", "/`echo ran`", "/x; echo ran", "/it's", "/a\nb", "/~", "/*", "/a\\", "/#x", "/!x", "/-rf", "/é", "'", "''"} {
		asIs(t, path)
	}
	rapid.Check(t, func(t *rapid.T) {
		path := "/" + rapid.StringOfN(rapid.SampledFrom([]rune(" '\"\\$`;&|<>(){}*?[]#~!\n\tab")), 0, 12, -1).Draw(t, "path")
		if strings.HasSuffix(path, "\n") {
			return
		}
		out, err := read(path)
		if want := "--allow\n" + path + "\n"; err != nil || string(out) != want {
			t.Fatalf("%q: the shell reads %q, %v", path, out, err)
		}
	})
}

func TestAttackFileNameSpeaksToTheTerminal(t *testing.T) {
	err := (Roots{}).Check("/tmp/\x1b]0;owned\x07\u202egpj.exe")
	if text := err.Error(); strings.ContainsAny(text, "\x1b\x07\u202e") || !strings.Contains(text, `\x1b`) {
		t.Errorf("got %q", text)
	}
}

func TestDeniedReadsAsASentence(t *testing.T) {
	err := fmt.Errorf("resolve @/etc/hosts: %w", (Roots{}).Check("/etc/hosts"))
	const want = "resolve @/etc/hosts: read /etc/hosts: it is outside the project (to allow it: --allow /etc/hosts)"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonOutside {
		t.Errorf("the refusal is lost in %v", err)
	}
	if _, ok := IsDenied(errors.New("other")); ok {
		t.Error("any error is a refusal")
	}
}

// A nil one in an error is a mistake of whoever returned it, and can still be told.
func TestARefusalOfNothingCanBeTold(t *testing.T) {
	var denied *Denied
	if have := error(denied).Error(); have != "read: a refusal of nothing" {
		t.Errorf("%q", have)
	}
}
