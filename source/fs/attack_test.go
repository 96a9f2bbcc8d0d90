package fs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func TestAttackLinkOutOfTheRoot(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/": ""})
	write(t, p.home, map[string]string{"secret.txt": "secret"})
	link(t, filepath.Join(p.home, "secret.txt"), filepath.Join(p.dir, "absolute.txt"))
	link(t, "../home/secret.txt", filepath.Join(p.dir, "relative.txt"))
	link(t, p.home, filepath.Join(p.dir, "sub/home"))
	for _, m := range []mention.Mention{
		file("absolute.txt"), file("relative.txt"), file("sub/home/secret.txt"), folder("sub/home"), file("sub/home"),
		lines("relative.txt", 1, 1), mention.Glob{Pattern: "sub/home/*.txt"},
	} {
		c, err := p.ask(t, m)
		denied(t, c, err, access.ReasonEscape)
		c, err = fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: m, Asker: inFile(p.dir)})
		if m.Kind() == mention.KindGlob {
			denied(t, c, err, access.ReasonKind)
		} else {
			denied(t, c, err, access.ReasonEscape)
		}
	}
	// In a listing a link is a line, in a pattern one file that is left out.
	if c := p.load(t, folder(".")); strings.Contains(c.Text, "secret\n") || !strings.Contains(c.Text, "home -> "+p.home+"\n") {
		t.Errorf("%s", c.Text)
	}
	write(t, p.dir, map[string]string{"plain.txt": "plain"})
	c := p.load(t, mention.Glob{Pattern: "*.txt"})
	if len(c.Files) != 1 || c.Files[0].Text != "plain" || c.Shown != "1 of 3 files" || !strings.Contains(c.Note, "2 files could not be read: ") {
		t.Errorf("%+v", c)
	}
}

// Who may list a folder may do nothing else there, and nobody may in their place.
func TestAttackReadingWhatMayOnlyBeListed(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a"})
	outside := filepath.Join(p.home, "outside")
	write(t, outside, map[string]string{"b.md": "beta", "sub/c.md": "gamma"})
	link(t, outside, filepath.Join(p.dir, "link"))
	link(t, filepath.Join(outside, "b.md"), filepath.Join(p.dir, "b.md"))
	c, err := p.ask(t, folder(outside))
	denied(t, c, err, access.ReasonOutside)
	consent := new(access.Memory)
	must(t, consent.Allow(access.Listing{Path: outside}))
	must(t, consent.Allow(access.Listing{Path: filepath.Join(outside, "sub/c.md")})) // no folder
	p.config.Consent = consent
	for path, name := range map[string]string{outside: outside + "/", "~/outside": "~/outside/", "link": "link/", "../home/outside": "~/outside/"} {
		for _, m := range []mention.Mention{folder(path), file(path)} {
			if c := p.load(t, m); c.Text != "b.md\nsub/\n  c.md\n" || c.ID != outside || c.Name != name {
				t.Errorf("%s: %+v", path, c)
			}
		}
	}
	for _, m := range []mention.Mention{
		file(outside + "/b.md"), lines(outside+"/b.md", 1, 1), mention.Glob{Pattern: outside + "/*.md"}, mention.Glob{Pattern: "~/outside/**"},
		folder(outside + "/b.md"), folder(outside + "/sub"), file(outside + "/sub/c.md"), folder(outside + "/sub/c.md"), folder(p.home),
	} {
		c, err := p.ask(t, m)
		if denied(t, c, err, access.ReasonOutside).Grant == "" {
			t.Errorf("nothing grants %s", m)
		}
	}
	for _, m := range []mention.Mention{file("b.md"), file("link/b.md"), mention.Glob{Pattern: "link/*.md"}} {
		c, err := p.ask(t, m)
		denied(t, c, err, access.ReasonEscape)
	}
	for _, m := range []mention.Mention{folder(outside), folder("link"), file("b.md")} {
		if c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: m, Asker: inFile(p.dir)}); err == nil {
			t.Errorf("%s in a file: %+v", m, c)
		}
	}
}

func TestAttackDotDot(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.md": "a"})
	write(t, p.home, map[string]string{"secret.txt": "secret"})
	for _, path := range []string{"../home/secret.txt", "docs/../../home/secret.txt", "./../home/secret.txt"} {
		c, err := p.ask(t, file(path))
		if refusal := denied(t, c, err, access.ReasonOutside); refusal.Grant == "" {
			t.Errorf("nothing grants %s: %v", path, refusal)
		}
		q := ampersat.Query{Mention: file("../" + path), Base: filepath.Join(p.dir, "docs"), Asker: inFile(p.dir)}
		c, err = fs.New(p.config).Resolve(t.Context(), q)
		if refusal := denied(t, c, err, access.ReasonOutside); refusal.Grant != "" {
			t.Errorf("a file is told how to get %s: %v", path, refusal)
		}
	}
	c, err := p.ask(t, mention.Glob{Pattern: "../**/*.txt"})
	denied(t, c, err, access.ReasonOutside)
	c, err = p.ask(t, mention.Glob{Pattern: "docs/*/../../../home/*"})
	missing(t, c, err, ampersat.Failed)
}

// What a person may type is refused if there is something to refuse; what a
// file may not mention is refused unseen, so that no file finds out what there
// is.
func TestAttackAbsolutePathInAMentionedFile(t *testing.T) {
	p := newPlace(t, nil)
	write(t, p.home, map[string]string{"secret.txt": "secret"})
	for _, path := range []string{filepath.Join(p.home, "secret.txt"), filepath.Join(p.home, "none.txt"), "~/secret.txt", "~/none.txt"} {
		c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file(path), Asker: inFile(p.dir)})
		denied(t, c, err, access.ReasonOutside)
		c, err = p.ask(t, file(path))
		if strings.HasSuffix(path, "none.txt") {
			missing(t, c, err, ampersat.Missing)
		} else {
			denied(t, c, err, access.ReasonOutside)
		}
	}
}

func TestAttackFileReadsOnlyItsOwnTree(t *testing.T) {
	p := newPlace(t, map[string]string{
		"private.md":                         "private",
		".ampersat/collections/base/a.md":    "a",
		".ampersat/collections/base/in/b.md": "b",
		".ampersat/context/c.md":             "c",
	})
	write(t, p.user, map[string]string{"collections/base/u.md": "u", "notes.md": "notes"})
	tree := filepath.Join(p.dir, ".ampersat/collections/base")
	q := ampersat.Query{Base: filepath.Join(tree, "in"), Asker: inFile(tree)}
	for path, allowed := range map[string]bool{"b.md": true, "../a.md": true, "private.md": false, "c.md": false, "../../../../private.md": false} {
		q.Mention = file(path)
		c, err := fs.New(p.config).Resolve(t.Context(), q)
		if (err == nil) != allowed {
			t.Errorf("%s: %+v, %v", path, c, err)
		}
	}
	// A place it may not look in is not named as one where nothing was.
	q.Mention = file("private.md")
	c, err := fs.New(p.config).Resolve(t.Context(), q)
	if miss := missing(t, c, err, ampersat.Missing); len(miss.Looked) != 1 || !strings.Contains(miss.Reason, "tree of the file") {
		t.Error(miss)
	}
	for _, m := range []mention.File{{Namespace: "user", Path: "notes.md"}, {Namespace: "base", Path: "u.md"}} {
		q.Mention = m
		if c, err := fs.New(p.config).Resolve(t.Context(), q); err == nil {
			t.Errorf("%v: %+v", m, c)
		}
	}
}

// A link in the project leads to a tree that was allowed. What is there belongs
// to that tree, and may not mention what is in the project.
func TestAttackLinkToAnotherTreeDoesNotLendItsRights(t *testing.T) {
	p := newPlace(t, map[string]string{"private.md": "private"})
	docs := filepath.Join(p.home, "docs")
	write(t, docs, map[string]string{"a.md": "see @private.md"})
	link(t, docs, filepath.Join(p.dir, "docs"))
	var err error
	p.config.Roots, err = p.config.Roots.With(access.Root{Path: docs, Place: access.Allowed})
	must(t, err)
	if c := p.load(t, file("docs/a.md")); c.Tree != docs || c.Folder != docs {
		t.Errorf("%+v", c)
	}
}

func TestAttackEndlessFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /dev/zero")
	}
	p := newPlace(t, nil)
	var err error
	p.config.Roots, err = p.config.Roots.With(access.Root{Path: "/dev/zero", Place: access.Allowed}, access.Root{Path: "/dev", Place: access.Allowed})
	must(t, err)
	within(t, time.Minute, func() {
		c, err := p.ask(t, file("/dev/zero"))
		denied(t, c, err, access.ReasonSpecial)
	})
}

// within fails if something takes longer, rather than wait for it.
func within(t testing.TB, limit time.Duration, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(limit):
		t.Fatalf("it takes more than %v", limit)
	}
}

func TestAttackFolderLoop(t *testing.T) {
	p := newPlace(t, map[string]string{"a/b/c.md": "c"})
	link(t, "..", filepath.Join(p.dir, "a/b/up"))
	link(t, "self", filepath.Join(p.dir, "self"))
	within(t, time.Minute, func() {
		if c := p.load(t, folder(".")); c.Text != "a/\n  b/\n    c.md\n    up -> ..\nself -> self\n" {
			t.Errorf("%s", c.Text)
		}
		if c := p.load(t, mention.Glob{Pattern: "**/*.md"}); len(c.Files) != 1 {
			t.Errorf("%+v", c)
		}
		if c := p.load(t, file("a/b/up/b/up/b/c.md")); c.ID != filepath.Join(p.dir, "a/b/c.md") {
			t.Errorf("%+v", c)
		}
		if c, err := p.ask(t, file("self")); err == nil {
			t.Errorf("%+v", c)
		}
	})
}

// endless is a file system in which every folder holds itself.
type endless struct{}

func (endless) Open(name string) (iofs.File, error) {
	return fstest.MapFS{"x/f.md": {}}.Open("x")
}

func (endless) ReadDir(name string) ([]iofs.DirEntry, error) {
	return iofs.ReadDir(fstest.MapFS{"x/f.md": {}, "f.md": {}}, ".")
}

func TestAttackFolderThatHoldsItself(t *testing.T) {
	within(t, time.Minute, func() {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		c, err := fs.Over(endless{}).Resolve(ctx, ampersat.Query{Mention: folder("x"), Asker: person})
		if err == nil && c.Shown == "" {
			t.Errorf("a whole listing of %d bytes", len(c.Text))
		}
	})
}

func TestAttackSparseFileOfTenGigabytes(t *testing.T) {
	p := newPlace(t, nil)
	for name, text := range map[string]string{"zeros.bin": "", "head.txt": "the first line\n"} {
		path := filepath.Join(p.dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o644))
		if err := os.Truncate(path, 10<<30); err != nil {
			t.Skip(err)
		}
	}
	before := heap()
	within(t, time.Minute, func() {
		for _, name := range []string{"zeros.bin", "head.txt"} {
			c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file(name), Asker: person, Limit: 1 << 20})
			if err != nil || c.Size != 10<<30 || c.Source != "" || c.Shown != "described only" || len(c.Text) > 1000 {
				t.Errorf("%s: %+v, %v", name, c, err)
			}
			c, err = fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: lines(name, 1000, 1000), Asker: person, Limit: 1 << 20})
			missing(t, c, err, ampersat.Failed)
		}
	})
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// heap is how much was ever allocated.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// A large text is read at its ends, whatever its size.
func TestAttackLargeFileIsNotReadWhole(t *testing.T) {
	p := newPlace(t, nil)
	path := filepath.Join(p.dir, "large.log")
	f, err := os.Create(path)
	must(t, err)
	line := strings.Repeat("x", 99) + "\n"
	block := strings.Repeat(line, 10_000)
	for range 100 {
		_, err := f.WriteString(block)
		must(t, err)
	}
	must(t, f.Close())
	const limit = 1 << 20
	before := heap()
	c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("large.log"), Asker: person, Limit: limit})
	must(t, err)
	if grown := heap() - before; grown > 4*limit {
		t.Errorf("%d bytes were allocated", grown)
	}
	if c.Size != 100_000_000 || c.Source != "" || len(c.Text)+len(c.Tail) > limit || len(c.Text) != limit-limit/4 || len(c.Tail) < limit/4-200 {
		t.Errorf("size %d, source %s, %d and %d bytes", c.Size, c.Source, len(c.Text), len(c.Tail))
	}
	if !strings.HasSuffix(c.Tail, line) || !strings.HasPrefix(c.Tail, "\n"+line) || !strings.HasPrefix(c.Text, line) {
		t.Errorf("head %.10q…, tail %.10q…", c.Text, c.Tail)
	}
	before = heap()
	c, err = fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: lines("large.log", 900_000, 900_001), Asker: person, Limit: limit})
	if err != nil || c.Text != line+line || c.Source != "" || c.Shown != "" || c.Lines != "900000-900001" {
		t.Errorf("%.300q %q %v", c.Text, c.Shown, err)
	}
	if grown := heap() - before; grown > 4*limit {
		t.Errorf("%d bytes were allocated for two lines", grown)
	}
}

// growing is a file that is longer after each read.
type growing struct {
	size int64
	read int64
}

func (g *growing) Stat() (iofs.FileInfo, error) { return sized{g.size + 2*g.read}, nil }
func (g *growing) Close() error                 { return nil }
func (g *growing) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	g.read += int64(len(b))
	return len(b), nil
}

type sized struct{ size int64 }

func (s sized) Name() string        { return "file" }
func (s sized) Size() int64         { return s.size }
func (s sized) Mode() iofs.FileMode { return 0o644 }
func (s sized) ModTime() time.Time  { return time.Unix(0, s.size) }
func (s sized) IsDir() bool         { return false }
func (s sized) Sys() any            { return nil }

type opens func(name string) (iofs.File, error)

func (o opens) Open(name string) (iofs.File, error) { return o(name) }

func TestAttackFileThatGrowsWhileRead(t *testing.T) {
	r := fs.Over(opens(func(string) (iofs.File, error) { return &growing{size: 1000}, nil }))
	within(t, time.Minute, func() {
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person})
		if err != nil || len(c.Text) != 1000 || c.Source != "" || c.Shown != "the first 1,000 bytes: it grew while it was read" {
			t.Errorf("%d bytes, %q, %v", len(c.Text), c.Shown, err)
		}
		// It says that it is empty, and never ends.
		r := fs.Over(opens(func(string) (iofs.File, error) { return &growing{}, nil }))
		c, err = r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: 10_000})
		if err != nil || len(c.Text) != 10_000 || c.Source != "" || c.Shown != "the first 10,000 bytes" {
			t.Errorf("%d bytes, %q, %v", len(c.Text), c.Shown, err)
		}
	})
}

// On a real disk, with somebody writing all the time.
func TestAttackFileThatIsWrittenWhileRead(t *testing.T) {
	p := newPlace(t, map[string]string{"f.log": "begin\n"})
	f, err := os.OpenFile(filepath.Join(p.dir, "f.log"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for written := 0; written < 64<<20; written += 1 << 12 {
			select {
			case <-stop:
				return
			default:
				f.WriteString(strings.Repeat("a line\n", 600))
			}
		}
	}()
	for range 200 {
		c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("f.log"), Asker: person, Limit: 1 << 20})
		switch {
		case err != nil:
			t.Error(err)
		case len(c.Text)+len(c.Tail) > 1<<20:
			t.Errorf("%d bytes", len(c.Text)+len(c.Tail))
		case c.Source != "" && string(c.Source) != sha(c.Text):
			t.Error("the digest is not that of the text")
		}
	}
	close(stop)
	<-done
	must(t, f.Close())
}

// swapped is a regular file when it is looked at, and a pipe that never ends
// when it is opened.
type swapped struct{ fstest.MapFS }

func (swapped) Open(string) (iofs.File, error) { return pipe{}, nil }

type pipe struct{}

func (pipe) Stat() (iofs.FileInfo, error) { return piped{}, nil }
func (pipe) Read([]byte) (int, error)     { return 0, errors.New("read from a pipe") }
func (pipe) Close() error                 { return nil }

type piped struct{ sized }

func (piped) Mode() iofs.FileMode { return iofs.ModeNamedPipe }

func TestAttackFileReplacedBetweenStatAndOpen(t *testing.T) {
	r := fs.Over(swapped{fstest.MapFS{"f": {Data: []byte("text")}}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person})
	denied(t, c, err, access.ReasonSpecial)
}

// The size is that of the file that is open, not of what has its name.
func TestAttackFileReplacedByALongerOne(t *testing.T) {
	calls := 0
	tree := fstest.MapFS{"short": {Data: []byte("short")}, "long": {Data: []byte(strings.Repeat("long", 1000))}}
	r := fs.Over(opens(func(string) (iofs.File, error) {
		if calls++; calls == 1 {
			return tree.Open("short")
		}
		return tree.Open("long")
	}))
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: 100})
	if err != nil || c.Size != 4000 || len(c.Text) != 75 || len(c.Tail) != 25 {
		t.Errorf("%+v, %v", c, err)
	}
}

type refuses struct{ fstest.MapFS }

func (r refuses) Open(name string) (iofs.File, error) {
	if strings.HasPrefix(name, "closed") {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: iofs.ErrPermission}
	}
	return r.MapFS.Open(name)
}

func (r refuses) ReadDir(name string) ([]iofs.DirEntry, error) {
	if name == "closed" {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: iofs.ErrPermission}
	}
	return r.MapFS.ReadDir(name)
}

func TestAttackNoPermission(t *testing.T) {
	r := fs.Over(refuses{fstest.MapFS{"closed/f.md": {}, "open/g.md": {}, "closed.md": {}}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("closed.md"), Asker: person})
	if miss := missing(t, c, err, ampersat.Failed); miss.Reason != "there is no permission to read it" {
		t.Error(miss)
	}
	c, err = r.Resolve(t.Context(), ampersat.Query{Mention: folder("."), Asker: person})
	if err != nil || c.Text != "closed/\n  [cannot be listed: no permission]\nclosed.md\nopen/\n  g.md\n" || c.Shown != "without 1 folder that could not be listed: closed" {
		t.Errorf("%s, %q, %v", c.Text, c.Shown, err)
	}
	c, err = r.Resolve(t.Context(), ampersat.Query{Mention: mention.Glob{Pattern: "*/*.md"}, Asker: person})
	if err != nil || len(c.Files) != 1 || c.Shown != "without 1 folder that could not be listed: closed" || c.Note != "" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = r.Resolve(t.Context(), ampersat.Query{Mention: mention.Glob{Pattern: "*/*.txt"}, Asker: person})
	if miss := missing(t, c, err, ampersat.Missing); miss.Reason != "no file matches, and 1 folder could not be listed: closed" {
		t.Error(miss)
	}
}

// faulty fails in the middle.
type faulty struct{ growing }

func (f *faulty) Read(b []byte) (int, error) {
	if f.read > 100 {
		return 0, io.ErrUnexpectedEOF
	}
	return f.growing.Read(b[:min(len(b), 101)])
}

func TestAttackDiskThatFails(t *testing.T) {
	r := fs.Over(opens(func(string) (iofs.File, error) { return &faulty{growing{size: 1000}}, nil }))
	for _, m := range []mention.Mention{file("f"), lines("f", 1, 2)} {
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person})
		missing(t, c, err, ampersat.Failed)
	}
}

func TestAttackNames(t *testing.T) {
	names := []string{"new\nline.md", "\x1b[2Jescape.md", `quote">.md`, "</context_file>", "  indented.md", "bad\xffutf8.md"}
	p := newPlace(t, nil)
	for _, name := range names {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range names {
		if c := p.load(t, file(name)); c.Name != name || c.Text != "text" {
			t.Errorf("%q is called %q", name, c.Name)
		}
	}
	// In a listing a name is one line, whatever it holds.
	c := p.load(t, folder("."))
	want := `"\x1b[2Jescape.md"
"  indented.md"
</
  context_file>
"bad\xffutf8.md"
"new\nline.md"
quote">.md
`
	if c.Text != want {
		t.Errorf("have\n%swant\n%s", c.Text, want)
	}
}

func TestAttackIgnoredFileIsLoadedAndSaid(t *testing.T) {
	p := newPlace(t, map[string]string{".gitignore": "*.log\nout/\n", "a.log": "log", "out/b.md": "b", "c.md": "c"})
	if c := p.load(t, file("a.log")); c.Text != "log" || c.Note != "ignored by .gitignore:1:*.log" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, lines("a.log", 1, 1)); c.Text != "log" || c.Note != "ignored by .gitignore:1:*.log" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, folder("out")); c.Text != "b.md\n" || c.Note != "ignored by .gitignore:2:out/" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, mention.Glob{Pattern: "out/*.md"}); len(c.Files) != 1 || c.Note != "ignored by .gitignore:2:out/" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, folder(".")); c.Text != ".gitignore\nc.md\n" || c.Note != "" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, mention.Glob{Pattern: "**/*.md"}); len(c.Files) != 1 || c.Files[0].Name != "c.md" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, file("c.md")); c.Note != "" {
		t.Errorf("%+v", c)
	}
}

func TestAttackFolderOfAGigabyte(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second to make")
	}
	p := newPlace(t, nil)
	const folders, each = 100, 1000
	for i := range folders {
		dir := filepath.Join(p.dir, fmt.Sprintf("folder%02d", i))
		must(t, os.Mkdir(dir, 0o755))
		// Names of one file are made sooner than files.
		first := filepath.Join(dir, "file000")
		must(t, os.WriteFile(first, make([]byte, 10<<10), 0o644))
		for j := 1; j < each; j++ {
			must(t, os.Link(first, filepath.Join(dir, fmt.Sprintf("file%03d", j))))
		}
	}
	start := time.Now()
	c := p.load(t, folder("."))
	t.Logf("listed in %v", time.Since(start))
	if time.Since(start) > time.Minute {
		t.Errorf("it takes %v", time.Since(start))
	}
	// The upper level is there in full before any of the lower.
	if c.Shown != "5,000 of 100,100 entries" || strings.Count(c.Text, "/\n") != folders || c.Source != "" {
		t.Errorf("%q, %d folders", c.Shown, strings.Count(c.Text, "/\n"))
	}
	start = time.Now()
	c = p.load(t, mention.Glob{Pattern: "**/file*"})
	t.Logf("matched in %v", time.Since(start))
	if c.Shown != "1,000 of 100,000 files" {
		t.Errorf("%q", c.Shown)
	}
}

func TestCancelledContextIsItsError(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range []mention.Mention{file("a.md"), folder("."), lines("a.md", 1, 1), mention.Glob{Pattern: "*"}} {
		if _, err := fs.New(p.config).Resolve(ctx, ampersat.Query{Mention: m, Asker: person}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", m, err)
		}
	}
}

// An asker that is nobody gets nothing.
func TestNobodyMayAsk(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a"})
	c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("a.md")})
	denied(t, c, err, access.ReasonOrigin)
}

// What the person allows while the program runs is seen.
func TestConsentIsAskedEachTime(t *testing.T) {
	p := newPlace(t, nil)
	write(t, p.home, map[string]string{"notes.md": "notes"})
	memory := new(access.Memory)
	p.config.Consent = memory
	r := fs.New(p.config)
	q := ampersat.Query{Mention: file("~/notes.md"), Asker: person}
	c, err := r.Resolve(t.Context(), q)
	denied(t, c, err, access.ReasonOutside)
	must(t, memory.Allow(access.Path{Path: filepath.Join(p.home, "notes.md")}))
	if c, err = r.Resolve(t.Context(), q); err != nil || c.Text != "notes" {
		t.Errorf("%+v, %v", c, err)
	}
}
