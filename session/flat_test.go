package session_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// counting counts what is read.
type counting struct {
	session.Store
	records int
}

func (c *counting) Read(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
	return func(yield func(session.Record, error) bool) {
		for r, err := range c.Store.Read(ctx, id, from) {
			c.records++
			if !yield(r, err) {
				return
			}
		}
	}
}

// grow has a conversation until it has so many messages.
func grow(t testing.TB, view *session.View, messages int) {
	t.Helper()
	ctx := context.Background()
	for i := 0; i < messages; i += 4 {
		ask := session.Said{Message: message.Message{Role: message.User, Content: message.Say(fmt.Sprintf("question %d about src/file%d.go: %s", i, i%50, words(30, i)))}}
		if _, err := view.Append(ctx, session.NoLease, ask); err != nil {
			t.Fatal(err)
		}
		takeTurn(t, view)
	}
}

// takeTurn is what an agent does with a view in a turn: compact if that is due,
// prepare, append what the model said and what a tool returned.
func takeTurn(t testing.TB, view *session.View) {
	t.Helper()
	ctx := context.Background()
	var entries []session.Entry
	if done, ok, err := view.Compact(ctx, "", false); err != nil {
		t.Fatal(err)
	} else if ok {
		if _, err := view.Append(ctx, session.NoLease, done); err != nil {
			t.Fatal(err)
		}
	}
	p, err := session.Prepare("echo", message.Request{Model: "m", Messages: view.Messages()})
	if err != nil {
		t.Fatal(err)
	}
	base, earlier, sent, err := view.LastPrepared(ctx)
	if err == nil {
		p, err = p.Since(base, earlier, sent)
	}
	if err != nil {
		t.Fatal(err)
	}
	call, err := message.Call("call", "read_file", map[string]string{"path": "src/file.go"})
	if err != nil {
		t.Fatal(err)
	}
	entries = append(entries, p,
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Text{Text: words(40, 1)}, call)}},
		session.Said{Message: message.Message{Role: message.Tool, Content: message.Of(message.TextResult("call", words(100, 2)))}},
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Text{Text: words(60, 3)})}})
	if _, err := view.Append(ctx, session.NoLease, entries...); err != nil {
		t.Fatal(err)
	}
}

// What is read to open a view depends on what the model sees and not on how long
// the log is.
func TestOpeningALongSessionReadsLittle(t *testing.T) {
	for _, strategy := range []session.Strategy{session.Simple, session.Smart} {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			store := &counting{Store: &session.Memory{}}
			if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
				t.Fatal(err)
			}
			policy := session.NewPolicy(8000)
			policy.Strategy = strategy
			view, err := session.Open(ctx, store, "s", policy)
			if err != nil {
				t.Fatal(err)
			}
			read := map[int]int{}
			for _, messages := range []int{600, 6000} {
				grow(t, view, messages)
				store.records = 0
				again, err := session.Open(ctx, store, "s", policy)
				if err != nil || len(again.Messages()) != len(view.Messages()) {
					t.Fatalf("%d messages and not %d, %v", len(again.Messages()), len(view.Messages()), err)
				}
				if _, _, _, err := again.LastPrepared(ctx); err != nil {
					t.Fatal(err)
				}
				read[messages] = store.records
			}
			t.Logf("records read: %v", read)
			if read[6000] > 2*read[600]+100 {
				t.Errorf("of 600 messages %d records are read, of 6,600 messages %d", read[600], read[6000])
			}
		})
	}
}
