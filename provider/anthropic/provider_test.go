package anthropic

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

func TestProvider(t *testing.T) { providertest.Run(t, subject()) }

func subject() providertest.Subject {
	const name = "claude-sonnet-4-5"
	return providertest.Subject{
		Model: name,
		Encode: func(r message.Request) (jsontext.Value, []message.Degradation, error) {
			return Encode(r, model.Default().Find(Name, r.Model))
		},
		Check:    check,
		Golden:   "testdata/golden",
		Segments: []string{"tools", "system", "messages"},
		Markers:  []string{"cache_control"},
		Open: func(baseURL string, transport http.RoundTripper) agent.Provider {
			p, err := New(Config{Endpoint: agent.Endpoint{Key: providertest.Key, BaseURL: baseURL, Transport: transport}})
			if err != nil {
				panic(err)
			}
			return p
		},
		KeyHeader: "X-Api-Key", KeyValue: providertest.Key,
		Wire: wire,
		WireError: func(kind message.ErrorKind, words string) string {
			types := map[message.ErrorKind]string{message.ErrUnavailable: "overloaded_error", message.ErrInvalidRequest: "invalid_request_error"}
			return frame("error", fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q}}`, types[kind], words))
		},
		ErrorBody: func(status int, words string) string {
			types := map[int]string{400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
			kind := types[status]
			if kind == "" {
				kind = "api_error"
			}
			return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, words)
		},
		MockModel: name,
	}
}

// wire writes a reply as the API streams it.
func wire(r providertest.Reply) (events []string) {
	add := func(name, format string, args ...any) {
		events = append(events, frame(name, fmt.Sprintf(format, args...)))
	}
	add("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":1}}}`, r.Input, r.Cached)
	add("ping", `{"type":"ping"}`)
	index := 0
	block := func(start string, deltas ...string) {
		add("content_block_start", `{"type":"content_block_start","index":%d,"content_block":%s}`, index, start)
		for _, delta := range deltas {
			add("content_block_delta", `{"type":"content_block_delta","index":%d,"delta":%s}`, index, delta)
		}
		add("content_block_stop", `{"type":"content_block_stop","index":%d}`, index)
		index++
	}
	if r.Thinking != "" {
		block(`{"type":"thinking","thinking":"","signature":""}`,
			`{"type":"thinking_delta","thinking":`+quote(r.Thinking)+`}`, `{"type":"signature_delta","signature":`+quote(r.Signature)+`}`)
	}
	if len(r.Text) > 0 {
		var deltas []string
		for _, text := range r.Text {
			deltas = append(deltas, `{"type":"text_delta","text":`+quote(text)+`}`)
		}
		block(`{"type":"text","text":""}`, deltas...)
	}
	for _, call := range r.Calls {
		deltas := []string{`{"type":"input_json_delta","partial_json":""}`}
		for _, piece := range call.Arguments {
			deltas = append(deltas, `{"type":"input_json_delta","partial_json":`+quote(piece)+`}`)
		}
		block(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, call.ID, call.Name), deltas...)
	}
	reason := map[string]string{agent.FinishStop: "end_turn", agent.FinishLength: "max_tokens", agent.FinishToolCalls: "tool_use", agent.FinishFilter: "refusal"}[r.Finish]
	add("message_delta", `{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}}`, reason, r.Output)
	add("message_stop", `{"type":"message_stop"}`)
	return events
}

func frame(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

func quote(text string) string {
	out, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return strconv.Quote(text)
	}
	return string(out)
}

func TestProviderAgainstMock(t *testing.T) { providertest.RunMock(t, subject()) }

func FuzzStream(f *testing.F) { providertest.FuzzStream(f, subject()) }
