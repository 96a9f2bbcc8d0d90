package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/ampersat/ampersat/internal/sse"
)

const (
	// maxResumes is how often a stream is asked for again that does not get on.
	maxResumes = 2
	// maxPause is how long it takes at most until a server is asked again that has
	// nothing to say.
	maxPause = time.Minute
)

var errCutOff = errors.New("it breaks off")

// stream is a stream of messages, and where in it we are: if it breaks off, the
// server can be asked for the rest.
type stream struct {
	wire  *wire
	last  string        // the ID of the last event
	retry time.Duration // how long the server wants to be left alone
}

// follow reads the stream that has the answer to a call in it, until the answer
// comes.
func (w *wire) follow(ctx context.Context, response *http.Response, call envelope) (answer envelope, err error) {
	s := &stream{wire: w}
	for stuck := 0; ; stuck++ {
		before := s.last
		err := s.read(response, func(e envelope) bool {
			if !e.isAnswerTo(call) {
				w.heard(e)
				return false
			}
			answer = e
			return true
		})
		if s.last != before {
			stuck = 0
		}
		if !errors.Is(err, errCutOff) || ctx.Err() != nil || s.last == "" || stuck == maxResumes {
			return answer, w.cause(ctx, err)
		}
		if response, err = s.resume(ctx, max(cmp.Or(s.retry, moment), moment/10)); err != nil {
			return envelope{}, err
		}
	}
}

// listen implements [carrier].
func (w *wire) listen(ctx context.Context, opened func()) {
	s := &stream{wire: w}
	response, err := s.get(ctx)
	opened()
	for pause := moment; err == nil; pause = min(2*pause, maxPause) {
		err = s.read(response, func(e envelope) bool {
			pause = moment
			w.heard(e)
			return false
		})
		if !errors.Is(err, errCutOff) {
			return
		}
		if response, err = s.resume(ctx, max(pause, s.retry)); err == nil && s.last == "" {
			// What was said meanwhile is not said again.
			w.heard(envelope{Method: toolsChanged})
			w.heard(envelope{Method: resourcesChanged})
		}
	}
}

// read reads messages until take has what it wants. It returns errCutOff if the
// stream ends before that.
func (s *stream) read(response *http.Response, take func(envelope) bool) error {
	defer response.Body.Close()
	events := sse.NewReader(response.Body, s.wire.config.Limit)
	for {
		event, err := events.Next()
		s.last, s.retry = cmp.Or(events.LastID(), s.last), cmp.Or(events.Retry(), s.retry)
		switch {
		case errors.Is(err, sse.ErrTooLong):
			return errTooLong
		case err != nil:
			return errCutOff
		case len(event.Data) == 0 || event.Name != "" && event.Name != "message":
			continue
		}
		e, err := open(event.Data)
		switch {
		case errors.Is(err, errNoMessage):
		case err != nil:
			return err
		case take(e):
			finish(response.Body)
			return nil
		}
	}
}

// finish reads what is left of a stream that has said everything, if its end is
// there: only then can the connection be used again.
func finish(body io.ReadCloser) {
	impatient := time.AfterFunc(moment/50, func() { body.Close() })
	defer impatient.Stop()
	_, _ = io.CopyN(io.Discard, body, 4<<10)
}

// resume waits and asks for the rest of the stream.
func (s *stream) resume(ctx context.Context, pause time.Duration) (*http.Response, error) {
	for tries := 1; ; tries++ {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, s.wire.cause(ctx, ctx.Err())
		}
		response, err := s.get(ctx)
		if unreached := (*trouble)(nil); err == nil || tries == maxResumes || !errors.As(err, &unreached) {
			return response, err
		}
	}
}

// get asks for a stream. Some servers never answer that, and who waits for it
// would wait for ever.
func (s *stream) get(ctx context.Context) (*http.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	impatient := time.AfterFunc(2*moment, cancel)
	response, err := s.open(ctx)
	if !impatient.Stop() {
		if err == nil {
			response.Body.Close()
		}
		err = errors.New("it does not open a stream")
	}
	if err != nil {
		cancel()
		return nil, err
	}
	response.Body = &body{ReadCloser: response.Body, done: cancel}
	return response, nil
}

func (s *stream) open(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.wire.config.URL, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", eventStream)
	if s.last != "" {
		request.Header.Set("Last-Event-ID", s.last)
	}
	response, err := s.wire.send(request)
	if err == nil && kindOf(response) != eventStream {
		response.Body.Close()
		return nil, fmt.Errorf("it is of the type %q", kindOf(response))
	}
	return response, err
}

// body is an answer whose request ends with it.
type body struct {
	io.ReadCloser
	done context.CancelFunc
}

// Close implements [io.Closer].
func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
