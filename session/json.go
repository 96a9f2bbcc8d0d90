package session

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/internal/union"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const tag = "kind"

// Encode writes e as one flat JSON object, its kind first. What was kept as it
// came is written byte for byte, within messages too.
//
// It fails for what [Decode] would not give back: an entry without what its
// kind needs, or a field that should hold JSON and does not.
func Encode(e Entry) (jsontext.Value, error) {
	var data jsontext.Value
	var err error
	switch e := e.(type) {
	case nil:
		return nil, errors.New("encode entry: there is none")
	case Said, Prepared, Compacted, Delegated, Returned, Note:
		data, err = encode(e.(writable))
	case Unknown:
		data, err = bytes.Clone(e.Raw), e.validate()
	default:
		// A pointer to a variant has its methods too, and may be nil.
		return nil, fmt.Errorf("encode entry: want a value, have a %T", e)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s entry: %w", e.Kind(), err)
	}
	return data, nil
}

func encode(e writable) (jsontext.Value, error) {
	if err := e.validate(); err != nil {
		return nil, err
	}
	var w writer
	w.tag(e.Kind())
	e.write(&w)
	return w.close()
}

// Decode reads what [Encode] wrote. An entry of a kind that is not known, or
// without what its kind needs, becomes an [Unknown]. It is an error only if
// data is not one JSON object that names its kind.
//
// Nothing of the result shares memory with data.
func Decode(data jsontext.Value) (Entry, error) {
	if kind, members, found := shortSplit(data); found {
		// A member that no field took might be a second kind; that is for the
		// long way to find.
		if e, err := decoder(kind)(members); err == nil && e.(writable).extra() == nil {
			return e, nil
		}
	}
	kind, members, err := union.Split(data, tag)
	if err != nil {
		return nil, fmt.Errorf("decode entry: %w", err)
	}
	if decode := decoder(Kind(kind)); decode != nil {
		if e, err := decode(members); err == nil {
			return e, nil
		}
	}
	return Unknown{Name: kind, Raw: bytes.Clone(data)}, nil
}

// shortSplit does what [union.Split] does where the entry begins as Encode
// writes it. It does not look at the rest, which is as long as the entry and is
// read in any case: that halves the time it takes to open a session.
func shortSplit(data jsontext.Value) (kind Kind, members jsontext.Value, found bool) {
	const opening = `{"` + tag + `":"`
	after, found := bytes.CutPrefix(data, []byte(opening))
	if !found {
		return "", nil, false
	}
	name, rest, found := bytes.Cut(after, []byte(`",`))
	if !found || decoder(Kind(name)) == nil {
		return "", nil, false
	}
	members = make(jsontext.Value, 0, len(rest)+1)
	return Kind(name), append(append(members, '{'), rest...), true
}

// writable is a variant with members.
type writable interface {
	Entry
	validate() error
	write(*writer)
	extra() jsontext.Value
}

// decoder returns what reads the members of a kind, nil for one that is not
// known.
func decoder(kind Kind) func(jsontext.Value) (Entry, error) {
	switch kind {
	case KindSaid:
		return variant[Said]
	case KindPrepared:
		return preparedVariant
	case KindCompacted:
		return variant[Compacted]
	case KindDelegated:
		return variant[Delegated]
	case KindReturned:
		return variant[Returned]
	case KindNote:
		return variant[Note]
	default:
		return nil
	}
}

func variant[E writable](members jsontext.Value) (Entry, error) {
	var e E
	if err := json.Unmarshal(members, &e); err != nil {
		return nil, err
	}
	return e, e.validate()
}

// preparedVariant tells a request that says nothing from one that is not there.
// In the other kinds what is needed is never zero.
func preparedVariant(members jsontext.Value) (Entry, error) {
	var p struct {
		Prepared
		Request *message.Request `json:"request"`
	}
	if err := json.Unmarshal(members, &p); err != nil {
		return nil, err
	}
	if p.Request == nil {
		return nil, errors.New("request: it is missing")
	}
	p.Prepared.Request = *p.Request
	return p.Prepared, p.Prepared.validate()
}

// Err says why an entry of a known kind could not be read as one. It is nil for
// a kind that is not known.
func (u Unknown) Err() error {
	decode := decoder(Kind(u.Name))
	if decode == nil {
		return nil
	}
	kind, rest, err := union.Split(u.Raw, tag)
	if err == nil && kind != u.Name {
		err = fmt.Errorf("its JSON says %q", kind)
	}
	if err == nil {
		_, err = decode(rest)
	}
	if err != nil {
		return fmt.Errorf("%s entry: %w", u.Name, err)
	}
	return nil
}

func (u Unknown) validate() error {
	kind, _, err := union.Split(u.Raw, tag)
	if err == nil && kind != u.Name {
		err = fmt.Errorf("its JSON says %q", kind)
	}
	return err
}

func (s Said) write(w *writer) {
	w.message("message", &s.Message)
	w.number("prepared", int64(s.Prepared))
	w.usage("usage", s.Usage)
	w.degradations("degradations", s.Degradations)
	w.text("finish_reason", s.FinishReason)
	w.text("interrupted", s.Interrupted)
	w.rest(s.Extra)
}

func (p Prepared) write(w *writer) {
	w.text("provider", p.Provider)
	w.text("choice", p.Choice)
	w.raw("options", p.Options)
	w.request("request", p.Request)
	w.number("base", int64(p.Base))
	w.number("kept", int64(p.Kept))
	w.flag("same_tools", p.SameTools)
	w.number("links", int64(p.Links))
	w.text("digest", string(p.Digest))
	w.digests("blobs", p.Blobs)
	w.number("through", int64(p.Through))
	w.number("epoch", int64(p.Epoch))
	w.number("tokens", int64(p.Tokens))
	w.raw("report", p.Report)
	w.rest(p.Extra)
}

func (c Compacted) write(w *writer) {
	w.number("epoch", int64(c.Epoch))
	w.text("strategy", c.Strategy)
	w.text("reason", c.Reason)
	w.number("through", int64(c.Through))
	w.decisions("decisions", c.Decisions)
	w.message("summary", c.Summary)
	w.text("notice", c.Notice)
	w.number("notice_before", int64(c.NoticeBefore))
	w.number("tokens_before", int64(c.TokensBefore))
	w.number("tokens_after", int64(c.TokensAfter))
	w.number("tokens_target", int64(c.TokensTarget))
	w.text("provider", c.Provider)
	w.text("model", c.Model)
	w.resume("resume", c.Resume)
	w.rest(c.Extra)
}

func (r Resume) write(w *writer) {
	w.spans("spans", r.Spans)
	w.decisions("decisions", r.Decisions)
	w.places("pinned", r.Pinned)
	w.number("turns", int64(r.Turns))
	w.rest(r.Extra)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Span) UnmarshalJSON(data []byte) error {
	var ends [2]Seq
	if err := json.Unmarshal(data, &ends); err != nil {
		return fmt.Errorf("span: %w", err)
	}
	s.First, s.Last = ends[0], ends[1]
	return nil
}

func (d Decision) write(w *writer) {
	w.number("seq", int64(d.Seq))
	w.number("part", int64(d.Part))
	w.text("action", string(d.Action))
	w.text("text", d.Text)
	w.text("reason", d.Reason)
	w.rest(d.Extra)
}

func (d Delegated) write(w *writer) {
	w.text("child", string(d.Child))
	w.text("agent", d.Agent)
	w.content("prompt", d.Prompt)
	w.text("description", d.Description)
	w.text("call", d.Call)
	w.rest(d.Extra)
}

func (r Returned) write(w *writer) {
	w.number("delegated", int64(r.Delegated))
	w.text("child", string(r.Child))
	w.text("outcome", string(r.Outcome))
	w.text("reason", r.Reason)
	w.content("result", r.Result)
	w.usage("usage", r.Usage)
	w.rest(r.Extra)
}

func (n Note) write(w *writer) {
	w.text("name", n.Name)
	w.raw("value", n.Value)
	w.rest(n.Extra)
}

func (s Said) extra() jsontext.Value      { return s.Extra }
func (p Prepared) extra() jsontext.Value  { return p.Extra }
func (c Compacted) extra() jsontext.Value { return c.Extra }
func (d Delegated) extra() jsontext.Value { return d.Extra }
func (r Returned) extra() jsontext.Value  { return r.Extra }
func (n Note) extra() jsontext.Value      { return n.Extra }
