package agent

import (
	"context"
	"iter"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

// Stream is an answer while it comes: events, and at most one error, which
// comes with the last of them.
//
// The first event is a [message.MessageStart]. Deltas follow; fragments of a
// tool call stand between its start and its end. The last event is a
// [message.MessageEnd], which holds the whole answer, with what no delta can
// carry. Deltas are for showing; what is kept is the end.
//
// The pair with an error is the last one. Its event is the MessageEnd of what
// had come until then, or nil if no answer had begun: nothing that came is
// lost. A tool call that was cut short is not in it, because nobody may run it.
// The error is a [*message.Error]:
//
//   - [message.ErrAborted] if the context was cancelled;
//   - [message.ErrTimeout] if the request's time was over, or nothing came for
//     too long; or if the context's deadline was, and then it is not retryable.
//     When the context has ended, errors.Is holds for its error and its cause;
//   - [message.ErrStream] if the answer broke off, or could not be read;
//   - [message.ErrInvalidToolCall] if the answer is complete, but the arguments
//     of a tool call in it are not an object. The call is in the content, with
//     what the model wrote in its Extra as "raw_arguments", so that it can be
//     told; if no call is in it, nothing of one could be read, and a turn fails;
//   - whatever the provider said.
//
// A stream can be ranged over once. To stop early, break: the connection is
// closed before the loop is left.
type Stream = iter.Seq2[message.Event, error]

// Provider is a service that answers requests. Implementations are safe for
// concurrent use, and change nothing in the request.
type Provider interface {
	// Name is the provider's name in configuration, errors and tables:
	// "anthropic".
	Name() string

	// Model tells what is known about the model of that name. It opens nothing
	// and always answers; [model.Card.Known] says whether the answer is more
	// than a guess.
	Model(name string) model.Card

	// Stream asks for an answer. Nothing is sent before the stream is ranged
	// over. Failures that may pass (too many requests, an overloaded server, a
	// network that is away) are tried again with growing pauses as long as
	// nothing of an answer was yielded, and never after that.
	//
	// Everything that the provider cannot do as it was asked is in the
	// Degradations of the MessageEnd, and nothing is refused for that reason
	// alone. Cancelling ctx closes the connection.
	Stream(ctx context.Context, request message.Request) Stream
}

// The reasons why an answer ended, as every provider reports them in
// [message.MessageEnd.FinishReason]. A reason that has no counterpart here is
// reported in the provider's own word. That word, if the provider gives one, is
// always in the event's Extra, as "provider_finish_reason"; [Respond] makes that the
// Metadata of the response.
const (
	FinishStop      = "stop"           // the model had said what it wanted, or met a stop sequence
	FinishLength    = "length"         // the limit of output, or the window, was reached
	FinishToolCalls = "tool_calls"     // the model waits for the results of its calls
	FinishFilter    = "content_filter" // the provider, or the model, refused to go on
	FinishPause     = "pause"          // the provider wants the answer sent back, to go on with it
	FinishError     = "error"          // it broke off; the error says why
)
