package gemini

import (
	"crypto/rand"
	"fmt"
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

// decoder reads the events of one answer.
type decoder struct {
	// by is who was asked: the parts are stamped with it.
	by     origin
	names  map[string]string // of tools, by those on the wire
	answer dialogue.Answer
	// open is the kind of the part that more of may come, and parts counts them.
	open  kind
	parts int
	calls int

	id, servedBy     string
	reason, comment  string
	citations, found jsontext.Value
	usage            *message.Usage
	counts           usageMetadata
}

// kind is a kind of part that comes in pieces.
type kind int

const (
	whole kind = iota // none: such a part comes at once
	spoken
	thought
)

// lenient accepts what the JSON of a stream may be: its text may end within a
// character, and arguments may name a member twice.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Decode implements [transport.Decoder]. The API does not say that an answer is
// over; it gives the reason why, and closes the connection.
func (d *decoder) Decode(from sse.Event) (events []message.Event, err error) {
	var e event
	if err := json.Unmarshal(from.Data, &e, lenient); err != nil {
		return nil, err
	}
	if len(e.Error) > 0 && e.Error.Kind() != 'n' {
		status, words := plainly(0, from.Data)
		return nil, transport.FromBody(status, words)
	}
	if e.ResponseID != "" {
		d.id = e.ResponseID
	}
	if e.ModelVersion != "" {
		d.servedBy = e.ModelVersion
	}
	d.count(e.UsageMetadata)
	if blocked := e.PromptFeedback; blocked != nil && blocked.BlockReason != "" {
		return nil, blocked.failure()
	}
	for _, candidate := range e.Candidates {
		if candidate.Index != 0 {
			continue // one answer was asked for
		}
		for i := range candidate.Content.Parts {
			events = append(events, d.part(&candidate.Content.Parts[i])...)
		}
		d.end(&candidate)
	}
	return events, nil
}

func (d *decoder) end(c *candidate) {
	if c.FinishReason != "" {
		d.reason, d.comment = c.FinishReason, c.FinishMessage
	}
	if len(c.CitationMetadata) > 0 {
		d.citations = dialogue.Keepable(c.CitationMetadata)
	}
	if len(c.GroundingMetadata) > 0 {
		d.found = dialogue.Keepable(c.GroundingMetadata)
	}
}

// key returns the key of the part that a piece of the kind belongs to, and whether
// the part begins with it. What is signed is whole: it must not be joined to what is
// not.
func (d *decoder) key(of kind) (key string, begins bool) {
	begins = of == whole || of != d.open
	if begins {
		d.parts++
	}
	d.open = of
	return strconv.Itoa(d.parts), begins
}

func (d *decoder) part(p *answerPart) []message.Event {
	switch {
	case p.FunctionCall != nil:
		return d.call(p.FunctionCall, p.ThoughtSignature)
	case p.InlineData != nil:
		key, _ := d.key(whole)
		extra := d.extra(p.ThoughtSignature)
		source := message.Source{Type: message.SourceBase64, MIME: p.InlineData.MIMEType, Data: p.InlineData.Data}
		if strings.HasPrefix(source.MIME, "image/") {
			d.answer.Put(key, message.Image{Source: source, Extra: extra})
		} else {
			d.answer.Put(key, message.Document{Source: source, Extra: extra})
		}
		return nil
	case len(p.Other) > 2:
		// Something of the provider's own, such as code that it ran: it is kept.
		key, _ := d.key(whole)
		raw, err := json.Marshal(unreadPart{otherPart, dialogue.Keepable(p.Other), p.ThoughtSignature}, lenient)
		if err == nil {
			d.answer.Put(key, message.Unknown{Name: otherPart, Raw: raw})
		}
		return nil
	case p.Thought:
		return d.think(text(p), p.ThoughtSignature)
	default:
		return d.say(text(p), p.ThoughtSignature)
	}
}

// otherPart is the type of parts that only the API knows.
const otherPart = "gemini_part"

type unreadPart struct {
	Type      string         `json:"type"`
	Part      jsontext.Value `json:"part"`
	Signature string         `json:"thought_signature,omitzero"`
}

func text(p *answerPart) dialogue.Delta {
	if p.Text == nil {
		return ""
	}
	return *p.Text
}

func (d *decoder) think(text dialogue.Delta, signature string) []message.Event {
	if text == "" && signature == "" {
		return nil
	}
	of := thought
	if signature != "" {
		of = whole
	}
	key, begins := d.key(of)
	if begins {
		d.answer.Put(key, message.Thinking{Extra: d.extra("")})
	}
	events := d.answer.Think(key, text)
	d.answer.Sign(key, signature)
	return events
}

// say reads a text.
func (d *decoder) say(text dialogue.Delta, signature string) (events []message.Event) {
	if signature != "" && strings.TrimSpace(string(text)) != "" {
		key, _ := d.key(whole)
		said := text.Whole()
		d.answer.Put(key, message.Text{Text: said, Extra: d.extra(signature)})
		return []message.Event{message.TextDelta{Text: said}}
	}
	if text != "" {
		key, _ := d.key(spoken)
		events = d.answer.Text(key, text)
	}
	if signature != "" {
		// Nobody keeps a text without words, but the signature must be kept.
		key, _ := d.key(whole)
		from := d.by
		from.Said = true
		d.answer.Put(key, message.Thinking{Extra: from.extra()})
		d.answer.Sign(key, signature)
	}
	return events
}

// call reads a call, which comes as a whole.
func (d *decoder) call(c *functionCall, signature string) []message.Event {
	key, _ := d.key(whole)
	d.calls++
	from := d.by
	from.Signature, from.CallID = signature, c.ID
	id := c.ID
	if id == "" {
		id = d.newID()
	}
	name := c.Name
	if real, changed := d.names[name]; changed {
		name = real
	}
	events := d.answer.Call(key, id, name, from.extra())
	events = append(events, d.answer.Arguments(key, dialogue.Delta(arguments(c.Args)))...)
	return append(events, d.answer.EndCall(key)...)
}

// arguments returns what a call says. Some servers of the API write it in a string.
func arguments(args jsontext.Value) (text string) {
	switch args.Kind() {
	case 'n', 0:
		return ""
	case '"':
		if json.Unmarshal(args, &text, lenient) == nil {
			return text
		}
	}
	return string(args)
}

// newID returns an id for a call that has none. It must be unlike all others of the
// session.
func (d *decoder) newID() string {
	if d.id == "" {
		d.id = rand.Text()
	}
	return fmt.Sprintf("call_%s_%d", d.id, d.calls)
}

func (d *decoder) extra(signature string) jsontext.Value {
	from := d.by
	from.Signature = signature
	return from.extra()
}

// count takes over the counts that an event tells: they are totals.
func (d *decoder) count(told *usageMetadata) {
	if told == nil {
		return
	}
	if d.usage == nil {
		d.usage = &message.Usage{}
	}
	c := &d.counts
	for _, each := range []struct{ to, from **int }{
		{&c.PromptTokenCount, &told.PromptTokenCount}, {&c.ToolUsePromptTokenCount, &told.ToolUsePromptTokenCount},
		{&c.CachedContentTokenCount, &told.CachedContentTokenCount}, {&c.CandidatesTokenCount, &told.CandidatesTokenCount},
		{&c.ThoughtsTokenCount, &told.ThoughtsTokenCount}, {&c.TotalTokenCount, &told.TotalTokenCount},
	} {
		if *each.from != nil {
			*each.to = *each.from
		}
	}
	*d.usage = message.Usage{
		InputTokens:     value(c.PromptTokenCount) + value(c.ToolUsePromptTokenCount),
		OutputTokens:    value(c.CandidatesTokenCount) + value(c.ThoughtsTokenCount),
		ReasoningTokens: value(c.ThoughtsTokenCount),
		CacheReadTokens: value(c.CachedContentTokenCount),
	}
	d.usage.TotalTokens = max(value(c.TotalTokenCount), d.usage.InputTokens+d.usage.OutputTokens)
}

func value(count *int) int {
	if count == nil {
		return 0
	}
	return *count
}

// End implements [transport.Decoder].
func (d *decoder) End() (message.MessageEnd, bool, error) {
	end := message.MessageEnd{Content: d.answer.Parts(), Usage: d.usage, FinishReason: d.finish()}
	end.Extra = d.metadata()
	err := d.answer.Err()
	if err == nil && (d.reason == "MALFORMED_FUNCTION_CALL" || d.reason == "UNEXPECTED_TOOL_CALL") {
		err = &message.Error{Kind: message.ErrInvalidToolCall, RawArguments: d.comment, Message: "the model wrote a call that cannot be read"}
		end.FinishReason = agent.FinishError
	}
	return end, d.reason != "", err
}

func (d *decoder) metadata() jsontext.Value {
	extra, err := json.Marshal(struct {
		ID            string         `json:"id,omitzero"`
		Model         string         `json:"model,omitzero"`
		FinishReason  string         `json:"provider_finish_reason,omitzero"`
		FinishMessage string         `json:"finish_message,omitzero"`
		Citations     jsontext.Value `json:"citation_metadata,omitzero"`
		Grounding     jsontext.Value `json:"grounding_metadata,omitzero"`
	}{d.id, d.servedBy, d.reason, d.comment, d.citations, d.found}, lenient)
	if err != nil || len(extra) == 2 {
		return nil
	}
	return extra
}

func (d *decoder) finish() string {
	switch d.reason {
	case "STOP", "FUNCTION_CALL":
		if d.answer.Calls() {
			return agent.FinishToolCalls
		}
		return agent.FinishStop
	case "MAX_TOKENS":
		return agent.FinishLength
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
		return agent.FinishFilter
	default:
		return d.reason
	}
}

// failure is the error for a prompt that is not answered.
func (f *promptFeedback) failure() *message.Error {
	words := "the request was blocked: " + f.BlockReason
	if f.BlockReasonMessage != "" {
		words += ": " + f.BlockReasonMessage
	}
	return &message.Error{Kind: message.ErrContentFilter, Message: words}
}
