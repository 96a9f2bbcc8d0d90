package ampersat_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// vague are names that do not say what is inside. A package of such a name
// collects what nobody found a place for.
var vague = []string{"common", "helpers", "manager", "misc", "models", "service", "shared", "util", "utils"}

func TestRules(t *testing.T) {
	dependOnTree(t)
	for _, fault := range breaches(t, list(t, ".")) {
		t.Error(fault)
	}
}

func TestRulesFindsPlantedFaults(t *testing.T) {
	want := []string{
		`blob/blob.go: func init: what runs at every start must be called by name`,
		`blob/doc.go: no package comment`,
		`cmd/quiet/main.go: no package comment`,
		`mention: no doc.go: a package is told in one page`,
		`util: a name that does not say what is inside`,
	}
	have := breaches(t, list(t, filepath.Join("testdata", "rules")))
	if !slices.Equal(have, want) {
		t.Errorf("have:\n\t%s\nwant:\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// go install refuses a module that replaces another, and so does everybody's
// go.mod who would import this one.
func TestNoReplace(t *testing.T) {
	file, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if strings.HasPrefix(strings.TrimSpace(line), "replace") {
			t.Errorf("go.mod: %s", line)
		}
	}
}

// breaches names every package that breaks a rule of the house, sorted.
func breaches(t *testing.T, packages []goPackage) (faults []string) {
	t.Helper()
	for _, p := range packages {
		name := p.folder()
		fault := func(format string, args ...any) {
			faults = append(faults, name+fmt.Sprintf(format, args...))
		}
		if slices.Contains(vague, path.Base(name)) {
			fault(": a name that does not say what is inside")
		}
		files := slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles)
		page := "doc.go"
		if p.Name == "main" {
			page = "main.go" // a command's page is its help
		}
		if len(files) > 0 && !slices.Contains(files, page) {
			fault(": no %s: a package is told in one page", page)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			syntax, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if file == page && syntax.Doc == nil {
				fault("/%s: no package comment", page)
			}
			for _, declared := range syntax.Decls {
				f, is := declared.(*ast.FuncDecl)
				if is && f.Recv == nil && f.Name.Name == "init" {
					fault("/%s: func init: what runs at every start must be called by name", file)
				}
			}
		}
	}
	slices.Sort(faults)
	return faults
}
