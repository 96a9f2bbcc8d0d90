package gemini

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

// plain is a transport under which refusals mean what their status says. The API
// answers a wrong key like any other mistake in a request, and calls a limit by the
// minute a quota; what to do about them differs.
type plain struct{ next http.RoundTripper }

// maxRefusal is how much of a refusal is read.
const maxRefusal = 64 << 10

// RoundTrip implements [http.RoundTripper].
func (p plain) RoundTrip(request *http.Request) (*http.Response, error) {
	next := p.next
	if next == nil {
		next = http.DefaultTransport
	}
	response, err := next.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusBadRequest && response.StatusCode != http.StatusForbidden &&
		response.StatusCode != http.StatusTooManyRequests {
		return response, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	if err != nil {
		// What can be read is read again, up to the same error.
		response.Body = rest{io.MultiReader(bytes.NewReader(body), response.Body), response.Body}
		return response, nil
	}
	response.StatusCode, body = plainly(response.StatusCode, body)
	response.Body = rest{bytes.NewReader(body), response.Body}
	return response, nil
}

// rest is a body of which some was read already.
type rest struct {
	io.Reader
	io.Closer
}

// plainly returns the status that a refusal should have, and its body. A status of
// zero comes from within a stream; it is left alone if the body's own is right.
func plainly(status int, body []byte) (int, []byte) {
	var said struct {
		Error struct {
			Message string `json:"message"`
			Status  string `json:"status"`
			Details []struct {
				Reason     string `json:"reason"`
				RetryDelay string `json:"retryDelay"`
				Violations []struct {
					QuotaID string `json:"quotaId"`
				} `json:"violations"`
			} `json:"details"`
		} `json:"error"`
	}
	// Some errors come in a list.
	object := body
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 1 && trimmed[0] == '[' {
		object = bytes.TrimSpace(trimmed[1 : len(trimmed)-1])
	}
	if json.Unmarshal(object, &said, lenient) != nil {
		return status, body
	}
	failure := said.Error
	var soon, today bool // it may be tried again in a while; only tomorrow
	for _, detail := range failure.Details {
		switch {
		case detail.Reason == "API_KEY_INVALID":
			return http.StatusUnauthorized, body
		case detail.RetryDelay != "":
			soon = true
		}
		for _, violation := range detail.Violations {
			today = today || strings.Contains(violation.QuotaID, "PerDay")
		}
	}
	switch {
	case strings.Contains(failure.Message, "API key not valid"), strings.Contains(failure.Message, "API key expired"),
		strings.Contains(failure.Message, "API key was reported as leaked"):
		return http.StatusUnauthorized, body
	case strings.Contains(failure.Message, "location is not supported"):
		return http.StatusForbidden, body
	case failure.Status == "RESOURCE_EXHAUSTED" && soon && !today:
		return http.StatusTooManyRequests, bytes.ReplaceAll(body, []byte("exceeded your current quota"), []byte("reached your current rate limit"))
	}
	return status, body
}
