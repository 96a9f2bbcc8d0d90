package anthropic

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

const golden = "../../provider/anthropic/testdata/golden"

// Each golden body is read into the SDK's request type and written again. What
// the SDK does not know, or reads differently, is then missing or changed.
func TestBodiesAreWhatTheSDKWouldSend(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(golden, "*.body.json"))
	if err != nil || len(paths) < 25 {
		t.Fatalf("%d golden bodies, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".body.json"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if problem := lost(t, data); problem != "" {
				t.Error(problem)
			}
		})
	}
}

// The check itself must notice what it is for.
func TestTheCheckFindsPlantedFaults(t *testing.T) {
	for name, body := range map[string]string{
		"an unknown member":           `{"model":"m","max_tokens":1,"stream":true,"colour":"red","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`,
		"an unknown member deep down": `{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"a","colour":"red"}]}]}`,
		"an unknown block":            `{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":[{"type":"smell","text":"a"}]}]}`,
		"a member of another type":    `{"model":"m","max_tokens":1,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":1}]}]}`,
		"arguments in a string":       `{"model":"m","max_tokens":1,"stream":true,"tools":"none","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`,
	} {
		if lost(t, []byte(body)) == "" {
			t.Errorf("%s was not noticed", name)
		}
	}
}

// lost says what of a body the SDK loses, empty if nothing.
func lost(t *testing.T, data []byte) string {
	t.Helper()
	var want map[string]any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	// The SDK has a method for streaming in place of this member.
	if want["stream"] != true {
		return "the body does not ask for a stream"
	}
	delete(want, "stream")
	var params sdk.MessageNewParams
	if err := json.Unmarshal(data, &params); err != nil {
		return "the SDK cannot read it: " + err.Error()
	}
	again, err := json.Marshal(params)
	if err != nil {
		return "the SDK cannot write it: " + err.Error()
	}
	var have map[string]any
	if err := json.Unmarshal(again, &have); err != nil {
		t.Fatal(err)
	}
	delete(have, "stream")
	if !reflect.DeepEqual(have, want) {
		before, _ := json.Marshal(want)
		after, _ := json.Marshal(have)
		return "read and written by the SDK it is\n" + string(after) + "\nand was\n" + string(before)
	}
	return ""
}

// The stream of our fake server is one that Anthropic's own client understands:
// what our provider is tested with is what the API says.
func TestTheSDKReadsTheFakeServer(t *testing.T) {
	for name, want := range map[string]struct {
		text, thinking string
		calls          []string
		stop           sdk.StopReason
		input, output  int64
	}{
		"answer-text":  {text: "Grüße, 日本 𝄞 and\nmore.", stop: sdk.StopReasonEndTurn, input: 100, output: 20},
		"answer-tools": {text: "I look.", thinking: "Let me see: é.", calls: []string{`read_file{"path":"ä.go"}`, `list_files{}`}, stop: sdk.StopReasonToolUse, input: 50, output: 30},
	} {
		t.Run(name, func(t *testing.T) {
			events, err := os.ReadFile(filepath.Join(golden, name+".stream.txt"))
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.Write(events)
			}))
			defer server.Close()
			client := sdk.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("key"), option.WithoutOpenTelemetry())
			stream := client.Messages.NewStreaming(t.Context(), sdk.MessageNewParams{Model: "claude-sonnet-4-5", MaxTokens: 100,
				Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("Hello"))}})
			var message sdk.Message
			for stream.Next() {
				if err := message.Accumulate(stream.Current()); err != nil {
					t.Fatal(err)
				}
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			var text, thinking string
			var calls []string
			for _, block := range message.Content {
				switch block := block.AsAny().(type) {
				case sdk.TextBlock:
					text += block.Text
				case sdk.ThinkingBlock:
					thinking += block.Thinking
					if block.Signature == "" {
						t.Error("thinking without a signature")
					}
				case sdk.ToolUseBlock:
					calls = append(calls, block.Name+string(block.Input))
				}
			}
			if text != want.text || thinking != want.thinking || !reflect.DeepEqual(calls, want.calls) {
				t.Errorf("text %q, thinking %q, calls %q", text, thinking, calls)
			}
			if message.StopReason != want.stop || message.Usage.InputTokens != want.input || message.Usage.OutputTokens != want.output {
				t.Errorf("stop %s, usage %+v", message.StopReason, message.Usage)
			}
		})
	}
}
