package agent

import (
	"maps"
	"slices"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// Answer is what a turn came to. It is the caller's own, but for the bytes in
// its stack's Blobs, which must not be changed.
type Answer struct {
	// Turn is the ID that the turn has in its events and in the log.
	Turn session.ID
	// Said is the entry of the message that the turn began with, zero if it is not
	// in the log: then nothing was said, and it can be said again.
	Said session.Seq
	// Message is the last thing that the model said, and At its entry in the log,
	// for a [session.Pin] or a fork; zero if there is none.
	Message      message.Message
	At           session.Seq
	FinishReason string
	// Usage is what all requests of the turn cost, nil if nobody counted.
	Usage *message.Usage
	// Degradations are what the provider could not do as it was asked, each
	// once.
	Degradations []message.Degradation
	// Steps is how many requests were answered.
	Steps int
	// Stack is the message as it was prepared.
	Stack ampersat.Stack
	// Unflushed is why [Config.Late] could not be flushed, nil if it could. It is
	// no error of the turn: the answer stands and is in the log. What was not
	// kept waits for the next flush; if that never comes, a later turn sends
	// whole what it could have sent as a difference.
	Unflushed error
}

// own returns an answer that shares nothing with this one that may be changed.
func (a Answer) own() Answer {
	a.Message.Content.Parts = ownParts(a.Message.Content.Parts)
	a.Usage = ownUsage(a.Usage)
	a.Degradations = slices.Clone(a.Degradations)
	a.Stack = ownStack(a.Stack)
	return a
}

// ownStack does the same for a stack: what whoever is shown it writes into it
// must not come into the log.
func ownStack(s ampersat.Stack) ampersat.Stack {
	s.Top, s.Messages = ownMessages(s.Top), ownMessages(s.Messages)
	s.Reports, s.Notes, s.Blobs = slices.Clone(s.Reports), slices.Clone(s.Notes), maps.Clone(s.Blobs)
	return s
}

func ownMessages(messages []message.Message) []message.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Content.Parts = ownParts(messages[i].Content.Parts)
		messages[i].Instructions = slices.Clone(messages[i].Instructions)
	}
	return messages
}

// ownParts does it for parts, and the lists in them.
func ownParts(parts []message.Part) []message.Part {
	parts = slices.Clone(parts)
	for i, part := range parts {
		switch part := part.(type) {
		case message.Context:
			part.Names, part.IDs, part.Parts = slices.Clone(part.Names), slices.Clone(part.IDs), ownParts(part.Parts)
			parts[i] = part
		case message.Thinking:
			part.Content = slices.Clone(part.Content)
			parts[i] = part
		case message.Reasoning:
			part.Content, part.Summary = slices.Clone(part.Content), slices.Clone(part.Summary)
			parts[i] = part
		}
	}
	return parts
}

func ownUsage(usage *message.Usage) *message.Usage {
	if usage == nil {
		return nil
	}
	own := *usage
	if usage.CostUSD != nil {
		cost := *usage.CostUSD
		own.CostUSD = &cost
	}
	return &own
}
