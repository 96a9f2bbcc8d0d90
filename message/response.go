package message

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
)

// Response is what a provider answered.
type Response struct {
	Content Content
	// ToolCalls repeats the calls of the content for readers that want only
	// these. In JSON their arguments are called "arguments".
	ToolCalls []ToolCall
	Usage     *Usage
	// Degradations says what was asked for and not given, never silently left
	// out. In JSON one is an object and several are a list.
	Degradations []Degradation
	FinishReason string
	// Metadata is the provider's own, any JSON value, nil if there is none.
	Metadata jsontext.Value
	Extra    jsontext.Value
}

// Usage is what a request cost.
type Usage struct {
	// InputTokens counts fresh tokens and those read from a cache.
	InputTokens  int
	OutputTokens int
	TotalTokens  int
	// ReasoningTokens are part of the output.
	ReasoningTokens int
	// CacheReadTokens are part of the input; CacheWriteTokens come on top of it.
	CacheReadTokens  int
	CacheWriteTokens int
	// CostUSD is nil if the price is not known. In JSON it is a string, so that
	// no reader rounds it.
	CostUSD *decimal.Decimal
	Extra   jsontext.Value
}

// Occupied is how much of the model's window the input took.
func (u Usage) Occupied() int { return u.InputTokens + u.CacheWriteTokens }

// Degradation is something that was asked for and given differently.
type Degradation struct {
	Requested string
	Actual    string
	Reason    string
	Extra     jsontext.Value
}
