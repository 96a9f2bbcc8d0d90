package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ampersat/ampersat/message"
	"pgregory.net/rapid"
)

func TestErrorsOfAllProviders(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   message.ErrorKind
		text   string
		after  time.Duration
	}{
		{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: Field required"},"request_id":"req_1"}`, message.ErrInvalidRequest, "max_tokens: Field required", 0},
		{"Anthropic, too long", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, message.ErrContextLength, "prompt is too long: 210000 tokens > 200000 maximum", 0},
		{"Anthropic, within a stream", 0, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, message.ErrUnavailable, "Overloaded", 0},
		{"Anthropic, the wrong key, within", 0, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, message.ErrAuthentication, "invalid x-api-key", 0},
		{"Anthropic, no money", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, message.ErrQuota, "Your credit balance is too low to access the Anthropic API.", 0},
		{"OpenAI", 401, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, message.ErrAuthentication, "Incorrect API key provided", 0},
		{"OpenAI, quota", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, message.ErrQuota, "You exceeded your current quota", 0},
		{"OpenAI, within a stream", 0, `{"type":"error","code":"rate_limit_exceeded","message":"Rate limit reached","param":null}`, message.ErrRateLimit, "Rate limit reached", 0},
		{"OpenAI, within, with a status inside", 200, `{"error":{"message":"The server had an error","type":"server_error","code":null}}`, message.ErrUnavailable, "The server had an error", 0},
		{"OpenAI, too long, within", 0, `{"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model"}}`, message.ErrContextLength, "Your input exceeds the context window of this model", 0},
		{"llama.cpp, too long", 400, `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}`, message.ErrContextLength, "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", 0},
		{"LM Studio, too long, within", 0, `{"error":{"message":"Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"}}`, message.ErrContextLength, "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", 0},
		{"Gemini", 429, `{"error":{"code":429,"message":"Quota exceeded for metric","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12.5s"}]}}`, message.ErrRateLimit, "Quota exceeded for metric", 12500 * time.Millisecond},
		{"Gemini, in a list", 404, `[{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}]`, message.ErrNotFound, "models/x is not found", 0},
		{"Gemini, within a stream", 200, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`, message.ErrUnavailable, "The model is overloaded.", 0},
		{"Gemini, a number nobody knows", 0, `{"error":{"code":418,"message":"short and stout","status":"TEAPOT"}}`, message.ErrInvalidRequest, "short and stout", 0},
		{"Ollama", 404, `{"error":"model 'x' not found"}`, message.ErrNotFound, "model 'x' not found", 0},
		{"a gateway", 422, `{"detail":"Unprocessable"}`, message.ErrInvalidRequest, "Unprocessable", 0},
		{"another", 500, `{"message":"Internal"}`, message.ErrUnavailable, "Internal", 0},
		{"a page", 502, "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>502</h1></body></html>", message.ErrUnavailable, "502 Bad Gateway 502", 0},
		{"no JSON", 500, "upstream\nconnect\terror", message.ErrUnavailable, "upstream connect error", 0},
		{"nothing", 503, "", message.ErrUnavailable, "", 0},
		{"no object", 500, `"oops"`, message.ErrUnavailable, `"oops"`, 0},
		{"terminal escapes", 400, "{\"error\":\"\\u001b[31mred\\u0007\\n\\u202eevil\"}", message.ErrInvalidRequest, "[31mred evil", 0},
		{"something else within a stream", 0, `{"error":{"message":"who knows"}}`, message.ErrUnavailable, "who knows", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			failure := FromBody(c.status, []byte(c.body))
			if failure.Kind != c.kind || failure.Message != c.text || failure.RetryAfter != c.after || failure.Retryable != c.kind.Retryable() {
				t.Errorf("kind %s, %q, after %v, retryable %v", string(failure.Kind), failure.Message, failure.RetryAfter, failure.Retryable)
			}
		})
	}
}

func TestAnErrorIsALineWhateverTheBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Custom(func(t *rapid.T) []byte { return []byte(`{"error":"` + rapid.String().Draw(t, "s") + `"}`) })).Draw(t, "body")
		failure := FromBody(rapid.IntRange(0, 599).Draw(t, "status"), body)
		if strings.ContainsFunc(failure.Message, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u202e' }) || !utf8.ValidString(failure.Message) {
			t.Fatalf("%q", failure.Message)
		}
		if len(failure.Message) > maxWords+len(" …") {
			t.Fatalf("%d bytes", len(failure.Message))
		}
	})
}

func TestCauses(t *testing.T) {
	refused := &url.Error{Op: "Post", URL: "https://host/?key=secret", Err: &net.OpError{Op: "dial", Err: errors.New("connection refused")}}
	endedBy := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		return ctx
	}
	escape := errors.New("the user pressed escape")
	late, stop := context.WithTimeout(context.Background(), -1)
	defer stop()
	lateFor, stopFor := context.WithTimeoutCause(context.Background(), -1, escape)
	defer stopFor()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		err   error
		began bool
		kind  message.ErrorKind
		again bool
		is    []error
	}{
		{"refused", context.Background(), refused, false, message.ErrNetwork, true, nil},
		{"the dialler gave up", context.Background(), &url.Error{Err: &net.OpError{Op: "dial", Err: timeout{}}}, false, message.ErrTimeout, true, nil},
		{"broken off", context.Background(), errors.New("reset"), true, message.ErrStream, true, nil},
		{"cancelled", endedBy(context.Canceled), refused, false, message.ErrAborted, false, []error{context.Canceled}},
		{"cancelled with a cause of one's own", endedBy(escape), refused, true, message.ErrAborted, false, []error{escape, context.Canceled}},
		{"the caller's time is over", late, refused, false, message.ErrTimeout, false, []error{context.DeadlineExceeded}},
		{"the caller's time is over, with a cause", lateFor, refused, false, message.ErrTimeout, false, []error{escape, context.DeadlineExceeded}},
		{"the request's time is over", endedBy(errDeadline), refused, true, message.ErrTimeout, true, nil},
		{"silence", endedBy(errSilence), refused, true, message.ErrTimeout, true, nil},
	} {
		failure := fromCause(c.ctx, c.err, c.began)
		if failure.Kind != c.kind || failure.Retryable != c.again || strings.Contains(failure.Error(), "secret") {
			t.Errorf("%s: %v, again %v", c.name, failure, failure.Retryable)
		}
		for _, target := range c.is {
			if !errors.Is(failure, target) {
				t.Errorf("%s: %v is not %v", c.name, failure, target)
			}
		}
	}
}

// The key is not told, what failed can still be asked, and a key that is hardly one
// does not make the words unreadable.
func TestTheKeyIsTakenOut(t *testing.T) {
	for _, c := range []struct{ key, words, want string }{
		{"sk-0123456789", "refused by sk-0123456789", "refused by (the key)"},
		{"x", "context deadline exceeded", "context deadline exceeded"},
		{"", "refused", "refused"},
	} {
		dial := &net.OpError{Op: "dial", Err: fmt.Errorf("%s: %w", c.words, context.Canceled)}
		failure := (&Client{Provider: "p", Secret: c.key}).sign(&message.Error{Kind: message.ErrNetwork, Message: c.words, Err: dial}, "m")
		var found *net.OpError
		if failure.Message != c.want || failure.Err.Error() != "dial: "+c.want+": context canceled" || !errors.Is(failure, context.Canceled) || !errors.As(failure, &found) {
			t.Errorf("%q: %v", c.key, failure)
		}
		for err := error(failure); err != nil; err = errors.Unwrap(err) {
			if len(c.key) > 1 && strings.Contains(err.Error(), c.key) {
				t.Errorf("%q is told on the way: %v", c.key, err)
			}
		}
	}
}

type timeout struct{}

func (timeout) Error() string   { return "i/o timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

func TestRetryAfterHeaders(t *testing.T) {
	for _, c := range []struct {
		header http.Header
		want   time.Duration
	}{
		{http.Header{}, 0},
		{http.Header{"Retry-After": {"7"}}, 7 * time.Second},
		{http.Header{"Retry-After": {"0.5"}}, 500 * time.Millisecond},
		{http.Header{"Retry-After": {"soon"}}, 0},
		{http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}}, 1500 * time.Millisecond},
		{http.Header{"Retry-After-Ms": {"-5"}, "Retry-After": {"2"}}, 2 * time.Second},
	} {
		if have := retryAfter(c.header); have != c.want {
			t.Errorf("%v: %v", c.header, have)
		}
	}
}

func TestAddress(t *testing.T) {
	for given, want := range map[string]string{
		"":                        "https://usual.example",
		" http://localhost:1234 ": "http://localhost:1234",
		"https://host/path":       "https://host/path",
		"host":                    "",
		"://":                     "",
		"https://":                "",
		"file:///etc/passwd":      "",
	} {
		have, err := Address(given, "https://usual.example")
		if (err == nil) != (want != "") || err == nil && have.String() != want {
			t.Errorf("%q: %v, %v", given, have, err)
		}
	}
}
