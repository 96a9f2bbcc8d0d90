package gemini_test

import (
	"fmt"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/provider/gemini"
)

// What is sent can be seen without sending it.
func ExampleEncode() {
	request := message.Request{
		Model: "gemini-3.5-flash",
		Messages: []message.Message{
			{Role: message.System, Content: message.Say("Be brief.")},
			{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"a.md"}, Text: "words"})},
			{Role: message.User, Content: message.Say("Sum up @a.md.")},
		},
		ReasoningEffort: "low",
	}
	body, degradations, err := gemini.Encode(request, model.Card{})
	if err != nil {
		fmt.Println(err)
		return
	}
	body.Indent()
	fmt.Println(string(body))
	for _, d := range degradations {
		fmt.Printf("asked: %s; given: %s, since %s\n", d.Requested, d.Actual, d.Reason)
	}
	// Output:
	// {
	// 	"systemInstruction": {
	// 		"parts": [
	// 			{
	// 				"text": "Be brief."
	// 			}
	// 		]
	// 	},
	// 	"contents": [
	// 		{
	// 			"role": "user",
	// 			"parts": [
	// 				{
	// 					"text": "<context_file paths=\"a.md\">\nwords\n</context_file>"
	// 				}
	// 			]
	// 		},
	// 		{
	// 			"role": "user",
	// 			"parts": [
	// 				{
	// 					"text": "Sum up @a.md."
	// 				}
	// 			]
	// 		}
	// 	]
	// }
	// asked: reasoning effort low; given: the model chooses, since the model cannot be told
}
