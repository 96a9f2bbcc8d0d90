package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/provider/echo"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/store/sqlite"
)

// A turn takes the lease, appends, and releases. A second program that opens
// the same file is told who is at work.
func Example() {
	folder, err := os.MkdirTemp("", "ampersat")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	path := filepath.Join(folder, "sessions.db")

	mine, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer mine.Close()
	if _, err := mine.Create(ctx, session.Meta{ID: "first", Title: "the first"}); err != nil {
		log.Fatal(err)
	}
	lease, err := mine.Lease(ctx, "first", "ampersat on the desktop", time.Minute)
	if err != nil {
		log.Fatal(err)
	}
	head, err := mine.Append(ctx, "first", 0, lease.Token, session.Note{Name: "opened"}, session.Note{Name: "pinned"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("head", head)

	yours, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer yours.Close()
	_, err = yours.Append(ctx, "first", head, session.NoLease, session.Note{Name: "undo"})
	if held, ok := errors.AsType[*session.HeldError](err); ok {
		fmt.Println("held by", held.Holder)
	}
	for r, err := range yours.Read(ctx, "first", 1) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Seq, r.Entry.(session.Note).Name)
	}
	// Output:
	// head 2
	// held by ampersat on the desktop
	// 1 opened
	// 2 pinned
}

// What can be read of a damaged file is exported, and what is lost is told.
func ExampleSalvage() {
	folder, err := os.MkdirTemp("", "ampersat")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	path := filepath.Join(folder, "sessions.db")
	store, err := sqlite.Open(ctx, path, sqlite.Options{
		Now: func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
		log.Fatal(err)
	}
	if _, err := store.Append(ctx, "s", 0, session.NoLease, session.Note{Name: "pinned"}); err != nil {
		log.Fatal(err)
	}

	saved, err := sqlite.Salvage(ctx, path, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", saved)
	// Output:
	// {"type":"session","session":"s","meta":{"id":"s","created":"2026-05-04T03:02:01Z","updated":"2026-05-04T03:02:01Z","head":1}}
	// {"type":"entry","session":"s","seq":1,"time":"2026-05-04T03:02:01Z","entry":{"kind":"note","name":"pinned"}}
	// {Sessions:1 Entries:1 Blobs:0 Lost:0 LostElse:0}
}

// A conversation that is kept in a file goes on later, in another process, with
// what was said before.
func ExampleOpen_conversation() {
	folder, err := os.MkdirTemp("", "ampersat")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	talk := func(id session.ID, text string) session.ID {
		store, err := sqlite.Open(ctx, filepath.Join(folder, "sessions.db"), sqlite.Options{})
		if err != nil {
			log.Fatal(err)
		}
		defer store.Close()
		config := agent.Config{Store: store, Provider: echo.Provider{}, Model: echo.Name}
		var conversation *agent.Conversation
		if id == "" {
			conversation, err = agent.Start(config, session.Meta{Title: "greetings"})
		} else {
			conversation, err = agent.Resume(ctx, config, id)
		}
		if err != nil {
			log.Fatal(err)
		}
		answer, err := conversation.Turn(ctx, ampersat.Ask(text), nil)
		if err != nil {
			log.Fatal(err)
		}
		account, _, _ := strings.Cut(message.Flatten(answer.Message.Content), ",")
		fmt.Println(account)
		return conversation.ID()
	}
	id := talk("", "Hello.")
	talk(id, "What did I say?")
	// Output:
	// I received 1 message
	// I received 3 messages
}
