package ampersat

import (
	"fmt"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Placement says where the contents of mentions go. It is policy over what was
// resolved: all placements of a prompt hold the same content.
type Placement string

const (
	// InSystem: contents, then the body, in the one system message.
	InSystem Placement = "system"
	// Before: a developer message directly before the message.
	Before Placement = "before"
	// Top: a developer message before everything, system text included.
	Top Placement = "top"
	// AsTool: after the message, as the calls and results of tools that read
	// them, for models that would otherwise read the files again. It needs
	// [Pipeline.Tools].
	AsTool Placement = "tool"
)

// Placements are all there are.
var Placements = []Placement{InSystem, Before, Top, AsTool}

// ToolNames says which tool call would have given the content of a mention,
// whose [Content.Name] is name: the name of the tool and its arguments, which are
// written as JSON, as they are really registered. It reports false for kinds that
// no tool reads. Nil means that there are no tools.
type ToolNames func(m mention.Mention, name string) (tool string, arguments any, ok bool)

// place puts together the stack.
func (p *Pipeline) place(turn Turn, x *expansion, fitted fitted, say notice) Stack {
	var s Stack
	blocks := fitted.kept
	s.Reports = x.reports()
	if len(x.tooDeep) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("mentions nested deeper than %d levels were not followed: %s", maxDepth, wording.First(x.tooDeep, 5)))
	}
	if len(x.tooMany) > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("more than %s mentions in mentioned files; not followed: %s", wording.Number(maxNested), wording.First(x.tooMany, 5)))
	}
	contexts := make([]message.Part, 0, len(blocks)+len(say.notes)+len(fitted.notes))
	for _, b := range blocks {
		contexts = append(contexts, b.context)
		for digest, data := range b.content.Blobs {
			if len(b.context.Parts) > 0 {
				if s.Blobs == nil {
					s.Blobs = map[blob.Digest][]byte{}
				}
				s.Blobs[digest] = data
			}
		}
	}
	notes := say.notes
	for _, note := range notes {
		contexts = append(contexts, note)
	}
	s.Notes = append(s.Notes, say.remarks()...)
	for _, note := range fitted.notes {
		contexts = append(contexts, note)
	}
	if fitted.unsaid != "" {
		s.Notes = append(s.Notes, fitted.unsaid)
	}
	said := x.message()
	switch turn.Place {
	case InSystem:
		s.Messages = placeInSystem(&s, fitted.kept, contexts, said)
	case Top:
		s.Top = contextMessage(contexts)
		s.Messages = []message.Message{said}
	case AsTool:
		s.Messages = p.placeAsTool(&s, turn, blocks, contexts, said)
	default:
		s.Messages = append(contextMessage(contexts), said)
	}
	s.Tokens = p.counter().Count(message.Flatten(said.Content)) + fitted.tokens
	for _, note := range notes {
		s.Tokens += p.cost(note, 0)
	}
	return s
}

// contextMessage returns the developer message that holds contexts, if there
// are any. Providers send it with the authority of a user, no more.
func contextMessage(contexts []message.Part) []message.Message {
	if len(contexts) == 0 {
		return nil
	}
	return []message.Message{{Role: message.Developer, Content: message.Of(contexts...)}}
}

// placeInSystem puts contexts into the system message, except for pictures and
// documents, which no API takes there. What refers to one stands behind it.
func placeInSystem(s *Stack, blocks []*block, contexts []message.Part, said message.Message) []message.Message {
	var text, media []message.Part
	for i, part := range contexts {
		switch c := part.(message.Context); {
		case len(c.Parts) > 0:
			media = append(media, c)
			s.Notes = append(s.Notes, c.Names[0]+" stands before the message: a system message holds text alone")
		case i < len(blocks) && len(blocks[i].content.Parts) > 0 && isReference(c):
			media = append(media, c)
		default:
			text = append(text, c)
		}
	}
	beside := contextMessage(media)
	switch {
	case said.Role == message.System:
		if len(text) > 0 {
			said.Content = message.Of(append(text, said.Content.Parts...)...)
		}
		return append([]message.Message{said}, beside...)
	case len(text) > 0:
		system := message.Message{Role: message.System, Content: message.Of(text...)}
		return append(append([]message.Message{system}, beside...), said)
	}
	return append(beside, said)
}

// placeAsTool puts what tools could have read behind the message, and the rest
// before it.
func (p *Pipeline) placeAsTool(s *Stack, turn Turn, blocks []*block, contexts []message.Part, said message.Message) []message.Message {
	if turn.BoundThinking {
		s.Notes = append(s.Notes, "contents stand before the message: this model's tool calls must carry its own thinking")
		return append(contextMessage(contexts), said)
	}
	var before, calls, results []message.Part
	for i, part := range contexts {
		c := part.(message.Context)
		if i >= len(blocks) { // a note
			before = append(before, c)
			continue
		}
		id := callID(turn, i, c)
		call, err := p.call(blocks[i], id)
		var result message.ToolResult
		if err == nil {
			result, err = message.PartResult(id, c)
		}
		if err != nil {
			before = append(before, c)
			s.Notes = append(s.Notes, fmt.Sprintf("%s stands before the message: %v", c.Names[0], err))
			continue
		}
		calls = append(calls, call)
		results = append(results, result)
	}
	messages := append(contextMessage(before), said)
	if len(calls) > 0 {
		messages = append(messages,
			message.Message{Role: message.Assistant, Content: message.Of(calls...)},
			message.Message{Role: message.Tool, Content: message.Of(results...)})
	}
	return messages
}

// call returns the call that would have given a block, or why there is none.
func (p *Pipeline) call(b *block, id string) (message.ToolCall, error) {
	if p.Tools != nil {
		if name, arguments, ok := p.Tools(b.items[0].ref.Mention, b.names[0]); ok {
			return message.Call(id, name, arguments)
		}
	}
	return message.ToolCall{}, fmt.Errorf("no tool reads a %s", b.kind)
}

// asPlaced returns blocks in the order in which they will stand in the stack: where
// contents are placed as those of tools, what no tool reads comes first.
func (p *Pipeline) asPlaced(turn Turn, blocks []*block) []*block {
	if turn.Place != AsTool || turn.BoundThinking {
		return blocks
	}
	var before, behind []*block
	for _, b := range blocks {
		if _, err := p.call(b, ""); err != nil {
			before = append(before, b)
		} else {
			behind = append(behind, b)
		}
	}
	return append(before, behind...)
}

// callID names a call. It is the same whenever the same turn is prepared, and
// not the same for any two calls of a conversation.
func callID(turn Turn, index int, c message.Context) string {
	text := fmt.Sprintf("%d\x00%d\x00%s\x00%s", len(turn.View.Messages), index, c.Names[0], message.Flatten(turn.Message.Content))
	return "call_" + blob.Of([]byte(text)).Short()
}
