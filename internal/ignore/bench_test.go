package ignore

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The benchmarks report, next to the time, the ratio to a bare
// filepath.WalkDir over the same tree in the same run: a figure that another
// machine can be held to.

const benchFiles = 50_000

// usual is what a .gitignore of some years has in it.
const usual = `# build
/build/
/dist/
/out
*.o
*.so
*.a
*.exe
*.test
*.prof
[Dd]ebug/
[Rr]elease/
*.py[cod]
*$py.class
__pycache__/
node_modules/
.venv
*.egg-info/
# editors
.idea/
*.iml
.vscode/*
!.vscode/settings.json
*.sw[a-p]
*~
.DS_Store
Thumbs.db
# the rest
**/generated/**/*.pb.go
docs/_build/
/coverage*.xml
logs/*.log
!logs/keep.log
*.log
tmp/
.env.*
!.env.example
`

// bigTree has ten files of a folder in each of many, four levels deep, every
// tenth of them ignored.
func bigTree(b *testing.B) string {
	dir := folder(b)
	fill(b, dir, map[string]string{".gitignore": usual})
	for i := range benchFiles / 10 {
		files := map[string]string{}
		for j := range 9 {
			files[fmt.Sprintf("package%02d/part%02d/unit%02d/some_source_file_%d.go", i%50, i/50%10, i/500, j)] = ""
		}
		files[fmt.Sprintf("package%02d/part%02d/unit%02d/output.log", i%50, i/50%10, i/500)] = ""
		fill(b, dir, files)
	}
	return dir
}

func benchmarkList(b *testing.B, dir string, want int, list func() (Listing, error)) {
	const long = time.Hour
	ours, bare := long, long // the best runs: a busy machine makes none faster
	for b.Loop() {
		begin := time.Now()
		have, err := list()
		ours = min(ours, time.Since(begin))
		if err != nil || len(have.Files) != want || len(have.Problems) > 0 {
			b.Fatalf("%d files, problems %v, error %v", len(have.Files), have.Problems, err)
		}
		begin = time.Now()
		filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { return nil })
		bare = min(bare, time.Since(begin))
	}
	b.ReportMetric(float64(ours)/float64(bare), "x-walkdir")
	b.ReportMetric(float64(ours.Microseconds())/1000, "ms/list")
}

func BenchmarkList(b *testing.B) {
	isolate(b)
	dir := bigTree(b)
	want := benchFiles*9/10 + 1
	b.Run("walk", func(b *testing.B) {
		benchmarkList(b, dir, want, func() (Listing, error) { return List(b.Context(), dir, ".", Options{NoGit: true}) })
	})
	b.Run("fs", func(b *testing.B) {
		tree := os.DirFS(dir)
		benchmarkList(b, dir, want, func() (Listing, error) { return ListFS(b.Context(), tree, ".", Options{}) })
	})
	r := &repository{t: b, dir: dir}
	r.git("init", "-q")
	b.Run("git, untracked", func(b *testing.B) {
		benchmarkList(b, dir, want, func() (Listing, error) { return List(b.Context(), dir, ".", Options{}) })
	})
	r.git("add", "-A")
	b.Run("git, tracked", func(b *testing.B) {
		benchmarkList(b, dir, want, func() (Listing, error) { return List(b.Context(), dir, ".", Options{}) })
	})
	b.Run("git, first 100", func(b *testing.B) {
		benchmarkList(b, dir, 100, func() (Listing, error) { return List(b.Context(), dir, ".", Options{Max: 100}) })
	})
}

func BenchmarkMatch(b *testing.B) {
	rules := parseFile(".gitignore", 0, []byte(usual))
	const file = "package01/part02/unit03/some_source_file_4.go"
	name := file[strings.LastIndexByte(file, '/')+1:]
	b.ReportAllocs()
	for b.Loop() {
		if rules.last(file, name, false) != nil {
			b.Fatal("matched")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rules.patterns)), "ns/pattern")
}
