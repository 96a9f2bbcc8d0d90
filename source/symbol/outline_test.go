package symbol

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const source = `package server

import "net"

// Server serves.
type Server struct {
	listener net.Listener
}

// Serve runs until Close.
func (s *Server) Serve() error {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return err
		}
		go handle(conn)
	}
}

// Close stops it.
func (s *Server) Close() error {
	return s.listener.Close()
}
`

func under(n int) func(string) bool { return func(s string) bool { return len(s) <= n } }

func TestDeclarationsStay(t *testing.T) {
	const want = `package server

import "net"

// Server serves.
type Server struct {
	listener net.Listener
}

// Serve runs until Close.
func (s *Server) Serve() error {
	… 7 lines
}

// Close stops it.
func (s *Server) Close() error {
	return s.listener.Close()
}
`
	got, shown, ok := Outline("server.go", source, "what is this", under(len(want)))
	if !ok || got != want || shown != "outline, 17 of 24 lines" {
		t.Errorf("%t %q\n%s", ok, shown, got)
	}
}

func TestWhatThePromptIsAboutStaysWhole(t *testing.T) {
	long := strings.Replace(source, "\treturn s.listener.Close()\n", strings.Repeat("\ts.stop()\n", 9), 1)
	got, shown, ok := Outline("server.go", long, "Why does Close of @server.go hang?", under(360))
	if !ok || strings.Count(got, "s.stop()") != 9 || strings.Contains(got, "Accept") || !strings.Contains(shown, "with Close in full") {
		t.Errorf("%t %q\n%s", ok, shown, got)
	}
}

func TestRoomIsUsed(t *testing.T) {
	got, _, _ := Outline("server.go", source, "", under(len(source)-30))
	if !strings.Contains(got, "for {") {
		t.Error(got)
	}
	if whole, _, _ := Outline("server.go", source, "", under(len(source))); whole != source {
		t.Error(whole)
	}
}

func TestWhatCannotBeOutlined(t *testing.T) {
	if _, _, ok := Outline("notes.txt", source, "", under(1000)); ok {
		t.Error("prose was outlined")
	}
	if _, _, ok := Outline("server.go", source, "", under(20)); ok {
		t.Error("it cannot fit")
	}
}

// Whatever the text, every line of the outline is a line of it or says how many
// are missing, in order, and the counts add up.
func TestNothingIsLostSilently(t *testing.T) {
	own, err := os.ReadFile("outline.go")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := string(own)
		if rapid.Bool().Draw(t, "made up") {
			text = rapid.StringOf(rapid.SampledFrom([]rune("ab \t\n\n{}"))).Draw(t, "text")
		}
		limit := rapid.IntRange(0, len(text)+10).Draw(t, "limit")
		got, _, ok := Outline("x.go", text, "render words", under(limit))
		if !ok {
			return
		}
		if len(got) > limit {
			t.Fatalf("%d of %d bytes", len(got), limit)
		}
		rest := strings.SplitAfter(text, "\n")
		for _, line := range strings.SplitAfter(got, "\n") {
			var missing int
			if n, _ := fmt.Sscanf(strings.TrimSpace(line), "… %d lines", &missing); n == 1 && (len(rest) == 0 || line != rest[0]) {
				rest = rest[missing:]
				continue
			}
			if len(rest) == 0 || line != rest[0] {
				t.Fatalf("%q is not in the source", line)
			}
			rest = rest[1:]
		}
		if strings.Join(rest, "") != "" {
			t.Fatalf("%q is missing", rest)
		}
	})
}
