package session

import (
	"slices"

	"github.com/ampersat/ampersat/message"
)

// Contents that stand in front of a conversation still belong to the turn that
// brought them: they are undone with it, compacted by their age, and known by its
// number. So the log and the view have them where they came, marked, and they are
// put in front where the view is made into a request.
const (
	atTop    = `{"place":"top"}`
	inSystem = `{"place":"system"}`
)

// AtTop returns a message for the log that stands before all others in a request
// ([View.Request]).
func AtTop(m message.Message) message.Message {
	m.Metadata = []byte(atTop)
	return m
}

// InSystem returns a message for the log whose parts stand in the system message of
// a request ([View.Request]).
func InSystem(m message.Message) message.Message {
	m.Role, m.Metadata = message.Developer, []byte(inSystem)
	return m
}

func isAtTop(m message.Message) bool { return string(m.Metadata) == atTop }

// isInSystem asks for the role too: nobody becomes the system by what they say.
func isInSystem(m message.Message) bool {
	return m.Role == message.Developer && string(m.Metadata) == inSystem
}

// isInFront tells whether an item stands before those that were said earlier.
func isInFront(it *item) bool {
	return isSystem(it) || isAtTop(it.said) || isInSystem(it.said)
}

// Request returns what the model sees as it is sent: first what was put at the top
// ([AtTop]), then the one system message, with what was put into it ([InSystem])
// before its text, and then the rest in order.
func (v *View) Request() []message.Message {
	messages := v.Messages()
	if !slices.ContainsFunc(messages, func(m message.Message) bool { return isAtTop(m) || isInSystem(m) }) {
		return messages
	}
	var top, rest []message.Message
	var contents []message.Part
	for _, m := range messages {
		switch {
		case isAtTop(m):
			top = append(top, m)
		case isInSystem(m):
			contents = append(contents, m.Content.Parts...)
		default:
			rest = append(rest, m)
		}
	}
	return append(top, withContents(rest, contents)...)
}

// withContents puts contents into the system message that messages begin with, or
// into a new one.
func withContents(messages []message.Message, contents []message.Part) []message.Message {
	if len(contents) == 0 {
		return messages
	}
	if len(messages) == 0 || messages[0].Role != message.System {
		return slices.Insert(messages, 0, message.Message{Role: message.System, Content: message.Of(contents...)})
	}
	system := messages[0]
	own := system.Content.Parts
	text := slices.IndexFunc(own, func(p message.Part) bool { return !isContext(p) })
	if text < 0 {
		text = len(own)
	} else if !isContext(contents[len(contents)-1]) {
		contents = append(contents, message.Text{Text: "\n\n"}) // the reference that a compaction left is no part of it
	}
	system.Content = message.Of(slices.Concat(own[:text], contents, own[text:])...)
	return slices.Concat([]message.Message{system}, messages[1:])
}

func isContext(p message.Part) bool {
	_, is := p.(message.Context)
	return is
}
