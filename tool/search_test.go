package tool_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/tool"
	"pgregory.net/rapid"
)

// both runs a test with ripgrep and without any program.
func both(t *testing.T, files map[string]string, test func(t *testing.T, p *place)) {
	t.Run("ours", func(t *testing.T) {
		p := newPlace(t, files)
		p.config.LookPath = withoutPrograms
		p.tools = tool.New(p.config)
		test(t, p)
	})
	t.Run("ripgrep", func(t *testing.T) {
		if _, err := exec.LookPath("rg"); err != nil {
			t.Skip("rg is missing")
		}
		test(t, newPlace(t, files))
	})
}

func TestSearch(t *testing.T) {
	both(t, map[string]string{
		"a.go": "package a\n\nfunc A() {}\n", "sub/b.go": "package b\nfunc B() {}\n", "sub/c.md": "func, in words\r\nfunc\r\n",
		"binary.bin": "func\x00\x01func\n", ".gitignore": "*.log\n", "x.log": "func\n", ".hidden": "func hidden\n", "mark.txt": "\xEF\xBB\xBFfunc first\n",
		"-dash.txt": "a func with a dash\n", "new\nline.txt": "func\n", "empty": "",
	}, func(t *testing.T, p *place) {
		for _, c := range []struct {
			call args
			want string
		}{
			{args{"pattern": "^func [A-Z]"}, "a.go:3: func A() {}\nsub/b.go:2: func B() {}\n"},
			{args{"pattern": "^FUNC", "ignore_case": true, "glob": "*.go"}, "a.go:3: func A() {}\nsub/b.go:2: func B() {}\n"},
			{args{"pattern": "func$"}, "\"new\\nline.txt\":1: func\nsub/c.md:2: func\n"},
			{args{"pattern": `\Afunc first\z`}, "mark.txt:1: func first\n"},
			{args{"pattern": "func", "path": "sub", "glob": "*.md"}, "sub/c.md:1: func, in words\nsub/c.md:2: func\n"},
			{args{"pattern": "func", "glob": "sub/**/*.go"}, "sub/b.go:2: func B() {}\n"},
			{args{"pattern": "func", "path": "sub/b.go"}, "sub/b.go:2: func B() {}\n"},
			{args{"pattern": "func", "path": "x.log"}, "x.log:1: func\n"},
			{args{"pattern": "with|hidden"}, "-dash.txt:1: a func with a dash\n.hidden:1: func hidden\n"},
			{args{"pattern": "package", "max": 1}, "a.go:1: package a\n[these are the first 1 line; more lines match: narrow the pattern, the path or the glob]\n"},
			{args{"pattern": "package", "max": 2}, "a.go:1: package a\nsub/b.go:1: package b\n"},
			{args{"pattern": "nowhere", "glob": "*.go"}, "no line matches, in 2 files\n"},
			{args{"pattern": `a\n\nfunc`, "glob": "*.go"}, "no line matches, in 2 files\n"},
			{args{"pattern": `\bwords\b`}, "sub/c.md:1: func, in words\n"},
			{args{"pattern": `(?s)package.*`, "glob": "a.go"}, "a.go:1: package a\n"},
			{args{"pattern": `^$`, "glob": "*.go"}, "a.go:2: \n"},
		} {
			if have := p.ok(t, "search", c.call); have != c.want {
				t.Errorf("%v: have\n%s\nwant\n%s", c.call, have, c.want)
			}
		}
		p.refused(t, "search", args{"pattern": "(a"}, "missing closing )")
		p.refused(t, "search", args{"pattern": "(?=a)"}, "RE2 syntax: neither look-around")
		p.refused(t, "search", args{"pattern": ""}, "the pattern is empty")
		p.refused(t, "search", args{"pattern": "a", "glob": "[a"}, "is not a pattern")
		p.refused(t, "search", args{"pattern": "a", "max": 5000}, "max must be from 1 to 1,000")
		p.refused(t, "search", args{"pattern": "a", "path": "nothing"}, "nothing there")
		p.refused(t, "search", args{"pattern": "a", "path": p.home}, "to allow it: --allow ")
		must(t, os.WriteFile(filepath.Join(p.home, "x.txt"), []byte("outside\n"), 0o644))
		must(t, p.consent.Allow(access.Path{Path: p.home}))
		if have, want := p.ok(t, "search", args{"pattern": "outside", "path": "~"}), p.home+"/x.txt:1: outside\n"; have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	})
}

func TestSearchShortensLines(t *testing.T) {
	long := strings.Repeat("é", 5_000) + "needle" + strings.Repeat("x", 2_000_000)
	both(t, map[string]string{"long.txt": "short\n" + long + "\nneedle\n"}, func(t *testing.T, p *place) {
		text := p.ok(t, "search", args{"pattern": "needle"})
		contains(t, text, "long.txt:2: …é", "éneedlexxx", "… [of 2,010,006 bytes]\n", "long.txt:3: needle\n")
		if len(text) > 500 {
			t.Errorf("%d bytes", len(text))
		}
	})
}

func TestSearchWithholdsSecrets(t *testing.T) {
	key := "ghp_" + "x7Gk2mQ9vB4nR8sT1wY6zA3cE5fH0jL7pD2u"
	lines := strings.Repeat("filler that says nothing of interest\n", 3_000)
	both(t, map[string]string{"conf.txt": lines + "name = token\ntoken = " + key + "\n", ".env": "token=abc\n"}, func(t *testing.T, p *place) {
		text := p.ok(t, "search", args{"pattern": "token"})
		contains(t, text, ".env:1: [withheld: env-file]\n", "conf.txt:3001: name = token\n", "conf.txt:3002: [withheld: github", "to allow it: --allow ")
		lacks(t, text, key, "abc")
		must(t, p.consent.Allow(access.Secret{Name: filepath.Join(p.dir, "conf.txt")}))
		contains(t, p.ok(t, "search", args{"pattern": "token"}), key)
	})
}

// A word and a line that begin at once are found with ripgrep and without it.
func TestSearchForAWordAtTheBeginningOfALine(t *testing.T) {
	both(t, map[string]string{"a": "\na"}, func(t *testing.T, p *place) {
		for _, pattern := range []string{`\b^`, `^\b`, `^\ba`} {
			contains(t, p.ok(t, "search", args{"pattern": pattern}), "a:2: a\n")
		}
	})
}

// judge is the search as one would describe it.
func judge(files map[string]string, expression string, ignoreCase bool) string {
	if ignoreCase {
		expression = "(?i)" + expression
	}
	re := regexp.MustCompile(expression)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		if strings.Contains(files[name], "\x00") {
			continue
		}
		number := 0
		for line := range strings.Lines(files[name]) {
			number++
			if line = strings.TrimSuffix(strings.TrimSuffix(line, "\r\n"), "\n"); re.MatchString(line) {
				fmt.Fprintf(&b, "%s:%d: %s\n", name, number, line)
			}
		}
	}
	return b.String()
}

// With ripgrep, without it, and by the book: the answer is the same.
func TestPropertySearchIsTheSameForAll(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("rg is missing")
	}
	base, run := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		files := rapid.MapOfN(
			rapid.SampledFrom([]string{"a", "b.go", "c/d.go", "c/-e", "c/f g", "h/i/j", ".k", "é.txt"}),
			rapid.Custom(func(t *rapid.T) string {
				return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
					"a", "b", "ab", "A", "foo", "é", "É", "K", "_", "1", "٣", " ", "\t", "\n", "\n", "\r\n", "\r", ".", "-", "&", "[", "\x00",
				}), 0, 25).Draw(t, "text"), "")
			}), 0, 6).Draw(t, "files")
		for name, text := range files {
			// What the judge would write otherwise, and a file that is all but one
			// NUL is as rare as it should be.
			text = strings.ReplaceAll(text, "\r\r", "\r")
			if rapid.IntRange(0, 9).Draw(t, "text alone") > 0 {
				text = strings.ReplaceAll(text, "\x00", "")
			}
			files[name] = text
		}
		pattern := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b", "foo", "é", "k", ".", "a*", "[^a]", "^", "$", `\b`, `\B`, `\w`, `\d`, `\s`, `\S+`, "(a|b)", `\.`, "-", "[&-]", `[\[a]`, `(?i:É)`, `\pL`, `(?s:.)`, `\A`, `\z`, `\\b`, "x?",
		}), 1, 5).Draw(t, "pattern"), "")
		ignoreCase := rapid.Bool().Draw(t, "ignore case")
		p := placeIn(t, filepath.Join(base, fmt.Sprint(run)), files)
		call := args{"pattern": pattern, "ignore_case": ignoreCase, "max": 1000}
		with := p.ok(t, "search", call)
		p.config.LookPath = withoutPrograms
		p.tools = tool.New(p.config)
		without := p.ok(t, "search", call)
		if with != without {
			t.Fatalf("%q with ripgrep:\n%s\nand without:\n%s", pattern, with, without)
		}
		want := judge(files, pattern, ignoreCase)
		if have := without; want != have && (want != "" || !strings.HasPrefix(have, "no line matches")) {
			t.Fatalf("%q:\n%q\nby the book:\n%q", pattern, have, want)
		}
	})
}

// Expressions that take other engines for ever, and trees that are large.
func TestAttackSearchThatTakesForEver(t *testing.T) {
	files := map[string]string{"long.txt": strings.Repeat("a", 5_000) + "\n"}
	for i := range 300 {
		files[fmt.Sprintf("many/%03d.txt", i)] = strings.Repeat("a line\n", 100)
	}
	both(t, files, func(t *testing.T, p *place) {
		for _, pattern := range []string{"(a+)+$b", "(a|a)*b", "(.*)*x", "(a?){30}a{30}b"} {
			contains(t, p.ok(t, "search", args{"pattern": pattern}), "no line matches")
		}
		for _, pattern := range []string{"((a{0,100}){0,10}){0,10}", "a{900}|b{900}|c{900}|d{900}|e{900}", strings.Repeat("(x", 5000)} {
			if _, err := p.call(t, "search", args{"pattern": pattern}); err == nil {
				t.Errorf("%.40s is taken", pattern)
			}
		}
		text := p.ok(t, "search", args{"pattern": "line", "max": 1000})
		if strings.Count(text, "\n") != 1001 {
			t.Errorf("%d lines", strings.Count(text, "\n"))
		}
	})
}

// A program that is called rg, hangs, and has a child that holds its output.
func TestAttackARipgrepThatHangs(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "alpha\n"})
	program := filepath.Join(p.home, "rg")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\ntouch "+p.home+"/started\nsleep 1000 &\nsleep 1000\n"), 0o755))
	p.config.LookPath = func(string) (string, error) { return program, nil }
	p.tools = tool.New(p.config)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(p.home + "/started"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := p.tool("search").Run(ctx, agent.Call{Input: encode(t, args{"pattern": "alpha"})}); err == nil {
		t.Error("it did not hang")
	}
	// One that fails is done without.
	must(t, os.WriteFile(program, []byte("#!/bin/sh\necho nonsense\nexit 2\n"), 0o755))
	if have := p.ok(t, "search", args{"pattern": "alpha"}); have != "a.txt:1: alpha\n" {
		t.Errorf("%q", have)
	}
}

// What is on the disk says nothing of a file system of one's own.
func TestPlansWhereThereIsNoDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.Mkdir("docs", 0o700))
	mux := new(ampersat.Mux)
	mux.Handle(fs.Over(fstest.MapFS{"docs": {Data: []byte("a file\n")}}), fs.Kinds()...)
	p := &place{tools: tool.New(tool.Config{Pipeline: &ampersat.Pipeline{Resolver: mux}})}
	action, err := p.tool("read_file").Plan(encode(t, args{"path": "docs"}))
	if err != nil || action.Effect != agent.Reads {
		t.Errorf("%+v, %v", action, err)
	}
	list, err := p.tool("list_files").Plan(encode(t, args{"path": "docs"}))
	if err != nil || !(agent.Rule{Effect: agent.Reads, Subject: list.Subject}).Covers(list) {
		t.Errorf("who may read %+v may not list it, %v", list, err)
	}
}

// Where the pipeline reads a file system of its own, search says that it does not.
func TestSearchWhereThereIsNoDisk(t *testing.T) {
	tree := fstest.MapFS{"a.md": {Data: []byte("found\n")}}
	mux := new(ampersat.Mux)
	mux.Handle(fs.Over(tree), fs.Kinds()...)
	for name, dir := range map[string]string{"no folder": "", "no roots": t.TempDir()} {
		p := &place{tools: tool.New(tool.Config{Pipeline: &ampersat.Pipeline{Resolver: mux}, Dir: dir})}
		p.refused(t, "search", args{"pattern": "found"}, "it searches files on the disk, and there is no folder of it to search here; list_files and read_file read what there is")
		if text := p.ok(t, "read_file", args{"path": "a.md"}); !strings.Contains(text, "found") {
			t.Errorf("%s: %s", name, text)
		}
		if text := p.ok(t, "list_files", args{"path": "."}); !strings.Contains(text, "a.md") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
