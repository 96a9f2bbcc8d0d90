package model

import (
	"github.com/ampersat/ampersat/message"
	"github.com/shopspring/decimal"
)

// Card is what is known about one model. In JSON, members that are left out are
// taken from the provider's "*" card.
type Card struct {
	Provider string `json:"-"`
	Name     string `json:"-"`
	// Known says that the table has this model, and not only its provider. A
	// conversation describes pictures and documents in words, because Images or
	// Documents is false, only if it is set: of a model that nobody knows it is
	// for the provider to say so. A card that is made by hand sets it.
	Known bool `json:"-"`

	// Window is how many tokens the model can see, MaxOutput how many it can
	// say. Zero means that nobody knows.
	Window    int `json:"window,omitzero"`
	MaxOutput int `json:"output,omitzero"`

	// DefaultOutput is how many tokens of output a request asks for where nobody
	// said a number. It is for providers to set whose API demands one, and else
	// zero.
	DefaultOutput int `json:"-"`

	// Images, Documents and Tools say what the model takes; Schema, that it can
	// be held to a JSON schema. See Known.
	Images    bool `json:"images"`
	Documents bool `json:"documents"`
	Tools     bool `json:"tools"`
	Schema    bool `json:"schema"`

	// Sampling says that temperature and the like can be set, Forced that a call
	// of a tool can be demanded.
	Sampling bool `json:"sampling"`
	Forced   bool `json:"forced"`

	// Thinking is how the model is told how hard to think, and ThinkingOff the
	// provider's word for not at all, empty if there is none.
	Thinking    Thinking `json:"thinking,omitzero"`
	ThinkingOff string   `json:"thinking_off,omitzero"`
	// BoundThinking says that a turn which calls tools must be sent back with
	// the thinking before the calls, signed as it came. Nobody can invent such
	// a turn.
	BoundThinking bool `json:"bound_thinking"`

	// Price is nil if it is not known.
	Price *Price `json:"price,omitzero"`
}

// Thinking is a way to ask for more or less reasoning.
type Thinking string

// The ways to ask. The zero value means that the model cannot be asked.
const (
	// ThinkingBudget is a number of tokens.
	ThinkingBudget Thinking = "budget"
	// ThinkingEffort is a word: low, medium, high.
	ThinkingEffort Thinking = "effort"
	// ThinkingAdaptive is a word, and the model decides when to think.
	ThinkingAdaptive Thinking = "adaptive"
)

// Price is in US dollars for a million tokens.
type Price struct {
	Input  decimal.Decimal `json:"input"`
	Output decimal.Decimal `json:"output"`
	// CacheRead and CacheWrite are what cached input costs in place of Input;
	// nil means that it costs the same.
	CacheRead  *decimal.Decimal `json:"cache_read,omitzero"`
	CacheWrite *decimal.Decimal `json:"cache_write,omitzero"`
	// Above are the prices of long requests, the shortest first. One of them
	// holds for all tokens of a request whose input is longer than its Tokens.
	Above []Above `json:"above,omitzero"`
}

// Above is the price of requests with more than Tokens of input.
type Above struct {
	Tokens int   `json:"tokens"`
	Price  Price `json:"price"`
}

// Cost returns what usage costs in US dollars, and false if the price is not
// known.
func (c Card) Cost(usage message.Usage) (decimal.Decimal, bool) {
	if c.Price == nil {
		return decimal.Decimal{}, false
	}
	return c.Price.Cost(usage), true
}

// Cost returns what usage costs in US dollars.
func (p Price) Cost(usage message.Usage) decimal.Decimal {
	for i := len(p.Above) - 1; i >= 0; i-- {
		if usage.Occupied() > p.Above[i].Tokens {
			return p.Above[i].Price.Cost(usage)
		}
	}
	read, write := p.Input, p.Input
	if p.CacheRead != nil {
		read = *p.CacheRead
	}
	if p.CacheWrite != nil {
		write = *p.CacheWrite
	}
	total := times(p.Input, usage.InputTokens-usage.CacheReadTokens).
		Add(times(read, usage.CacheReadTokens)).
		Add(times(write, usage.CacheWriteTokens)).
		Add(times(p.Output, usage.OutputTokens))
	return total.Shift(-6)
}

func times(price decimal.Decimal, tokens int) decimal.Decimal {
	return price.Mul(decimal.NewFromInt(int64(max(0, tokens))))
}
