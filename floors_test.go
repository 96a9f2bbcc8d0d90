package ampersat_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors is the order of the packages. A package imports only what stands on a
// lower floor; packages on the same floor do not know each other. A folder that
// is on no floor is an error, so that a new one is a decision; a folder that is
// listed and not there yet is not.
var floors = [][]string{
	0: {"blob", "internal/bundled", "internal/lockfile", "internal/process", "internal/sse", "internal/terminal", "internal/union", "internal/wording"},
	1: {"mention", "token"},
	2: {"access", "internal/ignore", "internal/index", "message", "protocol/zed"},
	3: {".", "internal/dialogue", "model", "session"},
	4: {"agent", "internal/transport", "session/export", "session/sessiontest"},
	5: {
		"agent/providertest", "internal/collection", "mcp", "protocol/acp", "protocol/opencode",
		"provider/anthropic", "provider/echo", "provider/gemini", "provider/openai",
		"source/command", "source/editor", "source/fs", "source/git", "source/history", "source/symbol", "source/web",
		"store/sqlite", "tool",
	},
	6: {"internal/config", "internal/profile"},
	7: {"internal/app", "internal/tui"},
	8: {"cmd/ampersat"},
}

// suites hold the tests that every driver calls. They are test code: only tests
// import them, from whatever floor, and they may use what tests may use.
var suites = []string{"session/sessiontest", "agent/providertest"}

// Up to the floor lastPlain a program that imports Ampersat gets these modules
// with it and no others; tests may use some more.
const lastPlain = 4

var (
	plainModules = []string{
		"github.com/go-json-experiment/json", // unknown members are kept, names match by case
		"github.com/shopspring/decimal",      // costs
	}
	testModules = []string{
		"github.com/aymanbagabas/go-udiff", // the diff that a pipeline is given
		"github.com/google/go-cmp",
		"github.com/rogpeppe/go-internal", // testscript
		"github.com/santhosh-tekuri/jsonschema/v6",
		"github.com/yuin/goldmark", // the judge of what is code in Markdown
		"go.uber.org/goleak",
		"pgregory.net/rapid",
	}
)

func TestFloors(t *testing.T) {
	dependOnTree(t)
	for _, fault := range climbs(list(t, ".")) {
		t.Error(fault)
	}
}

// The check is itself checked on a module with one fault of each sort.
func TestFloorsFindsPlantedFaults(t *testing.T) {
	want := []string{
		`access imports message: both are on floor 2, and siblings do not know each other`,
		`blob imports mention: floor 0 must not climb to floor 1`,
		`internal/union tests import session: floor 0 must not climb to floor 3`,
		`message imports C: no cgo`,
		`message imports session: floor 2 must not climb to floor 3`,
		`message imports third.example/party: up to floor 4 only JSON and decimals come from elsewhere`,
		`message tests import third.example/party: not among the modules that tests may use up to floor 4`,
		`session imports session/sessiontest: only tests import a suite`,
		`util is on no floor: give it a place in floors_test.go`,
	}
	have := climbs(list(t, filepath.Join("testdata", "floors")))
	if !slices.Equal(have, want) {
		t.Errorf("have:\n\t%s\nwant:\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// climbs names every import that breaks the order, sorted.
func climbs(packages []goPackage) (faults []string) {
	floorOf := map[string]int{}
	for floor, names := range floors {
		for _, name := range names {
			floorOf[name] = floor
		}
	}
	for _, p := range packages {
		name := p.folder()
		floor, placed := floorOf[name]
		if !placed {
			faults = append(faults, name+" is on no floor: give it a place in floors_test.go")
			continue
		}
		product, tests := p.imports()
		if slices.Contains(suites, name) {
			product, tests = nil, append(tests, product...)
		}
		fault := func(format string, args ...any) {
			faults = append(faults, name+fmt.Sprintf(format, args...))
		}
		for _, imported := range product {
			to, ours := p.ours(imported)
			switch toFloor, placed := floorOf[to]; {
			case imported == "C":
				fault(" imports C: no cgo")
			case !ours && floor <= lastPlain && !standard(imported) && !among(plainModules, imported):
				fault(" imports %s: up to floor %d only JSON and decimals come from elsewhere", imported, lastPlain)
			case !ours || !placed: // a package on no floor is its own fault
			case slices.Contains(suites, to):
				fault(" imports %s: only tests import a suite", to)
			case toFloor > floor:
				fault(" imports %s: floor %d must not climb to floor %d", to, floor, toFloor)
			case toFloor == floor:
				fault(" imports %s: both are on floor %d, and siblings do not know each other", to, floor)
			}
		}
		// A test may look at its siblings: it is not part of what others import.
		for _, imported := range tests {
			to, ours := p.ours(imported)
			switch toFloor, placed := floorOf[to]; {
			case !ours && floor <= lastPlain && !standard(imported) && !among(plainModules, imported) && !among(testModules, imported):
				fault(" tests import %s: not among the modules that tests may use up to floor %d", imported, lastPlain)
			case !ours || !placed || slices.Contains(suites, to):
			case toFloor > floor:
				fault(" tests import %s: floor %d must not climb to floor %d", to, floor, toFloor)
			}
		}
	}
	slices.Sort(faults)
	return faults
}

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func among(modules []string, path string) bool {
	return slices.ContainsFunc(modules, func(module string) bool {
		return path == module || strings.HasPrefix(path, module+"/")
	})
}

// goPackage is what go list tells about a package.
type goPackage struct {
	Dir            string
	Name           string
	ImportPath     string
	Module         struct{ Path string }
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string
	Imports        []string
	TestImports    []string
	XTestImports   []string
	Error          *struct{ Err string }
}

// list calls go list on the module in dir. Imports that cannot be had (the
// planted ones) are no error; a package that cannot be read is.
func list(t *testing.T, dir string) (packages []goPackage) {
	t.Helper()
	command := exec.Command("go", "list", "-e",
		"-json=Dir,Name,ImportPath,Module,GoFiles,CgoFiles,IgnoredGoFiles,Imports,TestImports,XTestImports,Error", "./...")
	command.Dir = dir
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v\n%s", dir, err, &stderr)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("go list in %s: %v", dir, err)
		}
		if p.Error != nil {
			t.Fatalf("go list in %s: %s: %s", dir, p.ImportPath, p.Error.Err)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		t.Fatalf("go list in %s: no packages", dir)
	}
	return packages
}

// folder is where the package stands below the module, "." for the root.
func (p goPackage) folder() string {
	folder, _ := p.ours(p.ImportPath)
	return folder
}

// ours tells whether path is in the same module, and its folder there.
func (p goPackage) ours(path string) (folder string, ours bool) {
	if path == p.Module.Path {
		return ".", true
	}
	return strings.CutPrefix(path, p.Module.Path+"/")
}

// imports returns what the package and its tests import, each path once. It
// reads the files that this system or these build tags leave out as well.
func (p goPackage) imports() (product, tests []string) {
	product = slices.Clone(p.Imports)
	tests = slices.Concat(p.TestImports, p.XTestImports)
	for _, file := range p.IgnoredGoFiles {
		syntax, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ImportsOnly)
		if err != nil {
			continue // the compiler of the system it is for will tell
		}
		for _, spec := range syntax.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasSuffix(file, "_test.go") {
				tests = append(tests, path)
			} else {
				product = append(product, path)
			}
		}
	}
	return unique(product), unique(tests)
}

func unique[T cmp.Ordered](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}
