package session

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// writer puts a JSON object together. A JSON library would do it with less
// code, and would also respell what is inside: it drops spaces and rewrites
// escapes in the JSON that messages and unknown members keep as it came.
//
// Members that say nothing (zero, empty, nil) are left out.
type writer struct {
	out   []byte
	names []string // of all members there are, written or not
	err   error    // the first
}

// member begins a member. It reports whether to go on.
func (w *writer) member(name string, said bool) bool {
	w.names = append(w.names, name)
	if !said || w.err != nil {
		return false
	}
	if w.out == nil {
		w.out = append(w.out, '{')
	} else {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, '"')
	w.out = append(w.out, name...)
	w.out = append(w.out, '"', ':')
	return true
}

func (w *writer) fail(name string, err error) {
	if w.err == nil {
		w.err = fmt.Errorf("%s: %w", name, err)
	}
}

func (w *writer) quote(text string) {
	// The only error is of bytes that are not UTF-8; they become U+FFFD.
	w.out, _ = jsontext.AppendQuote(w.out, text)
}

func (w *writer) tag(kind Kind) {
	w.member(tag, true)
	w.quote(string(kind))
}

func (w *writer) text(name, text string) {
	if w.member(name, text != "") {
		w.quote(text)
	}
}

func (w *writer) number(name string, n int64) {
	if w.member(name, n != 0) {
		w.out = strconv.AppendInt(w.out, n, 10)
	}
}

func (w *writer) flag(name string, set bool) {
	if w.member(name, set) {
		w.out = append(w.out, "true"...)
	}
}

// raw is JSON that is kept as it came.
func (w *writer) raw(name string, value jsontext.Value) {
	if !w.member(name, value != nil) {
		return
	}
	if !value.IsValid() {
		w.fail(name, fmt.Errorf("not JSON: %.40q", []byte(value)))
	}
	w.out = append(w.out, value...)
}

// encoded is JSON that another package wrote.
func (w *writer) encoded(name string, value []byte, err error) {
	if err != nil {
		w.fail(name, err)
	}
	w.out = append(w.out, value...)
}

func (w *writer) message(name string, m *message.Message) {
	if w.member(name, m != nil) {
		value, err := message.Encode(*m)
		w.encoded(name, value, err)
	}
}

func (w *writer) request(name string, r message.Request) {
	if w.member(name, true) {
		value, err := message.EncodeRequest(r)
		w.encoded(name, value, err)
	}
}

func (w *writer) content(name string, c message.Content) {
	if w.member(name, len(c.Parts) > 0 || c.Plain) {
		value, err := c.MarshalJSON()
		w.encoded(name, value, err)
	}
}

func (w *writer) usage(name string, u *message.Usage) {
	if w.member(name, u != nil) {
		value, err := u.MarshalJSON()
		w.encoded(name, value, err)
	}
}

func (w *writer) degradations(name string, list []message.Degradation) {
	elements(w, name, list, func(d message.Degradation) {
		value, err := d.MarshalJSON()
		w.encoded(name, value, err)
	})
}

func (w *writer) digests(name string, list []blob.Digest) {
	elements(w, name, list, func(d blob.Digest) { w.quote(string(d)) })
}

func (w *writer) decisions(name string, list []Decision) {
	elements(w, name, list, func(d Decision) {
		inner := writer{}
		d.write(&inner)
		value, err := inner.close()
		w.encoded(name, value, err)
	})
}

func (w *writer) resume(name string, r *Resume) {
	if w.member(name, r != nil) {
		inner := writer{}
		r.write(&inner)
		value, err := inner.close()
		w.encoded(name, value, err)
	}
}

func (w *writer) spans(name string, list []Span) {
	elements(w, name, list, func(s Span) {
		w.out = strconv.AppendInt(append(w.out, '['), int64(s.First), 10)
		w.out = strconv.AppendInt(append(w.out, ','), int64(s.Last), 10)
		w.out = append(w.out, ']')
	})
}

func (w *writer) places(name string, list []Seq) {
	elements(w, name, list, func(s Seq) { w.out = strconv.AppendInt(w.out, int64(s), 10) })
}

func elements[T any](w *writer, name string, list []T, write func(T)) {
	if !w.member(name, len(list) > 0) {
		return
	}
	for i, element := range list {
		w.out = append(w.out, "[,"[min(i, 1)])
		write(element)
	}
	w.out = append(w.out, ']')
}

// rest writes the members of extra. None may be one of the fields': it would be
// read into the field next time.
func (w *writer) rest(extra jsontext.Value) {
	if extra == nil || w.err != nil {
		return
	}
	if !extra.IsValid() {
		w.fail("extra", fmt.Errorf("not JSON: %.40q", []byte(extra)))
		return
	}
	if extra.Kind() != jsontext.KindBeginObject {
		w.fail("extra", fmt.Errorf("want an object, have %.40s", extra))
		return
	}
	members := bytes.TrimSpace(extra)
	members = bytes.TrimSpace(members[1 : len(members)-1])
	if len(members) == 0 {
		return
	}
	d := jsontext.NewDecoder(bytes.NewReader(extra))
	for token, err := d.ReadToken(); err == nil && token.Kind() != jsontext.KindEndObject; token, err = d.ReadToken() {
		if token.Kind() == jsontext.KindBeginObject {
			continue
		}
		if name := token.String(); slices.Contains(w.names, name) {
			w.fail("extra", fmt.Errorf("it has a member %q, which is a field", name))
			return
		}
		if err := d.SkipValue(); err != nil {
			w.fail("extra", err)
			return
		}
	}
	w.out = append(w.out, "{,"[min(len(w.out), 1)])
	w.out = append(w.out, members...)
}

func (w *writer) close() (jsontext.Value, error) {
	if w.err != nil {
		return nil, w.err
	}
	if w.out == nil {
		w.out = append(w.out, '{')
	}
	return append(w.out, '}'), nil
}
