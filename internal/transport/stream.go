package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"time"

	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

// Decoder reads the events of one answer in the provider's own form. It is used
// by one goroutine.
type Decoder interface {
	// Decode reads one event and returns what it means, in order: nothing,
	// one event or several, but no MessageStart, MessageEnd or Failure, which
	// are the stream's. The data of the event is valid during the call only.
	//
	// An error ends the stream: io.EOF says that the answer is complete and that
	// nothing more need be read, [FromBody] makes one of what a provider says, and
	// any other means that the event could not be understood.
	Decode(event sse.Event) ([]message.Event, error)

	// End returns what has come until now, with usage and finish reason as far
	// as they are known. The stream adds degradations and cost. Complete says
	// that the provider told that this is all; an answer that ends without that
	// was cut.
	//
	// An error beside a complete answer is about what the answer says, such as
	// [message.ErrInvalidToolCall].
	End() (end message.MessageEnd, complete bool, err error)
}

// Stream sends the call and yields the answer, as agent.Stream promises. Every
// attempt begins with a new decoder.
func (c *Client) Stream(ctx context.Context, call Call, card model.Card, degradations []message.Degradation, decoder func() Decoder) iter.Seq2[message.Event, error] {
	return func(yield func(message.Event, error) bool) {
		if call.Timeout > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeoutCause(ctx, call.Timeout, errDeadline)
			defer stop()
		}
		answer := &answer{client: c, call: call, card: card, degradations: degradations, yield: yield}
		for attempt := 1; ; attempt++ {
			failure := answer.try(ctx, decoder())
			if failure == nil {
				return
			}
			pause, again := c.Retry.pause(attempt, failure)
			if !again || answer.said || ctx.Err() != nil {
				answer.fail(failure)
				return
			}
			if c.Retry.Notify != nil {
				c.Retry.Notify(c.sign(failure, call.Model), pause)
			}
			if err := sleep(ctx, pause); err != nil {
				answer.fail(fromCause(ctx, err, false))
				return
			}
		}
	}
}

// answer is what is being yielded.
type answer struct {
	client       *Client
	call         Call
	card         model.Card
	degradations []message.Degradation
	yield        func(message.Event, error) bool

	decoder Decoder
	// started says that a MessageStart was yielded, said that something came
	// after it: from then on there is no second attempt.
	started, said bool
}

// try makes one attempt. It returns nil if the answer came to its end, or if
// nobody wants to hear the rest.
func (a *answer) try(ctx context.Context, decoder Decoder) *message.Error {
	a.decoder = decoder
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := a.client.silence()
	watch := time.AfterFunc(silence, func() { cancel(errSilence) })
	defer watch.Stop()

	response, err := a.send(ctx)
	watch.Stop()
	if err != nil {
		return fromCause(ctx, err, false)
	}
	defer response.Body.Close()
	body := &watched{in: response.Body, watch: watch, silence: silence}
	if failure := refusal(ctx, response, body); failure != nil {
		return failure
	}

	events := sse.NewReader(body, a.client.maxEvent())
	for {
		event, err := events.Next()
		if err == nil {
			var failure *message.Error
			var meant []message.Event
			meant, err = decoder.Decode(event)
			if !a.pass(meant) {
				return nil
			}
			switch {
			case err == nil:
				continue
			case errors.As(err, &failure):
				return failure
			case err != io.EOF:
				return broken(fmt.Errorf("an event could not be read: %w", err))
			}
		}
		end, complete, fault := decoder.End()
		switch {
		case complete && context.Cause(ctx) == nil:
			a.end(end, fault)
			return nil
		case errors.Is(err, sse.ErrTooLong):
			return broken(err)
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return broken(errors.New("the connection was closed before its end"))
		default:
			return fromCause(ctx, err, true)
		}
	}
}

func broken(err error) *message.Error {
	return &message.Error{Kind: message.ErrStream, Retryable: true, Err: err}
}

func (a *answer) send(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.call.URL, bytes.NewReader(a.call.Body))
	if err != nil {
		return nil, err
	}
	for name, values := range a.call.Header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("User-Agent", "ampersat")
	return a.client.http().Do(request)
}

// refusal returns the error of an answer that is no stream, nil if it is one.
func refusal(ctx context.Context, response *http.Response, body io.Reader) *message.Error {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	success := response.StatusCode >= 200 && response.StatusCode < 300
	// Some servers forget to say that they stream; none streams under the name
	// of JSON or HTML.
	if success && kind != "application/json" && kind != "text/html" {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(body, maxErrorBody))
	if err != nil && len(text) == 0 {
		return fromCause(ctx, err, false)
	}
	if success && (kind == "text/html" || !hasError(text)) {
		return &message.Error{Kind: message.ErrConfiguration, Status: response.StatusCode,
			Message: "the address answers, but not with a stream: check the provider's address"}
	}
	failure := FromBody(response.StatusCode, text)
	if location := response.Header.Get("Location"); location != "" && response.StatusCode/100 == 3 {
		failure.Message = oneLine("the server redirects to " + location + ": set that as the provider's address if it is right")
	}
	if asked := retryAfter(response.Header); asked > 0 {
		failure.RetryAfter = asked
	}
	return failure
}

// retryAfter returns how long the provider wants to be left alone.
func retryAfter(header http.Header) time.Duration {
	if ms, err := time.ParseDuration(header.Get("Retry-After-Ms") + "ms"); err == nil && ms > 0 {
		return ms
	}
	return message.ParseRetryAfter(header.Get("Retry-After"), time.Now())
}

// pass yields events. It returns false if nobody wants any more.
func (a *answer) pass(events []message.Event) bool {
	for _, event := range events {
		if !a.start() || !a.yield(event, nil) {
			return false
		}
		a.said = true
	}
	return true
}

func (a *answer) start() bool {
	if a.started {
		return true
	}
	a.started = true
	return a.yield(message.MessageStart{}, nil)
}

// end yields the end of a complete answer. The fault, if there is one, is in what
// it says.
func (a *answer) end(end message.MessageEnd, fault error) {
	if !a.start() {
		return
	}
	a.finish(&end)
	if fault == nil {
		a.yield(end, nil)
		return
	}
	var failure *message.Error
	if !errors.As(fault, &failure) {
		failure = broken(fault)
	}
	a.yield(end, a.client.sign(failure, a.call.Model))
}

// fail yields the error, with what had come.
func (a *answer) fail(failure *message.Error) {
	a.client.sign(failure, a.call.Model)
	if !a.started {
		a.yield(nil, failure)
		return
	}
	end, _, _ := a.decoder.End()
	end.FinishReason = "error"
	a.finish(&end)
	a.yield(end, failure)
}

func (a *answer) finish(end *message.MessageEnd) {
	end.Degradations = append(a.degradations[:len(a.degradations):len(a.degradations)], end.Degradations...)
	if end.Usage == nil || end.Usage.CostUSD != nil {
		return
	}
	if cost, known := a.card.Cost(*end.Usage); known {
		end.Usage.CostUSD = &cost
	}
}

// watched lets the watch run while somebody waits for the provider, and only
// then: an event may be looked at for as long as it takes.
type watched struct {
	in      io.Reader
	watch   *time.Timer
	silence time.Duration
}

func (w *watched) Read(p []byte) (int, error) {
	w.watch.Reset(w.silence)
	defer w.watch.Stop()
	return w.in.Read(p)
}
