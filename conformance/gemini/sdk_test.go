package gemini

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/genai"
)

// golden has one folder for each model.
const golden = "../../provider/gemini/testdata/golden"

// Each golden body is read into the SDK's request types, and the SDK's client sends
// them. What the SDK does not know is refused, and what it would not send to this
// API, or would send differently, is missing or changed in what it sends.
func TestBodiesAreWhatTheSDKSends(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(golden, "*", "*.body.json"))
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d golden bodies, %v", len(paths), err)
	}
	for _, path := range paths {
		model := filepath.Base(filepath.Dir(path))
		t.Run(model+"/"+strings.TrimSuffix(filepath.Base(path), ".body.json"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if problem := lost(t, model, data); problem != "" {
				t.Error(problem)
			}
		})
	}
}

// The check itself must notice what it is for.
func TestTheCheckFindsPlantedFaults(t *testing.T) {
	const contents = `"contents":[{"role":"user","parts":[{"text":"a"}]}]`
	for name, body := range map[string]string{
		"an unknown member":           `{"colour":"red",` + contents + `}`,
		"an unknown setting":          `{"generationConfig":{"colour":"red"},` + contents + `}`,
		"an unknown member deep down": `{"contents":[{"role":"user","parts":[{"text":"a","colour":"red"}]}]}`,
		"an unknown kind of part":     `{"contents":[{"role":"user","parts":[{"smell":"a"}]}]}`,
		"a member of another type":    `{"contents":[{"role":"user","parts":[{"text":1}]}]}`,
		"a name in another spelling":  `{"contents":[{"role":"user","parts":[{"inline_data":{"mimeType":"image/png","data":"AAAA"}}]}]}`,
		"a name in another case":      `{"contents":[{"role":"user","parts":[{"Text":"a"}]}]}`,
		"bytes that are not base64":   `{"contents":[{"role":"model","parts":[{"text":"a","thoughtSignature":"*"}]}]}`,
		"a number that is rounded":    `{"generationConfig":{"maxOutputTokens":1.5},` + contents + `}`,
		"what only Vertex takes":      `{"generationConfig":{"audioTimestamp":true},` + contents + `}`,
		"two tools in one":            `{"tools":{"functionDeclarations":[]},` + contents + `}`,
	} {
		if lost(t, "gemini-3.5-flash", []byte(body)) == "" {
			t.Errorf("%s was not noticed", name)
		}
	}
}

// lost says what of a body the SDK loses, empty if nothing.
func lost(t *testing.T, model string, data []byte) string {
	t.Helper()
	// The SDK has the settings and the rest of the request in one configuration.
	var body struct {
		GenerationConfig  json.RawMessage   `json:"generationConfig"`
		ToolConfig        *genai.ToolConfig `json:"toolConfig"`
		Tools             []*genai.Tool     `json:"tools"`
		SystemInstruction *genai.Content    `json:"systemInstruction"`
		Contents          []*genai.Content  `json:"contents"`
	}
	if err := strict(data, &body); err != nil {
		return "the SDK cannot read it: " + err.Error()
	}
	var config genai.GenerateContentConfig
	if len(body.GenerationConfig) > 0 {
		if err := strict(body.GenerationConfig, &config); err != nil {
			return "the SDK cannot read it: " + err.Error()
		}
	}
	config.ToolConfig, config.Tools, config.SystemInstruction = body.ToolConfig, body.Tools, body.SystemInstruction

	var sent []byte
	client := connect(t, func(w http.ResponseWriter, r *http.Request) {
		sent, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {}\n\n")
	})
	for _, err := range client.Models.GenerateContentStream(t.Context(), model, body.Contents, &config) {
		if err != nil {
			return "the SDK cannot send it: " + err.Error()
		}
	}
	want, have := plain(t, data), plain(t, sent)
	if !reflect.DeepEqual(have, want) {
		before, _ := json.Marshal(want)
		after, _ := json.Marshal(have)
		return "the SDK sends\n" + string(after) + "\nand the body is\n" + string(before)
	}
	return ""
}

func strict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// plain reads a body. The SDK leaves out what is empty, which means the same to the
// API, so this does too: the arguments of a call without any, and a text that is
// there only to carry a signature. The SDK also sends settings where there are none,
// and a role for the system text, which the API does not look at.
func plain(t *testing.T, data []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, element := range value {
				walk(element)
			}
		case map[string]any:
			if args, is := value["args"].(map[string]any); is && len(args) == 0 && value["name"] != nil {
				delete(value, "args")
			}
			if value["text"] == "" && value["thoughtSignature"] != nil {
				delete(value, "text")
			}
			for _, member := range value {
				walk(member)
			}
		}
	}
	walk(value)
	if body, is := value.(map[string]any); is {
		if config, is := body["generationConfig"].(map[string]any); is && len(config) == 0 {
			delete(body, "generationConfig")
		}
		if system, is := body["systemInstruction"].(map[string]any); is {
			delete(system, "role")
		}
	}
	return value
}

// connect returns the SDK's client of a server with this handler.
func connect(t *testing.T, handler http.HandlerFunc) *genai.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// The stream of our fake server is one that Google's own client understands: what
// our provider is tested with is what the API says.
func TestTheSDKReadsTheFakeServer(t *testing.T) {
	for name, want := range map[string]struct {
		text, thinking        string
		calls                 []string
		signature             string
		input, cached, output int32
	}{
		"answer-text":  {text: "Grüße, 日本 𝄞 and\nmore.", input: 1000, cached: 900, output: 20},
		"answer-tools": {text: "I look.", thinking: "Let me see: é.", calls: []string{`call_a read_file{"path":"ä.go"}`, `call_b list_files{}`}, signature: "signature", input: 50, output: 30},
	} {
		t.Run(name, func(t *testing.T) {
			events, err := os.ReadFile(filepath.Join(golden, "gemini-3.5-flash", name+".stream.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var address, key string
			client := connect(t, func(w http.ResponseWriter, r *http.Request) {
				address, key = r.URL.String(), r.Header.Get("X-Goog-Api-Key")
				w.Header().Set("Content-Type", "text/event-stream")
				w.Write(events)
			})
			var text, thinking, signature string
			var calls []string
			var last *genai.GenerateContentResponse
			for response, err := range client.Models.GenerateContentStream(t.Context(), "gemini-3.5-flash", genai.Text("Hello"), nil) {
				if err != nil {
					t.Fatal(err)
				}
				last = response
				for _, part := range response.Candidates[0].Content.Parts {
					signature += string(part.ThoughtSignature)
					switch {
					case part.FunctionCall != nil:
						args, err := json.Marshal(part.FunctionCall.Args)
						if err != nil {
							t.Fatal(err)
						}
						if part.FunctionCall.Args == nil {
							args = []byte("{}")
						}
						calls = append(calls, part.FunctionCall.ID+" "+part.FunctionCall.Name+string(args))
					case part.Thought:
						thinking += part.Text
					default:
						text += part.Text
					}
				}
			}
			if text != want.text || thinking != want.thinking || signature != want.signature || !reflect.DeepEqual(calls, want.calls) {
				t.Errorf("text %q, thinking %q, signature %q, calls %q", text, thinking, signature, calls)
			}
			if last == nil || last.Candidates[0].FinishReason != genai.FinishReasonStop {
				t.Fatalf("the last response: %+v", last)
			}
			if u := last.UsageMetadata; u.PromptTokenCount != want.input || u.CachedContentTokenCount != want.cached || u.CandidatesTokenCount != want.output {
				t.Errorf("usage %+v", u)
			}
			// Where the SDK asks, and with what, is where our client does.
			if address != "/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse" || key != "key" {
				t.Errorf("the SDK asks at %s with the key %q", address, key)
			}
		})
	}
}
