package anthropic_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/provider/anthropic"
)

// What would be sent can be looked at without a key and without sending it.
func ExampleEncode() {
	request := message.Request{Model: "claude-sonnet-4-5", MaxOutputTokens: 500, ReasoningEffort: "high", Messages: []message.Message{
		{Role: message.User, Content: message.Say("Hello")},
	}}
	body, degradations, err := anthropic.Encode(request, model.Default().Find(anthropic.Name, request.Model))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(body))
	for _, d := range degradations {
		fmt.Printf("%s became %s: %s\n", d.Requested, d.Actual, d.Reason)
	}
	// Output:
	// {"model":"claude-sonnet-4-5","max_tokens":500,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"Hello","cache_control":{"type":"ephemeral"}}]}]}
	// reasoning effort high became no thinking: 500 tokens of output leave no room for it
}

func ExampleNew() {
	provider, err := anthropic.New(anthropic.Config{Endpoint: agent.Endpoint{Key: agent.Secret(os.Getenv("ANTHROPIC_API_KEY"))}})
	if err != nil {
		fmt.Println(err)
		return
	}
	request := message.Request{Model: "claude-sonnet-4-5", Messages: []message.Message{{Role: message.User, Content: message.Say("Hello")}}}
	for event, err := range provider.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
		}
		if delta, ok := event.(message.TextDelta); ok {
			fmt.Print(delta.Text)
		}
	}
}
