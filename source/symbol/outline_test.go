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

// functions is a file of many functions, each as long as it is written.
func functions(count int, format string) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// What the prompt is about is shown however long the rest is, with as many of the
// other declarations as there is room for.
func TestWhatThePromptIsAboutComesFirst(t *testing.T) {
	goCode := "package plain\n\n" + functions(200, "// F%[1]d is one of many functions.\nfunc F%[1]d(a, b int) int {\n\tsum := a\n\tsum += b\n\tsum *= %[1]d\n\treturn sum\n}\n\n")
	python := functions(200, "# Of many.\ndef f_%[1]d(\n    a,\n    b,\n):\n    total = a\n    total += b\n    return total\n\n\n")
	java := "class Plain {\n" + functions(200, "    /** One of many. */\n    int f%[1]d(int a) {\n        a++;\n        a *= %[1]d;\n        return a;\n    }\n\n") + "}\n"
	for _, c := range []struct {
		name, source, prompt string
		room                 int
		want                 []string // in this order
		not                  string
	}{
		{"plain.go", goCode, "What does F77 do? @plain.go", 9000, []string{"func F0(", "func F76(", "\n// F77 is one", "sum *= 77\n\treturn sum\n}\n", "func F199("}, "sum *= 76"},
		{"plain.go", goCode, "What does F77 do? @plain.go", 1000, []string{"func F0(", "… ", "sum *= 77\n\treturn sum\n}\n", "… "}, "func F199("},
		{"plain.go", goCode, "What does F77 do? @plain.go", 60, []string{"func F77(a, b int) int {\n"}, "sum *= 77"},
		{"plain.go", goCode, "What is this func?", 900, []string{"func F0(", "func F15("}, "sum"},
		{"plain.py", python, "and f_150?", 1500, []string{"def f_0(\n    a,\n    b,\n):\n    … ", "def f_20(", "# Of many.\ndef f_150(\n    a,\n    b,\n):\n    total = a\n    total += b\n    return total\n"}, "def f_199("},
		{"Plain.java", java, "and f150?", 3000, []string{"class Plain {\n", "int f0(int a) {\n", "    /** One of many. */\n    int f150(int a) {\n        a++;\n        a *= 150;\n        return a;\n    }\n", "}\n"}, "a *= 149"},
	} {
		got, shown, ok := Outline(c.name, c.source, c.prompt, under(c.room))
		if !ok || len(got) < c.room*2/3 || strings.Contains(got, c.not) {
			t.Errorf("%s %d: %t %q, %d bytes\n%s", c.name, c.room, ok, shown, len(got), got)
			continue
		}
		rest := got
		for _, part := range c.want {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s %d: %q is missing\n%s", c.name, c.room, part, got)
				break
			}
			rest = after
		}
	}
	if _, _, ok := Outline("flat.py", strings.Repeat("run()\n", 1000), "", under(100)); ok {
		t.Error("there are no declarations")
	}
}
