package openai

import (
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// chatDecoder reads the chunks of one answer of Chat Completions.
type chatDecoder struct {
	by     stamp             // thoughts are stamped with it
	names  map[string]string // of tools, by those on the wire
	answer dialogue.Answer

	// Text and reasoning may take turns. Each stretch is a part of its own.
	stretch  int
	thinking bool
	calls    []chatCallState
	older    bool // the only call came as older servers tell it

	id, servedBy string
	reason       string
	refused      bool
	usage        *message.Usage
	complete     bool
}

// chatCallState is a call that is being told.
type chatCallState struct {
	key   string
	index int
	id    string // as the server gave it
}

// Decode implements [transport.Decoder].
func (d *chatDecoder) Decode(from sse.Event) (events []message.Event, err error) {
	if string(from.Data) == "[DONE]" {
		if d.reason == "" {
			events = d.endCalls()
		}
		d.complete = true
		return events, io.EOF
	}
	var c chunk
	if err := json.Unmarshal(from.Data, &c, lenient); err != nil {
		return nil, err
	}
	if len(c.Error) > 0 && c.Error.Kind() != 'n' || from.Name == "error" {
		return nil, transport.FromBody(0, from.Data)
	}
	if d.id == "" {
		d.id, d.servedBy = c.ID, c.Model
	}
	d.count(c.Usage)
	if len(c.Choices) == 0 {
		return nil, nil
	}
	// We ask for one answer; whoever sends more is heard on the first.
	delta := c.Choices[0].Delta
	events = append(events, d.think(delta.ReasoningContent)...)
	if delta.ReasoningContent == "" { // some send both, the same twice
		events = append(events, d.think(delta.Reasoning)...)
	}
	events = append(events, d.content(delta.Content)...)
	if delta.Refusal != "" {
		d.refused = true
		events = append(events, d.text(delta.Refusal)...)
	}
	if !d.older { // not the same twice, for the old and the new
		for _, call := range delta.ToolCalls {
			events = append(events, d.call(call)...)
		}
	}
	var older functionDelta
	isOlder := delta.FunctionCall.Kind() == '{' && json.Unmarshal(delta.FunctionCall, &older, lenient) == nil
	if isOlder && (d.older || older.Name != "" && len(d.calls) == 0) {
		d.older = true
		events = append(events, d.call(callDelta{Function: older})...)
	}
	if reason := c.Choices[0].FinishReason; reason != "" && d.reason == "" {
		// Usage comes after this, so reading goes on; but if it does not come the
		// answer is complete all the same.
		d.reason, d.complete = reason, true
		events = append(events, d.endCalls()...)
	}
	return events, nil
}

func (d *chatDecoder) text(delta dialogue.Delta) []message.Event {
	if delta == "" {
		return nil
	}
	d.turnTo(false)
	return d.answer.Text(d.key(), delta)
}

func (d *chatDecoder) think(delta dialogue.Delta) []message.Event {
	if delta == "" {
		return nil
	}
	if d.turnTo(true) {
		d.answer.Put(d.key(), message.Thinking{Extra: d.by.extra()})
	}
	return d.answer.Think(d.key(), delta)
}

func (d *chatDecoder) turnTo(thinking bool) (turned bool) {
	if d.thinking == thinking {
		return false
	}
	d.thinking = thinking
	d.stretch++
	return true
}

func (d *chatDecoder) key() string { return "stretch " + strconv.Itoa(d.stretch) }

// content reads what is said: a string, or a list of parts, in which some servers
// put reasoning too.
func (d *chatDecoder) content(raw jsontext.Value) (events []message.Event) {
	switch raw.Kind() {
	case '"':
		return d.text(dialogue.Unquote(raw))
	case '[':
		var parts []struct {
			Type     string         `json:"type"`
			Text     dialogue.Delta `json:"text"`
			Thinking jsontext.Value `json:"thinking"`
		}
		if json.Unmarshal(raw, &parts, lenient) != nil {
			return nil
		}
		for _, part := range parts {
			if part.Type != "thinking" {
				events = append(events, d.text(part.Text)...)
				continue
			}
			var thoughts []struct {
				Text dialogue.Delta `json:"text"`
			}
			if json.Unmarshal(part.Thinking, &thoughts, lenient) != nil {
				events = append(events, d.think(dialogue.Unquote(part.Thinking))...)
			}
			for _, thought := range thoughts {
				events = append(events, d.think(thought.Text)...)
			}
		}
	}
	return events
}

// call reads a piece of a call. Pieces belong together by their index; but there
// are servers that give none, or the same to all, and tell calls apart by id.
func (d *chatDecoder) call(delta callDelta) (events []message.Event) {
	var index int
	if delta.Index != nil {
		index = *delta.Index
	}
	var state *chatCallState
	for i := len(d.calls) - 1; i >= 0 && state == nil; i-- {
		if d.calls[i].index == index {
			state = &d.calls[i]
		}
	}
	if state == nil || delta.Function.Name != "" && delta.ID != "" && delta.ID != state.id {
		id := delta.ID
		if id == "" {
			id = d.invent()
		}
		d.calls = append(d.calls, chatCallState{key: "call " + strconv.Itoa(len(d.calls)), index: index, id: delta.ID})
		state = &d.calls[len(d.calls)-1]
		name := delta.Function.Name
		if real, changed := d.names[name]; changed {
			name = real
		}
		events = d.answer.Call(state.key, id, name, nil)
	}
	arguments := dialogue.Delta(delta.Function.Arguments)
	switch delta.Function.Arguments.Kind() {
	case '"':
		arguments = dialogue.Unquote(delta.Function.Arguments)
	case 'n':
		arguments = ""
	}
	return append(events, d.answer.Arguments(state.key, arguments)...)
}

// invent returns an id for a call that came without. It must not repeat in the
// course of a session.
func (d *chatDecoder) invent() string {
	return "call_" + strconv.FormatUint(rand.Uint64(), 36) + "_" + strconv.Itoa(len(d.calls))
}

// endCalls ends the calls. In an answer that was cut the last one may not be whole:
// it stays open, since nobody may run it.
func (d *chatDecoder) endCalls() (events []message.Event) {
	whole := len(d.calls)
	if whole > 0 && (d.reason == "length" || d.reason == "content_filter") {
		whole--
	}
	for _, call := range d.calls[:whole] {
		events = append(events, d.answer.EndCall(call.key)...)
	}
	return events
}

func (d *chatDecoder) count(u *chatUsage) {
	if u == nil {
		return
	}
	d.usage = tokens(u.PromptTokens, max(u.PromptTokensDetails.CachedTokens, u.CacheHitTokens), u.PromptTokensDetails.CacheWriteTokens,
		u.CompletionTokens, u.CompletionTokensDetails.ReasoningTokens)
}

// End implements [transport.Decoder].
func (d *chatDecoder) End() (message.MessageEnd, bool, error) {
	end := message.MessageEnd{Content: d.answer.Parts(), Usage: d.usage, FinishReason: d.finished()}
	end.Extra = metadata(d.id, d.servedBy, d.reason)
	return end, d.complete, d.answer.Err()
}

func (d *chatDecoder) finished() string {
	switch d.reason {
	case "length":
		return agent.FinishLength
	case "content_filter":
		return agent.FinishFilter
	case "", "stop", "tool_calls", "function_call":
		// Some servers say stop when they call.
		switch {
		case d.answer.Calls():
			return agent.FinishToolCalls
		case d.refused:
			return agent.FinishFilter
		default:
			return agent.FinishStop
		}
	default:
		return d.reason
	}
}
