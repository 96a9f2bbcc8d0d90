package session

import (
	"slices"

	"github.com/ampersat/ampersat/message"
)

// stack puts the messages of a view together. Whatever was said, and however
// the turn ended, a tool call in it is followed by its results and a result
// follows its call: providers refuse anything else.
//
// An exchange, a message that calls tools and the messages that answer, is
// held back until it is whole. So messages are only ever added at the end.
type stack struct {
	messages []message.Message
	exchange []message.Message // that is not whole yet
	pending  []string          // ids of its calls that have no result
	after    []message.Message // what waits until it is whole
}

// unanswered stands for a result that never came. The model should know that
// the tool may have run.
const unanswered = "[no result: the turn ended before the tool answered]"

// add puts a message on the stack.
func (s *stack) add(m message.Message) {
	calls, results := exchanged(m)
	switch {
	case len(calls) > 0:
		s.close()
		s.pending = calls
		m, _ = s.answer(m)
		s.exchange = []message.Message{m}
		s.end()
	case results:
		m, answers := s.answer(m)
		if len(m.Content.Parts) == 0 {
			return
		}
		if !answers {
			s.close()
			s.messages = append(s.messages, m)
			return
		}
		s.exchange = append(s.exchange, m)
		s.end()
	default:
		s.close()
		s.messages = append(s.messages, m)
	}
}

// addAfter puts a message on the stack that is no part of the conversation, and
// may not stand between a call and its results.
func (s *stack) addAfter(m message.Message) {
	if s.exchange != nil {
		s.after = append(s.after, m)
		return
	}
	s.messages = append(s.messages, m)
}

// answer takes the results out of m that answer nothing. It tells whether one
// is left.
func (s *stack) answer(m message.Message) (left message.Message, answers bool) {
	kept := make([]message.Part, 0, len(m.Content.Parts))
	for _, part := range m.Content.Parts {
		if result, is := part.(message.ToolResult); is {
			at := slices.Index(s.pending, result.ToolCallID)
			if at < 0 {
				continue
			}
			s.pending = slices.Delete(s.pending, at, at+1)
			answers = true
		}
		kept = append(kept, part)
	}
	m.Content.Parts = kept
	return m, answers
}

// end ends the exchange if it is whole.
func (s *stack) end() {
	if len(s.pending) > 0 {
		return
	}
	s.messages = append(append(s.messages, s.exchange...), s.after...)
	s.exchange, s.after = nil, nil
}

// close ends the exchange, whole or not.
func (s *stack) close() {
	if s.exchange == nil {
		return
	}
	if len(s.pending) > 0 {
		var parts []message.Part
		for _, id := range s.pending {
			parts = append(parts, message.TextResult(id, unanswered))
		}
		s.exchange = append(s.exchange, message.Message{Role: message.Tool, Content: message.Of(parts...)})
		s.pending = nil
	}
	s.end()
}

// exchanged returns the ids of the calls in a message, and whether it has
// results.
func exchanged(m message.Message) (calls []string, results bool) {
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.ToolCall:
			calls = append(calls, part.ID)
		case message.ToolResult:
			results = true
		}
	}
	return calls, results
}
