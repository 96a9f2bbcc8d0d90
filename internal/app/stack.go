package app

import (
	"maps"
	"slices"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// oneSystem puts two stacks together that both begin with a system message, so
// that there is one: contents first, then the texts.
func oneSystem(first, second ampersat.Stack) ampersat.Stack {
	if len(first.Messages) == 0 || len(second.Messages) == 0 ||
		first.Messages[0].Role != message.System || second.Messages[0].Role != message.System {
		return Join(first, second)
	}
	contexts, said := apart(first.Messages[0])
	more, also := apart(second.Messages[0])
	said = append(said, message.Text{Text: "\n\n"})
	// The second text stands behind the first now.
	offset := len(message.Flatten(message.Of(said...)))
	for i := range second.Reports {
		if second.Reports[i].Parent < 0 {
			second.Reports[i].Start += offset
			second.Reports[i].End += offset
		}
	}
	system := first.Messages[0]
	system.Content = message.Of(slices.Concat(contexts, more, said, also)...)
	rest := slices.Concat(first.Messages[1:], second.Messages[1:])
	joined := Join(first, second)
	joined.Messages = append([]message.Message{system}, rest...)
	return joined
}

// withoutItself takes out of a stack the file whose text it is: who mentions
// itself is read already.
func withoutItself(stack *ampersat.Stack, address string) {
	for i, r := range stack.Reports {
		if r.ID != address || r.Outcome != ampersat.Loaded || r.Mention.Kind() != mention.KindFile {
			continue
		}
		stack.Reports[i].Outcome, stack.Reports[i].Reason = ampersat.Duplicate, "it mentions itself"
		stack.Reports[i].Bytes, stack.Reports[i].Tokens = 0, 0
		stack.Tokens -= r.Tokens
		for j, m := range stack.Messages {
			itself := func(part message.Part) bool {
				c, ok := part.(message.Context)
				return ok && slices.Contains(c.Names, r.Name) && c.Lines == "" && c.Symbol == ""
			}
			stack.Messages[j].Content.Parts = slices.DeleteFunc(slices.Clone(m.Content.Parts), itself)
		}
	}
	stack.Messages = slices.DeleteFunc(stack.Messages, func(m message.Message) bool { return len(m.Content.Parts) == 0 })
}

// apart returns the contents of a message, and what it says.
func apart(m message.Message) (contexts, said []message.Part) {
	for _, part := range m.Content.Parts {
		if _, ok := part.(message.Context); ok {
			contexts = append(contexts, part)
		} else {
			said = append(said, part)
		}
	}
	return contexts, said
}

// Join returns two stacks as one, the second after the first.
func Join(first, second ampersat.Stack) ampersat.Stack {
	if len(first.Top)+len(first.Messages)+len(first.Reports)+len(first.Notes) == 0 {
		return second
	}
	joined := ampersat.Stack{
		Top:      slices.Concat(first.Top, second.Top),
		Messages: slices.Concat(first.Messages, second.Messages),
		Reports:  slices.Concat(first.Reports, second.Reports),
		Notes:    slices.Concat(first.Notes, second.Notes),
		Tokens:   first.Tokens + second.Tokens,
		Blobs:    maps.Clone(first.Blobs),
	}
	for i := len(first.Reports); i < len(joined.Reports); i++ {
		if joined.Reports[i].Parent >= 0 {
			joined.Reports[i].Parent += len(first.Reports)
		}
	}
	if joined.Blobs == nil {
		joined.Blobs = second.Blobs
	} else {
		maps.Copy(joined.Blobs, second.Blobs)
	}
	return joined
}
