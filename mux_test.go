package ampersat_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// counting is a mux with something around it.
type counting struct {
	*ampersat.Mux
	asked *atomic.Int64
}

func (c counting) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	c.asked.Add(1)
	return c.Mux.Resolve(ctx, q)
}

// Whatever is put around a mux, its namespaces are there, and mean the same.
func TestAMuxThatIsWrapped(t *testing.T) {
	mux := func() *ampersat.Mux {
		m := ticketMux(func(q ampersat.Query, arg string) (ampersat.Content, error) {
			switch arg {
			case "none":
				return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "no such ticket"}
			case "bad":
				return ampersat.Content{}, fmt.Errorf("the tracker is down")
			}
			return ampersat.Content{Text: "the ticket " + arg}, nil
		}, disk{"a.md": "See @ticket:1 and @b.md", "b.md": "beta", "ticket/x.md": "no ticket"})
		for _, what := range []string{"one thing", "another"} {
			m.Name(ampersat.Namespace{Name: "twice", What: what, Mention: func(rest string) mention.Mention { return mention.Custom{Scheme: "twice", Arg: rest} }})
		}
		m.Handle(shouting{}, mention.KindTerminal)
		return m
	}
	var asked atomic.Int64
	text := `@ticket:1 @ticket:"a b" @ticket:a//../b @ticket:17 @ticket:x.md#y @ticket:urn:x @ticket:none. @ticket:bad @ticket:1 @twice:1.md @a.md @./none.md `
	report := func(r ampersat.Resolver, along bool) (string, ampersat.Stack) {
		p := pipeline(nil)
		p.Resolver = r
		digest, err := p.Blobs.Put(t.Context(), []byte("make: ok"))
		if err != nil {
			t.Fatal(err)
		}
		turn := ampersat.Ask(text)
		if along {
			turn.Message.Content.Parts = append(turn.Message.Content.Parts, message.Ref{Mention: mention.Terminal{}, Written: "@terminal", Captured: digest})
		}
		stack := prepare(t, p, turn)
		encoded, err := ampersat.EncodeReports(stack.Reports)
		if err != nil {
			t.Fatal(err)
		}
		return string(encoded) + rendered(stack.Messages), stack
	}
	want, stack := report(mux(), true)
	if got := outcomes(stack); !strings.HasPrefix(got, "@ticket:1 loaded\n@ticket:\"a b\" loaded\n@ticket:a//../b loaded\n@ticket:17 loaded\n@ticket:x.md#y loaded\n@ticket:urn:x loaded\n@ticket:none missing\n@ticket:bad failed\n@ticket:1 duplicate\n@twice:1.md failed\n") {
		t.Fatal(got)
	}
	if !strings.Contains(want, "MAKE: OK") {
		t.Errorf("nothing was made of what came along:\n%s", want)
	}
	if have, _ := report(counting{mux(), &asked}, true); have != want || asked.Load() == 0 {
		t.Errorf("embedded, asked %d times:\n%s\nwant\n%s", asked.Load(), have, want)
	}
	within := mux()
	function := ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) { return within.Resolve(ctx, q) })
	wantText, _ := report(mux(), false)
	if have, _ := report(function, false); have != wantText {
		t.Errorf("in a function:\n%s\nwant\n%s", have, wantText)
	}
	outer := new(ampersat.Mux)
	outer.Handle(mux(), mention.KindFile, mention.KindSelection, mention.KindSymbol, mention.KindDirectory, mention.KindResource, mention.KindCustom)
	outer.Handle(shouting{}, mention.KindTerminal)
	if have, _ := report(outer, true); have != want {
		t.Errorf("in another mux:\n%s\nwant\n%s", have, want)
	}
}

// A word that no mention can begin with is told when it is given.
func TestNamesThatNoMentionCanHave(t *testing.T) {
	custom := func(rest string) mention.Mention { return mention.Custom{Scheme: "x", Arg: rest} }
	reserved := strings.Fields("file folder url agent task session commit diff git-diff diagnostics problems terminal user project")
	for _, name := range append(reserved, "", "a b", "jira/x", "issue#", "a:b", "-x", ".x", "notes.md", "@x", "x\n") {
		mux := new(ampersat.Mux)
		err := mux.Name(ampersat.Namespace{Name: name, What: "a mistake", Mention: custom})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := new(ampersat.Mux).Name(ampersat.Namespace{Name: "jira"}); err == nil || !strings.Contains(err.Error(), "Mention") {
		t.Error(err)
	}
	for _, name := range []string{"jira", "a-b", "a_b", "C", "v1.2", "straße", "http", "Diff"} {
		mux := new(ampersat.Mux)
		if err := mux.Name(ampersat.Namespace{Name: name, What: "a word", Mention: custom}); err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		mux.Handle(ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
			return ampersat.Content{Text: "found"}, nil
		}), mention.KindCustom)
		if stack := prepare(t, &ampersat.Pipeline{Resolver: mux}, ampersat.Ask("See @"+name+":one")); len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Loaded {
			t.Errorf("%q can be named and not mentioned: %+v", name, stack.Reports)
		}
	}
}
