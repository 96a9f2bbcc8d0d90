package dialogue

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Answer puts an answer together from its pieces. Each piece belongs to a part,
// which has a key of the provider's choosing; the parts of the answer are in the
// order in which their first pieces came. The methods return the event that a
// piece means, if it means one: half a character waits for the other, and is not
// said if that never comes. The zero value is an empty answer.
type Answer struct {
	parts []*piece
	last  *piece // most pieces belong to the part of the one before
}

type piece struct {
	key  string
	kind kind
	part message.Part // what it is, without its text; nil for a mere text

	text      []byte // of a text or of thinking, or the arguments of a call
	half      rune   // of a character whose other half has not come
	signature []byte
	content   []jsontext.Value
	// ended and unreadable are for calls.
	ended, unreadable bool
}

// kind keeps pieces apart that have the same key and cannot be of one part: what a
// confused provider says is kept, too.
type kind int

const (
	ofText kind = iota
	ofThinking
	ofCall
	ofWhole
)

// find returns the last part of that key and kind, or nil.
func (a *Answer) find(key string, kind kind) *piece {
	if a.last != nil && a.last.key == key && a.last.kind == kind {
		return a.last
	}
	for _, p := range slices.Backward(a.parts) {
		if p.key == key && p.kind == kind {
			a.last = p
			return p
		}
	}
	return nil
}

// piece returns the last part of that key and kind, or a new one.
func (a *Answer) piece(key string, kind kind) *piece {
	if p := a.find(key, kind); p != nil {
		return p
	}
	return a.begin(key, kind)
}

func (a *Answer) begin(key string, kind kind) *piece {
	a.last = &piece{key: key, kind: kind}
	a.parts = append(a.parts, a.last)
	return a.last
}

// Text adds to a text.
func (a *Answer) Text(key string, delta Delta) []message.Event {
	p := a.piece(key, ofText)
	said := delta.Join(&p.half)
	if said == "" {
		return nil
	}
	p.text = append(p.text, said...)
	return []message.Event{message.TextDelta{Text: said}}
}

// Think adds to a thinking part.
func (a *Answer) Think(key string, delta Delta) []message.Event {
	p := a.thinking(key)
	said := delta.Join(&p.half)
	if said == "" {
		return nil
	}
	p.text = append(p.text, said...)
	return []message.Event{message.ThinkingDelta{Text: said}}
}

// Sign adds to the signature of a thinking part.
func (a *Answer) Sign(key, delta string) {
	p := a.thinking(key)
	p.signature = append(p.signature, delta...)
}

// Attach sets what a provider adds to a thinking part: [message.Thinking.Content].
func (a *Answer) Attach(key string, content ...jsontext.Value) {
	p := a.thinking(key)
	p.content = nil
	for _, value := range content {
		p.content = append(p.content, value.Clone())
	}
}

func (a *Answer) thinking(key string) *piece {
	p := a.piece(key, ofThinking)
	if p.part == nil {
		p.part = message.Thinking{}
	}
	return p
}

// Put sets a part that comes as a whole, such as redacted thinking. A text that is
// put takes the place of what came under its key; to it, and to thinking that is
// put, more can be added.
func (a *Answer) Put(key string, part message.Part) {
	switch part := part.(type) {
	case message.Text:
		p := a.piece(key, ofText)
		p.part, p.text, p.half = part, []byte(part.Text), 0
	case message.Thinking:
		a.piece(key, ofThinking).part = part
	default:
		a.piece(key, ofWhole).part = part
	}
}

// Describe sets what a provider says about a text: [message.Text.Extra].
func (a *Answer) Describe(key string, extra jsontext.Value) {
	a.piece(key, ofText).part = message.Text{Extra: extra.Clone()}
}

// Call begins a tool call, another one if the key was used before. Extra, if it is not nil, is what the provider wants
// back with the call.
func (a *Answer) Call(key, id, name string, extra jsontext.Value) []message.Event {
	a.begin(key, ofCall).part = message.ToolCall{ID: id, Name: name, Extra: extra.Clone()}
	return []message.Event{message.ToolCallStart{ID: id, Name: name}}
}

// Arguments adds to the arguments of a call.
func (a *Answer) Arguments(key string, delta Delta) []message.Event {
	p := a.find(key, ofCall)
	if p == nil || p.ended {
		return nil
	}
	fragment := delta.Join(&p.half)
	if fragment == "" {
		return nil
	}
	call := p.part.(message.ToolCall)
	p.text = append(p.text, fragment...)
	return []message.Event{message.ToolCallDelta{ID: call.ID, ArgumentsFragment: fragment}}
}

// EndCall ends a call. Arguments that were never sent are an empty object;
// arguments that are no object, or that name something twice, are kept in the
// call's Extra, and [Answer.Err] tells of them.
func (a *Answer) EndCall(key string) []message.Event {
	if p := a.find(key, ofCall); p != nil {
		return p.endCall()
	}
	return nil
}

func (p *piece) endCall() []message.Event {
	call, ok := p.part.(message.ToolCall)
	if !ok || p.ended {
		return nil
	}
	p.ended = true
	call.Input = jsontext.Value("{}")
	if arguments := jsontext.Value(p.text); len(arguments) > 0 {
		// Which of two values is meant is not for us to say: what is asked about and
		// what is done must be the same. No log takes them, either.
		if arguments.Kind() == '{' && arguments.IsValid() {
			call.Input = arguments.Clone()
		} else {
			p.unreadable = true
			call.Extra = withRaw(call.Extra, string(arguments))
		}
	}
	p.part = call
	return []message.Event{message.ToolCallEnd{ID: call.ID, Name: call.Name, Arguments: call.Input}}
}

// EndCalls ends the calls that are still open, in order: for providers that do
// not tell.
func (a *Answer) EndCalls() (events []message.Event) {
	for _, p := range a.parts {
		events = append(events, p.endCall()...)
	}
	return events
}

// RawArguments is the member for what a model wrote in place of arguments.
const RawArguments = "raw_arguments"

// withRaw adds what a model wrote in place of arguments to extra.
func withRaw(extra jsontext.Value, raw string) jsontext.Value {
	quoted, _ := jsontext.AppendQuote(nil, raw)
	return With(extra, RawArguments, quoted)
}

// Parts returns the answer so far. Calls that have not ended are not in it.
func (a *Answer) Parts() (parts []message.Part) {
	for _, p := range a.parts {
		switch part := p.part.(type) {
		case nil:
			if len(p.text) > 0 {
				parts = append(parts, message.Text{Text: string(p.text)})
			}
		case message.Text:
			part.Text = string(p.text)
			parts = append(parts, part)
		case message.Thinking:
			part.Thinking, part.Signature, part.Content = string(p.text), string(p.signature), p.content
			if part.Thinking != "" || part.Signature != "" || part.Content != nil {
				parts = append(parts, part)
			}
		case message.ToolCall:
			if p.ended {
				parts = append(parts, part)
			}
		default:
			parts = append(parts, part)
		}
	}
	return parts
}

// Calls reports whether the answer calls a tool.
func (a *Answer) Calls() bool {
	return slices.ContainsFunc(a.parts, func(p *piece) bool { _, is := p.part.(message.ToolCall); return is })
}

// Err returns an error for the calls whose arguments cannot be read.
func (a *Answer) Err() error {
	var problems []error
	for _, p := range a.parts {
		if !p.unreadable {
			continue
		}
		what := "are not a JSON object"
		if jsontext.Value(p.text).IsValid(jsontext.AllowDuplicateNames(true)) && jsontext.Value(p.text).Kind() == '{' {
			what = "have a name twice"
		}
		problems = append(problems, &message.Error{
			Kind: message.ErrInvalidToolCall, Tool: p.part.(message.ToolCall).Name, RawArguments: string(p.text),
			Err: fmt.Errorf("the arguments %s: %.60q", what, p.text),
		})
	}
	if len(problems) == 1 {
		return problems[0]
	}
	return errors.Join(problems...)
}
