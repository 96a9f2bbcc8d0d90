package session_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// A turn: the view is compacted if that is due, the request is kept before it
// leaves, and the answer after it came.
func ExampleOpen() {
	ctx := context.Background()
	store := &session.Memory{}
	if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
		log.Fatal(err)
	}
	view, err := session.Open(ctx, store, "s", session.NewPolicy(200_000))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := view.Append(ctx, session.NoLease, said("system", "You are brief."), said("user", "hi")); err != nil {
		log.Fatal(err)
	}
	if compacted, ok, err := view.Compact(ctx, "", false); err != nil {
		log.Fatal(err)
	} else if ok {
		if _, err := view.Append(ctx, session.NoLease, compacted); err != nil {
			log.Fatal(err)
		}
	}
	request := message.Request{Model: "m", Messages: view.Request()}
	prepared, err := session.Prepare("echo", request)
	if err != nil {
		log.Fatal(err)
	}
	at, earlier, sent, err := view.LastPrepared(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if prepared, err = prepared.Since(at, earlier, sent); err != nil {
		log.Fatal(err)
	}
	prepared.Through, prepared.Epoch, prepared.Tokens = view.Head(), view.Epoch(), view.Tokens()
	if at, err = view.Append(ctx, session.NoLease, prepared); err != nil {
		log.Fatal(err)
	}

	answer := session.Said{
		Message:  message.Message{Role: message.Assistant, Content: message.Say("hello")},
		Prepared: at, Usage: &message.Usage{InputTokens: 12, OutputTokens: 3},
	}
	if _, err := view.Append(ctx, session.NoLease, answer); err != nil {
		log.Fatal(err)
	}
	for _, m := range view.Messages() {
		fmt.Println(m.Role, message.Flatten(m.Content))
	}
	fmt.Println(view.Tokens(), "tokens")
	// Output:
	// system You are brief.
	// user hi
	// assistant hello
	// 15 tokens
}

// When the window is full, what is old goes; the log keeps it, and tells when it
// went and why.
func ExampleView_Compact() {
	ctx := context.Background()
	store := &session.Memory{Now: func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }}
	if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
		log.Fatal(err)
	}
	view, err := session.Open(ctx, store, "s", session.NewPolicy(1000))
	if err != nil {
		log.Fatal(err)
	}
	file := session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(
		message.Context{Names: []string{"docs/api.md"}, Text: strings.Repeat("One more call of the interface. ", 122)},
	)}}
	if _, err := view.Append(ctx, session.NoLease, file, said("user", "What is @docs/api.md?"), said("assistant", "A list of calls."), said("user", "Thanks. And now?")); err != nil {
		log.Fatal(err)
	}
	fmt.Println(view.Due())
	compacted, _, err := view.Compact(ctx, "", false)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := view.Append(ctx, session.NoLease, compacted); err != nil {
		log.Fatal(err)
	}
	for _, m := range view.Messages() {
		fmt.Printf("%s %.60s\n", m.Role, message.Flatten(m.Content))
	}
	fates, err := session.Fates(store.Read(ctx, "s", 1))
	if err != nil {
		log.Fatal(err)
	}
	for _, fate := range fates[1] {
		fmt.Printf("entry 1: %s in compaction %d, %s: %s\n", fate.Action, fate.Epoch, fate.Time.Format(time.TimeOnly), fate.Reason)
	}
	// Output:
	// 95 % of the window is full (959 of 1000 tokens) true
	// developer [docs/api.md was here; mention it again to see it]
	// user What is @docs/api.md?
	// assistant A list of calls.
	// developer [To make room, earlier parts of this conversation were taken
	// user Thanks. And now?
	// entry 1: stub in compaction 1, 12:00:00: it can be fetched again
}

// What was said since an entry is taken back. What is pinned stays whole.
func ExampleUndo() {
	ctx := context.Background()
	store := &session.Memory{}
	if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
		log.Fatal(err)
	}
	view, err := session.Open(ctx, store, "s", session.NewPolicy(0))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := view.Append(ctx, session.NoLease, said("user", "one"), said("assistant", "two"), session.Pin(1), said("user", "three"), session.Undo(2)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(view.Messages()), "of", view.Head())
	// Output: 2 of 5
}

func ExampleSearch() {
	ctx := context.Background()
	store := &session.Memory{}
	if _, err := store.Create(ctx, session.Meta{ID: "s", Title: "plans"}); err != nil {
		log.Fatal(err)
	}
	if _, err := store.Append(ctx, "s", 0, session.NoLease, said("user", "How does the\nServer close?"), said("assistant", "Slowly.")); err != nil {
		log.Fatal(err)
	}
	hits, err := session.Search(ctx, store, session.Query{}, "server", 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		fmt.Printf("%s, entry %d, %s: %s[%s]%s\n", hit.Session.Title, hit.Seq, hit.Role, hit.Snippet[:hit.Start], hit.Snippet[hit.Start:hit.End], hit.Snippet[hit.End:])
	}
	// Output: plans, entry 1, user: How does the [Server] close?
}
