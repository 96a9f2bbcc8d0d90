package openai

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// responsesDecoder reads the events of one answer of the Responses API. The answer
// is a list of items; an item is announced, streamed in pieces, and then told as a
// whole. What the pieces did not bring is taken from the whole.
type responsesDecoder struct {
	by     stamp             // thoughts are stamped with it
	names  map[string]string // of tools, by those on the wire
	answer dialogue.Answer
	items  map[int]*progress

	id, servedBy string
	reason       string // why the answer is incomplete
	refused      bool
	usage        *message.Usage
	complete     bool
}

// progress is how far an item has come.
type progress struct {
	begun, done bool
	// streamed has the indexes of the contents that came in pieces; those of
	// reasoning and of arguments are zero.
	streamed map[int]bool
	summary  int // the part of the summary that is being told
}

// lenient accepts what the JSON of a stream may be: its text may end within a
// character, and no server is refused for saying something twice.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Decode implements [transport.Decoder].
func (d *responsesDecoder) Decode(from sse.Event) ([]message.Event, error) {
	if string(from.Data) == "[DONE]" { // not the API's, but some gateways add it
		return nil, io.EOF
	}
	var e event
	if err := json.Unmarshal(from.Data, &e, lenient); err != nil {
		return nil, err
	}
	switch e.Type {
	case "response.output_text.delta", "response.refusal.delta":
		d.refused = d.refused || e.Type == "response.refusal.delta"
		d.item(e.OutputIndex).stream(e.ContentIndex)
		return d.answer.Text(contentKey(e.OutputIndex, e.ContentIndex), e.Delta), nil
	case "response.reasoning_summary_text.delta":
		return d.think(e.OutputIndex, e.SummaryIndex, e.Delta), nil
	case "response.reasoning_text.delta":
		return d.think(e.OutputIndex, e.ContentIndex, e.Delta), nil
	case "response.function_call_arguments.delta":
		d.item(e.OutputIndex).stream(0)
		return d.answer.Arguments(itemKey(e.OutputIndex), e.Delta), nil
	case "response.output_item.added":
		return d.begin(e.OutputIndex, e.Item)
	case "response.output_item.done":
		return d.finish(e.OutputIndex, e.Item)
	case "response.created":
		return nil, d.head(e.Response)
	case "response.completed", "response.incomplete":
		return d.end(e.Response)
	case "response.failed":
		var failed response
		if err := json.Unmarshal(e.Response, &failed, lenient); err != nil {
			return nil, fmt.Errorf("response: %w", err)
		}
		d.count(failed.Usage)
		return nil, fromError(failed.Error)
	case "error":
		return nil, fromError(from.Data)
	}
	// Others repeat what is known by then; new ones may come.
	return nil, nil
}

func itemKey(output int) string { return strconv.Itoa(output) }

func contentKey(output, content int) string {
	return strconv.Itoa(output) + "." + strconv.Itoa(content)
}

func (d *responsesDecoder) item(output int) *progress {
	p := d.items[output]
	if p == nil {
		if d.items == nil {
			d.items = make(map[int]*progress)
		}
		p = &progress{streamed: make(map[int]bool)}
		d.items[output] = p
	}
	return p
}

func (p *progress) stream(content int) { p.streamed[content] = true }

// think adds to the thinking of an item. Its parts are paragraphs.
func (d *responsesDecoder) think(output, part int, delta dialogue.Delta) []message.Event {
	p := d.item(output)
	key := itemKey(output)
	if !p.streamed[0] {
		d.answer.Put(key, message.Thinking{Extra: d.by.extra()})
	}
	if part != p.summary && p.streamed[0] {
		delta = dialogue.Delta("\n\n" + delta.Whole())
	}
	p.summary = part
	p.stream(0)
	return d.answer.Think(key, delta)
}

func (d *responsesDecoder) begin(output int, raw jsontext.Value) ([]message.Event, error) {
	var o outputItem
	if err := json.Unmarshal(raw, &o, lenient); err != nil {
		return nil, fmt.Errorf("item: %w", err)
	}
	return d.beginItem(output, o), nil
}

// beginItem begins a call: other items begin with their pieces.
func (d *responsesDecoder) beginItem(output int, o outputItem) []message.Event {
	p := d.item(output)
	if o.Type != "function_call" || p.begun {
		return nil
	}
	p.begun = true
	if real, changed := d.names[o.Name]; changed {
		o.Name = real
	}
	return d.answer.Call(itemKey(output), o.CallID, o.Name, nil)
}

// finish takes over an item as a whole.
func (d *responsesDecoder) finish(output int, raw jsontext.Value) ([]message.Event, error) {
	var o outputItem
	if err := json.Unmarshal(raw, &o, lenient); err != nil {
		return nil, fmt.Errorf("item: %w", err)
	}
	p := d.item(output)
	if p.done {
		return nil, nil
	}
	p.done = true
	key := itemKey(output)
	switch o.Type {
	case "message":
		return d.said(output, p, o), nil
	case "reasoning":
		events := d.thought(output, p, o)
		d.answer.Attach(key, dialogue.Keepable(raw))
		return events, nil
	case "function_call":
		events := d.beginItem(output, o)
		if !p.streamed[0] {
			events = append(events, d.answer.Arguments(key, dialogue.Delta(o.Arguments))...)
		}
		if o.Status == "incomplete" { // cut short: nobody may run it
			return events, nil
		}
		return append(events, d.answer.EndCall(key)...), nil
	default:
		part, err := message.DecodePart(dialogue.Keepable(raw))
		if err != nil {
			return nil, fmt.Errorf("item: %w", err)
		}
		d.answer.Put(key, part)
		return nil, nil
	}
}

func (d *responsesDecoder) said(output int, p *progress, o outputItem) (events []message.Event) {
	for i, part := range o.Content {
		text := part.Text + part.Refusal
		d.refused = d.refused || part.Refusal != ""
		if text == "" {
			continue
		}
		key := contentKey(output, i)
		if !p.streamed[i] {
			events = append(events, d.answer.Text(key, dialogue.Delta(text))...)
		}
		if o.Phase != "" {
			quoted, _ := jsontext.AppendQuote(nil, o.Phase)
			d.answer.Put(key, message.Text{Text: text, Extra: jsontext.Value(`{"` + phase + `":` + string(quoted) + `}`)})
		}
	}
	return events
}

// thought makes sure of the thinking part that the item is kept in.
func (d *responsesDecoder) thought(output int, p *progress, o outputItem) (events []message.Event) {
	if p.streamed[0] {
		return nil
	}
	d.answer.Put(itemKey(output), message.Thinking{Extra: d.by.extra()})
	told := o.Summary
	if len(told) == 0 {
		told = o.Content
	}
	for i, part := range told {
		if part.Text != "" {
			events = append(events, d.think(output, i, dialogue.Delta(part.Text))...)
		}
	}
	return events
}

func (d *responsesDecoder) head(raw jsontext.Value) error {
	var r response
	if err := json.Unmarshal(raw, &r, lenient); err != nil {
		return fmt.Errorf("response: %w", err)
	}
	d.id, d.servedBy = r.ID, r.Model
	return nil
}

// end takes over the answer as a whole.
func (d *responsesDecoder) end(raw jsontext.Value) (events []message.Event, err error) {
	var r response
	if err := json.Unmarshal(raw, &r, lenient); err != nil {
		return nil, fmt.Errorf("response: %w", err)
	}
	for i, item := range r.Output {
		more, err := d.finish(i, item)
		if err != nil {
			return events, err
		}
		events = append(events, more...)
	}
	d.id, d.servedBy = r.ID, r.Model
	d.count(r.Usage)
	if r.IncompleteDetails != nil {
		d.reason = r.IncompleteDetails.Reason
	}
	d.complete = true
	return events, io.EOF
}

func (d *responsesDecoder) count(u *usage) {
	if u == nil {
		return
	}
	d.usage = tokens(u.InputTokens, u.InputTokensDetails.CachedTokens, u.InputTokensDetails.CacheWriteTokens,
		u.OutputTokens, u.OutputTokensDetails.ReasoningTokens)
}

// tokens returns usage. OpenAI counts what went into a cache as input, and we
// count it apart.
func tokens(input, cacheRead, cacheWrite, output, reasoning int) *message.Usage {
	return &message.Usage{
		InputTokens: max(0, input-cacheWrite), CacheReadTokens: cacheRead, CacheWriteTokens: cacheWrite,
		OutputTokens: output, ReasoningTokens: reasoning, TotalTokens: input + output,
	}
}

// End implements [transport.Decoder].
func (d *responsesDecoder) End() (message.MessageEnd, bool, error) {
	end := message.MessageEnd{Content: d.answer.Parts(), Usage: d.usage, FinishReason: d.finished()}
	end.Extra = metadata(d.id, d.servedBy, d.reason)
	return end, d.complete, d.answer.Err()
}

func (d *responsesDecoder) finished() string {
	switch {
	case d.reason == "max_output_tokens":
		return agent.FinishLength
	case d.reason == "content_filter" || d.reason == "" && d.refused:
		return agent.FinishFilter
	case d.reason != "":
		return d.reason
	case d.answer.Calls():
		return agent.FinishToolCalls
	default:
		return agent.FinishStop
	}
}

// metadata is what a provider says about an answer besides.
func metadata(id, model, reason string) jsontext.Value {
	extra, err := json.Marshal(struct {
		ID     string `json:"id,omitzero"`
		Model  string `json:"model,omitzero"`
		Reason string `json:"provider_finish_reason,omitzero"`
	}{id, model, reason}, lenient)
	if err != nil || len(extra) == 2 {
		return nil
	}
	return extra
}

// fromError returns the error that an answer tells of after it began well. The
// codes that are not errors of the server say what is wrong with the request.
func fromError(raw jsontext.Value) error {
	code := member[string](raw, "code")
	if nested := member[jsontext.Value](raw, "error"); nested.Kind() == '{' {
		raw, code = nested, member[string](nested, "code")
	}
	if raw.Kind() != '{' {
		raw = jsontext.Value(`{"message":"the server does not say why"}`)
	}
	body := append(append([]byte(`{"error":`), raw...), '}')
	switch {
	case strings.Contains(code, "policy"):
		failure := transport.FromBody(400, body)
		failure.Kind = message.ErrContentFilter
		return failure
	case strings.Contains(code, "image"), code == "data_residency_mismatch":
		return transport.FromBody(400, body)
	default:
		return transport.FromBody(0, body)
	}
}
