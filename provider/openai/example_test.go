package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/provider/openai"
)

// The encoder opens nothing and sends nothing: it shows what would be sent. What a
// mention resolved to stands before the question, and is said by the user.
func ExampleEncode() {
	request := message.Request{
		Model: "gpt-4.1",
		Stop:  []string{"END"},
		Messages: []message.Message{
			{Role: message.System, Content: message.Say("Be brief.")},
			{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"a.md"}, Text: "# A"})},
			{Role: message.User, Content: message.Say("What is in @a.md?")},
		},
	}
	body, degradations, err := openai.Encode(request, model.Card{})
	if err != nil {
		fmt.Println(err)
		return
	}
	body.Indent()
	fmt.Println(body)
	for _, d := range degradations {
		fmt.Printf("%s → %s: %s\n", d.Requested, d.Actual, d.Reason)
	}
	// Output:
	// {
	// 	"model": "gpt-4.1",
	// 	"stream": true,
	// 	"store": false,
	// 	"instructions": "Be brief.",
	// 	"input": [
	// 		{
	// 			"type": "message",
	// 			"role": "user",
	// 			"content": [
	// 				{
	// 					"type": "input_text",
	// 					"text": "<context_file paths=\"a.md\">\n# A\n</context_file>"
	// 				}
	// 			]
	// 		},
	// 		{
	// 			"type": "message",
	// 			"role": "user",
	// 			"content": [
	// 				{
	// 					"type": "input_text",
	// 					"text": "What is in @a.md?"
	// 				}
	// 			]
	// 		}
	// 	]
	// }
	// to stop at ["END"] → not to: the API knows no stop sequences
}

// Any server of Chat Completions will do. Without an address it is Ollama on this
// machine.
func ExampleNewChat() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"delta":{"reasoning":"A greeting."}}]}`, "\n\n")
		fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"Hello "}}]}`, "\n\n")
		fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"there."},"finish_reason":"stop"}]}`, "\n\n")
		fmt.Fprint(w, `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5}}`, "\n\n")
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	defer server.Close()

	provider, err := openai.NewChat(openai.ChatConfig{Endpoint: agent.Endpoint{Name: "mine", BaseURL: server.URL + "/v1"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	request := message.Request{Model: "gpt-oss:20b", Messages: []message.Message{{Role: message.User, Content: message.Say("Hi")}}}
	for event, err := range provider.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch event := event.(type) {
		case message.ThinkingDelta:
			fmt.Printf("(%s) ", event.Text)
		case message.TextDelta:
			fmt.Print(event.Text)
		case message.MessageEnd:
			fmt.Printf(" [%s, %d tokens]\n", event.FinishReason, event.Usage.TotalTokens)
		}
	}
	// Output:
	// (A greeting.) Hello there. [stop, 14 tokens]
}

// A resource of Azure OpenAI takes a key, or a token that is asked for when it is
// needed.
func ExampleNewAzure() {
	provider, err := openai.NewAzure(openai.AzureConfig{
		Resource:   "my-resource",
		Deployment: "my-gpt",
		Token: func(context.Context) (agent.Secret, error) {
			return agent.Secret(os.Getenv("AZURE_OPENAI_AD_TOKEN")), nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	body, _, err := provider.Encode(message.Request{Model: "gpt-4.1", Messages: []message.Message{{Role: message.User, Content: message.Say("Hi")}}})
	fmt.Println(provider.Name(), string(body), err)
	// Output:
	// azure {"model":"my-gpt","stream":true,"store":false,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}]} <nil>
}

// What is missing is told in one line.
func ExampleNew() {
	_, err := openai.New(openai.Config{})
	fmt.Println(err)
	// Output:
	// openai: wrong configuration: there is no API key: set OPENAI_API_KEY
}
