package symbol_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/symbol"
)

func ask(t *testing.T, files map[string]string, m mention.Mention, limit int) (ampersat.Content, error) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return symbol.Resolver{Files: fs.Over(tree)}.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: access.Asker{Origin: access.FromPerson}, Limit: limit})
}

const goCode = `package server

import "fmt"

// Server serves.
type Server struct {
	// Name is for people.
	Name string
	port int
}

// Close ends it.
func (s *Server) Close() error {
	return nil
}

type (
	// Client asks.
	Client interface {
		// Close hangs up.
		Close() error
	}
	id int
)

const (
	first = iota
	second
)

// Default is usual.
var Default, other = 1, 2

func (p pair[K, V]) Swap() {}

func close() { fmt.Println() }
`

const markdown = `---
title: a
---
# Guide

Intro.

## Install

Text.

` + "```sh\n# not a heading\n```" + `

### On *Linux*

apt.

Getting started
---------------

Go on.

## Install ##

Again.

<!--
# hidden
-->
`

const python = `import os

class Server:
    """Serves."""

    def close(self):
        return None

    @property
    def name(self):
        # the name
        return self._name


# Makes one.
def make(
    a,
    b,
):
    return Server()

LIMIT = 3
`

func TestSymbols(t *testing.T) {
	files := map[string]string{"s.go": goCode, "g.md": markdown, "s.py": python}
	for _, c := range []struct {
		path, name, want, lines, symbol string
	}{
		{"s.go", "Server.Close", "// Close ends it.\nfunc (s *Server) Close() error {\n\treturn nil\n}\n", "12-15", "Server.Close"},
		{"s.go", "(*Server).Close", "// Close ends it.\nfunc (s *Server) Close() error {\n\treturn nil\n}\n", "12-15", "Server.Close"},
		{"s.go", "server.close", "func close() { fmt.Println() }\n", "36", "close"},
		{"s.go", "Server", "// Server serves.\ntype Server struct {\n\t// Name is for people.\n\tName string\n\tport int\n}\n", "5-10", "Server"},
		{"s.go", "Server.Name", "\t// Name is for people.\n\tName string\n", "7-8", "Server.Name"},
		{"s.go", "Client", "\t// Client asks.\n\tClient interface {\n\t\t// Close hangs up.\n\t\tClose() error\n\t}\n", "18-22", "Client"},
		{"s.go", "second", "const (\n\tfirst = iota\n\tsecond\n)\n", "26-29", "second"},
		{"s.go", "first", "\tfirst = iota\n", "27", "first"},
		{"s.go", "Default", "// Default is usual.\nvar Default, other = 1, 2\n", "31-32", "Default"},
		{"s.go", "Swap", "func (p pair[K, V]) Swap() {}\n", "34", "pair.Swap"},
		{"g.md", "Getting started", "Getting started\n---------------\n\nGo on.\n", "20-23", "Getting started"},
		{"g.md", "getting-started", "Getting started\n---------------\n\nGo on.\n", "20-23", "Getting started"},
		{"g.md", "On Linux", "### On *Linux*\n\napt.\n", "16-18", "On Linux"},
		{"g.md", "on-linux", "### On *Linux*\n\napt.\n", "16-18", "On Linux"},
		{"g.md", "install-1", "## Install ##\n\nAgain.\n\n<!--\n# hidden\n-->\n", "25-31", "Install"},
		{"s.py", "Server.close", "    def close(self):\n        return None\n", "6-7", "Server.close"},
		{"s.py", "name", "    @property\n    def name(self):\n        # the name\n        return self._name\n", "9-12", "Server.name"},
		{"s.py", "make", "# Makes one.\ndef make(\n    a,\n    b,\n):\n    return Server()\n", "15-20", "make"},
	} {
		got, err := ask(t, files, mention.Symbol{Path: c.path, Name: c.name}, 0)
		if err != nil {
			t.Errorf("%s#%s: %v", c.path, c.name, err)
			continue
		}
		if got.Text != c.want || got.Lines != c.lines || got.Symbol != c.symbol || got.Name != c.path || (got.Tree != "") != (c.path == "g.md") {
			t.Errorf("%s#%s: lines %s, symbol %s, tree %q\n%s", c.path, c.name, got.Lines, got.Symbol, got.Tree, got.Text)
		}
	}
}

func TestSymbolsThatMiss(t *testing.T) {
	files := map[string]string{"s.go": goCode, "g.md": markdown, "a.png": "\x89PNG\r\n\x1a\n", "empty.go": "", "dir/x": "x"}
	for _, c := range []struct {
		path, name string
		outcome    ampersat.Outcome
		reason     string
	}{
		{"s.go", "Close", ampersat.Failed, "Close is several things: Server.Close (lines 12-15), Client.Close (lines 20-21); write the whole name, or the lines"},
		{"g.md", "Install", ampersat.Failed, "Install is several things: Install (lines 8-18), Install (lines 25-31)"},
		{"s.go", "Server.Clsoe", ampersat.Missing, "there is no symbol of that name in it; there is Server.Close, Client.Close, close"},
		{"s.go", "Nothing", ampersat.Missing, "there is no symbol of that name in it"},
		{"g.md", "not a heading", ampersat.Missing, "there is no symbol of that name in it"},
		{"g.md", "hidden", ampersat.Missing, "there is no symbol of that name in it"},
		{"empty.go", "X", ampersat.Missing, "there is no symbol in it"},
		{"a.png", "X", ampersat.Failed, "it is no text"},
		{"dir", "X", ampersat.Missing, "it is a folder"},
		{"none.go", "X", ampersat.Missing, ""},
		{"s.go", "", ampersat.Missing, "there is no name after the #"},
	} {
		m := mention.Symbol{Path: c.path, Name: c.name}
		_, err := ask(t, files, m, 0)
		var miss *ampersat.Miss
		if !errors.As(err, &miss) || miss.Outcome != c.outcome || !strings.HasPrefix(miss.Reason, c.reason) || miss.Mention != mention.Mention(m) {
			t.Errorf("%s#%s: %v", c.path, c.name, err)
		}
	}
	if _, err := ask(t, files, mention.Terminal{}, 0); err == nil {
		t.Error("a terminal is a symbol")
	}
}

// An editor that says where a symbol stands decides between several, and is
// believed where nothing of that name is found.
func TestSymbolsWithLines(t *testing.T) {
	files := map[string]string{"s.go": goCode, "x.txt": "one\ntwo\nthree\n"}
	got, err := ask(t, files, mention.Symbol{Path: "s.go", Name: "Close", First: 21, Last: 21}, 0)
	if err != nil || got.Symbol != "Client.Close" {
		t.Errorf("%v: %+v", err, got)
	}
	got, err = ask(t, files, mention.Symbol{Path: "x.txt", Name: "thing", First: 2, Last: 3}, 0)
	if err != nil || got.Text != "two\nthree\n" || got.Lines != "2-3" || got.Symbol != "thing" {
		t.Errorf("%v: %+v", err, got)
	}
	if _, err = ask(t, files, mention.Symbol{Path: "x.txt", Name: "thing", First: 9}, 0); err == nil {
		t.Error("line 9 of 3")
	}
}

func TestSymbolThatIsTooLong(t *testing.T) {
	var body strings.Builder
	for i := range 100 {
		fmt.Fprintf(&body, "\tprintln(%d)\n", i)
	}
	got, err := ask(t, map[string]string{"a.go": "package a\n\nfunc Long() {\n" + body.String() + "}\n"}, mention.Symbol{Path: "a.go", Name: "Long"}, 100)
	if err != nil || len(got.Text) != 100 || !strings.HasPrefix(got.Shown, "the first 100 of ") || got.Lines != "3-104" {
		t.Errorf("%v: lines %s, shown %q, %d bytes", err, got.Lines, got.Shown, len(got.Text))
	}
}
