package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"
)

// read returns the events of a stream, as text, and how it ended.
func read(r io.Reader, limit int) (events []string, err error) {
	reader := NewReader(r, limit)
	for {
		event, err := reader.Next()
		if err != nil {
			return events, err
		}
		events = append(events, fmt.Sprintf("%s %q", event.Name, event.Data))
	}
}

func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
		end          error
	}{
		{"nothing", "", nil, io.EOF},
		{"an event", "event: add\ndata: 1\n\n", []string{`add "1"`}, io.EOF},
		{"without a name", "data: 1\n\n", []string{` "1"`}, io.EOF},
		{"the name is forgotten after the event", "event: a\ndata: 1\n\ndata: 2\n\n", []string{`a "1"`, ` "2"`}, io.EOF},
		{"the last name counts", "event: a\nevent: b\ndata: 1\n\n", []string{`b "1"`}, io.EOF},
		{"lines of data are joined", "data: 1\ndata: 2\ndata\ndata: 3\n\n", []string{` "1\n2\n\n3"`}, io.EOF},
		{"empty data is data", "data\n\n", []string{` ""`}, io.EOF},
		{"one space after the colon is no data", "data:1\n\ndata:  2\n\n", []string{` "1"`, ` " 2"`}, io.EOF},
		{"CR ends a line", "event: a\rdata: 1\r\rdata: 2\r\r", []string{`a "1"`, ` "2"`}, io.EOF},
		{"so do both", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []string{`a "1"`, ` "2"`}, io.EOF},
		{"and any mixture", "data: 1\r\n\ndata: 2\n\rdata: 3\r\r\n", []string{` "1"`, ` "2"`, ` "3"`}, io.EOF},
		{"comments", ": hello\n\n:\n: \ndata: 1\n: within\n\n", []string{` "1"`}, io.EOF},
		{"other fields", "id: 7\nretry: 10\nfoo: bar\nbaz\ndata: 1\n\n", []string{` "1"`}, io.EOF},
		{"a name alone is no event", "event: ping\n\ndata: 1\n\n", []string{` "1"`}, io.EOF},
		{"a byte order mark", "\uFEFFdata: 1\n\n", []string{` "1"`}, io.EOF},
		{"only the first", "data: 1\n\n\uFEFFdata: 2\n\n", []string{` "1"`}, io.EOF},
		{"a colon in the data", "data: a: b\n\n", []string{` "a: b"`}, io.EOF},
		{"bytes that are no text", "data: \xff\xfe\x00\n\n", []string{` "\xff\xfe\x00"`}, io.EOF},
		{"cut in a line", "data: 1\n\ndata: 2", []string{` "1"`}, io.ErrUnexpectedEOF},
		{"cut after a line", "data: 1\n\ndata: 2\n", []string{` "1"`}, io.ErrUnexpectedEOF},
		{"cut after the name", "event: a\n", nil, io.ErrUnexpectedEOF},
		{"cut after a comment", "data: 1\n\n: bye\n", []string{` "1"`}, io.EOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, in := range map[string]io.Reader{
				"at once":               strings.NewReader(c.stream),
				"byte by byte":          iotest.OneByteReader(strings.NewReader(c.stream)),
				"the end with the data": iotest.DataErrReader(strings.NewReader(c.stream)),
			} {
				have, err := read(in, 1000)
				if strings.Join(have, "|") != strings.Join(c.want, "|") || err != c.end {
					t.Errorf("%s: %v, %v; want %v, %v", name, have, err, c.want, c.end)
				}
			}
		})
	}
}

func TestAnEventIsReturnedAsSoonAsItIsComplete(t *testing.T) {
	for _, ends := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		in, out := io.Pipe()
		go out.Write([]byte("data: 1" + ends))
		event, err := NewReader(in, 100).Next() // hangs if it waits for more
		if string(event.Data) != "1" || err != nil {
			t.Errorf("%q: %q, %v", ends, event.Data, err)
		}
		out.Close()
	}
}

func TestAnEventHasALimit(t *testing.T) {
	const limit = 50_000
	fits := "data: " + strings.Repeat("x", limit-6) + "\n\n"
	if events, err := read(strings.NewReader(fits+fits), limit); len(events) != 2 || err != io.EOF {
		t.Errorf("%d events, %v", len(events), err)
	}
	for name, stream := range map[string]string{
		"one line":             "data: " + strings.Repeat("x", limit),
		"many lines":           strings.Repeat("data: x\n", limit),
		"a line of another":    "foo: " + strings.Repeat("x", limit),
		"a line without field": strings.Repeat("x", limit+1),
	} {
		if events, err := read(strings.NewReader(stream), limit); !errors.Is(err, ErrTooLong) || len(events) > 0 {
			t.Errorf("%s: %d events, %v", name, len(events), err)
		}
	}
}

func TestWhereAStreamBrokeOff(t *testing.T) {
	for _, c := range []struct {
		name, stream, id string
		retry            time.Duration
	}{
		{"nothing said", "data: 1\n\n", "", 0},
		{"with an event", "id: 7\nretry: 1500\ndata: 1\n\n", "7", 1500 * time.Millisecond},
		{"without data", "data: 1\n\nid: 8\n\n", "8", 0},
		{"it stays", "id: 7\ndata: 1\n\ndata: 2\n\n", "7", 0},
		{"the event is cut off", "id: 7\ndata: 1\n\nid: 8\ndata: 2\n", "7", 0},
		{"taken back", "id: 7\ndata: 1\n\nid\ndata: 2\n\n", "", 0},
		{"what cannot be sent back", "id: 7\n\nid: 8\x00\n\n", "7", 0},
		{"no number", "retry: soon\nretry: -1\n\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			reader := NewReader(strings.NewReader(c.stream), 1000)
			for {
				if _, err := reader.Next(); err != nil {
					break
				}
			}
			if reader.LastID() != c.id || reader.Retry() != c.retry {
				t.Errorf("%q, %v; want %q, %v", reader.LastID(), reader.Retry(), c.id, c.retry)
			}
		})
	}
}

func TestAnErrorIsPassedOn(t *testing.T) {
	broken := errors.New("broken")
	events, err := read(io.MultiReader(strings.NewReader("data: 1\n\ndata: 2"), iotest.ErrReader(broken)), 100)
	if len(events) != 1 || err != broken {
		t.Errorf("%v, %v", events, err)
	}
}

// naive reads a whole stream by the letter of the standard.
func naive(stream string) (events []string) {
	stream = strings.TrimPrefix(stream, "\uFEFF")
	stream = strings.ReplaceAll(strings.ReplaceAll(stream, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(stream, "\n")
	var name, data string
	has := false
	for _, line := range lines[:len(lines)-1] { // what follows the last end is no line
		if line == "" {
			if has {
				events = append(events, fmt.Sprintf("%s %q", name, strings.TrimSuffix(data, "\n")))
			}
			name, data, has = "", "", false
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data, has = data+value+"\n", true
		case "event":
			name = value
		}
	}
	return events
}

func TestReaderFollowsTheStandard(t *testing.T) {
	piece := rapid.SampledFrom([]string{"data", "event", ":", " ", "\n", "\r", "\r\n", "\n\n", "x", "é", "data: 1\n\n", "\uFEFF", "id: 1\n"})
	rapid.Check(t, func(t *rapid.T) {
		stream := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "stream"), "")
		have, _ := read(iotest.HalfReader(strings.NewReader(stream)), 1000)
		if want := naive(stream); strings.Join(have, "|") != strings.Join(want, "|") {
			t.Fatalf("%q:\nhave %v\nwant %v", stream, have, want)
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: 1\n\n: c\rdata: \xc3\n\r\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		want := naive(string(stream))
		for _, in := range []io.Reader{bytes.NewReader(stream), iotest.OneByteReader(bytes.NewReader(stream))} {
			have, err := read(in, len(stream)+1)
			if strings.Join(have, "|") != strings.Join(want, "|") {
				t.Fatalf("%q:\nhave %v\nwant %v", stream, have, want)
			}
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	event := []byte("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" some words\"}}\n\n")
	reader := NewReader(bytes.NewReader(bytes.Repeat(event, b.N)), 1<<20)
	b.SetBytes(int64(len(event)))
	b.ReportAllocs()
	for range b.N {
		if _, err := reader.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
