package message

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestStatusTellsTheKind(t *testing.T) {
	for _, test := range []struct {
		status    int
		body      string
		kind      ErrorKind
		retryable bool
	}{
		{429, "slow down", ErrRateLimit, true},
		{429, `{"error":{"code":"insufficient_quota"}}`, ErrQuota, false},
		{400, "Your credit balance is too low to access the API", ErrQuota, false},
		{402, "", ErrQuota, false},
		{401, "", ErrAuthentication, false},
		{403, "", ErrAccessDenied, false},
		{404, "no such model", ErrNotFound, false},
		{400, "bad field", ErrInvalidRequest, false},
		{422, "bad field", ErrInvalidRequest, false},
		{400, "prompt is too long: 210000 tokens > 200000 maximum", ErrContextLength, false},
		{400, `{"code":"context_length_exceeded"}`, ErrContextLength, false},
		{413, "", ErrContextLength, false},
		{400, "input length and `max_tokens` exceed context limit: 174712 + 32000 > 200000, decrease input length or `max_tokens` and try again", ErrContextLength, false},
		{400, "Too much media: 0 document pages + 130 images > 100", ErrContextLength, false},
		{400, "too many images and documents: 104 + 1 > 100", ErrContextLength, false},
		{400, "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", ErrContextLength, false},
		{400, `{"error":{"code":400,"type":"exceed_context_size_error"}}`, ErrContextLength, false},
		{400, "The number of tokens to keep from the initial prompt is greater than the context length.", ErrContextLength, false},
		{400, "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", ErrContextLength, false},
		{400, "Trying to keep the first 15857 tokens when context the overflows.", ErrContextLength, false},
		{400, "prompt too long; exceeded max context length by 12 tokens", ErrContextLength, false},
		{400, "The prompt (total length 25938) is too long to fit into the model (context length 4096).", ErrContextLength, false},
		{400, "The input (9000 tokens) is longer than the model's context length (8192 tokens).", ErrContextLength, false},
		{400, "Input is too long for requested model.", ErrContextLength, false},
		{400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", ErrContextLength, false},
		{400, "Please reduce the length of the messages or completion.", ErrContextLength, false},
		{400, "prompt token count of 140000 exceeds the limit of 128000", ErrContextLength, false},
		{400, "Invalid request: Your request exceeded model token limit: 262144", ErrContextLength, false},
		// Not everything that is too much is too long.
		{400, "messages.0.content.1.image.source: image exceeds 5 MB maximum", ErrInvalidRequest, false},
		{400, "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens", ErrInvalidRequest, false},
		{429, "too many tokens per minute", ErrRateLimit, true},
		{400, `{"code":"content_filter"}`, ErrContentFilter, false},
		{408, "", ErrTimeout, true},
		{504, "", ErrTimeout, true},
		{500, "", ErrUnavailable, true},
		{503, "", ErrUnavailable, true},
		{529, "overloaded", ErrUnavailable, true},
		{302, "", ErrConfiguration, false},
	} {
		e := FromStatus(test.status, test.body)
		if e.Kind != test.kind || e.Retryable != test.retryable || e.Status != test.status {
			t.Errorf("%d %q: have %s, retryable %v", test.status, test.body, e.Kind, e.Retryable)
		}
	}
}

func TestErrorsBranchByKind(t *testing.T) {
	e := &Error{Kind: ErrTimeout, Provider: "anthropic", Err: context.DeadlineExceeded}
	err := fmt.Errorf("ask: %w", e)
	if !errors.Is(err, ErrTimeout) || errors.Is(err, ErrNetwork) {
		t.Error("the kind is not told")
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the cause is not told")
	}
	var as *Error
	if !errors.As(err, &as) || as.Provider != "anthropic" {
		t.Error("the fields are not reached")
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for want, e := range map[string]*Error{
		"anthropic m: the request is too long for the model (status 400): prompt is too long; compact the session or mention less": {Kind: ErrContextLength, Provider: "anthropic", Model: "m", Status: 400, Message: "prompt is too long"},
		"openai: too many requests (status 429); try again in 20s":                                                                 {Kind: ErrRateLimit, Provider: "openai", Status: 429, RetryAfter: 20 * time.Second},
		`unreadable arguments in a tool call of "f": eof`:                                                                          {Kind: ErrInvalidToolCall, Tool: "f", Err: errors.New("eof")},
		"solar flare": {Kind: "solar_flare"},
	} {
		if e.Error() != want {
			t.Errorf("have %s\nwant %s", e, want)
		}
	}
	for kind, what := range kinds {
		if what.says == "" || strings.HasSuffix(what.says, ".") || strings.ToLower(what.says[:1]) != what.says[:1] {
			t.Errorf("%s says %q", kind, what.says)
		}
	}
}

func TestErrorsSurviveJSON(t *testing.T) {
	e := &Error{Kind: ErrInvalidToolCall, Provider: "p", Model: "m", Status: 400, Retryable: true, RetryAfter: 1500 * time.Millisecond, Message: "x", Tool: "f", RawArguments: "{", Extra: []byte(`{"request_id":"7"}`)}
	data, err := json.Marshal(Failure{Stamp{Time: "t", SessionID: "s", Seq: 3}, e})
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeEvent(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e, back.(Failure).Err); diff != "" {
		t.Error(diff)
	}
	if back.Stamped().Seq != 3 {
		t.Errorf("have stamp %+v", back.Stamped())
	}
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"20": 20 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "": 0, "soon": 0, "1e300": 0, "NaN": 0, "Inf": 0,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:00:00 GMT": 0,
	} {
		if got := ParseRetryAfter(header, now); got != want {
			t.Errorf("%q: have %s, want %s", header, got, want)
		}
	}
}

func TestEventsOfUnknownTypesSurvive(t *testing.T) {
	for _, data := range []string{`{"type":"audio.delta", "seq":1}`, `{"type":"text.delta","text":"x"}`} {
		e, err := DecodeEvent([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		u, ok := e.(UnknownEvent)
		if again, err := EncodeEvent(e); !ok || err != nil || string(again) != data {
			t.Errorf("%v: have %s, want %s", err, again, data)
		}
		if (u.Err() == nil) != (u.Name == "audio.delta") {
			t.Errorf("%s: %v", u.Name, u.Err())
		}
	}
	if _, err := EncodeEvent(nil); err == nil {
		t.Error("a nil event was accepted")
	}
	thought := ThinkingDelta{Stamp{SessionID: "s"}, "hm"}
	data, err := EncodeEvent(thought)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := DecodeEvent(data); err != nil || !cmp.Equal(back, Event(thought)) {
		t.Errorf("have %#v, %v", back, err)
	}
}

func TestSourceGivesItsBytes(t *testing.T) {
	data := []byte("\x89PNG")
	digest := blob.Of(data)
	for _, s := range []Source{Inline("image/png", data), InBlob("image/png", digest)} {
		if got, err := s.Bytes(map[blob.Digest][]byte{digest: data}); err != nil || string(got) != string(data) {
			t.Errorf("%s: have %q, %v", s.Type, got, err)
		}
	}
	for _, s := range []Source{{Type: SourceBase64, Data: "?"}, InBlob("", blob.Of(nil)), AtURL("https://x"), {}} {
		if _, err := s.Bytes(nil); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}
