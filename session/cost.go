package session

import (
	"github.com/ampersat/ampersat/message"
)

// What providers add to a message, to a call and to a block; and what is
// assumed for a picture or a document of which nobody has said what it costs. They
// matter little: what was sent is counted by the provider.
const (
	messageTokens = 4
	callTokens    = 8
	blockTokens   = 12
	mediaTokens   = 1600
)

// cost estimates what a message costs.
func (p Policy) cost(m message.Message) int {
	n := messageTokens + p.counter().Count(message.Prefix(m.Instructions))
	for _, part := range m.Content.Parts {
		n += p.partCost(part)
	}
	return n
}

func (p Policy) partCost(part message.Part) (n int) {
	count := p.counter().Count
	switch part := part.(type) {
	case message.Text:
		return count(part.Text)
	case message.Ref:
		return count(part.Written)
	case message.Context:
		n = blockTokens + count(part.Text)
		for _, name := range part.Names {
			n += count(name)
		}
		if part.PartTokens > 0 && len(part.Parts) > 0 {
			return n + part.PartTokens
		}
		for _, inner := range part.Parts {
			n += p.partCost(inner)
		}
	case message.Thinking:
		n = count(part.Thinking)
		for _, value := range part.Content {
			n += count(string(value))
		}
	case message.RedactedThinking:
		return count(part.Data)
	case message.ToolCall:
		return callTokens + count(part.Name) + count(string(part.Input))
	case message.ToolResult:
		n = callTokens
		for _, inner := range part.Parts() {
			n += p.partCost(inner)
		}
	case message.Image, message.Document:
		return mediaTokens
	case message.Reasoning:
		for _, value := range part.Content {
			n += count(string(value))
		}
		for _, value := range part.Summary {
			n += count(string(value))
		}
	case message.Unknown:
		return count(string(part.Raw))
	}
	return n
}
