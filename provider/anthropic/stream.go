package anthropic

import (
	"fmt"
	"io"
	"strconv"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// decoder reads the events of one answer.
type decoder struct {
	// by is who was asked: the thinking is stamped with it.
	by     stamp
	names  map[string]string // of tools, by those on the wire
	answer dialogue.Answer
	extras map[string]*extra // of the blocks that have some, by their keys

	id, servedBy string
	reason, stop string
	usage        *message.Usage
	fresh        int // input that neither came from a cache nor went into one
	complete     bool
}

// lenient accepts what the JSON of a stream may be: its text may end within a
// character.
var lenient = jsontext.AllowInvalidUTF8(true)

// Decode implements [transport.Decoder].
func (d *decoder) Decode(from sse.Event) ([]message.Event, error) {
	var e event
	if from.Name == "error" {
		return nil, transport.FromBody(0, from.Data)
	}
	if err := json.Unmarshal(from.Data, &e, lenient); err != nil {
		return nil, err
	}
	key := strconv.Itoa(e.Index)
	switch e.Type {
	case "message_start":
		d.id, d.servedBy = e.Message.ID, e.Message.Model
		d.count(e.Message.Usage)
	case "content_block_start":
		return d.begin(key, e.ContentBlock)
	case "content_block_delta":
		switch e.Delta.Type {
		case "text_delta":
			return d.answer.Text(key, e.Delta.Text), nil
		case "thinking_delta":
			return d.answer.Think(key, e.Delta.Thinking), nil
		case "signature_delta":
			d.answer.Sign(key, e.Delta.Signature)
		case "input_json_delta":
			if other := d.extras[key]; other != nil && other.block != nil {
				other.input = append(other.input, e.Delta.PartialJSON.Join(&other.half)...)
			}
			return d.answer.Arguments(key, e.Delta.PartialJSON), nil
		case "citations_delta":
			d.cite(key, e.Delta.Citation)
		default:
			d.keep(key, e.Delta)
		}
	case "content_block_stop":
		d.settle(key)
		return d.answer.EndCall(key), nil
	case "message_delta":
		d.reason, d.stop = e.Delta.StopReason, e.Delta.StopSequence
		d.count(e.Usage)
	case "message_stop":
		d.complete = true
		return nil, io.EOF
	case "error":
		return nil, transport.FromBody(0, from.Data)
	}
	// Others, such as ping, say nothing; new ones may come.
	return nil, nil
}

func (d *decoder) begin(key string, raw jsontext.Value) ([]message.Event, error) {
	var b startedBlock
	if err := json.Unmarshal(raw, &b, lenient); err != nil {
		return nil, fmt.Errorf("content block: %w", err)
	}
	switch b.Type {
	case "text":
		var list []jsontext.Value
		if json.Unmarshal(b.Citations, &list, lenient) == nil {
			d.cite(key, list...)
		}
		return d.answer.Text(key, b.Text), nil
	case "thinking":
		d.answer.Put(key, message.Thinking{Extra: d.by.extra()})
		d.answer.Sign(key, b.Signature)
		return d.answer.Think(key, b.Thinking), nil
	case "redacted_thinking":
		d.answer.Put(key, message.RedactedThinking{Data: b.Data, Extra: d.by.extra()})
	case "tool_use":
		if real, changed := d.names[b.Name]; changed {
			b.Name = real
		}
		events := d.answer.Call(key, b.ID, b.Name, nil)
		if len(b.Input) > 2 { // more than {}: the arguments come at once
			events = append(events, d.answer.Arguments(key, dialogue.Delta(b.Input))...)
		}
		return events, nil
	default:
		return nil, d.other(key, dialogue.Keepable(raw))
	}
	return nil, nil
}

// count takes over the counts that an event tells: they are totals.
func (d *decoder) count(u usage) {
	if u == (usage{}) {
		return
	}
	if d.usage == nil {
		d.usage = &message.Usage{}
	}
	set := func(to, from *int) {
		if from != nil {
			*to = *from
		}
	}
	set(&d.fresh, u.InputTokens)
	set(&d.usage.OutputTokens, u.OutputTokens)
	set(&d.usage.CacheReadTokens, u.CacheReadInputTokens)
	set(&d.usage.CacheWriteTokens, u.CacheCreationInputTokens)
	if u.OutputTokensDetails != nil {
		d.usage.ReasoningTokens = u.OutputTokensDetails.ThinkingTokens
	}
	d.usage.InputTokens = d.fresh + d.usage.CacheReadTokens
	d.usage.TotalTokens = d.usage.InputTokens + d.usage.CacheWriteTokens + d.usage.OutputTokens
}

// End implements [transport.Decoder].
func (d *decoder) End() (message.MessageEnd, bool, error) {
	for key := range d.extras {
		d.settle(key) // those that were cut
	}
	end := message.MessageEnd{Content: d.answer.Parts(), Usage: d.usage, FinishReason: finish(d.reason)}
	end.Extra = d.metadata()
	return end, d.complete, d.answer.Err()
}

func (d *decoder) metadata() jsontext.Value {
	extra, err := json.Marshal(struct {
		ID           string `json:"id,omitzero"`
		Model        string `json:"model,omitzero"`
		FinishReason string `json:"provider_finish_reason,omitzero"`
		StopSequence string `json:"stop_sequence,omitzero"`
	}{d.id, d.servedBy, d.reason, d.stop}, lenient)
	if err != nil || len(extra) == 2 {
		return nil
	}
	return extra
}

func finish(reason string) string {
	switch reason {
	case "end_turn", "stop_sequence":
		return agent.FinishStop
	case "max_tokens", "model_context_window_exceeded":
		return agent.FinishLength
	case "tool_use":
		return agent.FinishToolCalls
	case "pause_turn":
		return agent.FinishPause
	case "refusal":
		return agent.FinishFilter
	default:
		return reason
	}
}

// stamp says who thought something: the API takes back only what the same model
// thought, and signed itself. A server of the same API under another name signs
// otherwise, though its model may have the same name.
type stamp struct {
	Model    string `json:"model,omitzero"`
	Provider string `json:"provider,omitzero"`
}

func (s stamp) extra() jsontext.Value {
	extra, err := json.Marshal(s, lenient)
	if err != nil || s == (stamp{}) {
		return nil
	}
	return extra
}

func stampOf(extra jsontext.Value) (by stamp) {
	if extra != nil {
		_ = json.Unmarshal(extra, &by) // without a stamp nobody knows
	}
	return by
}
