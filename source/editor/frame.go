package editor

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat/internal/wording"
)

const (
	// longestMessage is how many bytes one message of a server may have.
	longestMessage = 16 << 20
	longestHeader  = 4 << 10
)

// frames are messages with a header that tells their length. It is a
// [jsonrpc2.ObjectStream] that does not trust the other side: what is no
// message, or too long, is an error, and remembered.
type frames struct {
	in  *bufio.Reader
	out io.WriteCloser
	// closer ends the reading.
	closer io.Closer
	// notified gets what the other side tells without asking, in order. Most
	// messages, and the longest, are such, and are decoded but once that way.
	notified func(method string, params jsontext.Value)

	writing sync.Mutex
	mu      sync.Mutex
	err     error
}

func newFrames(in io.ReadCloser, out io.WriteCloser, notified func(string, jsontext.Value)) *frames {
	return &frames{in: bufio.NewReaderSize(in, longestHeader), out: out, closer: in, notified: notified}
}

// fault is the first error in what the other side sent, nil if it only ended.
func (f *frames) fault() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (f *frames) ReadObject(v any) error {
	err := f.read(v)
	if err != nil {
		f.mu.Lock()
		if f.err == nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, os.ErrClosed) {
			f.err = err
		}
		f.mu.Unlock()
	}
	return err
}

func (f *frames) read(v any) error {
	for {
		body, err := f.body()
		if err != nil {
			return err
		}
		var envelope struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params jsontext.Value `json:"params"`
		}
		if err = json.Unmarshal(body, &envelope, lenient()); err == nil && envelope.ID == nil && envelope.Method != "" {
			f.notified(envelope.Method, envelope.Params)
			continue
		}
		if err == nil {
			err = json.Unmarshal(body, v, lenient())
		}
		if err != nil {
			return fmt.Errorf("it sent a message that is not one: %.60q", body)
		}
		return nil
	}
}

// body reads the next message.
func (f *frames) body() ([]byte, error) {
	length := -1
	for header := 0; ; {
		line, err := f.in.ReadSlice('\n')
		if header += len(line); errors.Is(err, bufio.ErrBufferFull) || header > longestHeader {
			return nil, errors.New("it sent a header that does not end")
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, fmt.Errorf("it sent %.60q where a message should begin", text)
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return nil, fmt.Errorf("it sent a message of the length %.60q", strings.TrimSpace(value))
			}
		}
	}
	if length < 0 {
		return nil, errors.New("it sent a message without a length")
	}
	if length > longestMessage {
		return nil, fmt.Errorf("it sent a message of %s bytes, more than the %s that are read", wording.Number(length), wording.Number(longestMessage))
	}
	body := make([]byte, length)
	_, err := io.ReadFull(f.in, body)
	return body, err
}

// lenient is how messages of others are read.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (f *frames) WriteObject(v any) error {
	body, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	f.writing.Lock()
	defer f.writing.Unlock()
	_, err = f.out.Write(append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...))
	return err
}

// Close implements [jsonrpc2.ObjectStream].
func (f *frames) Close() error { return errors.Join(f.out.Close(), f.closer.Close()) }
