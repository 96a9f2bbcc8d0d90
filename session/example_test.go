package session_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

func said(role message.Role, text string) session.Entry {
	return session.Said{Message: message.Message{Role: role, Content: message.Say(text)}}
}

// A session is created, appended to and read.
func Example() {
	ctx := context.Background()
	var store session.Memory
	m, _ := store.Create(ctx, session.Meta{Title: "greeting"})
	head, _ := store.Append(ctx, m.ID, m.Head, session.NoLease, said("user", "hi"))
	head, _ = store.Append(ctx, m.ID, head, session.NoLease, said("assistant", "hello"), session.Note{Name: "bookmark"})
	fmt.Println("head", head)

	for record, err := range store.Read(ctx, m.ID, 1) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch e := record.Entry.(type) {
		case session.Said:
			fmt.Println(record.Seq, e.Message.Role, message.Flatten(e.Message.Content))
		default:
			fmt.Println(record.Seq, e.Kind())
		}
	}
	// Output:
	// head 3
	// 1 user hi
	// 2 assistant hello
	// 3 note
}

// Two writers believe that they are the next. One is; the other reads what it
// missed.
func ExampleStore_conflict() {
	ctx := context.Background()
	var store session.Memory
	m, _ := store.Create(ctx, session.Meta{ID: "shared"})
	store.Append(ctx, m.ID, 0, session.NoLease, said("user", "from the terminal"))

	_, err := store.Append(ctx, m.ID, 0, session.NoLease, said("user", "from the editor"))
	fmt.Println(err)
	var moved *session.ConflictError
	if errors.As(err, &moved) {
		for record := range store.Read(ctx, m.ID, moved.After+1) {
			fmt.Println("missed", record.Seq)
		}
	}
	// Output:
	// append to session shared after entry 0: the log is at 1
	// missed 1
}

// A turn holds a lease. Whoever comes meanwhile is told, and may fork.
func ExampleStore_lease() {
	ctx := context.Background()
	store := session.Memory{Now: func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) }}
	store.Create(ctx, session.Meta{ID: "s"})
	store.Append(ctx, "s", 0, session.NoLease, said("user", "hi"))

	lease, _ := store.Lease(ctx, "s", "the terminal", time.Minute)
	_, err := store.Append(ctx, "s", 1, session.NoLease, said("user", "me too"))
	fmt.Println(err)

	fork, _ := store.Fork(ctx, "s", 1, session.Meta{ID: "mine"})
	store.Append(ctx, fork.ID, 1, session.NoLease, said("user", "me too"))

	// The turn was cancelled; what it has is kept all the same.
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	closing := session.Said{Message: message.Message{Role: "assistant", Content: message.Say("hel")}, Interrupted: "cancelled"}
	head, err := store.Append(context.WithoutCancel(cancelled), "s", 1, lease.Token, closing)
	fmt.Println(head, err)
	store.Release(ctx, lease)
	// Output:
	// append to session s: session s is held by the terminal until 2026-05-04T12:01:00Z
	// 2 <nil>
}

// A fork has the past in common with its origin, and nothing else.
func ExampleStore_fork() {
	ctx := context.Background()
	var store session.Memory
	store.Create(ctx, session.Meta{ID: "origin", Title: "plan"})
	store.Append(ctx, "origin", 0, session.NoLease, said("user", "a"), said("user", "b"), said("user", "c"))

	fork, _ := store.Fork(ctx, "origin", 2, session.Meta{ID: "fork"})
	store.Append(ctx, "fork", 2, session.NoLease, said("user", "d"))
	fmt.Println(fork.Title, fork.ForkOf, fork.ForkAt)
	for _, id := range []session.ID{"origin", "fork"} {
		fmt.Print(id, ":")
		for record := range store.Read(ctx, id, 1) {
			fmt.Print(" ", message.Flatten(record.Entry.(session.Said).Message.Content))
		}
		fmt.Println()
	}
	// Output:
	// plan origin 2
	// origin: a b c
	// fork: a b d
}

// A request is kept before it leaves, and can be sent again as it was.
func ExampleSent() {
	ctx := context.Background()
	var store session.Memory
	store.Create(ctx, session.Meta{ID: "s"})
	request := message.Request{Model: "m", Messages: []message.Message{{Role: "user", Content: message.Say("hi")}}}
	first, _ := session.Prepare("echo", request)
	store.Append(ctx, "s", 0, session.NoLease, first)

	// The next one repeats it; only what is new is kept.
	next := request
	next.Messages = append(next.Messages[:1:1], message.Message{Role: "user", Content: message.Say("anybody there?")})
	second, _ := session.Prepare("echo", next)
	second, _ = second.Since(1, first, request)
	store.Append(ctx, "s", 1, session.NoLease, second)
	fmt.Println("kept", second.Kept, "new", len(second.Request.Messages))

	again, err := session.Sent(ctx, &store, "s", 2)
	fmt.Println(len(again.Messages), err)
	// Output:
	// kept 1 new 1
	// 2 <nil>
}

// What this version does not know survives.
func ExampleDecode() {
	stored := jsontext.Value(`{"kind":"hologram", "depth":3.0}`)
	entry, _ := session.Decode(stored)
	fmt.Printf("%T %s\n", entry, entry.Kind())
	written, _ := session.Encode(entry)
	fmt.Println(string(written))
	// Output:
	// session.Unknown hologram
	// {"kind":"hologram", "depth":3.0}
}
