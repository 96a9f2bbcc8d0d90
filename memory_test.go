package ampersat_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
)

func TestMemoryReadsOnce(t *testing.T) {
	var memory ampersat.Memory
	var reads atomic.Int64
	failure := errors.New("gone")
	read := func(value any, size int, err error) func() (any, int, error) {
		return func() (any, int, error) {
			reads.Add(1)
			return value, size, err
		}
	}
	type key struct{ name string }
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got, err := memory.Once(key{"a"}, read("text", 10, nil)); got != "text" || err != nil {
				t.Errorf("%v, %v", got, err)
			}
			if _, err := memory.Once(key{"b"}, read(nil, 0, failure)); !errors.Is(err, failure) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := reads.Load(); got != 2 {
		t.Errorf("%d reads", got)
	}
	// What is too large pushes out the rest, and is not held itself.
	for range 2 {
		if got, _ := memory.Once(key{"large"}, read("large", 1<<40, nil)); got != "large" {
			t.Errorf("%v", got)
		}
		if got, _ := memory.Once(key{"a"}, read("again", 10, nil)); got != "again" {
			t.Errorf("%v", got)
		}
	}
	if got := reads.Load(); got != 6 {
		t.Errorf("%d reads", got)
	}
	// Who waits for somebody that panics is told, and who comes later.
	begun, told := make(chan bool), make(chan error)
	go func() {
		<-begun
		_, err := memory.Once(key{"panic"}, read("text", 0, nil))
		told <- err
	}()
	func() {
		defer func() { _ = recover() }()
		_, _ = memory.Once(key{"panic"}, func() (any, int, error) {
			close(begun)
			runtime.Gosched() // the other may wait by now
			panic("here")
		})
	}()
	if err := <-told; err == nil {
		t.Error("who waited has no error")
	}
	if _, err := memory.Once(key{"panic"}, read("text", 0, nil)); err == nil {
		t.Error("who came later has no error")
	}
	var none *ampersat.Memory
	if got, err := none.Once(key{"a"}, read("text", 0, nil)); got != "text" || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := none.Once(key{"a"}, nil); err == nil {
		t.Error("nothing was read, without an error")
	}
}

// More than is remembered is read once all the same, in whatever order its parts
// are mentioned.
func TestFilesThatTakeTurnsAreReadOnce(t *testing.T) {
	const files, parts = 5, 100
	var reads atomic.Int64
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		m := q.Mention.(mention.Selection)
		text, err := q.Memory.Once(m.Path, func() (any, int, error) {
			reads.Add(1)
			return m.Path, 40 << 20, nil
		})
		if err != nil {
			return ampersat.Content{}, err
		}
		return ampersat.Content{Name: m.Path, Text: text.(string), Lines: fmt.Sprint(m.First)}, nil
	})}
	var prompt strings.Builder
	for i := range parts {
		for file := range files {
			fmt.Fprintf(&prompt, "@%d.md:%d ", file, i+1)
		}
	}
	stack, err := p.Prepare(t.Context(), ampersat.Ask(prompt.String()))
	if err != nil || len(stack.Reports) != files*parts {
		t.Fatalf("%d reports, %v", len(stack.Reports), err)
	}
	// One that is slow may come when its file has been forgotten.
	if got := reads.Load(); got > files+16 {
		t.Errorf("%d files were read %d times", files, got)
	}
}

// A part that a resolver of one's own cuts is judged by what it was cut from, and
// must be where the resolver says.
func TestAPartIsJudgedByWhatItIsCutFrom(t *testing.T) {
	const token = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	text := "one\n" + token + "\nthree\n"
	for _, test := range []struct {
		text, reason string
		at           int
		outcome      ampersat.Outcome
	}{
		{text: "one\n", outcome: ampersat.Loaded},
		{text: "three\n", at: strings.Index(text, "three"), outcome: ampersat.Loaded},
		{text: token[20:], at: 24, outcome: ampersat.Blocked, reason: "github-token on line 2"},
		{text: "four\n", outcome: ampersat.Failed, reason: "Content.Text is not what stands at Content.At"},
		{text: "one\n", at: -1, outcome: ampersat.Failed, reason: "Content.Text is not what stands at Content.At"},
		{text: "one\n", at: 1000, outcome: ampersat.Failed, reason: "Content.Text is not what stands at Content.At"},
	} {
		p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
			return ampersat.Content{Name: "f", Text: test.text, Within: text, At: test.at, Lines: "1"}, nil
		})}
		stack, err := p.Prepare(t.Context(), ampersat.Ask("@f.md:1"))
		if err != nil {
			t.Fatal(err)
		}
		if r := stack.Reports[0]; r.Outcome != test.outcome || !strings.Contains(r.Reason, test.reason) {
			t.Errorf("%q at %d is %s: %s", test.text, test.at, r.Outcome, r.Reason)
		}
	}
}

// A token in a name is a token: it is not sent, and not told.
func TestAttackTokenInAName(t *testing.T) {
	const token = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	secret := "notes_" + token + ".md"
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		file := func(name string) ampersat.Content {
			return ampersat.Content{Mention: mention.File{Path: name}, Name: name, ID: "/project/" + name, Text: "in " + name[:5]}
		}
		if q.Mention.Kind() == mention.KindGlob {
			return ampersat.Content{Name: "*.md", Files: []ampersat.Content{file("plain.md"), file(secret)}}, nil
		}
		return file(secret), nil
	})}
	for _, prompt := range []string{"@docs/*.md", "@file.md"} {
		stack, err := p.Prepare(t.Context(), ampersat.Ask(prompt))
		if err != nil {
			t.Fatal(err)
		}
		last := stack.Reports[len(stack.Reports)-1]
		if last.Outcome != ampersat.Blocked || !strings.Contains(last.Reason, "its name holds secrets: github-token (ghp_…, 40 bytes); to allow it: --allow secret:") {
			t.Errorf("%s is %s: %s", prompt, last.Outcome, last.Reason)
		}
		reports, err := ampersat.EncodeReports(stack.Reports)
		if err != nil {
			t.Fatal(err)
		}
		said := string(reports)
		for _, m := range stack.All() {
			for _, part := range m.Content.Parts {
				said += fmt.Sprintf("%+v\n", part)
			}
		}
		if strings.Contains(said, token) {
			t.Errorf("%s tells the token: %s", prompt, said)
		}
	}
}
