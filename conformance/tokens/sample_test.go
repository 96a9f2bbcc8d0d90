package tokens

import (
	"cmp"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// sample is a text of which we know what it is.
type sample struct {
	class string
	name  string
	text  string
	// held marks the half that the weights of the estimate were not fitted
	// on. Only this half judges.
	held bool
}

const (
	// sampleBytes is about what a source file has; longer files give several
	// samples, since files begin alike.
	sampleBytes = 16 << 10
	// samplesPerSide bounds the time of the test, not its verdict.
	samplesPerSide = 40
)

// samples returns real text of every class: the sources and documents that
// come with Go, what testdata holds of languages that are not spoken there, and
// encoded bytes. They are the same wherever the same Go is installed.
var samples = sync.OnceValues(func() ([]sample, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask go for its root: %w", err)
	}
	all, err := fromTree(os.DirFS(strings.TrimSpace(string(goroot))))
	if err != nil {
		return nil, err
	}
	own, err := fromTestdata()
	if err != nil {
		return nil, err
	}
	return slices.Concat(all, own, encoded(all)), nil
})

// classes tells by the path of a file in Go's tree what it is a sample of.
var classes = []struct {
	class string
	match func(name string) bool
}{
	{"prose", func(p string) bool { return path.Base(p) == "Isaac.Newton-Opticks.txt" || p == "src/cmd/go/alldocs.go" }},
	{"minified", func(p string) bool {
		return strings.HasSuffix(p, ".min.js") || strings.HasSuffix(p, "/d3_flame_graph.go")
	}},
	{"digits", func(p string) bool { return p == "src/compress/testdata/e.txt" || p == "src/compress/testdata/pi.txt" }},
	{"markdown", func(p string) bool { return path.Ext(p) == ".md" }},
	{"go", func(p string) bool {
		return path.Ext(p) == ".go" && strings.HasPrefix(p, "src/") && !strings.Contains(p, "testdata")
	}},
	{"python", func(p string) bool { return path.Ext(p) == ".py" }},
	{"javascript", func(p string) bool { return path.Ext(p) == ".js" }},
	{"json", func(p string) bool { return path.Ext(p) == ".json" }},
	{"yaml", func(p string) bool { return path.Ext(p) == ".yaml" }},
	{"html", func(p string) bool { return path.Ext(p) == ".html" && !strings.Contains(p, "trace_viewer_full") }},
	{"c", func(p string) bool { return path.Ext(p) == ".c" || path.Ext(p) == ".h" }},
	{"assembly", func(p string) bool { return path.Ext(p) == ".s" }},
	{"shell", func(p string) bool { return path.Ext(p) == ".bash" || path.Ext(p) == ".sh" || path.Ext(p) == ".pl" }},
	{"diff", func(p string) bool { return p == "src/runtime/race/race_linux_arm64.patch" }},
}

func fromTree(tree fs.FS) ([]sample, error) {
	type key struct {
		class string
		held  bool
	}
	found := map[key][]string{}
	err := fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, c := range classes {
			if c.match(p) {
				found[key{c.class, hash(p)&1 == 1}] = append(found[key{c.class, hash(p)&1 == 1}], p)
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("walk the sources of go: %w", err)
	}
	var all []sample
	for k, names := range found {
		slices.SortFunc(names, func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
		count := 0
		for _, name := range names {
			data, err := fs.ReadFile(tree, name)
			if err != nil {
				return nil, err
			}
			if len(data) < 1000 || !utf8.Valid(data) {
				continue
			}
			for part, text := range windows(string(data)) {
				held := k.held
				// Single large files serve both sides, in turns.
				if k.class == "prose" || k.class == "minified" || k.class == "digits" {
					held = part%2 == 1
				}
				all = append(all, sample{k.class, fmt.Sprintf("%s[%d]", name, part), text, held})
			}
			if count++; count == samplesPerSide {
				break
			}
		}
	}
	return all, nil
}

// windows cuts up to eight pieces out of a long text, spread over it.
func windows(text string) []string {
	if len(text) <= sampleBytes {
		return []string{text}
	}
	count := min(8, len(text)/sampleBytes)
	var cut []string
	for i := range count {
		at := i * (len(text) - sampleBytes) / count
		window := text[at : at+sampleBytes]
		cut = append(cut, strings.ToValidUTF8(window, ""))
	}
	return cut
}

// fromTestdata reads the files CLASS.tune.txt and CLASS.held.txt. Each long
// paragraph of prose is a sample of its own.
func fromTestdata() ([]sample, error) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		return nil, err
	}
	var all []sample
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		parts := strings.Split(filepath.Base(name), ".")
		for i, text := range paragraphs(string(data)) {
			all = append(all, sample{parts[0], fmt.Sprintf("%s[%d]", filepath.ToSlash(name), i), text, parts[1] == "held"})
		}
	}
	return all, nil
}

func paragraphs(text string) []string {
	split := strings.SplitAfter(text, "\n\n")
	if slices.ContainsFunc(split, func(p string) bool { return len(p) < 200 }) {
		return []string{text}
	}
	return split
}

// encoded makes base64 and hexadecimal of random bytes, as keys and archives
// are, and of text.
func encoded(all []sample) []sample {
	var made []sample
	random := rand.NewChaCha8([32]byte{1})
	for i := range 8 {
		data := make([]byte, 3000)
		random.Read(data)
		held := i%2 == 1
		made = append(made,
			sample{"base64", fmt.Sprintf("random[%d]", i), base64.StdEncoding.EncodeToString(data), held},
			sample{"base64", fmt.Sprintf("lines[%d]", i), lines(base64.StdEncoding.EncodeToString(data), 76), held},
			sample{"ascii85", fmt.Sprintf("random[%d]", i), base85(data), true},
			sample{"hex", fmt.Sprintf("random[%d]", i), hex.EncodeToString(data), held},
			sample{"hex", fmt.Sprintf("digests[%d]", i), lines(hex.EncodeToString(data), 64), held},
		)
		if i < 2 {
			made = append(made, sample{"hex", fmt.Sprintf("dump[%d]", i), hex.Dump(data), held})
		}
	}
	for _, s := range all {
		if strings.HasSuffix(s.name, "Opticks.txt[0]") || strings.HasSuffix(s.name, "Opticks.txt[1]") {
			made = append(made, sample{"base64", "text of " + s.name, base64.StdEncoding.EncodeToString([]byte(s.text)), s.held})
		}
	}
	return made
}

func base85(data []byte) string {
	text := make([]byte, ascii85.MaxEncodedLen(len(data)))
	return string(text[:ascii85.Encode(text, data)])
}

func lines(text string, width int) string {
	var b strings.Builder
	for line := range slices.Chunk([]byte(text), width) {
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func hash(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32() >> 3
}

func load(t *testing.T) []sample {
	t.Helper()
	all, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	return all
}
