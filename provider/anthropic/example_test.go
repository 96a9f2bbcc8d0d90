package anthropic_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

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
	// In place of the API; without a BaseURL it is the real one.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good morning."}}`, "\n\n",
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":8,"output_tokens":4}}`, "\n\n",
			`data: {"type":"message_stop"}`, "\n\n")
	}))
	defer server.Close()
	provider, err := anthropic.New(anthropic.Config{Endpoint: agent.Endpoint{Key: "sk-ant-example", BaseURL: server.URL}})
	if err != nil {
		fmt.Println(err)
		return
	}
	request := message.Request{Model: "claude-sonnet-4-5", Messages: []message.Message{{Role: message.User, Content: message.Say("Hello")}}}
	for event, err := range provider.Stream(context.Background(), request) {
		switch event := event.(type) {
		case message.TextDelta:
			fmt.Println(event.Text)
		case message.MessageEnd:
			fmt.Println(event.FinishReason, event.Usage.CostUSD, err)
		}
	}
	// Output:
	// Good morning.
	// stop 0.000084 <nil>
}
