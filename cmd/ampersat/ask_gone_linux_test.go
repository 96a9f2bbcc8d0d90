package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A picture that a damaged store has lost is sent when it is mentioned again, and
// context says so before.
func TestAPictureThatIsLostIsSentAgain(t *testing.T) {
	p := newPerson(t, "http://localhost:1")
	p.paints("dot.png")
	says := func(want string, args ...string) {
		t.Helper()
		p.run(args...)
		said := p.stdout.String() + p.stder.String()
		for line := range strings.Lines(said) {
			if strings.Contains(line, "@dot.png ") && strings.Contains(line, want) {
				return
			}
		}
		t.Errorf("%v: %s, want %s", args, said, want)
	}
	ask := []string{"ask", "--provider", "echo", "--profile", "none"}
	says("loaded", append(ask, "look at @dot.png")...)
	says("unchanged", "context", "--session", "last", "look at @dot.png")

	p.meddle(`UPDATE blob SET data = zeroblob(length(data)) WHERE substr(hex(data), 1, 8) = '89504E47'`, "SELECT 1")()
	// What can be read is printed, and that not all could be is an error.
	_ = p.start("session", "salvage").Wait()
	saved, store := filepath.Join(t.TempDir(), "saved.jsonl"), filepath.Join(filepath.Dir(p.dir), ".ampersat/sessions.db")
	if err := os.WriteFile(saved, p.stdout.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(store + part); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	p.run("session", "import", saved)

	says("loaded", "context", "--session", "last", "look at @dot.png")
	says("loaded", append(ask, "--continue", "look at @dot.png")...)
	says("unchanged", "context", "--session", "last", "look at @dot.png")
	says("unchanged", append(ask, "--continue", "look at @dot.png")...)
}
