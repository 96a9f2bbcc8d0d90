package mcp

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// envelope is a message of JSON-RPC: a call, a notice or an answer. A call and its
// answer have an ID, a call and a notice a method.
type envelope struct {
	ID     jsontext.Value `json:"id,omitzero"`
	Method string         `json:"method,omitzero"`
	Params jsontext.Value `json:"params,omitzero"`
	Result jsontext.Value `json:"result,omitzero"`
	Error  jsontext.Value `json:"error,omitzero"`

	// header goes with it where it is sent over HTTP.
	header map[string]string
}

// errNoMessage is the error for JSON that is no message, such as a line of a log.
var errNoMessage = errors.New("it is no message")

// decode reads what others wrote: how often a member is there, and whether its
// text is UTF-8, is not for us to judge.
func decode(data []byte, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// open reads a message.
func open(data []byte) (envelope, error) {
	var e envelope
	if err := decode(data, &e); err != nil {
		return envelope{}, err
	}
	if isNull(e.ID) {
		e.ID = nil
	}
	if isNull(e.Error) {
		e.Error = nil
	}
	if e.Method == "" && e.ID == nil && e.Error == nil {
		return envelope{}, errNoMessage
	}
	return e, nil
}

func isNull(value jsontext.Value) bool { return value == nil || value.Kind() == 'n' }

// seal writes a message, in one line.
func (e envelope) seal() ([]byte, error) {
	return json.Marshal(struct {
		Version string `json:"jsonrpc"`
		envelope
	}{"2.0", e}, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// isAnswerTo reports whether it answers a call.
func (e envelope) isAnswerTo(call envelope) bool {
	return e.Method == "" && string(e.ID) == string(call.ID)
}

// into reads the result of an answer, or returns the error that it is.
func (e envelope) into(result any) error {
	if e.Error != nil {
		return refused(e.Error)
	}
	if result == nil || e.Result == nil {
		return nil
	}
	return decode(e.Result, result)
}

// refusal is the error that a server answers with.
type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func refused(value jsontext.Value) *refusal {
	r := new(refusal)
	if err := decode(value, r); err != nil || r.Message == "" {
		r.Message = fmt.Sprintf("error %s", value)
	}
	return r
}

// Error implements error.
func (r *refusal) Error() string { return r.Message }

// answered returns the error that the server answered with, if it did.
func answered(err error) *refusal {
	var answer *refusal
	errors.As(err, &answer)
	return answer
}

// The errors that servers answer with, and we. Older servers have a code of its own
// for a resource that is not there, newer ones and many others say it in words.
const (
	methodNotFound   = -32601
	resourceNotFound = -32002
)
