package fs_test

import (
	"fmt"
	"io"
	iofs "io/fs"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/symbol"
)

// privateKey is a key that nobody has, in so many lines of 64 letters.
func privateKey(lines int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("-----BEGIN PRIVATE KEY-----\n")
	for range lines {
		for range 64 {
			b.WriteByte(letters[random.IntN(len(letters))])
		}
		b.WriteByte('\n')
	}
	b.WriteString("-----END PRIVATE KEY-----\n")
	return b.String()
}

// reading is a pipeline over files, with symbols in them.
func reading(tree iofs.FS, limits fs.Limits, consent access.Consent) *ampersat.Pipeline {
	files := fs.New(fs.Config{FS: tree, Limits: limits})
	var mux ampersat.Mux
	mux.Handle(files, fs.Kinds()...)
	mux.Handle(symbol.Resolver{Files: files}, mention.KindSymbol)
	return &ampersat.Pipeline{Resolver: &mux, Consent: consent}
}

// A key is a key, whichever of its lines are mentioned, by whom, as what, and
// however long the file is around it. Lines beside it are nobody's secret.
func TestSomeLinesOfAPrivateKeyAreBlockedAsAllOfIt(t *testing.T) {
	head := "# Notes\n\nNothing.\n\n# Key\n\n" // the key begins on line 7
	text := head + privateKey(30) + "\n# More\n\nNothing.\n"
	tree := fstest.MapFS{
		"key.md":   {Data: []byte(text)},
		"ask.md":   {Data: []byte("see @key.md:10-20")},
		"key16.md": {Data: []byte("\xFF\xFE" + in16(text, 1, 0))},
		"long.md":  {Data: []byte(strings.Repeat("x\n", 100_000) + text + strings.Repeat("x\n", 100_000))},
	}
	for _, limits := range []fs.Limits{{}, {Text: 2000}} {
		for _, test := range []struct {
			prompt string
			held   bool
		}{
			{"@key.md", true},
			{"@key.md:7", true},
			{"@key.md:8-37", true},
			{"@key.md:20", true},
			{"@key.md:38", true},
			{"@key.md:1-7", true},
			{"@key.md#Key", true},
			{"@ask.md", true},
			{"@key16.md:10-20", true},
			{"@long.md:100010-100020", true},
			{"@key.md:1-6", false},
			{"@key.md:39-42", false},
			{"@key.md#Notes", false},
			{"@key.md#More", false},
			{"@key16.md:39-42", false},
			{"@long.md:100001-100006", false},
			{"@long.md:9-20", false},
		} {
			if limits.Text > 0 && strings.Contains(test.prompt, "#") {
				continue // symbols are looked for in what is held
			}
			stack, err := reading(tree, limits, nil).Prepare(t.Context(), ampersat.Ask(test.prompt))
			if err != nil {
				t.Fatal(err)
			}
			last := stack.Reports[len(stack.Reports)-1]
			if !test.held {
				if last.Outcome.Bad() {
					t.Errorf("%s, of which %d bytes are held, is %s: %s", test.prompt, limits.Text, last.Outcome, last.Reason)
				}
				continue
			}
			if last.Outcome != ampersat.Blocked || !strings.Contains(last.Reason, "private-key on line ") {
				t.Errorf("%s, of which %d bytes are held, is %s: %s", test.prompt, limits.Text, last.Outcome, last.Reason)
			}
			for _, m := range stack.All() {
				for _, part := range m.Content.Parts {
					if said := fmt.Sprintf("%+v", part); strings.Contains(said, text[len(head)+200:len(head)+220]) {
						t.Errorf("%s sends the key", test.prompt)
					}
				}
			}
		}
	}
}

// Of a file that is too long its end is sent. Wherever that begins in a key, it is
// the key.
func TestAttackTailThatBeginsInAKey(t *testing.T) {
	tailsBeginWithTheKey(t, func(text string, held int) (ampersat.Content, error) {
		tree := fstest.MapFS{"f": {Data: []byte(text)}}
		r := fs.New(fs.Config{FS: tree, Limits: fs.Limits{Text: held}})
		return r.Resolve(t.Context(), ampersat.Query{Mention: mention.File{Path: "f"}, Asker: person})
	})
}

// tailsBeginWithTheKey loads texts of which so many bytes are held, with a key where
// their tail begins, and sees that a tail with a part of the key has all of it.
func tailsBeginWithTheKey(t *testing.T, load func(text string, held int) (ampersat.Content, error)) {
	t.Helper()
	key := privateKey(30)
	const held = 20_000 // of which a quarter is the tail
	for width, coded := range map[int]func(string) string{
		1: func(text string) string { return text },
		2: func(text string) string { return "\xFF\xFE" + in16(text, 1, 0) },
	} {
		for behind := held / 4 / width; behind > held/4/width-len(key); behind -= 97 {
			for _, before := range []int{18_000, 200_000} {
				c, err := load(coded(strings.Repeat("words\n", before/6)+key+strings.Repeat("x", behind)), held)
				if err != nil || c.Tail == "" {
					t.Fatalf("%d bytes of tail, %v", len(c.Tail), err)
				}
				shows := false
				for line := range strings.Lines(key) {
					shows = shows || len(line) > 60 && strings.Contains(c.Tail, line)
				}
				if shows && len(access.ScanString("f", c.Tail)) == 0 {
					t.Fatalf("%d bytes behind the key: it is in the tail, and is not told from %q", behind, c.Tail[:80])
				}
			}
		}
	}
}

// What lets the file pass lets its lines pass, and the other way round.
func TestLinesAreAllowedAsTheirFile(t *testing.T) {
	tree := fstest.MapFS{"key.md": {Data: []byte("one\n" + privateKey(30))}}
	reason := func(prompt string, consent access.Consent) string {
		stack, err := reading(tree, fs.Limits{}, consent).Prepare(t.Context(), ampersat.Ask(prompt))
		if err != nil {
			t.Fatal(err)
		}
		return stack.Reports[0].Reason
	}
	whole, some := reason("@key.md", nil), reason("@key.md:5-9", nil)
	_, flag, ok := strings.Cut(whole, "--allow secret:")
	if !ok || whole != some {
		t.Fatalf("the file is blocked because %q, its lines because %q", whole, some)
	}
	var consent access.Memory
	if err := consent.Allow(access.Secret{ID: flag}); err != nil {
		t.Fatal(err)
	}
	for _, prompt := range []string{"@key.md", "@key.md:5-9"} {
		if now := reason(prompt, &consent); now != "" {
			t.Errorf("%s is allowed, and: %s", prompt, now)
		}
	}
}

// counted is a file system that counts what is read of it.
type counted struct {
	fstest.MapFS
	bytes atomic.Int64
}

func (c *counted) Open(name string) (iofs.File, error) {
	file, err := c.MapFS.Open(name)
	return countedFile{file, &c.bytes}, err
}

type countedFile struct {
	iofs.File
	bytes *atomic.Int64
}

func (f countedFile) Read(buffer []byte) (int, error) {
	n, err := f.File.Read(buffer)
	f.bytes.Add(int64(n))
	return n, err
}

func (f countedFile) Seek(offset int64, whence int) (int64, error) {
	return f.File.(io.Seeker).Seek(offset, whence)
}

// However many parts of a file are mentioned, it is read once in a turn; one
// that is too long to be held is gone through once.
func TestAFileIsReadOnceInATurn(t *testing.T) {
	var text strings.Builder
	for i := range 300_000 {
		fmt.Fprintf(&text, "line %d\n", i+1)
	}
	size := int64(text.Len())
	for _, test := range []struct {
		name   string
		limits fs.Limits
		most   int64
	}{
		{"held", fs.Limits{}, size},
		// For each, what is beside it, and what is read on to it from a mark.
		{"not held", fs.Limits{Text: 100_000}, 2*size + 500*5*(64<<10)},
	} {
		tree := &counted{MapFS: fstest.MapFS{"log": {Data: []byte(text.String())}}}
		prompt := "@log#none"
		for i := range 500 {
			prompt += fmt.Sprintf(" @log:%d", 1+(i*7919)%300_000)
		}
		stack, err := reading(tree, test.limits, nil).Prepare(t.Context(), ampersat.Ask(prompt+" @log:400000 @log:400001"))
		if err != nil {
			t.Fatal(err)
		}
		for i, report := range stack.Reports[1:501] {
			if report.Outcome.Bad() {
				t.Fatalf("%s: %d: %+v", test.name, i, report)
			}
		}
		var said strings.Builder
		for _, m := range stack.All() {
			fmt.Fprintf(&said, "%+v", m)
		}
		for i := range 500 {
			if line := fmt.Sprintf("line %d\n", 1+(i*7919)%300_000); !strings.Contains(said.String(), line) {
				t.Fatalf("%s: %q is not there", test.name, line)
			}
		}
		if got := tree.bytes.Load(); got > test.most {
			t.Errorf("%s: %d bytes were read of %d", test.name, got, size)
		}
	}
}

// Lines of a long file cost what stands around them, and not the whole of it,
// which nobody can use: neither where they stand at its beginning, nor once it is
// known where its lines begin.
func TestLinesOfALongFileDoNotCostItsLength(t *testing.T) {
	const line, count = "a line of a log that is longer than anybody reads\n", 400_000
	tree := &counted{MapFS: fstest.MapFS{"log": {Data: []byte(strings.Repeat(line, count))}}}
	r := fs.Over(tree)
	memory := new(ampersat.Memory)
	for _, test := range []struct{ first, most int }{
		{1, 2 << 20}, // a megabyte of it tells whether it is text
		{count, (len(line)*count + 1<<20)},
		{count / 2, 1 << 20},
		{count, 1 << 20},
	} {
		tree.bytes.Store(0)
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("log", test.first, test.first), Asker: person, Limit: 1 << 20, Memory: memory})
		if err != nil || c.Text != line {
			t.Fatalf("line %d: %q, %v", test.first, c.Text, err)
		}
		if got := tree.bytes.Load(); got > int64(test.most) {
			t.Errorf("for line %d %d bytes were read", test.first, got)
		}
	}
}

// A small file cannot make a turn long: it follows so many mentions in files,
// and says how many it does not.
func TestAFileOfManyMentionsIsFollowedSoFar(t *testing.T) {
	var lines, words, globs strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&lines, "@target:%d ", i+1)
		words.WriteString("@param ")
		fmt.Fprintf(&globs, "@./%d*.md ", i)
	}
	tree := &counted{MapFS: fstest.MapFS{
		"many.md":  {Data: []byte(lines.String())},
		"words.md": {Data: []byte(words.String() + "@a.md")},
		"globs.md": {Data: []byte(globs.String())},
		"a.md":     {Data: []byte("here")},
		"target":   {Data: []byte(strings.Repeat("a line\n", 5000))},
	}}
	for _, test := range []struct {
		file, note string
		followed   int
	}{
		{"many.md", "more than 1,000 mentions in mentioned files; not followed: 4,000 further in many.md", 1000},
		{"globs.md", "more than 1,000 mentions in mentioned files; not followed: 4,000 further in globs.md", 1000},
		{"words.md", "", 1},
	} {
		tree.bytes.Store(0)
		stack, err := reading(tree, fs.Limits{}, nil).Prepare(t.Context(), ampersat.Ask("@"+test.file))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(stack.Notes, "\n"); notes != test.note {
			t.Errorf("%s is noted as %q, want %q", test.file, notes, test.note)
		}
		followed := 0
		for _, report := range stack.Reports {
			if report.Parent == 0 {
				followed++
			}
		}
		if followed != test.followed {
			t.Errorf("%d mentions in %s are followed, want %d", followed, test.file, test.followed)
		}
		if got := tree.bytes.Load(); got > 1<<20 {
			t.Errorf("%d bytes are read for %s", got, test.file)
		}
	}
}
