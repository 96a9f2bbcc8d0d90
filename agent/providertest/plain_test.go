package providertest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// plain is a provider whose API is as plain as can be, to try the suite on. It can
// be told to do one thing wrong.
type plain struct {
	wrong  string
	client transport.Client
	url    string
}

// card is of its only model.
var card = model.Card{Provider: "plain", Images: true, Documents: true, Tools: true}

// The request: what is said, by whom, in lines of text.
type plainBody struct {
	Nonce  int64    `json:"nonce,omitzero"`
	System []string `json:"system,omitzero"`
	Lines  []string `json:"lines"`
}

// An event: one of its members is set.
type plainEvent struct {
	Text      dialogue.Delta `json:"text,omitzero"`
	Thinking  dialogue.Delta `json:"thinking,omitzero"`
	Signature string         `json:"signature,omitzero"`
	Call      string         `json:"call,omitzero"`
	Name      string         `json:"name,omitzero"`
	Arguments dialogue.Delta `json:"arguments,omitzero"`
	Finish    string         `json:"finish,omitzero"`
	Input     int            `json:"input,omitzero"`
	Cached    int            `json:"cached,omitzero"`
	Output    int            `json:"output,omitzero"`
}

var nonce atomic.Int64

func (p *plain) encode(r message.Request) (jsontext.Value, []message.Degradation, error) {
	if p.wrong == "moves contexts to the top" {
		r.Messages = slices.Clone(r.Messages)
		slices.SortStableFunc(r.Messages, func(a, b message.Message) int {
			rank := map[bool]int{true: 0, false: 1}
			return rank[a.Role == message.Developer] - rank[b.Role == message.Developer]
		})
	}
	d, err := dialogue.Of(r, dialogue.Rules{})
	if err != nil {
		return nil, nil, err
	}
	body := plainBody{System: d.System}
	if p.wrong == "sends something else each time" {
		body.Nonce = nonce.Add(1)
	}
	if p.wrong == "tells how long the session is" {
		body.System = append(body.System, strconv.Itoa(len(d.Turns)))
	}
	for i, turn := range d.Turns {
		for _, part := range turn.Parts {
			line := string(turn.Role) + ": "
			switch part := part.(type) {
			case message.Text:
				line += part.Text
			case message.ToolCall:
				line += "calls " + part.ID + " " + part.Name + string(part.Input)
			default:
				line += part.Type()
			}
			body.Lines = append(body.Lines, line)
		}
		for _, result := range turn.Results {
			if p.wrong == "forgets results" && i == len(d.Turns)-1 {
				continue
			}
			body.Lines = append(body.Lines, "tool: answers "+result.CallID+" "+fmt.Sprint(result.Parts))
		}
		if p.wrong == "looks back at everything each time" {
			for _, line := range body.Lines {
				// Dear enough to be found on a machine that does other things too.
				if strings.HasSuffix(line, "never") || strings.HasSuffix(line, "ever") || strings.HasPrefix(line, "never") || strings.HasPrefix(line, "ever") {
					break
				}
			}
		}
	}
	out, err := json.Marshal(body, jsontext.AllowInvalidUTF8(true))
	notes := d.Notes.Degradations()
	if p.wrong == "degrades in silence" {
		notes = nil
	}
	return out, notes, err
}

// checkPlain wants every call to be answered.
func checkPlain(body jsontext.Value) error {
	var b plainBody
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	calls, answers := 0, 0
	for _, line := range b.Lines {
		if strings.HasPrefix(line, "assistant: calls ") {
			calls++
		}
		if strings.HasPrefix(line, "tool: answers ") {
			answers++
		}
	}
	if calls != answers {
		return fmt.Errorf("%d calls, %d results", calls, answers)
	}
	return nil
}

func (p *plain) Name() string { return "plain" }

func (p *plain) Model(name string) model.Card {
	known := card
	known.Name = name
	return known
}

func (p *plain) Stream(ctx context.Context, r message.Request) agent.Stream {
	body, degradations, err := p.encode(r)
	if err != nil {
		return transport.Refuse("plain", r.Model, err)
	}
	call := transport.Call{URL: p.url, Header: http.Header{"Authorization": {Key}}, Body: body, Model: r.Model, Timeout: r.Timeout}
	switch p.wrong {
	case "puts the key into the address":
		call.URL += "?key=" + Key
	case "does not listen to cancelling":
		ctx = context.WithoutCancel(ctx)
	case "forgets the time of the request":
		call.Timeout = 0
	}
	stream := p.client.Stream(ctx, call, p.Model(r.Model), degradations, func() transport.Decoder { return &plainDecoder{wrong: p.wrong} })
	if p.wrong == "sends before it is asked to" {
		var pairs []func(func(message.Event, error) bool) bool
		for event, err := range stream {
			pairs = append(pairs, func(yield func(message.Event, error) bool) bool { return yield(event, err) })
		}
		return func(yield func(message.Event, error) bool) {
			for _, pair := range pairs {
				if !pair(yield) {
					return
				}
			}
		}
	}
	return func(yield func(message.Event, error) bool) {
		for event, err := range stream {
			event, err := p.spoil(event, err)
			if event == nil && err == nil {
				continue
			}
			if !yield(event, err) {
				return
			}
		}
	}
}

// spoil does what is wrong to an event on its way.
func (p *plain) spoil(event message.Event, err error) (message.Event, error) {
	end, ends := event.(message.MessageEnd)
	switch {
	case p.wrong == "loses what came before an error" && ends && err != nil:
		end.Content = nil
		return end, err
	case p.wrong == "keeps errors to itself" && err != nil && event != nil:
		return event, nil
	case p.wrong == "tells the key" && err != nil:
		return event, fmt.Errorf("%w (%s)", err, Key)
	case p.wrong == "tells errors in lines" && err != nil:
		return event, fmt.Errorf("%w\nand so on", err)
	case p.wrong == "forgets the start" && event != nil && event.Type() == message.TypeMessageStart:
		return nil, nil
	case p.wrong == "forgets usage" && ends:
		end.Usage = &message.Usage{}
		return end, err
	}
	return event, err
}

type plainDecoder struct {
	wrong    string
	answer   dialogue.Answer
	end      message.MessageEnd
	complete bool
}

func (d *plainDecoder) Decode(from sse.Event) ([]message.Event, error) {
	if from.Name == "error" {
		return nil, transport.FromBody(0, from.Data)
	}
	var e plainEvent
	if err := json.Unmarshal(from.Data, &e, jsontext.AllowInvalidUTF8(true)); err != nil && d.wrong == "passes over what it cannot read" {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	switch {
	case e.Finish != "":
		d.complete = true
		d.end.FinishReason = e.Finish
		d.end.Extra = jsontext.Value(`{"provider_finish_reason":"` + e.Finish + `"}`)
		d.end.Usage = &message.Usage{InputTokens: e.Input + e.Cached, CacheReadTokens: e.Cached, OutputTokens: e.Output, TotalTokens: e.Input + e.Cached + e.Output}
		return d.answer.EndCalls(), io.EOF
	case e.Name != "":
		return d.answer.Call(e.Call, e.Call, e.Name, nil), nil
	case e.Call != "":
		return d.answer.Arguments(e.Call, e.Arguments), nil
	case e.Thinking != "":
		d.answer.Sign("thinking", e.Signature)
		return d.answer.Think("thinking", e.Thinking), nil
	default:
		return d.answer.Text("text", e.Text), nil
	}
}

func (d *plainDecoder) End() (message.MessageEnd, bool, error) {
	if d.wrong == "ends calls that were cut" {
		d.answer.EndCalls()
	}
	if d.wrong == "takes any end for the end" {
		d.complete = true
	}
	d.end.Content = d.answer.Parts()
	err := d.answer.Err()
	if d.wrong == "does not look at arguments" {
		err = nil
	}
	return d.end, d.complete, err
}

func plainWire(r Reply) (events []string) {
	add := func(e plainEvent) {
		data, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		events = append(events, "data: "+string(data)+"\n\n")
	}
	if r.Thinking != "" {
		add(plainEvent{Thinking: dialogue.Delta(r.Thinking), Signature: r.Signature})
	}
	for _, text := range r.Text {
		add(plainEvent{Text: dialogue.Delta(text)})
	}
	for _, c := range r.Calls {
		add(plainEvent{Call: c.ID, Name: c.Name})
		for _, arguments := range c.Arguments {
			add(plainEvent{Call: c.ID, Arguments: dialogue.Delta(arguments)})
		}
	}
	add(plainEvent{Finish: r.Finish, Input: r.Input, Cached: r.Cached, Output: r.Output})
	return events
}

func plainError(kind string, words string) string {
	return fmt.Sprintf(`{"error":{"type":%q,"message":%q}}`, kind, words)
}

func plainSubject(t *testing.T, wrong string) Subject {
	if *update = true; wrong == "" {
		t.Log("nothing is wrong")
	}
	encoder := &plain{wrong: wrong}
	var hurry time.Duration
	if wrong != "" {
		hurry = 5 * time.Second
	}
	return Subject{
		hurry: hurry,
		Model: "plain-1", Encode: encoder.encode, Check: checkPlain, Golden: t.TempDir(), Segments: []string{"system", "lines"},
		Open: func(baseURL string, transporter http.RoundTripper) agent.Provider {
			client := transport.Client{Provider: "plain", Transport: transporter, Secret: Key}
			if wrong == "gives up at once" {
				client.Retry.Attempts = 1
			}
			return &plain{wrong: wrong, url: baseURL + "/say", client: client}
		},
		KeyHeader: "Authorization", KeyValue: Key,
		Wire: plainWire,
		WireError: func(kind message.ErrorKind, words string) string {
			types := map[message.ErrorKind]string{message.ErrUnavailable: "overloaded_error", message.ErrInvalidRequest: "invalid_request_error"}
			return "event: error\ndata: " + plainError(types[kind], words) + "\n\n"
		},
		ErrorBody: func(status int, words string) string { return plainError("api_error", words) },
	}
}
