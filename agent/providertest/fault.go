package providertest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ampersat/ampersat/message"
)

// refusals holds what happens when there is no answer.
func refusals(t *testing.T, s Subject) {
	good := stream(s.Wire(said)...)
	for _, c := range []struct {
		name    string
		replies []reply
		// kind is that of the error, empty if there is none in the end.
		kind  message.ErrorKind
		asked int
		// least and most are the time it takes.
		least, most time.Duration
	}{
		{"429 waits as long as it is told to", []reply{refuse(429, s.ErrorBody(429, "slow down"), "Retry-After", "7"), good}, "", 2, 7 * time.Second, 11 * time.Second},
		{"429 waits without being told", []reply{refuse(429, s.ErrorBody(429, "slow down")), good}, "", 2, 500 * time.Millisecond, time.Second},
		{"429 that asks for too long is not waited for", []reply{refuse(429, s.ErrorBody(429, "slow down"), "Retry-After", "3600"), good}, message.ErrRateLimit, 1, 0, 0},
		{"529 waits longer", []reply{refuse(529, s.ErrorBody(529, "overloaded")), good}, "", 2, 2 * time.Second, 4 * time.Second},
		{"500 is tried again", []reply{refuse(500, s.ErrorBody(500, "oops")), refuse(503, s.ErrorBody(503, "oops")), good}, "", 3, 1500 * time.Millisecond, 3 * time.Second},
		{"500 is tried again five times in all, each time later", []reply{refuse(500, s.ErrorBody(500, "oops"))}, message.ErrUnavailable, 5, 7500 * time.Millisecond, 15 * time.Second},
		{"a network that is away is tried again", []reply{{fails: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}}, good}, "", 2, 500 * time.Millisecond, time.Second},
		{"no network", []reply{{fails: &net.DNSError{Err: "no such host", Name: "provider.example"}}}, message.ErrNetwork, 5, 7500 * time.Millisecond, 15 * time.Second},
		{"400 is not tried again", []reply{refuse(400, s.ErrorBody(400, "that is wrong"))}, message.ErrInvalidRequest, 1, 0, 0},
		{"401 is not", []reply{refuse(401, s.ErrorBody(401, "who are you"))}, message.ErrAuthentication, 1, 0, 0},
		{"403 is not", []reply{refuse(403, s.ErrorBody(403, "not for you"))}, message.ErrAccessDenied, 1, 0, 0},
		{"404 is not", []reply{refuse(404, s.ErrorBody(404, "no such model"))}, message.ErrNotFound, 1, 0, 0},
		{"an overflow is not", []reply{refuse(400, s.ErrorBody(400, "prompt is too long: 210000 tokens > 200000 maximum context length"))}, message.ErrContextLength, 1, 0, 0},
		{"a 200 with an error inside is an error", []reply{refuse(200, s.ErrorBody(500, "oops")), good}, "", 2, 500 * time.Millisecond, time.Second},
		{"a 200 that is no stream", []reply{refuse(200, `{"hello":"world"}`)}, message.ErrConfiguration, 1, 0, 0},
		{"a web page", []reply{refuse(200, "<html><body>Welcome</body></html>", "Content-Type", "text/html")}, message.ErrConfiguration, 1, 0, 0},
		{"a page of a proxy", []reply{refuse(502, "<html>\n<h1>Bad\nGateway</h1>", "Content-Type", "text/html")}, message.ErrUnavailable, 5, 7500 * time.Millisecond, 15 * time.Second},
		{"a redirect is not followed, since the key would go along", []reply{refuse(307, "", "Location", "https://elsewhere.example/v1"), good}, message.ErrConfiguration, 1, 0, 0},
		{"a stream that ends before it began is tried again", []reply{stream(), good}, "", 2, 500 * time.Millisecond, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &server{replies: c.replies}
				began := time.Now()
				events, end, err := s.ask(t.Context(), server)
				took := time.Since(began)
				if c.kind != "" {
					expect(t, err, c.kind)
					if len(events) > 0 {
						t.Errorf("events beside the refusal: %v", events)
					}
				} else if err != nil {
					t.Fatal(err)
				} else if text := message.Flatten(message.Of(end.Content...)); text != saidText {
					t.Errorf("the answer: %q", text)
				} else {
					wellFormed(t, events)
				}
				if len(server.asked) != c.asked {
					t.Errorf("asked %d times, want %d", len(server.asked), c.asked)
				}
				if took < c.least || took > c.most {
					t.Errorf("it took %v, want %v to %v", took, c.least, c.most)
				}
				if n := server.open(); n > 0 {
					t.Errorf("%d connections were left open", n)
				}
			})
		})
	}
}

// brokenStreams holds what happens when an answer goes wrong after it began.
func brokenStreams(t *testing.T, s Subject) {
	whole := s.Wire(said)
	// half ends after the second piece of text, somewhere within an event.
	half := strings.Join(whole, "")
	half = half[:strings.Index(half, "日本")+3]
	begun := half[:strings.LastIndex(half, "\n\n")+2]
	withCall := strings.Join(s.Wire(thought), "")
	withCall = withCall[:strings.Index(withCall, "ä.go")]
	withCall = withCall[:strings.LastIndex(withCall, "\n\n")+2]

	cut := func(text string, then error, more ...chunk) reply {
		r := stream(text)
		r.then = then
		r.chunks = append(r.chunks, more...)
		return r
	}
	huge := chunk{data: []byte(strings.Repeat("x", 1<<20))}
	giant := cut(begun+"data: ", nil)
	for range 40 {
		giant.chunks = append(giant.chunks, huge)
	}
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	cases := []struct {
		name  string
		reply reply
		kind  message.ErrorKind
		text  string // what came
		took  time.Duration
	}{
		{"a cut stream keeps what came", cut(half, nil), message.ErrStream, "Grüße, ", 0},
		{"a reset connection too", cut(half, reset), message.ErrStream, "Grüße, ", 0},
		{"a stream that ends between events, but too early", cut(begun, nil), message.ErrStream, "Grüße, ", 0},
		{"an event that is no JSON", cut(begun+"data: {\"type\": oops\n\n"+strings.Join(whole, ""), nil), message.ErrStream, "Grüße, ", 0},
		{"an event without end is given up", giant, message.ErrStream, "Grüße, ", 0},
		{"silence is given up", cut(begun, errHang), message.ErrTimeout, "Grüße, ", 5 * time.Minute},
		{"a call that was cut is not run", cut(withCall, nil), message.ErrStream, "I look.", 0},
	}
	if s.WireError != nil {
		cases = append(cases, []struct {
			name  string
			reply reply
			kind  message.ErrorKind
			text  string
			took  time.Duration
		}{
			{"an error within the stream", cut(begun+s.WireError(message.ErrUnavailable, "overloaded"), nil), message.ErrUnavailable, "Grüße, ", 0},
			{"a refusal within the stream", cut(begun+s.WireError(message.ErrInvalidRequest, "that is wrong"), nil), message.ErrInvalidRequest, "Grüße, ", 0},
		}...)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &server{replies: []reply{c.reply}}
				began := time.Now()
				events, end, err := s.ask(t.Context(), server)
				expect(t, err, c.kind)
				if text := message.Flatten(message.Of(end.Content...)); text != c.text {
					t.Errorf("what came: %q, want %q", text, c.text)
				}
				if text := deltas(events); text != c.text {
					t.Errorf("what was shown: %q, want %q", text, c.text)
				}
				for _, part := range end.Content {
					if part.Type() == message.TypeToolCall {
						t.Errorf("a call that was cut: %+v", part)
					}
				}
				if end.FinishReason != "error" {
					t.Errorf("finish reason %q", end.FinishReason)
				}
				if len(server.asked) != 1 {
					t.Errorf("asked %d times after an answer had begun", len(server.asked))
				}
				if took := time.Since(began); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				if n := server.open(); n > 0 {
					t.Errorf("%d connections were left open", n)
				}
			})
		})
	}
	t.Run("a slow stream is waited for as long as it lives", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			slow := stream()
			slow.chunks = nil
			for _, event := range whole {
				slow.chunks = append(slow.chunks, chunk{after: 4 * time.Minute, data: []byte(": still here\n\n")}, chunk{after: 4 * time.Minute, data: []byte(event)})
			}
			_, end, err := s.ask(t.Context(), &server{replies: []reply{slow}})
			if text := message.Flatten(message.Of(end.Content...)); err != nil || text != saidText {
				t.Errorf("%q, %v", text, err)
			}
		})
	})
	t.Run("a reader may take its time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			split := stream()
			split.chunks = nil
			for _, event := range whole {
				split.chunks = append(split.chunks, chunk{data: []byte(event)})
			}
			for _, err := range s.Open("https://provider.example", &server{replies: []reply{split}}).Stream(t.Context(), s.request()) {
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour)
			}
		})
	})
	if s.WireError != nil {
		t.Run("an error before anything was said is tried again", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &server{replies: []reply{stream(s.WireError(message.ErrUnavailable, "overloaded")), stream(whole...)}}
				events, end, err := s.ask(t.Context(), server)
				if text := message.Flatten(message.Of(end.Content...)); err != nil || text != saidText {
					t.Errorf("%q, %v", text, err)
				}
				wellFormed(t, events)
			})
		})
	}
}

// cancels holds that nobody is left waiting, and nothing is left open.
func cancels(t *testing.T, s Subject) {
	whole := s.Wire(said)
	half := strings.Join(whole, "")
	half = half[:strings.Index(half, "日本")+3]

	t.Run("cancelling keeps what came and closes the connection", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			hanging := stream(half)
			hanging.then = errHang
			server := &server{replies: []reply{hanging}}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(3*time.Second, cancel)
			began := time.Now()
			_, end, err := s.ask(ctx, server)
			failure := expect(t, err, message.ErrAborted)
			if !errors.Is(err, context.Canceled) || failure.Retryable {
				t.Errorf("%v, retryable %v", err, failure.Retryable)
			}
			if text := message.Flatten(message.Of(end.Content...)); text != "Grüße, " {
				t.Errorf("what came: %q", text)
			}
			if took := time.Since(began); took != 3*time.Second || server.open() > 0 {
				t.Errorf("after %v, %d connections open", took, server.open())
			}
		})
	})
	t.Run("why it was cancelled is told, and that it was", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			hanging := stream(half)
			hanging.then = errHang
			bored := errors.New("nobody listens")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(3*time.Second, func() { cancel(bored) })
			_, _, err := s.ask(ctx, &server{replies: []reply{hanging}})
			if expect(t, err, message.ErrAborted); !errors.Is(err, bored) || !errors.Is(err, context.Canceled) {
				t.Errorf("%v: the cause %v, cancelled %v", err, errors.Is(err, bored), errors.Is(err, context.Canceled))
			}
		})
	})
	t.Run("the caller's time is nothing to try again for", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			hanging := stream()
			hanging.then = errHang
			server := &server{replies: []reply{hanging}}
			_, _, err := s.ask(ctx, server)
			failure := expect(t, err, message.ErrTimeout)
			if failure.Retryable || !errors.Is(err, context.DeadlineExceeded) || len(server.asked) != 1 {
				t.Errorf("%v, retryable %v, asked %d times", err, failure.Retryable, len(server.asked))
			}
		})
	})
	t.Run("a request may have its time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			hanging := stream(half)
			hanging.then = errHang
			request := s.request()
			request.Timeout = 10 * time.Second
			began := time.Now()
			var last error
			for _, err := range s.Open("https://provider.example", &server{replies: []reply{hanging}}).Stream(t.Context(), request) {
				last = err
			}
			expect(t, last, message.ErrTimeout)
			if took := time.Since(began); took != 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	})
	t.Run("cancelling ends a pause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(3*time.Second, cancel)
			began := time.Now()
			_, _, err := s.ask(ctx, &server{replies: []reply{refuse(429, s.ErrorBody(429, "slow down"), "Retry-After", "60")}})
			expect(t, err, message.ErrAborted)
			if took := time.Since(began); took != 3*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	})
	t.Run("nothing is sent before the stream is read", func(t *testing.T) {
		server := &server{replies: []reply{stream(whole...)}}
		_ = s.Open("https://provider.example", server).Stream(t.Context(), s.request())
		if len(server.asked) > 0 {
			t.Error("the request was sent")
		}
	})
	t.Run("leaving the loop closes the connection", func(t *testing.T) {
		server := &server{replies: []reply{stream(whole...)}}
		for event := range s.Open("https://provider.example", server).Stream(t.Context(), s.request()) {
			if event.Type() == message.TypeTextDelta {
				break
			}
		}
		if n := server.open(); n > 0 || len(server.asked) != 1 {
			t.Errorf("%d connections open, asked %d times", n, len(server.asked))
		}
	})
	t.Run("a real server sees the connection close", func(t *testing.T) {
		gone := make(chan struct{})
		real := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Write([]byte(half[:strings.LastIndex(half, "\n\n")+2]))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			close(gone)
		}))
		defer real.Close()
		ctx, cancel := context.WithCancel(t.Context())
		// A client that does not listen must not keep the test from ending.
		giveUp := time.AfterFunc(s.patience(), real.CloseClientConnections)
		defer giveUp.Stop()
		var last error
		for event, err := range s.Open(real.URL, nil).Stream(ctx, s.request()) {
			if last = err; err == nil && event.Type() == message.TypeTextDelta {
				cancel()
			}
		}
		cancel()
		expect(t, last, message.ErrAborted)
		select {
		case <-gone:
		case <-time.After(s.patience()):
			t.Error("the server still waits")
		}
	})
}

// keys holds that the key goes where it belongs, and nowhere else.
func keys(t *testing.T, s Subject) {
	server := &server{replies: []reply{stream(s.Wire(said)...)}}
	if _, _, err := s.ask(t.Context(), server); err != nil {
		t.Fatal(err)
	}
	sent := server.asked[0]
	if have := sent.header.Get(s.KeyHeader); have != s.KeyValue {
		t.Errorf("%s is not what it must be", s.KeyHeader)
	}
	if strings.Contains(sent.url, Key) || strings.Contains(string(sent.body), Key) {
		t.Error("the key is in the address or in the body")
	}
	body, _, err := s.Encode(s.request())
	if err != nil || string(body) != string(sent.body) {
		t.Errorf("what was sent is not what the encoder returns (%v)", err)
	}
	t.Run("a provider that repeats the key is not quoted", func(t *testing.T) {
		for _, status := range []int{400, 401} {
			server.replies = []reply{refuse(status, s.ErrorBody(status, "wrong key "+Key+" for\nyou"))}
			server.asked = nil
			_, _, err := s.ask(t.Context(), server)
			var failure *message.Error
			if !errors.As(err, &failure) {
				t.Fatal(err)
			}
			expect(t, err, failure.Kind)
			told, err := failure.MarshalJSON()
			if err != nil || strings.Contains(string(told), Key) {
				t.Errorf("the key is in the JSON of the error (%v)", err)
			}
		}
		server.replies = []reply{{fails: errors.New("proxy refused " + Key)}}
		server.asked = nil
		synctest.Test(t, func(t *testing.T) {
			_, _, err := s.ask(t.Context(), server)
			expect(t, err, message.ErrNetwork)
		})
	})
}
