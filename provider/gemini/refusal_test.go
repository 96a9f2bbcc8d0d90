package gemini

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
)

// answering is a transport that gives these answers, one after the other.
type answering struct {
	replies []*http.Response
	asked   []*http.Request
}

func (a *answering) RoundTrip(request *http.Request) (*http.Response, error) {
	a.asked = append(a.asked, request)
	return a.replies[min(len(a.asked), len(a.replies))-1], nil
}

func refusing(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json; charset=UTF-8"}}, Body: io.NopCloser(strings.NewReader(body))}
}

func streaming(events ...string) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(strings.Join(events, "")))}
}

// The bodies are as the API writes them.
const (
	wrongKey = `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT",` +
		`"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com","metadata":{"service":"generativelanguage.googleapis.com"}},` +
		`{"@type":"type.googleapis.com/google.rpc.LocalizedMessage","locale":"en-US","message":"API key not valid. Please pass a valid API key."}]}}`
	leakedKey  = `{"error":{"code":403,"message":"Your API key was reported as leaked. Please use another API key.","status":"PERMISSION_DENIED"}}`
	noModel    = `{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.","status":"NOT_FOUND"}}`
	tooLong    = `{"error":{"code":400,"message":"The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`
	notHere    = `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`
	overloaded = `{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`
	quota      = `You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.`
	perMinute  = `{"error":{"code":429,"message":"` + quota + `\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10\nPlease retry in 38.5s.","status":"RESOURCE_EXHAUSTED",` +
		`"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier","quotaValue":"10"}]},` +
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"38.5s"}]}}`
	perDay = `{"error":{"code":429,"message":"` + quota + `","status":"RESOURCE_EXHAUSTED",` +
		`"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},` +
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"38.5s"}]}}`
	noPlan = `{"error":{"code":429,"message":"` + quota + `","status":"RESOURCE_EXHAUSTED"}}`
)

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   message.ErrorKind
		says   string
	}{
		{"a wrong key", 400, wrongKey, message.ErrAuthentication, "API key not valid"},
		{"a wrong key, in a list", 400, "[" + wrongKey + "\n]", message.ErrAuthentication, "API key not valid"},
		{"a wrong key, in other words", 400, strings.ReplaceAll(wrongKey, "API key not valid", "Clé non valide"), message.ErrAuthentication, "Clé"},
		{"a key that may not be used from here", 403, `{"error":{"code":403,"message":"Requests from this address are blocked.","status":"PERMISSION_DENIED","details":[{"reason":"API_KEY_IP_ADDRESS_BLOCKED"}]}}`, message.ErrAccessDenied, "blocked"},
		{"a key that everybody knows", 403, leakedKey, message.ErrAuthentication, "leaked"},
		{"an unknown model", 404, noModel, message.ErrNotFound, "models/gemini-9 is not found"},
		{"more than the model can see", 400, tooLong, message.ErrContextLength, "1250000"},
		{"a country without the API", 400, notHere, message.ErrAccessDenied, "location"},
		{"no more today", 429, perDay, message.ErrQuota, "quota"},
		{"no plan", 429, noPlan, message.ErrQuota, "quota"},
		{"a body that is no JSON", 400, "Bad Request", message.ErrInvalidRequest, "Bad Request"},
		{"a body that is not the API's", 403, `{"error":"no"}`, message.ErrAccessDenied, "no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := &answering{replies: []*http.Response{refusing(c.status, c.body)}}
			_, err := agent.Collect(open("https://a.example", server).Stream(t.Context(), message.Request{Model: "gemini-9", Messages: []message.Message{user("a")}}))
			var failure *message.Error
			if !errors.As(err, &failure) || failure.Kind != c.kind || failure.Retryable || len(server.asked) != 1 {
				t.Fatalf("after %d requests: %v", len(server.asked), err)
			}
			if failure.Provider != Name || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("it says %s", err)
			}
		})
	}
}

// A limit by the minute is called a quota by the API, and passes.
func TestRateLimitIsWaitedFor(t *testing.T) {
	for name, first := range map[string]*http.Response{
		"as a refusal":       refusing(429, perMinute),
		"within the stream":  streaming("data: " + perMinute + "\n\n"),
		"of too many people": refusing(503, overloaded),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &answering{replies: []*http.Response{first, streaming("data: " + `{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}` + "\n\n")}}
				began := time.Now()
				response, err := agent.Collect(open("https://a.example", server).Stream(t.Context(), message.Request{Model: "gemini-3.5-flash", Messages: []message.Message{user("a")}}))
				if err != nil || message.Flatten(response.Content) != "b" || len(server.asked) != 2 {
					t.Fatalf("after %d requests: %+v, %v", len(server.asked), response, err)
				}
				if took := time.Since(began); first.StatusCode != 503 && (took < 38500*time.Millisecond || took > time.Minute) {
					t.Errorf("it waited for %v", took)
				}
			})
		})
	}
}

// A refusal that breaks off is told as far as it came.
func TestRefusalThatBreaksOff(t *testing.T) {
	broken := refusing(400, "")
	broken.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"error":{"message":"half`), failing{}))
	_, err := agent.Collect(open("https://a.example", &answering{replies: []*http.Response{broken}}).Stream(t.Context(), message.Request{Model: "gemini-3.5-flash", Messages: []message.Message{user("a")}}))
	var failure *message.Error
	if !errors.As(err, &failure) || failure.Kind != message.ErrInvalidRequest || !strings.Contains(err.Error(), "half") {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the line is cut") }
