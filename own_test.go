package ampersat_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/aymanbagabas/go-udiff"
)

// tickets is a pipeline with a scheme of one's own, and the files of a disk.
func tickets(resolve func(q ampersat.Query, arg string) (ampersat.Content, error), d disk) *ampersat.Pipeline {
	p := pipeline(d)
	p.Resolver = ticketMux(resolve, d)
	return p
}

func ticketMux(resolve func(q ampersat.Query, arg string) (ampersat.Content, error), d disk) *ampersat.Mux {
	mux := new(ampersat.Mux)
	mux.Handle(d, mention.KindFile, mention.KindSelection, mention.KindGlob)
	mux.Handle(ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		return resolve(q, q.Mention.(mention.Custom).Arg)
	}), mention.KindCustom)
	mux.Name(ampersat.Namespace{Name: "ticket", What: "tickets",
		Mention: func(rest string) mention.Mention { return mention.Custom{Scheme: "ticket", Arg: rest} }})
	return mux
}

// contexts returns the blocks of a stack.
func contexts(s ampersat.Stack) (all []message.Context) {
	for _, m := range s.All() {
		for _, part := range m.Content.Parts {
			if c, ok := part.(message.Context); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// A mistake in a resolver, or in what stands beside it, is an outcome of the
// mention and ends nothing else.
func TestMistakesOfAResolverFailTheMentionAlone(t *testing.T) {
	picture := []byte("picture")
	image := []message.Part{message.Image{Source: message.InBlob("image/png", blob.Of(picture))}}
	var none *ampersat.Miss
	var nobody *access.Denied
	for name, c := range map[string]struct {
		content ampersat.Content
		err     error
		reason  string
	}{
		"a miss that is nil":             {err: none, reason: "nil *ampersat.Miss"},
		"a miss that is nil, wrapped":    {err: fmt.Errorf("look: %w", none), reason: "nil *ampersat.Miss"},
		"a refusal that is nil":          {err: nobody, reason: "nil *access.Denied"},
		"a miss that is none":            {err: &ampersat.Miss{Outcome: ampersat.Loaded, Reason: "all is well"}, reason: "all is well"},
		"a source that is no digest":     {content: ampersat.Content{Name: "t", Text: "x", Source: "etag-1"}, reason: "Content.Source"},
		"a blob that is not there":       {content: ampersat.Content{Name: "t", Parts: image}, reason: "Content.Blobs"},
		"a blob under another's digest":  {content: ampersat.Content{Name: "t", Parts: image, Blobs: map[blob.Digest][]byte{blob.Of(picture): []byte("other")}}, reason: "Content.Blobs"},
		"a document that is not there":   {content: ampersat.Content{Name: "t", Parts: []message.Part{message.Document{Source: message.InBlob("application/pdf", blob.Of(picture))}}}, reason: "Content.Blobs"},
		"an error that panics when read": {err: angry{}, reason: "panicked"},
	} {
		t.Run(name, func(t *testing.T) {
			p := tickets(func(ampersat.Query, string) (ampersat.Content, error) { return c.content, c.err }, disk{"a.md": "alpha"})
			stack := prepare(t, p, ampersat.Ask("@ticket:1 and @a.md"))
			if got := outcomes(stack); got != "@ticket:1 failed\n@a.md loaded\n" {
				t.Fatal(got)
			}
			if reason := stack.Reports[0].Reason; !strings.Contains(reason, c.reason) {
				t.Errorf("%q does not say %q", reason, c.reason)
			}
		})
	}
}

// angry is an error that nobody can read.
type angry struct{}

func (angry) Error() string { panic("do not read me") }

// Bytes that the store has need not be given again.
func TestABlobOfTheStoreNeedNotBeGiven(t *testing.T) {
	picture := []byte("picture")
	p := tickets(func(ampersat.Query, string) (ampersat.Content, error) {
		return ampersat.Content{Name: "t", Parts: []message.Part{message.Image{Source: message.InBlob("image/png", blob.Of(picture))}}}, nil
	}, nil)
	if _, err := p.Blobs.Put(t.Context(), picture); err != nil {
		t.Fatal(err)
	}
	stack := prepare(t, p, ampersat.Ask("@ticket:1"))
	if stack.Reports[0].Outcome != ampersat.Loaded || string(stack.Blobs[blob.Of(picture)]) != "picture" {
		t.Errorf("%+v %v", stack.Reports, stack.Blobs)
	}
}

// What panics beside a resolver is as harmless as the resolver.
func TestWhatPanicsBesideAResolver(t *testing.T) {
	mux := ticketMux(func(ampersat.Query, string) (ampersat.Content, error) { return ampersat.Content{Text: "x"}, nil }, disk{"a.md": "alpha"})
	mux.Name(ampersat.Namespace{Name: "angry", What: "a mistake", Mention: func(string) mention.Mention { panic("oops") }})
	mux.Name(ampersat.Namespace{Name: "nothing", What: "another", Mention: func(string) mention.Mention { return nil }})
	mux.Handle(shoutingNot{}, mention.KindTerminal)
	blobs := new(blob.Memory)
	digest, err := blobs.Put(t.Context(), []byte("make: ok"))
	if err != nil {
		t.Fatal(err)
	}
	p := &ampersat.Pipeline{Resolver: mux, Blobs: blobs}
	turn := ampersat.Ask("@angry:1 @nothing:1 @a.md ")
	turn.Message.Content.Parts = append(turn.Message.Content.Parts, message.Ref{Mention: mention.Terminal{}, Written: "@terminal", Captured: digest})
	stack := prepare(t, p, turn)
	if got := outcomes(stack); got != "@angry:1 failed\n@nothing:1 failed\n@a.md loaded\n@terminal failed\n" {
		t.Error(got)
	}
	for i, want := range map[int]string{0: "panicked: oops", 1: "nothing", 3: "panicked: not me"} {
		if r := stack.Reports[i]; !strings.Contains(r.Reason, want) {
			t.Errorf("%s: %q does not say %q", r.Written, r.Reason, want)
		}
	}
	if _, err := ampersat.EncodeReports(stack.Reports); err != nil {
		t.Error(err)
	}

	// A counter that panics fails what it counts, each time it is mentioned.
	p = tickets(func(_ ampersat.Query, arg string) (ampersat.Content, error) { return ampersat.Content{Text: arg}, nil }, disk{})
	p.Counter = moody{}
	if got := outcomes(prepare(t, p, ampersat.Ask("@ticket:angry @ticket:calm @ticket:angry"))); got != "@ticket:angry failed\n@ticket:calm loaded\n@ticket:angry failed\n" {
		t.Error(got)
	}
}

type shoutingNot struct{ ampersat.Resolver }

func (shoutingNot) Captured(context.Context, ampersat.Query, []byte) (ampersat.Content, error) {
	panic("not me")
}

type moody struct{}

func (moody) Count(text string) int {
	if text == "angry" {
		panic("angry")
	}
	return len(text)
}

// What a resolver leaves out does not make two things one.
func TestContentWithoutIdentity(t *testing.T) {
	for name, content := range map[string]func(q ampersat.Query) ampersat.Content{
		"one name for all": func(q ampersat.Query) ampersat.Content {
			return ampersat.Content{Name: "ticket", Text: "text of " + q.Mention.String()}
		},
		"no name": func(q ampersat.Query) ampersat.Content {
			return ampersat.Content{Text: "text of " + q.Mention.String()}
		},
		"no name, all alike": func(q ampersat.Query) ampersat.Content { return ampersat.Content{Text: "text", Shown: "a part"} },
		"one name, other IDs": func(q ampersat.Query) ampersat.Content {
			return ampersat.Content{Name: "ticket", ID: q.Mention.String(), Text: "text of " + q.Mention.String()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := tickets(func(q ampersat.Query, _ string) (ampersat.Content, error) { return content(q), nil }, disk{})
			stack := prepare(t, p, ampersat.Ask("@ticket:1 and @ticket:2 and @ticket:1"))
			all := contexts(stack)
			if len(all) != 2 || stack.Reports[2].Outcome != ampersat.Duplicate {
				t.Fatalf("%s\n%s", outcomes(stack), rendered(stack.Messages))
			}
			names := slices.Concat(all[0].Names, all[1].Names)
			if len(names) != 2 || names[0] == names[1] || names[0] == "" || names[1] != "ticket:2" {
				t.Errorf("they are called %q", names)
			}
			for i, r := range stack.Reports[:2] {
				if r.Name != names[i] {
					t.Errorf("%s is reported as %q and sent as %q", r.Written, r.Name, names[i])
				}
			}
		})
	}
}

// The least that a resolver can give is enough for references and diffs.
func TestTextAloneIsKnownAcrossTurns(t *testing.T) {
	text := strings.Repeat("a line that stays as it is\n", 40)
	p := tickets(func(_ ampersat.Query, arg string) (ampersat.Content, error) {
		return ampersat.Content{Name: "ticket " + arg, Text: text}, nil
	}, disk{})
	p.Diff = func(name, before, after string) string { return udiff.Unified("a/"+name, "b/"+name, before, after) }
	var view []message.Message
	for i, want := range []ampersat.Outcome{ampersat.Loaded, ampersat.Unchanged, ampersat.Changed, ampersat.Unchanged} {
		if i == 2 {
			text += "and one more\n"
		}
		turn := ampersat.Ask("@ticket:1")
		turn.View.Messages = view
		stack := prepare(t, p, turn)
		view = append(view, stack.Messages...)
		if r := stack.Reports[0]; r.Outcome != want {
			t.Errorf("turn %d: %s, want %s", i+1, r.Outcome, want)
		}
		if c := contexts(stack)[0]; (want == ampersat.Changed) != (c.Base != "") {
			t.Errorf("turn %d: base %q", i+1, c.Base)
		}
	}
}

// A text that is a part of something says nothing of the whole.
func TestAPartIsNotTakenForTheWhole(t *testing.T) {
	for name, c := range map[string]ampersat.Content{
		"shown":  {Name: "t", Text: "some", Shown: "the first lines"},
		"lines":  {Name: "t", Text: "some", Lines: "1-2"},
		"symbol": {Name: "t", Text: "some", Symbol: "F"},
		"tail":   {Name: "t", Text: "some", Tail: "end"},
		"size":   {Name: "t", Text: "some", Size: 5},
	} {
		p := tickets(func(ampersat.Query, string) (ampersat.Content, error) { return c, nil }, disk{})
		if r := prepare(t, p, ampersat.Ask("@ticket:1")).Reports[0]; r.Digest != "" {
			t.Errorf("%s: %s has the digest %s", name, r.Outcome, r.Digest)
		}
	}
}

// Several contents of one mention are held to the same rules, each alone, and the
// list that the resolver gave stays its own.
func TestSeveralContentsOfAResolver(t *testing.T) {
	key := "AKIA" + "Q3EGRTHBXVWPL5ZS"
	given := []ampersat.Content{{Text: "one"}, {Text: "two", Source: "etag"}, {Text: "id = " + key}, {Text: "three"},
		{Name: "more", Files: []ampersat.Content{{Name: "inner", Text: "id = " + key}}}}
	p := tickets(func(ampersat.Query, string) (ampersat.Content, error) { return ampersat.Content{Files: given}, nil }, disk{})
	stack := prepare(t, p, ampersat.Ask("@ticket:all"))
	var have []string
	for _, r := range stack.Reports {
		have = append(have, string(r.Outcome))
	}
	if want := []string{"partial", "loaded", "failed", "blocked", "loaded", "partial", "blocked"}; !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
	if text := rendered(stack.Messages); strings.Contains(text, key) || !strings.Contains(text, "three") {
		t.Error(text)
	}
	if given[0].Name != "" || given[0].Source != "" {
		t.Errorf("the resolver's own list was changed: %+v", given[0])
	}
}

// A resolver that ends its goroutine, as a test's Fatal does, fails its mentions and
// nothing else, however many of them there are.
func TestAttackResolverEndsItsGoroutine(t *testing.T) {
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		if strings.HasPrefix(q.Mention.(mention.File).Path, "a") {
			runtime.Goexit()
		}
		return ampersat.Content{Text: "here\n"}, nil
	})}
	text := "@b.md @a.md @a.md"
	for i := range 100 {
		text += fmt.Sprintf(" @a%d.md", i)
	}
	stack := prepare(t, p, ampersat.Ask(text+" @c.md"))
	for _, r := range stack.Reports {
		if isGone := strings.HasPrefix(r.Written, "@a"); isGone != (r.Outcome == ampersat.Failed) || isGone && !strings.Contains(r.Reason, "ended without an answer") {
			t.Errorf("%s: %s, %s", r.Written, r.Outcome, r.Reason)
		}
	}
}

// A key that cannot be compared fails the mention of who uses it, and keeps nobody
// else from the memory.
func TestAttackKeyThatCannotBeCompared(t *testing.T) {
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		name := q.Mention.(mention.File).Path
		var key any = name
		if name == "a.md" {
			key = []string{name}
		}
		text, err := q.Memory.Once(key, func() (any, int, error) { return "text\n", 5, nil })
		if err != nil {
			return ampersat.Content{}, err
		}
		return ampersat.Content{Text: text.(string)}, nil
	})}
	stack := prepare(t, p, ampersat.Ask("@a.md @b.md @c.md"))
	for i, want := range []ampersat.Outcome{ampersat.Failed, ampersat.Loaded, ampersat.Loaded} {
		if r := stack.Reports[i]; r.Outcome != want && r.Outcome != ampersat.Duplicate {
			t.Errorf("%s: %s, %s", r.Written, r.Outcome, r.Reason)
		}
	}
}
