package process_test

import (
	"os/exec"
	"testing"

	"github.com/ampersat/ampersat/internal/process"
)

// What sh makes of a word is the text.
func TestWordIsReadAsItIs(t *testing.T) {
	for _, text := range []string{"", "plain", "two words", "it's", "''", `\'`, "$HOME `echo ran` $(echo ran)", "a; echo ran\n", "-n", "~", "*"} {
		out, err := exec.Command("sh", "-c", "printf %s "+process.Word(text)).CombinedOutput()
		if err != nil || string(out) != text {
			t.Errorf("%q is read as %q, %v", text, out, err)
		}
	}
}
