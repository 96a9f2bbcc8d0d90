package ampersat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The first thing that people try must work: the program in the README is run
// and prints what the README says it prints, and so are its first command and
// its links.
func TestReadme(t *testing.T) {
	dependOnTree(t)
	file, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(file)
	// A prompt, the commands, the program and what it prints, in this order.
	fences := strings.Split(readme, "```")
	if len(fences) != 11 {
		t.Fatalf("README.md has %d fenced blocks, want a prompt, two commands, a program and its output", len(fences)/2)
	}
	command, program, output := fences[3], fences[7], fences[9]

	t.Run("command", func(t *testing.T) {
		words := strings.TrimSpace(strings.TrimPrefix(command, "sh\n"))
		shell := exec.Command("sh", "-c", words)
		// As on a machine where nobody has asked anything yet.
		shell.Env = append(os.Environ(), "AMPERSAT_HOME="+t.TempDir(), "ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "GEMINI_API_KEY=", "GOOGLE_API_KEY=", "AZURE_OPENAI_API_KEY=")
		if out, err := shell.Output(); err != nil || !strings.Contains(string(out), "@README.md") {
			t.Errorf("%s: %v\n%s", words, err, out)
		}
	})
	t.Run("program", func(t *testing.T) {
		main := filepath.Join(t.TempDir(), "main.go")
		write(t, main, strings.TrimPrefix(program, "go\n"))
		out, err := exec.Command("go", "run", main).CombinedOutput()
		if err != nil || string(out) != strings.TrimPrefix(output, "\n") {
			t.Errorf("%v, have:\n%s\nwant:%s", err, out, output)
		}
	})
	t.Run("links", func(t *testing.T) {
		for _, after := range strings.Split(readme, "](")[1:] {
			target, _, _ := strings.Cut(after, ")")
			if _, err := os.Stat(target); err != nil && !strings.Contains(target, "://") {
				t.Errorf("a link to what is not there: %v", err)
			}
		}
	})
}
