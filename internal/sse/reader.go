package sse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// Event is one event of a stream.
type Event struct {
	// Name is the event's type, empty if none was given.
	Name string
	// Data is what it says. It is valid until the next call of [Reader.Next].
	Data []byte
}

// ErrTooLong is the error for an event that is longer than the limit.
var ErrTooLong = errors.New("an event is too long")

// Reader reads events.
type Reader struct {
	in    *bufio.Reader
	limit int

	line []byte // the line being read
	data []byte // the data of the event being read
	// afterCR says that the last line ended with CR: an LF that follows belongs
	// to it. It is looked for with the next line and not at once, since waiting
	// for it could hold up an event that is complete.
	afterCR bool
	started bool

	lastID string
	retry  time.Duration
}

// NewReader returns a reader of the events in r, none of them longer than limit
// bytes.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 16<<10), limit: limit}
}

// Next returns the next event. At the end of the stream the error is io.EOF, or
// io.ErrUnexpectedEOF if the stream ended within an event; when an event is
// longer than the limit it wraps [ErrTooLong].
func (r *Reader) Next() (Event, error) {
	var name string
	id := r.lastID
	r.data = r.data[:0]
	lines, hasData := 0, false
	for {
		err := r.readLine(len(r.data))
		if err == io.EOF && (lines > 0 || len(r.line) > 0) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return Event{}, err
		}
		line := r.line
		if len(line) == 0 {
			// A blank line ends the event; without data there is none, but it
			// may have said where the stream is.
			r.lastID = id
			if hasData {
				return Event{Name: name, Data: bytes.TrimSuffix(r.data, []byte("\n"))}, nil
			}
			name, lines = "", 0
			continue
		}
		if line[0] == ':' {
			continue
		}
		lines++
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			r.data = append(append(r.data, value...), '\n')
			hasData = true
		case "event":
			name = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				id = string(value)
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				r.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// LastID is the last identifier that the stream gave, empty if it gave none.
// With it a stream that broke off can be asked for again from where it was.
func (r *Reader) LastID() string { return r.lastID }

// Retry is how long the server wants to be left alone before it is asked again,
// zero if it did not say.
func (r *Reader) Retry() time.Duration { return r.retry }

// readLine reads one line, without its end, into r.line. The event has already
// used that many bytes of the limit.
func (r *Reader) readLine(used int) error {
	r.line = r.line[:0]
	if !r.started {
		r.started = true
		if mark, _ := r.in.Peek(3); string(mark) == "\uFEFF" {
			r.in.Discard(3)
		}
	}
	for {
		// What is there already is looked at as a whole; only when nothing is
		// there does this wait.
		if _, err := r.in.Peek(1); err != nil {
			return err
		}
		there, _ := r.in.Peek(r.in.Buffered())
		if r.afterCR {
			r.afterCR = false
			if there[0] == '\n' {
				r.in.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(there, "\r\n")
		piece := there
		if end >= 0 {
			piece = there[:end]
			r.afterCR = there[end] == '\r'
		}
		if used+len(r.line)+len(piece) > r.limit {
			return fmt.Errorf("%w: more than %d bytes", ErrTooLong, r.limit)
		}
		r.line = append(r.line, piece...)
		if end >= 0 {
			r.in.Discard(end + 1)
			return nil
		}
		r.in.Discard(len(piece))
	}
}
