package openai

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

const golden = "../../provider/openai/testdata/golden"

// wire is the SDK's types for a request, and for the choice of one tool.
//
// The SDK writes such a choice, but does not read it back as one: among the types
// that a tool choice can be it takes the first that is a struct. So it is judged
// apart, by the type that it has.
type wire struct{ params, choice func() any }

// wires are the folders of golden bodies, and what is in them.
var wires = map[string]wire{"responses": responsesWire, "azure": responsesWire, "chat": {
	func() any { return &sdk.ChatCompletionNewParams{} },
	func() any { return &sdk.ChatCompletionNamedToolChoiceParam{} },
}}

var responsesWire = wire{
	func() any { return &responses.ResponseNewParams{} },
	func() any { return &responses.ToolChoiceFunctionParam{} },
}

// Each golden body is read into the SDK's request type and written again. What
// the SDK does not know, or reads differently, is then missing or changed.
func TestBodiesAreWhatTheSDKWouldSend(t *testing.T) {
	for name, wire := range wires {
		paths, err := filepath.Glob(filepath.Join(golden, name, "*.body.json"))
		if err != nil || len(paths) < 25 {
			t.Fatalf("%s: %d golden bodies, %v", name, len(paths), err)
		}
		for _, path := range paths {
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(path), ".body.json"), func(t *testing.T) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if problem := lost(t, data, wire); problem != "" {
					t.Error(problem)
				}
			})
		}
	}
}

// The check itself must notice what it is for.
func TestTheCheckFindsPlantedFaults(t *testing.T) {
	for wire, bodies := range map[string]map[string]string{
		"responses": {
			"an unknown member":           `{"model":"m","stream":true,"colour":"red","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}]}`,
			"an unknown member deep down": `{"model":"m","stream":true,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a","colour":"red"}]}]}`,
			"an unknown item":             `{"model":"m","stream":true,"input":[{"type":"smell","role":"user","content":"a"}]}`,
			"an unknown content":          `{"model":"m","stream":true,"input":[{"type":"message","role":"user","content":[{"type":"input_smell","text":"a"}]}]}`,
			"a member of another type":    `{"model":"m","stream":true,"max_output_tokens":"many","input":[{"type":"message","role":"user","content":"a"}]}`,
			"arguments as an object":      `{"model":"m","stream":true,"input":[{"type":"function_call","call_id":"c","name":"n","arguments":{}}]}`,
			"tools of the other wire":     `{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"n","parameters":{}}}],"input":"a"}`,
			"a choice of the other wire":  `{"model":"m","stream":true,"tool_choice":{"type":"function","function":{"name":"n"}},"input":"a"}`,
			"stop":                        `{"model":"m","stream":true,"stop":["END"],"input":"a"}`,
		},
		"chat": {
			"an unknown member":           `{"model":"m","stream":true,"colour":"red","messages":[{"role":"user","content":"a"}]}`,
			"an unknown member deep down": `{"model":"m","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"a","colour":"red"}]}]}`,
			"an unknown role":             `{"model":"m","stream":true,"messages":[{"role":"critic","content":"a"}]}`,
			"an unknown content":          `{"model":"m","stream":true,"messages":[{"role":"user","content":[{"type":"smell","text":"a"}]}]}`,
			"arguments as an object":      `{"model":"m","stream":true,"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"n","arguments":{}}}]}]}`,
			"tools of the other wire":     `{"model":"m","stream":true,"tools":[{"type":"function","name":"n","parameters":{}}],"messages":[{"role":"user","content":"a"}]}`,
			"a choice of the other wire":  `{"model":"m","stream":true,"tool_choice":{"type":"function","name":"n"},"messages":[{"role":"user","content":"a"}]}`,
			"reasoning sent back":         `{"model":"m","stream":true,"messages":[{"role":"assistant","content":"a","reasoning_content":"b"}]}`,
		},
	} {
		for name, body := range bodies {
			if lost(t, []byte(body), wires[wire]) == "" {
				t.Errorf("%s: %s was not noticed", wire, name)
			}
		}
	}
}

// lost says what of a body the SDK loses, empty if nothing.
func lost(t *testing.T, data []byte, wire wire) string {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(data, &body); err != nil {
		t.Fatal(err)
	}
	// The SDK has a method for streaming in place of this member.
	if body["stream"] != true {
		return "the body does not ask for a stream"
	}
	delete(body, "stream")
	if choice, named := body["tool_choice"].(map[string]any); named {
		delete(body, "tool_choice")
		if problem := changed(t, choice, wire.choice()); problem != "" {
			return problem
		}
	}
	return changed(t, body, wire.params())
}

// changed says what of an object is missing or different when it is read into one
// of the SDK's types and written again.
func changed(t *testing.T, want map[string]any, params any) string {
	t.Helper()
	before, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(before, params); err != nil {
		return "the SDK cannot read it: " + err.Error()
	}
	if unknown := extras(reflect.ValueOf(params), "body"); unknown != "" {
		return "the SDK does not know " + unknown
	}
	after, err := json.Marshal(params)
	if err != nil {
		return "the SDK cannot write it: " + err.Error()
	}
	var have map[string]any
	if err := json.Unmarshal(after, &have); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(have, want) {
		return "read and written by the SDK it is\n" + string(after) + "\nand was\n" + string(before)
	}
	return ""
}

// extras finds a value that the SDK keeps without knowing it, and returns where it
// is: members in the extra fields of a struct, and raw JSON in place of one.
func extras(v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return extras(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if found := extras(v.Index(i), path+"[]"); found != "" {
				return found
			}
		}
	case reflect.Struct:
		if v.CanInterface() {
			if param, ok := v.Interface().(interface {
				ExtraFields() map[string]any
				Overrides() (any, bool)
			}); ok {
				for name := range param.ExtraFields() {
					return path + "." + name
				}
				if raw, overridden := param.Overrides(); overridden {
					text, _ := json.Marshal(raw)
					return path + " " + string(text)
				}
			}
		}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				if found := extras(v.Field(i), path+"."+field.Name); found != "" {
					return found
				}
			}
		}
	}
	return ""
}

// serve is a server that answers everything with the stream of our fake one.
func serve(t *testing.T, name string) sdk.Client {
	t.Helper()
	events, err := os.ReadFile(filepath.Join(golden, name+".stream.txt"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write(events)
	}))
	t.Cleanup(server.Close)
	return sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("key"), option.WithMaxRetries(0))
}

// told is what an answer says.
type told struct {
	text, thinking        string
	calls                 []string
	finish                string
	input, cached, output int64
}

var answers = map[string]told{
	"answer-text":  {text: "Grüße, 日本 𝄞 and\nmore.", finish: "stop", input: 1000, cached: 900, output: 20},
	"answer-tools": {text: "I look.", thinking: "Let me see: é.", calls: []string{`read_file{"path":"ä.go"}`, `list_files{}`}, finish: "tool_calls", input: 50, output: 30},
}

// The stream of our fake server is one that OpenAI's own client understands: what
// our provider is tested with is what the API says.
func TestTheSDKReadsTheFakeResponses(t *testing.T) {
	for name, want := range answers {
		t.Run(name, func(t *testing.T) {
			client := serve(t, "responses/"+name)
			stream := client.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{Model: "able",
				Input: responses.ResponseNewParamsInputUnion{OfString: sdk.String("Hello")}})
			var have told
			var deltas string
			for stream.Next() {
				switch event := stream.Current().AsAny().(type) {
				case nil:
					t.Errorf("an event that the SDK does not know: %s", stream.Current().RawJSON())
				case responses.ResponseTextDeltaEvent:
					deltas += event.Delta
				case responses.ResponseReasoningSummaryTextDeltaEvent:
					have.thinking += event.Delta
				case responses.ResponseCompletedEvent:
					have.text = event.Response.OutputText()
					have.finish = "stop"
					for _, item := range event.Response.Output {
						switch item := item.AsAny().(type) {
						case responses.ResponseFunctionToolCall:
							have.calls = append(have.calls, item.Name+item.Arguments)
							have.finish = "tool_calls"
						case responses.ResponseReasoningItem:
							if item.EncryptedContent == "" {
								t.Error("reasoning that is not encrypted")
							}
						}
					}
					usage := event.Response.Usage
					have.input, have.cached, have.output = usage.InputTokens, usage.InputTokensDetails.CachedTokens, usage.OutputTokens
				}
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(have, want) || deltas != want.text {
				t.Errorf("have %+v, in deltas %q\nwant %+v", have, deltas, want)
			}
		})
	}
}

func TestTheSDKReadsTheFakeChat(t *testing.T) {
	for name, want := range answers {
		t.Run(name, func(t *testing.T) {
			client := serve(t, "chat/"+name)
			stream := client.Chat.Completions.NewStreaming(t.Context(), sdk.ChatCompletionNewParams{Model: "able",
				Messages: []sdk.ChatCompletionMessageParamUnion{sdk.UserMessage("Hello")}})
			var have told
			var all sdk.ChatCompletionAccumulator
			for stream.Next() {
				chunk := stream.Current()
				if !all.AddChunk(chunk) {
					t.Errorf("the SDK does not take %s", chunk.RawJSON())
				}
				for _, choice := range chunk.Choices {
					// The field of other servers, which OpenAI's does not have.
					var thought string
					if extra, has := choice.Delta.JSON.ExtraFields["reasoning_content"]; has {
						if err := json.Unmarshal([]byte(extra.Raw()), &thought); err != nil {
							t.Error(err)
						}
					}
					have.thinking += thought
				}
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			said := all.Choices[0]
			have.text, have.finish = said.Message.Content, said.FinishReason
			for _, call := range said.Message.ToolCalls {
				arguments := call.Function.Arguments
				if arguments == "" { // none were streamed
					arguments = "{}"
				}
				have.calls = append(have.calls, call.Function.Name+arguments)
			}
			have.input, have.cached, have.output = all.Usage.PromptTokens, all.Usage.PromptTokensDetails.CachedTokens, all.Usage.CompletionTokens
			if !reflect.DeepEqual(have, want) {
				t.Errorf("have %+v\nwant %+v", have, want)
			}
		})
	}
}
