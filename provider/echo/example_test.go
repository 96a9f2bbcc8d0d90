package echo_test

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/provider/echo"
)

func ExampleProvider() {
	text := "Explain @docs/api.md to me."
	request := message.Request{Messages: []message.Message{
		{Role: message.System, Content: message.Say("You are terse.")},
		{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"docs/api.md"}, Text: "# API\n"})},
		{Role: message.User, Content: message.Cut(text, mention.Find(text))},
	}}
	response, err := agent.Collect(echo.Provider{}.Stream(context.Background(), request))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(message.Flatten(response.Content))
	// Output:
	// I received 3 messages, about 29 tokens.
	//
	// 1. system, 4 tokens
	//    text "You are terse."
	//
	// 2. developer, 16 tokens
	//    context "docs/api.md", 6 bytes, 4 tokens
	//
	// 3. user, 9 tokens
	//    text "Explain "
	//    mention "@docs/api.md", kind file
	//    text " to me."
}
