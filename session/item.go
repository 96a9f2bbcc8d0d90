package session

import (
	"slices"

	"github.com/ampersat/ampersat/message"
)

// item is something said that the model sees, in whole or in part.
type item struct {
	seq Seq
	// joined says that between the item before and this one nothing was said.
	joined bool
	// said is the message, with tool calls in the one shape there is for them.
	said message.Message
	// shown is what the model sees of it, by the decisions so far.
	shown     message.Message
	decisions []Decision
	// usage is what the provider reported with it, prepared the request that it
	// was reported for, and asked who that went to.
	usage    *message.Usage
	prepared Seq
	asked    asked
	// tokens is what shown is estimated to cost; negative if nobody asked yet.
	tokens int
}

func newItem(seq Seq, s Said) *item {
	// Calls that cannot be read are kept as they are, and the model's to mend.
	m, _ := message.Adopt(s.Message)
	return &item{seq: seq, said: m, shown: m, usage: s.Usage, prepared: s.Prepared, tokens: -1}
}

// decide applies a decision. It tells whether the model still sees something.
func (it *item) decide(d Decision) bool {
	if d.Action != Evict && d.Action != Stub {
		return true // of a later version
	}
	it.decisions = append(it.decisions, d)
	it.tokens = -1
	shown, left := it.view(it.decisions)
	it.shown = shown
	return left
}

// view returns what is left of the message by some decisions.
func (it *item) view(decisions []Decision) (shown message.Message, left bool) {
	if len(decisions) == 0 {
		return it.said, true
	}
	shown = it.said
	parts := slices.Clone(it.said.Content.Parts)
	for _, d := range decisions {
		switch {
		case d.Part == 0 && d.Action == Evict:
			return message.Message{}, false
		case d.Part == 0:
			parts = []message.Part{message.Text{Text: d.Text}}
			shown.Content.Plain = true
			// What was decided about its parts before is no longer of interest,
			// and nothing can be decided about them any more.
			for _, last := range decisions {
				if last.Part == 0 && last.Action == Evict {
					return message.Message{}, false
				}
			}
			shown.Content.Parts = parts
			return shown, true
		case d.Part > len(parts):
		case d.Action == Evict:
			parts[d.Part-1] = nil
		case parts[d.Part-1] != nil:
			parts[d.Part-1] = stubbed(it.said.Content.Parts[d.Part-1], d.Text)
		}
	}
	shown.Content.Parts = slices.DeleteFunc(parts, func(p message.Part) bool { return p == nil })
	return shown, len(shown.Content.Parts) > 0
}

// stubbed returns what stands in place of a part. A result stays the answer to
// its call.
func stubbed(part message.Part, text string) message.Part {
	if result, is := part.(message.ToolResult); is {
		return message.TextResult(result.ToolCallID, text)
	}
	return message.Text{Text: text}
}

// cost is what the item is estimated to cost.
func (it *item) cost(p Policy) int {
	if it.tokens < 0 {
		it.tokens = p.cost(it.shown)
	}
	return it.tokens
}

// asks tells whether it is something that a person said, and not only the
// results of tools in the person's name.
func asks(m message.Message) bool {
	return m.Role == message.User && (len(m.Content.Parts) == 0 || slices.ContainsFunc(m.Content.Parts, func(p message.Part) bool {
		_, is := p.(message.ToolResult)
		return !is
	}))
}
