package agent_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// A turn is taken back: its message is found in the log, and the model does not
// see it any more. What its tools wrote is in Changes, for tool.Undo.
func ExampleLastTurn() {
	ctx := context.Background()
	store := new(session.Memory)
	conversation, err := agent.Start(agent.Config{Store: store, Provider: clerk{}, Model: "senior"}, session.Meta{ID: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"Good morning", "Forget the bolts"} {
		if _, err := conversation.Turn(ctx, ampersat.Ask(text), nil); err != nil {
			log.Fatal(err)
		}
	}
	last, err := agent.LastTurn(store.Read(ctx, "monday", 1))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := store.Append(ctx, "monday", last.Head, session.NoLease, session.Undo(last.Begins-1)); err != nil {
		log.Fatal(err)
	}
	if _, err := conversation.Turn(ctx, ampersat.Ask("How are the nuts?"), nil); err != nil {
		log.Fatal(err)
	}
	for _, m := range conversation.View().Messages {
		if m.Role == message.User {
			fmt.Println(message.Flatten(m.Content))
		}
	}
	// Output:
	// Good morning
	// How are the nuts?
}
