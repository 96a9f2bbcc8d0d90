package openai

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
)

// hear gives the data of events to a decoder and tells, in short, what they mean
// and what is left at the end.
func hear(d transport.Decoder, events ...string) (heard []string, end message.MessageEnd, complete bool, err error) {
	for _, data := range events {
		meant, failure := d.Decode(sse.Event{Data: []byte(data)})
		for _, event := range meant {
			switch event := event.(type) {
			case message.TextDelta:
				heard = append(heard, "say "+event.Text)
			case message.ThinkingDelta:
				heard = append(heard, "think "+event.Text)
			case message.ToolCallStart:
				heard = append(heard, "call "+event.ID+" "+event.Name)
			case message.ToolCallDelta:
				heard = append(heard, event.ID+" + "+event.ArgumentsFragment)
			case message.ToolCallEnd:
				heard = append(heard, event.ID+" = "+string(event.Arguments))
			}
		}
		if failure == io.EOF {
			break
		}
		if failure != nil {
			end, complete, _ = d.End()
			return heard, end, complete, failure
		}
	}
	end, complete, err = d.End()
	return heard, end, complete, err
}

func partsOf(t *testing.T, end message.MessageEnd) (parts []string) {
	t.Helper()
	for _, part := range end.Content {
		raw, err := message.EncodePart(part)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, string(raw))
	}
	return parts
}

// heard is what a stream must come to.
type heard struct {
	name     string
	events   []string
	heard    []string
	parts    []string
	finish   string
	complete bool
	kind     message.ErrorKind // of the error, empty if there is none
}

// invented is an id that no server gave.
var invented = regexp.MustCompile(`call_[0-9a-z]+_0`)

func (c heard) hold(t *testing.T, d transport.Decoder) {
	t.Helper()
	events, end, complete, err := hear(d, c.events...)
	parts := partsOf(t, end)
	for _, list := range [][]string{events, parts} {
		for i := range list {
			list[i] = invented.ReplaceAllString(list[i], "*")
		}
	}
	if diff := cmp.Diff(c.heard, events); diff != "" {
		t.Errorf("events (-want +have):\n%s", diff)
	}
	if diff := cmp.Diff(c.parts, parts); diff != "" {
		t.Errorf("parts (-want +have):\n%s", diff)
	}
	if end.FinishReason != c.finish || complete != c.complete {
		t.Errorf("finish reason %q, complete %v; want %q, %v", end.FinishReason, complete, c.finish, c.complete)
	}
	if c.kind == "" && err != nil || c.kind != "" && !errors.Is(err, c.kind) {
		t.Errorf("error %v, want the kind %q", err, string(c.kind))
	}
}

func TestResponsesStream(t *testing.T) {
	const done = `{"type":"response.completed","response":{"id":"r","model":"m","output":[]}}`
	for _, c := range []heard{
		{"items that come as a whole, without a piece", []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"A."},{"type":"summary_text","text":"B."}]}}`,
			`{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"Hi."}]}}`,
			`{"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"}}`,
			done,
		}, []string{"think A.", "think \n\nB.", "say Hi.", "call c f", `c + {"a":1}`, `c = {"a":1}`}, []string{
			`{"type":"thinking","thinking":"A.\n\nB.","content":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"A."},{"type":"summary_text","text":"B."}]}],"provider":"openai","model":"m"}`,
			`{"type":"text","text":"Hi."}`,
			`{"type":"tool_call","id":"c","name":"f","input":{"a":1}}`,
		}, agent.FinishToolCalls, true, ""},
		{"an answer of which only the end came", []string{
			`{"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"Hi."}]}]}}`,
		}, []string{"say Hi."}, []string{`{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
		{"paragraphs of a summary", []string{
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"A"}`,
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"."}`,
			`{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"B."}`,
			done,
		}, []string{"think A", "think .", "think \n\nB."}, []string{`{"type":"thinking","thinking":"A.\n\nB.","provider":"openai","model":"m"}`}, agent.FinishStop, true, ""},
		{"reasoning in the open, as local servers have it", []string{
			`{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"Hm."}`, done,
		}, []string{"think Hm."}, []string{`{"type":"thinking","thinking":"Hm.","provider":"openai","model":"m"}`}, agent.FinishStop, true, ""},
		{"encrypted reasoning that nobody can read", []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"eA=="}}`, done,
		}, nil, []string{`{"type":"thinking","thinking":"","content":[{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"eA=="}],"provider":"openai","model":"m"}`}, agent.FinishStop, true, ""},
		{"the phase of a text", []string{
			`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"I look."}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","phase":"commentary","content":[{"type":"output_text","text":"I look."}]}}`, done,
		}, []string{"say I look."}, []string{`{"type":"text","text":"I look.","phase":"commentary"}`}, agent.FinishStop, true, ""},
		{"a refusal", []string{
			`{"type":"response.refusal.delta","output_index":0,"content_index":0,"delta":"I will not."}`, done,
		}, []string{"say I will not."}, []string{`{"type":"text","text":"I will not."}`}, agent.FinishFilter, true, ""},
		{"a refusal that comes as a whole", []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"refusal","refusal":"No."}]}}`, done,
		}, []string{"say No."}, []string{`{"type":"text","text":"No."}`}, agent.FinishFilter, true, ""},
		{"a call that the limit cut is not to be run", []string{
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}}`,
			`{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a\":"}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","status":"incomplete","call_id":"c","name":"f","arguments":"{\"a\":"}}`,
			`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"},"output":[]}}`,
		}, []string{"call c f", `c + {"a":`}, nil, agent.FinishLength, true, ""},
		{"a call under the name that was sent", []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"c","name":"` + names.Fit("git.log") + `","arguments":"{}"}}`, done,
		}, []string{"call c git.log", "c + {}", "c = {}"}, []string{`{"type":"tool_call","id":"c","name":"git.log","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"an item that nobody asked for is kept", []string{
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"web_search_call","id":"ws"}}`, done,
		}, nil, []string{`{"type":"web_search_call","id":"ws"}`}, agent.FinishStop, true, ""},
		{"a reason that is not known is told as it is", []string{
			`{"type":"response.incomplete","response":{"incomplete_details":{"reason":"steered"}}}`,
		}, nil, nil, "steered", true, ""},
		{"an event that is not known", []string{`{"type":"response.dream.delta","delta":"sheep"}`, done}, nil, nil, agent.FinishStop, true, ""},
		{"an end that is no event", []string{done, `[DONE]`}, nil, nil, agent.FinishStop, true, ""},
		{"a failure keeps what came", []string{
			`{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi"}`,
			`{"type":"response.failed","response":{"error":{"code":"server_error","message":"oops"}}}`,
		}, []string{"say Hi"}, []string{`{"type":"text","text":"Hi"}`}, agent.FinishStop, false, message.ErrUnavailable},
		{"a failure for too many requests", []string{`{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"slow"}}}`}, nil, nil, agent.FinishStop, false, message.ErrRateLimit},
		{"a failure for a picture", []string{`{"type":"response.failed","response":{"error":{"code":"invalid_image_format","message":"what is that"}}}`}, nil, nil, agent.FinishStop, false, message.ErrInvalidRequest},
		{"a failure for a policy", []string{`{"type":"response.failed","response":{"error":{"code":"bio_policy","message":"no"}}}`}, nil, nil, agent.FinishStop, false, message.ErrContentFilter},
		{"a failure without a reason", []string{`{"type":"response.failed","response":{"error":null}}`}, nil, nil, agent.FinishStop, false, message.ErrUnavailable},
		{"an error event", []string{`{"type":"error","code":"context_length_exceeded","message":"too long"}`}, nil, nil, agent.FinishStop, false, message.ErrContextLength},
		{"an error event with the error inside", []string{`{"type":"error","error":{"type":"invalid_request_error","code":"insufficient_quota","message":"pay"}}`}, nil, nil, agent.FinishStop, false, message.ErrQuota},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.hold(t, &responsesDecoder{by: stamp{"openai", "m"}, names: names.Real([]message.ToolSpec{{Name: "git.log"}})})
		})
	}
}

func TestChatStream(t *testing.T) {
	chunk := func(delta string) string { return `{"id":"x","choices":[{"index":0,"delta":` + delta + `}]}` }
	finish := func(reason string) string {
		return `{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
	}
	for _, c := range []heard{
		{"reasoning under its other name, before and between", []string{
			chunk(`{"reasoning":"A."}`), chunk(`{"content":"One."}`), chunk(`{"reasoning":"B."}`), chunk(`{"content":"Two."}`), finish("stop"), "[DONE]",
		}, []string{"think A.", "say One.", "think B.", "say Two."}, []string{
			`{"type":"thinking","thinking":"A.","provider":"chat","model":"m"}`, `{"type":"text","text":"One."}`,
			`{"type":"thinking","thinking":"B.","provider":"chat","model":"m"}`, `{"type":"text","text":"Two."}`,
		}, agent.FinishStop, true, ""},
		{"reasoning under both names is said once", []string{chunk(`{"reasoning":"A.","reasoning_content":"A."}`), finish("stop")},
			[]string{"think A."}, []string{`{"type":"thinking","thinking":"A.","provider":"chat","model":"m"}`}, agent.FinishStop, true, ""},
		{"content as a list of parts, thinking among them", []string{
			chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Hi."}]}`), chunk(`{"content":null}`), finish("stop"),
		}, []string{"think Hm.", "say Hi."}, []string{`{"type":"thinking","thinking":"Hm.","provider":"chat","model":"m"}`, `{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
		{"the last words may come with the reason", []string{
			`{"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}`,
		}, []string{"say Hi."}, []string{`{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
		{"calls in pieces, one after the other in turns", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}`),
			chunk(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}]}`),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1}"}},{"index":1,"function":{"arguments":"}"}}]}`),
			finish("tool_calls"), "[DONE]",
		}, []string{"call a f", "call b g", "b + {", `a + {"x":1}`, "b + }", `a = {"x":1}`, "b = {}"},
			[]string{`{"type":"tool_call","id":"a","name":"f","input":{"x":1}}`, `{"type":"tool_call","id":"b","name":"g","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"calls that all have the index zero", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`),
			chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\":1}"}}]}`), finish("stop"),
		}, []string{"call a f", "a + {}", "call b f", `b + {"x":1}`, "a = {}", `b = {"x":1}`},
			[]string{`{"type":"tool_call","id":"a","name":"f","input":{}}`, `{"type":"tool_call","id":"b","name":"f","input":{"x":1}}`}, agent.FinishToolCalls, true, ""},
		{"calls without an index, arguments as an object", []string{
			chunk(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}},{"id":"b","function":{"name":"g","arguments":null}}]}`), finish("tool_calls"),
		}, []string{"call a f", `a + {"x":1}`, "call b g", `a = {"x":1}`, "b = {}"},
			[]string{`{"type":"tool_call","id":"a","name":"f","input":{"x":1}}`, `{"type":"tool_call","id":"b","name":"g","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"an id that comes with every piece", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`),
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"}"}}]}`), finish("tool_calls"),
		}, []string{"call a f", "a + {", "a + }", "a = {}"}, []string{`{"type":"tool_call","id":"a","name":"f","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"of calls that the limit cut the last is not to be run", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"b","function":{"name":"f","arguments":"{\"x\":"}}]}`), finish("length"), "[DONE]",
		}, []string{"call a f", "a + {}", "call b f", `b + {"x":`, "a = {}"}, []string{`{"type":"tool_call","id":"a","name":"f","input":{}}`}, agent.FinishLength, true, ""},
		{"the one call of older servers", []string{
			chunk(`{"role":"assistant","content":null,"function_call":null}`), chunk(`{"function_call":{"name":"f","arguments":""}}`),
			chunk(`{"function_call":{"arguments":"{\"x\""}}`), chunk(`{"function_call":{"arguments":":1}"}}`), finish("function_call"), "[DONE]",
		}, []string{"call * f", `* + {"x"`, "* + :1}", `* = {"x":1}`}, []string{`{"type":"tool_call","id":"*","name":"f","input":{"x":1}}`}, agent.FinishToolCalls, true, ""},
		{"an older call that the server says nothing of at the end", []string{chunk(`{"function_call":{"name":"` + names.Fit("git.log") + `","arguments":"{}"}}`), finish("stop")},
			[]string{"call * git.log", "* + {}", "* = {}"}, []string{`{"type":"tool_call","id":"*","name":"git.log","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"a call that is told in both ways is one", []string{
			chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}],"function_call":{"name":"f","arguments":"{}"}}`), finish("tool_calls"),
		}, []string{"call a f", "a + {}", "a = {}"}, []string{`{"type":"tool_call","id":"a","name":"f","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"an older call that is no object", []string{chunk(`{"content":"Hi","function_call":""}`), chunk(`{"content":".","function_call":[]}`), finish("stop")}, []string{"say Hi", "say ."}, []string{`{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
		{"an older call that is none", []string{chunk(`{"content":"Hi.","function_call":{}}`), finish("stop")}, []string{"say Hi."}, []string{`{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
		{"a call under the name that was sent", []string{chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"` + names.Fit("git.log") + `","arguments":"{}"}}]}`), finish("tool_calls")},
			[]string{"call a git.log", "a + {}", "a = {}"}, []string{`{"type":"tool_call","id":"a","name":"git.log","input":{}}`}, agent.FinishToolCalls, true, ""},
		{"a refusal", []string{chunk(`{"refusal":"No."}`), finish("stop")}, []string{"say No."}, []string{`{"type":"text","text":"No."}`}, agent.FinishFilter, true, ""},
		{"an end without a reason", []string{chunk(`{"content":"Hi."}`), "[DONE]"}, []string{"say Hi."}, []string{`{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
		{"no end at all", []string{chunk(`{"content":"Hi"}`)}, []string{"say Hi"}, []string{`{"type":"text","text":"Hi"}`}, agent.FinishStop, false, ""},
		{"a reason that is not known is told as it is", []string{finish("moderated")}, nil, nil, "moderated", true, ""},
		{"an error keeps what came", []string{chunk(`{"content":"Hi"}`), `{"error":{"message":"boom","type":"server_error"}}`},
			[]string{"say Hi"}, []string{`{"type":"text","text":"Hi"}`}, agent.FinishStop, false, message.ErrUnavailable},
		{"an error with a number for a code", []string{`{"error":{"message":"slow down","code":429}}`}, nil, nil, agent.FinishStop, false, message.ErrRateLimit},
		{"an error as a string", []string{`{"error":"model runner has unexpectedly stopped"}`}, nil, nil, agent.FinishStop, false, message.ErrUnavailable},
		{"an error that is null is none", []string{`{"error":null,"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}`},
			[]string{"say Hi."}, []string{`{"type":"text","text":"Hi."}`}, agent.FinishStop, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.hold(t, &chatDecoder{by: stamp{"chat", "m"}, names: names.Real([]message.ToolSpec{{Name: "git.log"}})})
		})
	}
}

// Calls without an id get one, and never the same twice.
func TestChatStreamInventsIDs(t *testing.T) {
	ids := map[string]bool{}
	for range 100 {
		_, end, _, err := hear(&chatDecoder{}, `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}},{"index":1,"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`)
		if err != nil || len(end.Content) != 2 {
			t.Fatalf("%v, %v", end.Content, err)
		}
		for _, part := range end.Content {
			ids[part.(message.ToolCall).ID] = true
		}
	}
	if len(ids) != 200 || ids[""] {
		t.Errorf("%d ids of 200 calls", len(ids))
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		name    string
		decoder transport.Decoder
		event   string
		want    message.Usage
	}{
		{"what went into a cache is counted apart", &responsesDecoder{},
			`{"type":"response.completed","response":{"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":60,"cache_write_tokens":30},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":15},"total_tokens":120}}}`,
			message.Usage{InputTokens: 70, CacheReadTokens: 60, CacheWriteTokens: 30, OutputTokens: 20, ReasoningTokens: 15, TotalTokens: 120}},
		{"a failure costs too", &responsesDecoder{},
			`{"type":"response.failed","response":{"error":{"code":"server_error"},"usage":{"input_tokens":100,"output_tokens":1}}}`,
			message.Usage{InputTokens: 100, OutputTokens: 1, TotalTokens: 101}},
		{"chat", &chatDecoder{},
			`{"choices":[],"usage":{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens":20,"completion_tokens_details":{"reasoning_tokens":15},"total_tokens":120}}`,
			message.Usage{InputTokens: 100, CacheReadTokens: 60, OutputTokens: 20, ReasoningTokens: 15, TotalTokens: 120}},
		{"details that are null", &chatDecoder{},
			`{"choices":[],"usage":{"prompt_tokens":10,"prompt_tokens_details":null,"completion_tokens":2,"completion_tokens_details":null}}`,
			message.Usage{InputTokens: 10, OutputTokens: 2, TotalTokens: 12}},
		{"DeepSeek's word for cached", &chatDecoder{},
			`{"choices":[],"usage":{"prompt_tokens":100,"prompt_cache_hit_tokens":60,"completion_tokens":20}}`,
			message.Usage{InputTokens: 100, CacheReadTokens: 60, OutputTokens: 20, TotalTokens: 120}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, end, _, _ := hear(c.decoder, c.event)
			if end.Usage == nil {
				t.Fatal("no usage")
			}
			if diff := cmp.Diff(c.want, *end.Usage); diff != "" {
				t.Errorf("(-want +have):\n%s", diff)
			}
		})
	}
}

// Whatever a server sends, a decoder neither panics nor keeps what could not be
// stored; and what it showed is what it keeps.
func FuzzDecoders(f *testing.F) {
	for _, reply := range []string{"answer-text", "answer-tools"} {
		for _, wire := range []string{"responses", "chat"} {
			f.Add(strings.Join(dataOf(f, wire, reply), "\n"))
		}
	}
	f.Add(`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"[1"}}]},"finish_reason":"stop"}]}`)
	f.Add(`{"type":"response.output_item.done","item":{"type":"reasoning","id":"a","id":"b","encrypted_content":"x"}}`)
	f.Add(`{"type":"response.output_item.done","item":{"type":"image","source":1}}` + "\n" + `{"type":"response.completed","response":null}`)
	f.Fuzz(func(t *testing.T, stream string) {
		for _, d := range []transport.Decoder{&responsesDecoder{}, &chatDecoder{}} {
			heard, end, _, _ := hear(d, strings.Split(stream, "\n")...)
			if _, err := message.EncodeEvent(end); err != nil {
				t.Errorf("what came cannot be kept: %v", err)
			}
			if _, chat := d.(*chatDecoder); !chat {
				continue // its items may be told otherwise in the end than in pieces
			}
			var shown string
			for _, h := range heard {
				if text, said := strings.CutPrefix(h, "say "); said {
					shown += text
				}
			}
			if kept := message.Flatten(message.Of(end.Content...)); kept != shown {
				t.Errorf("shown %q, kept %q", shown, kept)
			}
		}
	})
}

// dataOf returns the data of the events in a golden stream.
func dataOf(t testing.TB, wire, name string) (data []string) {
	t.Helper()
	stream, err := os.ReadFile(filepath.Join("testdata", "golden", wire, name+".stream.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(stream)) {
		if text, is := strings.CutPrefix(line, "data: "); is {
			data = append(data, strings.TrimSuffix(text, "\n"))
		}
	}
	return data
}
