package model_test

import (
	"fmt"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

func ExampleTable_Find() {
	card := model.Default().Find("anthropic", "claude-sonnet-4-5-20250929")
	cost, _ := card.Cost(message.Usage{InputTokens: 10_000, CacheReadTokens: 9_000, OutputTokens: 500})
	fmt.Println(card.Window, card.Images, cost)
	// Output: 200000 true 0.0132
}

// A model that the table does not know, or a price of one's own, is added from the
// same JSON.
func ExampleTable_With() {
	table, err := model.Default().With([]byte(`{"chat": {"qwen3:8b": {"window": 32768, "output": 8192, "tools": true}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	card := table.Find("chat", "qwen3:8b")
	_, priced := card.Cost(message.Usage{})
	fmt.Println(card.Known, card.Window, priced)
	// Output: true 32768 false
}
