package history_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/source/history"
)

// What was said in an earlier session is mentioned like a file.
func Example() {
	ctx := context.Background()
	store := &session.Memory{Now: func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) }}
	if _, err := store.Create(ctx, session.Meta{ID: "monday", Title: "the plan"}); err != nil {
		log.Fatal(err)
	}
	if _, err := store.Append(ctx, "monday", 0, session.NoLease,
		session.Said{Message: message.Message{Role: message.User, Content: message.Say("What comes first?")}},
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Say("The tests.")}},
	); err != nil {
		log.Fatal(err)
	}

	var mux ampersat.Mux
	mux.Handle(history.New(history.Config{
		Open: func(context.Context) (session.Store, error) { return store, nil },
	}), mention.KindSession)
	pipeline := &ampersat.Pipeline{Resolver: &mux}
	stack, err := pipeline.Prepare(ctx, ampersat.Ask("Go on with @session:monday"))
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range stack.Messages {
		for line := range strings.Lines(message.Flatten(m.Rendered().Content)) {
			if line = strings.TrimSpace(line); line != "" {
				fmt.Println(line)
			}
		}
	}
	// Output:
	// <context_file paths="session monday: the plan" kind="session">
	// # the plan
	// - session: `monday`
	// - begun: 2026-05-04T03:02:01Z
	// ## Turn 1: user
	// *Entry 1, 2026-05-04T03:02:01Z*
	// > What comes first?
	// ## Assistant
	// *Entry 2, 2026-05-04T03:02:01Z*
	// > The tests.
	// </context_file>
	// Go on with @session:monday
}
