package agent_test

import (
	"context"
	"fmt"
	"log"
	"strconv"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// stock is a tool of one's own: it knows how many there are of a thing.
type stock map[string]int

func (stock) Spec() message.ToolSpec {
	return message.ToolSpec{
		Name:        "count_stock",
		Description: "Tells how many there are of a thing.",
		Parameters:  jsontext.Value(`{"type":"object","properties":{"thing":{"type":"string"}},"required":["thing"]}`),
	}
}

// Plan says what a call would do. It reads what the program knows, which has no
// subject, so that no permission is needed for it.
func (stock) Plan(input jsontext.Value) (agent.Action, error) {
	thing, err := thingOf(input)
	return agent.Action{Effect: agent.Reads, Summary: "count " + thing}, err
}

// Run does it. An error is told to the model, in words that help it on.
func (s stock) Run(_ context.Context, call agent.Call) (agent.Result, error) {
	thing, err := thingOf(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	count, ok := s[thing]
	if !ok {
		return agent.Result{}, fmt.Errorf("there is no %q here; ask for bolts or nuts", thing)
	}
	return agent.Result{Parts: []message.Part{message.Text{Text: strconv.Itoa(count)}}}, nil
}

func thingOf(input jsontext.Value) (string, error) {
	var arguments struct {
		Thing string `json:"thing"`
	}
	err := json.Unmarshal(input, &arguments)
	return arguments.Thing, err
}

// clerk is a provider of one's own. It follows a script: it has bolts counted and
// tells how many there are. A real one is in provider/anthropic, provider/openai
// or provider/gemini.
type clerk struct{}

func (clerk) Name() string { return "clerk" }
func (clerk) Model(name string) model.Card {
	return model.Card{Provider: "clerk", Name: name, Known: true, Tools: true}
}

func (clerk) Stream(_ context.Context, request message.Request) agent.Stream {
	return func(yield func(message.Event, error) bool) {
		last := request.Messages[len(request.Messages)-1]
		if last.Role == message.User {
			call := message.ToolCall{ID: "call_1", Name: "count_stock", Input: jsontext.Value(`{"thing":"bolts"}`)}
			_ = yield(message.MessageStart{}, nil) &&
				yield(message.MessageEnd{Content: []message.Part{call}, FinishReason: agent.FinishToolCalls}, nil)
			return
		}
		counted := last.Content.Parts[0].(message.ToolResult).Parts()[0].(message.Text)
		_ = yield(message.MessageStart{}, nil) &&
			yield(message.TextDelta{Text: "There are "}, nil) &&
			yield(message.TextDelta{Text: counted.Text + " bolts."}, nil) &&
			yield(message.MessageEnd{Content: []message.Part{message.Text{Text: "There are " + counted.Text + " bolts."}}, FinishReason: agent.FinishStop}, nil)
	}
}

// A conversation needs somebody to speak to. What its tools may do, where its log
// is kept and who resolves mentions can be left out.
func ExampleConversation() {
	conversation, err := agent.Start(agent.Config{
		Provider: clerk{},
		Model:    "senior",
		Tools:    []agent.Tool{stock{"bolts": 12, "nuts": 7}},
	}, session.Meta{Title: "bolts"})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := conversation.Turn(context.Background(), ampersat.Ask("How many bolts are there?"), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Flatten(answer.Message.Content))
	fmt.Println(answer.Steps, "requests")
	// Output:
	// There are 12 bolts.
	// 2 requests
}

// Whoever watches a turn is told what happens, one thing after the other: text as
// it comes, and tools as they are run.
func ExampleConversation_Turn() {
	conversation, err := agent.Start(agent.Config{Provider: clerk{}, Model: "senior", Tools: []agent.Tool{stock{"bolts": 12}}}, session.Meta{})
	if err != nil {
		log.Fatal(err)
	}
	watch := func(e agent.Event) {
		switch e := e.(type) {
		case agent.Requested:
			fmt.Printf("to %s/%s\n", e.Provider, e.Model)
		case agent.Streamed:
			if delta, ok := e.Event.(message.TextDelta); ok {
				fmt.Printf("  %q\n", delta.Text)
			}
		case agent.ToolStarted:
			fmt.Println("  it may", e.Action.Summary)
		case agent.ToolEnded:
			fmt.Println(" ", e.Call.Name, "returned", e.Result.Output)
		case agent.Ended:
			fmt.Println("end:", e.Err)
		}
	}
	if _, err := conversation.Turn(context.Background(), ampersat.Ask("How many bolts are there?"), watch); err != nil {
		log.Fatal(err)
	}
	// Output:
	// to clerk/senior
	//   it may count bolts
	//   count_stock returned "12"
	// to clerk/senior
	//   "There are "
	//   "12 bolts."
	// end: <nil>
}

// A session begins with what the assistant is told about itself, and a person is
// asked before a tool does what was not allowed.
func ExampleConfig() {
	pipeline := &ampersat.Pipeline{} // with a Resolver, the text may mention files
	config := agent.Config{
		Provider: clerk{},
		Model:    "senior",
		Pipeline: pipeline,
		Tools:    []agent.Tool{stock{"bolts": 12}},
		System: func(ctx context.Context) (ampersat.Stack, error) {
			return pipeline.Prepare(ctx, ampersat.Turn{
				Message: message.Message{Role: message.System, Content: message.Say("You keep the stock of a hardware store.")},
				Place:   ampersat.InSystem,
			})
		},
		Permissions: &agent.Permissions{
			Mode: agent.ModeAsk,
			Ask: func(_ context.Context, q agent.Question) (agent.Decision, error) {
				fmt.Println("may it", q.Summary+"? yes")
				return agent.AllowOnce, nil
			},
		},
	}
	conversation, err := agent.Start(config, session.Meta{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := conversation.Turn(context.Background(), ampersat.Ask("How many bolts are there?"), nil); err != nil {
		log.Fatal(err)
	}
	for _, m := range conversation.View().Messages[:2] {
		fmt.Printf("%s: %s\n", m.Role, message.Flatten(m.Content))
	}
	// Output:
	// may it count bolts? yes
	// system: You keep the stock of a hardware store.
	// user: How many bolts are there?
}
