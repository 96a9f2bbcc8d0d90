package agent_test

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

// parrot is the smallest provider there is.
type parrot struct{}

func (parrot) Name() string                 { return "parrot" }
func (parrot) Model(name string) model.Card { return model.Card{Provider: "parrot", Name: name} }

func (parrot) Stream(_ context.Context, request message.Request) agent.Stream {
	return func(yield func(message.Event, error) bool) {
		last := message.Flatten(request.Messages[len(request.Messages)-1].Content)
		_ = yield(message.MessageStart{}, nil) &&
			yield(message.TextDelta{Text: last}, nil) &&
			yield(message.MessageEnd{Content: []message.Part{message.Text{Text: last}}, FinishReason: agent.FinishStop}, nil)
	}
}

// An answer is shown while it comes, and kept when it has come.
func ExampleProvider() {
	request := message.Request{Messages: []message.Message{{Role: message.User, Content: message.Say("Polly wants a cracker.")}}}
	var provider agent.Provider = parrot{}
	for event, err := range provider.Stream(context.Background(), request) {
		switch event := event.(type) {
		case message.TextDelta:
			fmt.Println(event.Text)
		case message.MessageEnd:
			// With an error this is what had come until then.
			fmt.Println(provider.Name(), event.FinishReason, err)
		}
	}
	fmt.Println(provider.Model("green").Known)
	// Output:
	// Polly wants a cracker.
	// parrot stop <nil>
	// false
}

func ExampleCollect() {
	request := message.Request{Messages: []message.Message{{Role: message.User, Content: message.Say("Hello")}}}
	response, err := agent.Collect(parrot{}.Stream(context.Background(), request))
	fmt.Println(message.Flatten(response.Content), err)
	// Output: Hello <nil>
}
