package history

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// talked returns a resolver of a store with one session of some turns.
func talked(t *testing.T, turns int, summary string) *Resolver {
	t.Helper()
	ctx := context.Background()
	store := new(session.Memory)
	meta, err := store.Create(ctx, session.Meta{ID: "s1", Title: "the plan"})
	if err != nil {
		t.Fatal(err)
	}
	var entries []session.Entry
	for i := range turns {
		entries = append(entries,
			session.Said{Message: message.Message{Role: message.User, Content: message.Say(fmt.Sprintf("question %d", i+1))}},
			session.Said{Message: message.Message{Role: message.Assistant, Content: message.Say(fmt.Sprintf("answer %d, %s", i+1, strings.Repeat("at length ", 50)))}})
	}
	if summary != "" {
		said := message.Message{Role: message.Developer, Content: message.Say(summary)}
		entries = append(entries, session.Compacted{Epoch: 1, Strategy: "simple", Through: session.Seq(len(entries)), Summary: &said})
	}
	if _, err := store.Append(ctx, meta.ID, 0, session.NoLease, entries...); err != nil {
		t.Fatal(err)
	}
	return New(Config{Open: func(context.Context) (session.Store, error) { return store, nil }})
}

func query(id string, limit int) ampersat.Query {
	return ampersat.Query{Mention: mention.Session{ID: id}, Limit: limit, Asker: access.Asker{Origin: access.FromPerson}}
}

// A file that somebody mentions must not bring in what was said elsewhere.
func TestAttackAFileThatMentionsASession(t *testing.T) {
	q := query("s1", 0)
	q.Asker = access.Asker{Origin: access.FromFile, Tree: "/project"}
	content, err := talked(t, 3, "").Resolve(context.Background(), q)
	if _, denied := access.IsDenied(err); !denied || content.Text != "" {
		t.Errorf("%q %v", content.Text, err)
	}
}

func TestATranscript(t *testing.T) {
	content, err := talked(t, 3, "").Resolve(context.Background(), query("s1", 0))
	if err != nil {
		t.Fatal(err)
	}
	if content.Name != "session s1: the plan" || content.Shown != "" || content.Source == "" || content.Tree != "" {
		t.Errorf("%+v", content)
	}
	for _, text := range []string{"question 1", "answer 3"} {
		if !strings.Contains(content.Text, text) {
			t.Errorf("no %s in %s", text, content.Text)
		}
	}
}

func TestTheLastTurnsOfALongSession(t *testing.T) {
	for _, c := range []struct {
		summary, shown string
		limit          int
	}{
		{"", "turns 8-10 of 10", 2200}, {"they agreed", "a summary and turns 8-10 of 10", 2300}, {"", "turns 10-10 of 10", 1},
	} {
		content, err := talked(t, 10, c.summary).Resolve(context.Background(), query("s1", c.limit))
		if err != nil {
			t.Fatal(err)
		}
		if content.Shown != c.shown || content.Source != "" || c.limit > 1 && len(content.Text) > c.limit {
			t.Errorf("%d bytes, shown %q, want %q", len(content.Text), content.Shown, c.shown)
		}
		if !strings.Contains(content.Text, "answer 10") || strings.Contains(content.Text, "question 1\n") || !strings.Contains(content.Text, c.summary) {
			t.Errorf("%s", content.Text)
		}
	}
}

// As many turns as fit are shown, and not one more.
func TestAllTurnsThatFitAreShown(t *testing.T) {
	const turns = 12
	r := talked(t, turns, "they agreed")
	store, err := r.config.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	meta, err := store.Get(context.Background(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(context.Background(), store, meta)
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := all.within(0)
	if err != nil {
		t.Fatal(err)
	}
	head := len("Summary of what was said before:\n\nthey agreed\n\n")
	for limit := 1; limit < len(whole); limit += 7 {
		first := turns - 1
		for first > 0 {
			longer, err := all.render(all.turns[first-1])
			if err != nil {
				t.Fatal(err)
			}
			if head+len(longer) > limit {
				break
			}
			first--
		}
		text, shown, err := all.within(limit)
		if want := fmt.Sprintf("a summary and turns %d-%d of %d", first+1, turns, turns); err != nil || shown != want {
			t.Fatalf("limit %d: %q, %v, want %q", limit, shown, err, want)
		}
		if rest, err := all.render(all.turns[first]); err != nil || !strings.HasSuffix(text, rest) {
			t.Fatalf("limit %d: %v, %s", limit, err, text)
		}
	}
}

// Ten times the turns must not be a hundred times the work, however many of them
// fit. What is counted is what the work allocates.
func TestALongSessionIsReadInTimeThatGrowsWithIt(t *testing.T) {
	work := func(turns int, share float64) float64 {
		r := talked(t, turns, "they agreed")
		whole, err := r.Resolve(context.Background(), query("s1", 0))
		if err != nil {
			t.Fatal(err)
		}
		limit := int(share * float64(len(whole.Text)))
		return testing.AllocsPerRun(1, func() {
			if content, err := r.Resolve(context.Background(), query("s1", limit)); err != nil || content.Shown == "" {
				t.Fatalf("%q, %v", content.Shown, err)
			}
		})
	}
	for _, share := range []float64{0.01, 0.5, 0.99} {
		if few, many := work(40, share), work(400, share); many > 30*few {
			t.Errorf("with room for %v of it: %v allocations for 40 turns, %v for 400", share, few, many)
		}
	}
}

func TestASessionThatIsNotThere(t *testing.T) {
	var miss *ampersat.Miss
	if _, err := talked(t, 1, "").Resolve(context.Background(), query("nobody", 0)); !errors.As(err, &miss) || miss.Outcome != ampersat.Missing {
		t.Error(err)
	}
	broken := New(Config{
		Open: func(context.Context) (session.Store, error) { return nil, errors.New("the disk is gone") },
		Find: func(context.Context, string) (session.Meta, error) { return session.Meta{}, nil },
	})
	if _, err := broken.Resolve(context.Background(), query("s1", 0)); !errors.As(err, &miss) || miss.Outcome != ampersat.Failed || !strings.Contains(miss.Reason, "the disk is gone") {
		t.Error(err)
	}
	if _, err := broken.Resolve(context.Background(), ampersat.Query{Mention: mention.File{Path: "a"}}); !errors.As(err, &miss) || miss.Outcome != ampersat.Failed {
		t.Error(err)
	}
}
