package export_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
)

// greeting is a store with a session.
func greeting(ctx context.Context) session.Store {
	store := &session.Memory{Now: func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) }}
	if _, err := store.Create(ctx, session.Meta{ID: "s", Title: "Greeting"}); err != nil {
		log.Fatal(err)
	}
	if _, err := store.Append(ctx, "s", 0, session.NoLease,
		session.Said{Message: message.Message{Role: message.User, Content: message.Say("hi")}},
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Say("hello")}}); err != nil {
		log.Fatal(err)
	}
	return store
}

// A session goes from one store to another, and nothing is lost.
func ExampleWrite() {
	ctx := context.Background()
	var file bytes.Buffer
	if err := export.Write(ctx, &file, greeting(ctx), "s"); err != nil {
		log.Fatal(err)
	}
	fmt.Print(file.String())

	imported, err := export.Read(ctx, &file, &session.Memory{}, export.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(imported.Sessions[0].Title, imported.Entries)
	// Output:
	// {"type":"session","session":"s","meta":{"id":"s","title":"Greeting","created":"2026-05-04T03:02:01Z","updated":"2026-05-04T03:02:01Z","head":2}}
	// {"type":"entry","session":"s","seq":1,"time":"2026-05-04T03:02:01Z","entry":{"kind":"said","message":{"role":"user","content":"hi"}}}
	// {"type":"entry","session":"s","seq":2,"time":"2026-05-04T03:02:01Z","entry":{"kind":"said","message":{"role":"assistant","content":"hello"}}}
	// Greeting 2
}

func ExampleMarkdown() {
	ctx := context.Background()
	store := greeting(ctx)
	m, err := store.Get(ctx, "s")
	if err != nil {
		log.Fatal(err)
	}
	if err := export.Markdown(os.Stdout, m, store.Read(ctx, "s", 1)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// # Greeting
	//
	// - session: `s`
	// - begun: 2026-05-04T03:02:01Z
	//
	// ## Turn 1: user
	//
	// *Entry 1, 2026-05-04T03:02:01Z*
	//
	// > hi
	//
	// ## Assistant
	//
	// *Entry 2, 2026-05-04T03:02:01Z*
	//
	// > hello
}
