package message

import (
	"strconv"
	"strings"
	"time"
)

// FromStatus returns the error for an HTTP answer that is not a success: its
// status, and what the body says. The words of the body decide where one status
// means several things: a 429 may be a rate or a quota, a 400 may be a request
// that is too long.
//
// The caller fills in Provider and Model, and RetryAfter from [ParseRetryAfter].
func FromStatus(status int, body string) *Error {
	kind := kindOfStatus(status, strings.ToLower(body))
	return &Error{Kind: kind, Status: status, Retryable: kind.Retryable(), Message: body}
}

func kindOfStatus(status int, body string) ErrorKind {
	says := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(body, word) {
				return true
			}
		}
		return false
	}
	switch {
	case status == 401:
		return ErrAuthentication
	case status == 402, says("insufficient_quota", "exceeded your current quota", "credit balance is too low", "billing_error"):
		return ErrQuota
	case status == 429:
		return ErrRateLimit
	case status == 403:
		return ErrAccessDenied
	case status == 404:
		return ErrNotFound
	case status == 408, status == 504:
		return ErrTimeout
	case status == 499:
		return ErrAborted
	case status >= 500:
		return ErrUnavailable
	case status >= 400 && says("content_filter", "content management policy", "responsible_ai_policy"):
		return ErrContentFilter
	case status == 413, status >= 400 && says(tooLong...):
		return ErrContextLength
	case status >= 400:
		return ErrInvalidRequest
	default:
		// Neither success nor failure: a redirect, or something that is not the
		// provider at all.
		return ErrConfiguration
	}
}

// tooLong is how servers say that a request does not fit the model, in small
// letters. Each is said of nothing else: a wrong guess would throw out what the
// model still needs.
var tooLong = []string{
	"context_length_exceeded", "maximum context length", "exceeds the context window", "context window exceed", "request_too_large",
	// Anthropic: the prompt alone, with the output that is asked for, and in pictures
	// and pages.
	"prompt is too long", "exceed context limit", "too much media", "too many images and documents",
	"input token count",                                       // Gemini
	"exceed_context_size_error", "the available context size", // llama.cpp
	"greater than the context length", "truncate prompt with n_keep", "when context the overflows", // LM Studio, by its age
	"exceeded max context length",            // Ollama
	"too long to fit into the model",         // vLLM
	"longer than the model's context length", // Together
	"input is too long for requested model",  // Bedrock
	"maximum prompt length is",               // xAI
	"reduce the length of the messages",      // Groq
	"prompt token count",                     // Copilot
	"exceeded model token limit",             // Kimi
}

// ParseRetryAfter reads the Retry-After header: seconds, or a date. It returns
// zero for what it cannot read and for what is past.
func ParseRetryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if s, err := strconv.ParseFloat(header, 64); err == nil {
		// The bound keeps the conversion from overflowing.
		if s > 0 && s < 1e9 {
			return time.Duration(s * float64(time.Second))
		}
		return 0
	}
	if at, err := time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
