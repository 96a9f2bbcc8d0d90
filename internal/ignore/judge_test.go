package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bench holds our matcher against one git check-ignore, a folder for each case,
// so that git is started once.
type bench struct {
	judge *oracle
	dir   string
	cases int
}

func newBench(t testing.TB) *bench {
	r := newRepository(t)
	return &bench{judge: r.oracle(), dir: r.dir}
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// hold compares the answers about paths under two files of rules, one of them
// in the folder a. Paths that end in a slash are folders.
func (b *bench) hold(t failer, outer, inner string, files []string) {
	t.Helper()
	b.cases++
	name := fmt.Sprintf("case%d", b.cases)
	dir := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for file, text := range map[string]string{".gitignore": outer, "a/.gitignore": inner} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		above := strings.TrimSuffix(file, "/")
		if above == file {
			above = filepath.Dir(file)
		}
		if err := os.MkdirAll(filepath.Join(dir, above), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := openDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	m := NewMatcher(tree)
	for _, file := range files {
		file = strings.TrimSuffix(file, "/")
		want, err := b.judge.ask(name + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		want.File = strings.TrimPrefix(want.File, name+"/")
		wantHidden := want.Pattern != "" && !strings.HasPrefix(want.Pattern, "!")
		have, by, err := m.Match(file, isFolder(filepath.Join(dir, file)))
		if err != nil {
			t.Errorf("%q: %v", file, err)
		}
		if have != wantHidden || by != want {
			t.Errorf("%q under\n%q\nand in a/\n%q:\nignored %t by %q, git says %t by %q", file, outer, inner, have, by, wantHidden, want)
		}
	}
	if err := m.Err(); err != nil {
		t.Errorf("%v", err)
	}
}

// sane leaves out paths that cannot be, or that are about something else.
func sane(files []string) (kept []string) {
	for _, file := range files {
		bare := strings.TrimSuffix(file, "/")
		if len(kept) == 40 || len(bare) > 120 || !valid(bare) || bare == "." || strings.ContainsAny(bare, "\x00") {
			continue
		}
		elements := strings.Split(bare, "/")
		reserved := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), ".git") || len(name) > 60 }
		if slices.ContainsFunc(elements, reserved) || versionControl(elements[len(elements)-1], true) || slices.ContainsFunc(elements, func(e string) bool { return versionControl(e, true) }) {
			continue
		}
		kept = append(kept, file)
	}
	return kept
}

func FuzzMatchAsGitDoes(f *testing.F) {
	for _, c := range syntax {
		f.Add(c.rules, "", strings.ReplaceAll(c.hides+" "+c.shows, " ", "\n"))
		f.Add("", c.rules, "a/"+strings.ReplaceAll(c.hides+" "+c.shows, " ", "\na/"))
		f.Add("*\n!*/\n!a*\n", c.rules, strings.ReplaceAll(c.hides+" "+c.shows, " ", "\n"))
	}
	b := newBench(f)
	f.Fuzz(func(t *testing.T, outer, inner, files string) {
		// git itself takes exponential time for some patterns.
		if len(outer) > 400 || len(inner) > 400 || strings.Count(outer+inner, "*") > 24 {
			return
		}
		b.hold(t, outer, inner, sane(strings.Split(files, "\n")))
	})
}

// Random rules over few letters meet random paths over the same ones more often
// than a fuzzer's do.
func TestMatchesAsGitDoes(t *testing.T) {
	b := newBench(t)
	rapid.Check(t, func(t *rapid.T) {
		outer, inner := drawRules(t, "outer"), drawRules(t, "inner")
		files := rapid.SliceOfN(drawPath(), 1, 30).Draw(t, "paths")
		b.hold(t, outer, inner, sane(files))
	})
}

func drawRules(t *rapid.T, label string) string {
	piece := rapid.SampledFrom([]string{
		"a", "b", "c", "ab", "/", "/", "*", "*", "**", "**/", "/**", "/**/", "?", "[ab]", "[!a]", "[^b-c]", "[a-b]",
		"[[:alpha:]]", "[]a]", "[a", "\\", "\\a", "\\*", "\\/", ".", "-", "]", " ", "!", "#", "\t", "\r", "\x00",
	})
	line := rapid.Custom(func(t *rapid.T) string {
		begin := rapid.SampledFrom([]string{"", "", "", "!", "!", "/", "!/", "**/", "\\!", "#"}).Draw(t, "begin")
		end := rapid.SampledFrom([]string{"", "", "", "/", "/*", "/**", " ", "\\ ", "\r"}).Draw(t, "end")
		return begin + strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces"), "") + end
	})
	return strings.Join(rapid.SliceOfN(line, 0, 6).Draw(t, label), "\n")
}

func drawPath() *rapid.Generator[string] {
	name := rapid.SampledFrom([]string{"a", "a", "b", "b", "c", "ab", "abc", "ba", "aab", "a*", "a b", "a ", "!a", "#b", ".", ".a", "]", "\\a", "-", "\ta", "*"})
	return rapid.Custom(func(t *rapid.T) string {
		file := strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "names"), "/")
		if rapid.Bool().Draw(t, "folder") {
			file += "/"
		}
		return file
	})
}

// rules and paths for whole trees: no piece that matches nothing.
var (
	treeRules = []string{
		"*.log", "!keep.log", "build/", "/out", "/x/y", "**/tmp", "tmp/**", "a/**/z", "*", "!*/", "!*.go", "[ab]?", "!/a", "y/", "d*", "/*", "!d/",
	}
	treeNames = []string{"a", "b", "d", "x", "y", "z", "a1", "build", "out", "tmp", "dd", "keep.log", "e.log", "m.go", "a-b", "a.b", "\u00e9", "with space", "new\nline", "quo\"te", "-x", ":x", "*"}
)

// drawTree writes a random tree with files of rules; rule files of our own too
// if ours is set.
func drawTree(t *rapid.T, dir string, ours bool) {
	names := []string{".gitignore"}
	if ours {
		names = append(names, ".ignore", ".ampersatignore")
	}
	draws := rapid.SliceOfN(rapid.SampledFrom(treeRules), 1, 5)
	seed := rapid.Uint64().Draw(t, "tree")
	random := rand.New(rand.NewPCG(seed, 0))
	var grow func(dir string, depth int)
	grow = func(dir string, depth int) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if random.IntN(3) == 0 {
				text := strings.Join(draws.Draw(t, name), "\n")
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, name := range treeNames {
			switch choice := random.IntN(22); {
			case choice < 3:
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			case choice < 5 && depth < 2+random.IntN(2):
				grow(filepath.Join(dir, name), depth+1)
			case choice == 5 && random.IntN(4) == 0:
				if err := os.Symlink(treeNames[random.IntN(len(treeNames))], filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	grow(dir, 0)
}
