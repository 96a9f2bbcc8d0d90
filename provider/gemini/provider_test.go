package gemini

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

// The two generations differ in what they take: each has its own golden bodies.

func TestProvider(t *testing.T) { providertest.Run(t, subject("gemini-3.5-flash")) }

func TestOlderModel(t *testing.T) { providertest.Run(t, subject("gemini-2.5-flash")) }

// An independent implementation of the API answers our client.
func TestMock(t *testing.T) { providertest.RunMock(t, subject("gemini-2.5-flash")) }

func BenchmarkEncode(b *testing.B) { providertest.BenchmarkEncode(b, subject("gemini-3.5-flash")) }

func BenchmarkStream(b *testing.B) { providertest.BenchmarkStream(b, subject("gemini-3.5-flash")) }

func encode(r message.Request) (jsontext.Value, []message.Degradation, error) {
	return Encode(r, model.Default().Find(Name, bareName(r.Model)))
}

func open(baseURL string, transport http.RoundTripper) agent.Provider {
	p, err := New(Config{Endpoint: agent.Endpoint{Key: providertest.Key, BaseURL: baseURL, Transport: transport}})
	if err != nil {
		panic(err)
	}
	return p
}

func subject(name string) providertest.Subject {
	return providertest.Subject{
		Model:     name,
		Encode:    encode,
		Check:     func(body jsontext.Value) error { return check(name, body) },
		Golden:    "testdata/golden/" + name,
		Segments:  []string{"tools", "systemInstruction", "contents"},
		Open:      open,
		KeyHeader: "X-Goog-Api-Key", KeyValue: providertest.Key,
		Wire: wire,
		WireError: func(kind message.ErrorKind, words string) string {
			status := map[message.ErrorKind]string{message.ErrUnavailable: "UNAVAILABLE", message.ErrInvalidRequest: "INVALID_ARGUMENT"}
			code := map[message.ErrorKind]int{message.ErrUnavailable: 503, message.ErrInvalidRequest: 400}
			return frame(fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%q}}`, code[kind], quote(words), status[kind]))
		},
		ErrorBody: errorBody,
		MockModel: name,
	}
}

func errorBody(status int, words string) string {
	name := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}[status]
	return fmt.Sprintf("{\n  \"error\": {\n    \"code\": %d,\n    \"message\": %s,\n    \"status\": %q\n  }\n}\n", status, quote(words), name)
}

// wire writes a reply as the API streams it: the counts so far with every event,
// a call as a whole, and the signature with the first part after the thoughts that
// is no text, or with an empty text at the end.
func wire(r providertest.Reply) (events []string) {
	add := func(parts, finish string, output int) {
		candidate := fmt.Sprintf(`{"content":{"parts":[%s],"role":"model"}%s,"index":0}`, parts, finish)
		usage := fmt.Sprintf(`{"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d,"cachedContentTokenCount":%d,"promptTokensDetails":[{"modality":"TEXT","tokenCount":%d}]}`,
			r.Input+r.Cached, output, r.Input+r.Cached+output, r.Cached, r.Input+r.Cached)
		events = append(events, frame(`{"candidates":[`+candidate+`],"usageMetadata":`+usage+`,"modelVersion":"gemini-3.5-flash-001","responseId":"aBcD"}`))
	}
	if r.Thinking != "" {
		add(`{"text":`+quote(r.Thinking)+`,"thought":true}`, "", 1)
	}
	for _, text := range r.Text {
		add(`{"text":`+quote(text)+`}`, "", 1)
	}
	signature := ""
	if r.Signature != "" {
		signature = `,"thoughtSignature":` + quote(r.Signature)
	}
	for _, call := range r.Calls {
		args := jsontext.Value(strings.Join(call.Arguments, ""))
		if len(args) > 0 && !args.IsValid() {
			args = jsontext.Value(quote(string(args)))
		}
		if len(args) > 0 {
			args = append([]byte(`,"args":`), args...)
		}
		add(fmt.Sprintf(`{"functionCall":{"name":%q%s,"id":%q}%s}`, call.Name, args, call.ID, signature), "", 1)
		signature = ""
	}
	reason := map[string]string{agent.FinishStop: "STOP", agent.FinishLength: "MAX_TOKENS", agent.FinishToolCalls: "STOP", agent.FinishFilter: "SAFETY"}[r.Finish]
	add(`{"text":""`+signature+`}`, `,"finishReason":"`+reason+`"`, r.Output)
	return events
}

func frame(data string) string { return "data: " + data + "\n\n" }

func quote(text string) string {
	out, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		panic(err)
	}
	return string(out)
}
