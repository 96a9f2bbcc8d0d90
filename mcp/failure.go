package mcp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/process"
)

// failure is the error for a server that did not do what it is there for.
type failure struct {
	server string
	what   string
	// said is the last line that it complained.
	said string
	err  error
}

func (f *failure) Error() string {
	text := fmt.Sprintf("the MCP server %s: %s", f.server, f.what)
	if f.said != "" {
		text += "; it said: " + f.said
	}
	return text
}

func (f *failure) Unwrap() error { return f.err }

// failed is a failure with the last line that the server complained.
func (s *server) failed(conn *connection, what string, err error) error {
	f := &failure{server: s.config.Name, what: what, err: err}
	if conn != nil {
		f.said, _ = conn.carry.complaint()
		f.said = conn.withoutSecrets(f.said)
	}
	return f
}

// explain says why a server did not do what it was asked.
func (s *server) explain(conn *connection, err error) error {
	if denied, ok := access.IsDenied(err); ok {
		return denied
	}
	if conn.givenUp.Load() {
		return s.failed(conn, "it did not react any more, and was ended", err)
	}
	if answer := answered(err); answer != nil {
		// What it says is for the model and for people, and its own.
		return &failure{server: s.config.Name, what: "it answers: " + conn.withoutSecrets(process.Line(answer.Message)), err: err}
	}
	if isBroken(err) {
		conn.carry.abort()
	}
	if _, end := conn.carry.complaint(); end != "" {
		return s.failed(conn, end, err)
	}
	if code := status(0); errors.As(err, &code) {
		return s.failed(conn, "it answers: "+code.Error(), err)
	}
	if known := (*trouble)(nil); errors.As(err, &known) {
		return s.failed(conn, conn.withoutSecrets(process.Line(known.what)), err)
	}
	return s.failed(conn, "its answer is not understood: "+conn.withoutSecrets(process.Line(err.Error())), err)
}

// withoutSecrets takes out what was configured for the server alone: a server
// that complains about its key may well print it.
func (c *connection) withoutSecrets(text string) string {
	for _, values := range []map[string]string{c.config.Env, c.config.Headers} {
		for _, value := range values {
			if len(value) >= 6 {
				text = strings.ReplaceAll(text, value, "…")
			}
			if _, token, ok := strings.Cut(value, " "); ok && len(token) >= 6 {
				text = strings.ReplaceAll(text, token, "…") // Bearer …
			}
		}
	}
	return text
}
