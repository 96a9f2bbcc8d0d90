package providertest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// server is a provider's server that exists only as a transport, so that its time
// can be the time of a synctest bubble. It answers each request with the next of
// its replies, and the last one again and again.
type server struct {
	replies []reply
	// closed, if set, is called when a body is closed.
	closed func()

	mu     sync.Mutex
	asked  []asked
	bodies []*replyBody
}

// reply is what the server does.
type reply struct {
	status int
	header map[string]string
	// chunks are what it sends, each after a pause.
	chunks []chunk
	// then is how it ends: nil closes properly.
	then error
	// fails, if set, is that there is no answer at all.
	fails error
}

type chunk struct {
	after time.Duration
	data  []byte
}

// asked is a request that came.
type asked struct {
	at     time.Time
	header http.Header
	url    string
	body   []byte
}

// errHang makes a server that says no more and does not close.
var errHang = errors.New("the server hangs")

// stream is a reply of events, all at once.
func stream(events ...string) reply {
	var data []byte
	for _, event := range events {
		data = append(data, event...)
	}
	return reply{status: 200, header: map[string]string{"Content-Type": "text/event-stream; charset=utf-8"}, chunks: []chunk{{data: data}}}
}

// refuse is a reply with a body that is no stream.
func refuse(status int, body string, header ...string) reply {
	r := reply{status: status, header: map[string]string{"Content-Type": "application/json"}, chunks: []chunk{{data: []byte(body)}}}
	for i := 0; i+1 < len(header); i += 2 {
		r.header[header[i]] = header[i+1]
	}
	return r
}

// RoundTrip implements [http.RoundTripper].
func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.replies[min(len(s.asked), len(s.replies)-1)]
	s.asked = append(s.asked, asked{time.Now(), request.Header.Clone(), request.URL.String(), body})
	if next.fails != nil {
		return nil, next.fails
	}
	sent := &replyBody{ctx: request.Context(), reply: next, closed: make(chan struct{}), tell: s.closed}
	s.bodies = append(s.bodies, sent)
	response := &http.Response{StatusCode: next.status, Header: http.Header{}, Body: sent, Request: request, ProtoMajor: 1, ProtoMinor: 1}
	for name, value := range next.header {
		response.Header.Set(name, value)
	}
	return response, nil
}

// open returns how many of the bodies nobody closed.
func (s *server) open() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, body := range s.bodies {
		select {
		case <-body.closed:
		default:
			n++
		}
	}
	return n
}

// replyBody sends the chunks at their times.
type replyBody struct {
	ctx    context.Context
	reply  reply
	rest   bytes.Reader
	once   sync.Once
	closed chan struct{}
	tell   func()
}

// Read implements [io.Reader].
func (b *replyBody) Read(p []byte) (int, error) {
	for b.rest.Len() == 0 {
		if len(b.reply.chunks) == 0 {
			switch b.reply.then {
			case nil:
				return 0, io.EOF
			case errHang:
				return 0, b.wait(nil)
			default:
				return 0, b.reply.then
			}
		}
		next := b.reply.chunks[0]
		b.reply.chunks = b.reply.chunks[1:]
		if next.after > 0 {
			timer := time.NewTimer(next.after)
			err := b.wait(timer.C)
			timer.Stop()
			if err != nil {
				return 0, err
			}
		}
		b.rest.Reset(next.data)
	}
	return b.rest.Read(p)
}

func (b *replyBody) wait(until <-chan time.Time) error {
	select {
	case <-until:
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	case <-b.closed:
		return errors.New("read on a closed body")
	}
}

// Close implements [io.Closer].
func (b *replyBody) Close() error {
	b.once.Do(func() {
		close(b.closed)
		if b.tell != nil {
			b.tell()
		}
	})
	return nil
}
