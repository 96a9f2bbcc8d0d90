package agent

import (
	"fmt"
	"slices"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is something that happens in a turn. It is one of [Resolved],
// [Requested], [Streamed], [ToolStarted], [ToolOutput], [ToolEnded],
// [Compacted] or [Ended].
//
// An event belongs to whoever watches, and may be kept: lists in it are its own.
// Bytes (blobs, JSON) are shared with the turn and must not be changed.
type Event interface {
	// Type names the variant, as in JSON.
	Type() string
	// Stamped returns when and where it happened.
	Stamped() message.Stamp

	isEvent()
}

// The types of events, in the order of the variants. A [Streamed] event has the
// type of what was streamed.
const (
	TypeResolved    = "mentions"
	TypeRequested   = "request"
	TypeToolStarted = "tool.start"
	TypeToolOutput  = "tool.output"
	TypeToolEnded   = "tool.end"
	TypeCompacted   = "compaction"
	TypeEnded       = "turn.end"
)

// Resolved says what became of the mentions in the message of the turn.
type Resolved struct {
	message.Stamp
	Stack ampersat.Stack
}

// Requested is a request that was written to the log and is about to leave.
type Requested struct {
	message.Stamp
	// At is its entry in the log.
	At              session.Seq
	Provider, Model string
	// Tokens is how large it is, estimated.
	Tokens int
}

// Streamed is a piece of the answer.
type Streamed struct{ Event message.Event }

// Stamped is when and where the piece came.
func (e Streamed) Stamped() message.Stamp {
	if e.Event == nil {
		return message.Stamp{}
	}
	return e.Event.Stamped()
}

// ToolStarted is a call whose turn it is. Each has a [ToolEnded].
type ToolStarted struct {
	message.Stamp
	Call message.ToolCall
	// Action is what the call would do, zero where nobody can tell.
	Action Action
	// Refused says that the call is not run, and its end why: it is not allowed,
	// or there is no such tool.
	Refused bool
}

// ToolOutput is what a tool shows while it runs.
type ToolOutput struct {
	message.Stamp
	ID, Text string
}

// ToolEnded is a call that has its result, be it that it was refused. Its
// [ToolStarted] came before.
type ToolEnded struct {
	message.Stamp
	Call message.ToolCall
	// Result is what the call came to. The model may get less of it: when all calls
	// of the step have ended, their results are cut to what the window has room for
	// ([session.View.Fit]). The log has what the model gets.
	Result message.ToolResult
	Failed bool
	// Err is why it failed, where the tool did not say so itself in its result:
	// the error that it returned, a [*Refused], a [*PanicError].
	Err     error
	Changes []Change
}

// Compacted is a decision about what the model no longer sees.
type Compacted struct {
	message.Stamp
	Entry session.Compacted
}

// Ended is the end of the turn.
type Ended struct {
	message.Stamp
	Answer Answer
	// Err is why the turn did not come to its end, nil if it did.
	Err error
}

// Type implements [Event].
func (Resolved) Type() string    { return TypeResolved }
func (Requested) Type() string   { return TypeRequested }
func (ToolStarted) Type() string { return TypeToolStarted }
func (ToolOutput) Type() string  { return TypeToolOutput }
func (ToolEnded) Type() string   { return TypeToolEnded }
func (Compacted) Type() string   { return TypeCompacted }
func (Ended) Type() string       { return TypeEnded }

// Type implements [Event]. It is that of the piece.
func (e Streamed) Type() string {
	if e.Event == nil {
		return ""
	}
	return e.Event.Type()
}

func (Resolved) isEvent()    {}
func (Requested) isEvent()   {}
func (Streamed) isEvent()    {}
func (ToolStarted) isEvent() {}
func (ToolOutput) isEvent()  {}
func (ToolEnded) isEvent()   {}
func (Compacted) isEvent()   {}
func (Ended) isEvent()       {}

// stampedPiece is a piece of an answer for whoever watches: what they do with it
// changes nothing in the answer. It keeps what the provider said in the stamp's
// Extra.
func stampedPiece(e message.Event, stamp message.Stamp) message.Event {
	stamp.Extra = e.Stamped().Extra
	switch e := e.(type) {
	case message.MessageStart:
		e.Stamp = stamp
		return e
	case message.TextDelta:
		e.Stamp = stamp
		return e
	case message.ThinkingDelta:
		e.Stamp = stamp
		return e
	case message.ToolCallStart:
		e.Stamp = stamp
		return e
	case message.ToolCallDelta:
		e.Stamp = stamp
		return e
	case message.ToolCallEnd:
		e.Stamp = stamp
		return e
	case message.MessageEnd:
		e.Stamp = stamp
		e.Content, e.Degradations, e.Usage = ownParts(e.Content), slices.Clone(e.Degradations), ownUsage(e.Usage)
		return e
	case message.Failure:
		e.Stamp = stamp
		return e
	}
	return e
}

// stampJSON is the part that every event has in common, named as in the events
// of a stream.
type stampJSON struct {
	Type      string `json:"type"`
	Time      string `json:"ts"`
	SessionID string `json:"session_id"`
	TurnID    string `json:"turn_id"`
	Seq       int    `json:"seq"`
}

// EncodeEvent writes an event as one flat JSON object. Pieces of an answer are
// written as [message.EncodeEvent] does.
func EncodeEvent(e Event) (jsontext.Value, error) {
	var (
		stamp message.Stamp
		value any
	)
	switch e := e.(type) {
	case Streamed:
		return message.EncodeEvent(e.Event)
	case Resolved:
		reports, err := ampersat.EncodeReports(e.Stack.Reports)
		if err != nil {
			return nil, err
		}
		stamp, value = e.Stamp, struct {
			Mentions jsontext.Value `json:"mentions"`
			Tokens   int            `json:"tokens"`
			Notes    []string       `json:"notes,omitzero"`
		}{reports, e.Stack.Tokens, e.Stack.Notes}
	case Requested:
		stamp, value = e.Stamp, struct {
			Entry    session.Seq `json:"entry"`
			Provider string      `json:"provider"`
			Model    string      `json:"model"`
			Tokens   int         `json:"tokens"`
		}{e.At, e.Provider, e.Model, e.Tokens}
	case ToolStarted:
		stamp, value = e.Stamp, struct {
			ID      string         `json:"id"`
			Name    string         `json:"name"`
			Input   jsontext.Value `json:"input,omitzero"`
			Effect  Effect         `json:"effect,omitzero"`
			Summary string         `json:"summary,omitzero"`
			Refused bool           `json:"refused,omitzero"`
		}{e.Call.ID, e.Call.Name, e.Call.Input, e.Action.Effect, e.Action.Summary, e.Refused}
	case ToolOutput:
		stamp, value = e.Stamp, struct {
			ID   string `json:"id"`
			Text string `json:"text"`
		}{e.ID, e.Text}
	case ToolEnded:
		stamp, value = e.Stamp, struct {
			ID      string         `json:"id"`
			Name    string         `json:"name"`
			Output  jsontext.Value `json:"output,omitzero"`
			Failed  bool           `json:"failed,omitzero"`
			Changes []Change       `json:"changes,omitzero"`
		}{e.Call.ID, e.Call.Name, e.Result.Output, e.Failed, e.Changes}
	case Compacted:
		stamp, value = e.Stamp, struct {
			Epoch        int    `json:"epoch"`
			Strategy     string `json:"strategy"`
			Reason       string `json:"reason"`
			TokensBefore int    `json:"tokens_before"`
			TokensAfter  int    `json:"tokens_after"`
		}{e.Entry.Epoch, e.Entry.Strategy, e.Entry.Reason, e.Entry.TokensBefore, e.Entry.TokensAfter}
	case Ended:
		stamp, value = e.Stamp, struct {
			Steps        int            `json:"steps"`
			FinishReason string         `json:"finish_reason,omitzero"`
			Usage        *message.Usage `json:"usage,omitzero"`
			Error        string         `json:"error,omitzero"`
			Unflushed    string         `json:"unflushed,omitzero"`
		}{e.Answer.Steps, e.Answer.FinishReason, e.Answer.Usage, text(e.Err), text(e.Answer.Unflushed)}
	default:
		return nil, fmt.Errorf("encode event: there is none")
	}
	head, err := json.Marshal(stampJSON{e.Type(), stamp.Time, stamp.SessionID, stamp.TurnID, stamp.Seq})
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", e.Type(), err)
	}
	body, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", e.Type(), err)
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

// text is what an error says, nothing if there is none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
