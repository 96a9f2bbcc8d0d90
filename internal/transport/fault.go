package transport

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxWords is how much of a provider's account an error repeats.
const maxWords = 400

// FromBody returns the error that an answer's body describes. The status is that
// of the answer; zero, or one that means success, if the error came inside an
// answer that had begun well. Then the error's own type decides.
//
// All providers write {"error": …}, with an object or a string inside, and some
// put that in a list.
func FromBody(status int, body []byte) *message.Error {
	said := read(body)
	if status < 300 {
		status = statusOf(said.Type)
		if status == 0 {
			status = statusOf(said.code())
		}
		if status == 0 && said.Number >= 400 {
			status = said.Number
		}
		if status == 0 && errors.Is(message.FromStatus(http.StatusBadRequest, string(body)), message.ErrContextLength) {
			status = http.StatusBadRequest // some servers begin to answer before they count
		}
		if status == 0 {
			status = http.StatusInternalServerError
		}
	}
	// All of the body's words decide what it means; few of them are shown.
	failure := message.FromStatus(status, string(body))
	failure.Message = oneLine(said.Message)
	failure.RetryAfter = said.retryDelay
	return failure
}

// said is what is common to the errors of all providers.
type said struct {
	Type       string
	Code       string
	Status     string
	Number     int
	Message    string
	retryDelay time.Duration
}

func (s said) code() string {
	if s.Code != "" {
		return s.Code
	}
	return s.Status
}

func read(body []byte) said {
	var list []jsontext.Value
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		return read(list[0])
	}
	var object struct {
		Error   jsontext.Value `json:"error"`
		Message jsontext.Value `json:"message"`
		Detail  jsontext.Value `json:"detail"`
		Type    jsontext.Value `json:"type"`
		Code    jsontext.Value `json:"code"`
		Status  jsontext.Value `json:"status"`
		Details []struct {
			RetryDelay string `json:"retryDelay"`
		} `json:"details"`
	}
	if json.Unmarshal(body, &object, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return said{Message: string(body)}
	}
	switch object.Error.Kind() {
	case '{':
		return read(object.Error)
	case '"':
		return said{Message: text(object.Error), Type: text(object.Type), Code: text(object.Code)}
	}
	s := said{Type: text(object.Type), Code: text(object.Code), Status: text(object.Status), Message: text(object.Message)}
	if s.Message == "" {
		s.Message = text(object.Detail)
	}
	if s.Message == "" {
		s.Message = string(body)
	}
	_ = json.Unmarshal(object.Code, &s.Number) // zero if it is a word
	for _, detail := range object.Details {
		if delay, err := time.ParseDuration(detail.RetryDelay); err == nil && delay > 0 {
			s.retryDelay = delay
		}
	}
	return s
}

// hasError reports whether the body of an answer is about an error.
func hasError(body []byte) bool {
	var object struct {
		Error jsontext.Value `json:"error"`
	}
	return json.Unmarshal(body, &object) != nil || len(object.Error) > 0 && object.Error.Kind() != 'n'
}

// text returns what a JSON string says, empty for any other value.
func text(value jsontext.Value) (s string) {
	_ = json.Unmarshal(value, &s)
	return s
}

// statusOf returns what the type of an error means that comes without a status of
// its own, within a stream; zero if nobody knows.
func statusOf(kind string) int {
	switch kind {
	case "invalid_request_error", "context_length_exceeded", "invalid_prompt", "content_filter", "INVALID_ARGUMENT", "FAILED_PRECONDITION":
		return http.StatusBadRequest
	case "authentication_error", "invalid_api_key", "UNAUTHENTICATED":
		return http.StatusUnauthorized
	case "billing_error":
		return http.StatusPaymentRequired
	case "permission_error", "PERMISSION_DENIED":
		return http.StatusForbidden
	case "not_found_error", "model_not_found", "NOT_FOUND":
		return http.StatusNotFound
	case "request_too_large":
		return http.StatusRequestEntityTooLarge
	case "rate_limit_error", "rate_limit_exceeded", "insufficient_quota", "tokens", "requests", "RESOURCE_EXHAUSTED":
		return http.StatusTooManyRequests
	case "api_error", "server_error", "INTERNAL":
		return http.StatusInternalServerError
	case "UNAVAILABLE":
		return http.StatusServiceUnavailable
	case "timeout_error", "DEADLINE_EXCEEDED":
		return http.StatusGatewayTimeout
	case "overloaded_error":
		return overloaded
	default:
		return 0
	}
}

// oneLine makes a line of an account that may be a page of HTML.
func oneLine(account string) string {
	var b strings.Builder
	tag := false
	html := strings.HasPrefix(strings.TrimSpace(account), "<")
	for _, r := range account {
		switch {
		case html && r == '<':
			tag = true
			b.WriteByte(' ')
		case html && r == '>':
			tag = false
		case tag:
		case unicode.IsControl(r) || !unicode.IsPrint(r) && !unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
		if b.Len() > 16*maxWords {
			break
		}
	}
	line := strings.Join(strings.Fields(b.String()), " ")
	if len(line) > maxWords {
		line = strings.ToValidUTF8(line[:maxWords], "") + " …"
	}
	return line
}

// The causes with which a request is ended from inside.
var (
	errSilence  = errors.New("nothing came for too long")
	errDeadline = errors.New("the request's time is over")
)

// fromCause returns the error for a request that had no answer, or whose answer
// could not be read on.
func fromCause(ctx context.Context, err error, began bool) *message.Error {
	failure := &message.Error{Kind: message.ErrNetwork}
	if began {
		failure.Kind = message.ErrStream
	}
	// The URL and the method say nothing that the provider's name does not.
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	failure.Err = err
	var network net.Error
	switch cause := context.Cause(ctx); {
	case cause == errSilence || cause == errDeadline:
		failure.Kind, failure.Err = message.ErrTimeout, cause
	case cause != nil:
		failure.Kind, failure.Err = message.ErrAborted, ended(ctx)
		if errors.Is(failure.Err, context.DeadlineExceeded) {
			failure.Kind = message.ErrTimeout
		}
		return failure // the caller has no time for another attempt, or no wish
	case !began && errors.As(err, &network) && network.Timeout():
		failure.Kind = message.ErrTimeout
	}
	failure.Retryable = failure.Kind.Retryable()
	return failure
}

// ended returns why the caller's context is done: its cause, which is the context's
// error as well.
func ended(ctx context.Context) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, ctx.Err()) {
		return cause
	}
	return &caused{cause, ctx.Err()}
}

// caused is the error of a context that was ended for a reason. It says only the
// reason.
type caused struct{ cause, context error }

func (c *caused) Error() string   { return c.cause.Error() }
func (c *caused) Unwrap() []error { return []error{c.cause, c.context} }

// sign fills in who failed, and takes the key out of what is said.
func (c *Client) sign(failure *message.Error, model string) *message.Error {
	failure.Provider, failure.Model = c.Provider, model
	if len(c.Secret) < shortestKey {
		return failure
	}
	failure.Message = strings.ReplaceAll(failure.Message, c.Secret, "(the key)")
	if failure.Err != nil && strings.Contains(failure.Err.Error(), c.Secret) {
		failure.Err = &redacted{failure.Err, strings.ReplaceAll(failure.Err.Error(), c.Secret, "(the key)")}
	}
	return failure
}

// shortestKey is how long a key is at least that is taken out of errors. A shorter
// one, such as a server of one's own may be given, stands in any word.
const shortestKey = 8

// redacted is an error without the key. What it is can be asked; the error itself is
// not given to who looks for what to print.
type redacted struct {
	err  error
	says string
}

func (r *redacted) Error() string        { return r.says }
func (r *redacted) Is(target error) bool { return errors.Is(r.err, target) }
func (r *redacted) As(target any) bool   { return errors.As(r.err, target) }
