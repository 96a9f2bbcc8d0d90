package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
)

// maxLinks bounds how many entries are read for one request. Each request that
// is kept whole is as long as the conversation; each that is not costs a read.
const maxLinks = 32

// ErrInexact means that a request could be put together again, but not as it
// was sent.
var ErrInexact = errors.New("the request differs from the one that was sent")

// Prepare returns the entry for a request that is about to be sent by the named
// provider. It stands alone; [Prepared.Since] makes it short. The bytes of
// r.Blobs belong into the store first ([Store.Blobs]).
func Prepare(provider string, r message.Request) (Prepared, error) {
	encoded, err := message.EncodeRequest(r)
	if err != nil {
		return Prepared{}, fmt.Errorf("prepare: %w", err)
	}
	p := Prepared{Provider: provider, Request: r, Digest: blob.Of(encoded)}
	if len(r.Blobs) > 0 {
		p.Blobs = slices.Sorted(maps.Keys(r.Blobs))
	}
	p.Request.Blobs = nil
	return p, nil
}

// Since returns p without what it has in common with the request that was
// prepared before it: earlier is the entry, base its place in the log, and sent
// the whole request that it stands for. It returns p as it is when little would
// be gained, and now and then all the same, so that no request is spread over
// too many entries.
func (p Prepared) Since(base Seq, earlier Prepared, sent message.Request) (Prepared, error) {
	if p.Base != 0 || base < 1 || earlier.Links+1 > maxLinks {
		return p, nil
	}
	kept, err := common(sent.Messages, p.Request.Messages)
	if err != nil {
		return Prepared{}, fmt.Errorf("shorten request: %w", err)
	}
	tools, err := sameTools(sent.Tools, p.Request.Tools)
	if err != nil {
		return Prepared{}, fmt.Errorf("shorten request: %w", err)
	}
	if kept == 0 {
		return p, nil
	}
	p.Base, p.Kept, p.Links = base, kept, earlier.Links+1
	p.Request.Messages = slices.Clone(p.Request.Messages[kept:])
	if tools {
		p.SameTools, p.Request.Tools = true, nil
	}
	return p, nil
}

// common counts the messages that two requests begin with alike.
func common(a, b []message.Message) (n int, err error) {
	for n < len(a) && n < len(b) {
		same, err := alike(a[n], b[n])
		if err != nil {
			return 0, err
		}
		if !same {
			break
		}
		n++
	}
	return n, nil
}

func sameTools(a, b []message.ToolSpec) (bool, error) {
	if len(a) != len(b) || a == nil || b == nil {
		return false, nil
	}
	for i := range a {
		if same, err := alike(a[i], b[i]); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// alike tells whether two values are written with the same bytes. Their own
// methods are asked: a JSON library would make different spellings equal.
func alike[T interface{ MarshalJSON() ([]byte, error) }](a, b T) (bool, error) {
	x, err := a.MarshalJSON()
	if err != nil {
		return false, err
	}
	y, err := b.MarshalJSON()
	return bytes.Equal(x, y), err
}

// Sent returns the whole request that the [Prepared] entry at stands for, with
// its blobs, as it was sent. If what was put together is not what was sent, it
// returns that request and an [ErrInexact].
func Sent(ctx context.Context, s Store, id ID, at Seq) (message.Request, error) {
	request, err := sent(ctx, s, id, at)
	if err != nil {
		err = fmt.Errorf("read request %d of session %s: %w", at, id, err)
	}
	return request, err
}

func sent(ctx context.Context, s Store, id ID, at Seq) (message.Request, error) {
	if s == nil {
		return message.Request{}, errNoStore
	}
	request, last, err := wholeRequest(ctx, s, id, at)
	if err != nil {
		return message.Request{}, err
	}
	for _, digest := range last.Blobs {
		data, err := s.Blobs().Get(ctx, digest)
		if err != nil {
			return message.Request{}, err
		}
		if request.Blobs == nil {
			request.Blobs = make(map[blob.Digest][]byte, len(last.Blobs))
		}
		request.Blobs[digest] = data
	}
	encoded, err := message.EncodeRequest(request)
	if err != nil {
		return message.Request{}, err
	}
	if blob.Of(encoded) != last.Digest {
		return request, ErrInexact
	}
	return request, nil
}

// wholeRequest puts a request together, without its blobs. It returns the entry
// as well.
func wholeRequest(ctx context.Context, s Store, id ID, at Seq) (message.Request, Prepared, error) {
	// From the entry back to the one that stands alone.
	var chain []Prepared
	for seq := at; seq != 0; {
		p, err := preparedAt(ctx, s, id, seq)
		if err != nil {
			return message.Request{}, Prepared{}, err
		}
		if p.Base >= seq {
			return message.Request{}, Prepared{}, fmt.Errorf("entry %d continues entry %d, which is not before it", seq, p.Base)
		}
		chain, seq = append(chain, p), p.Base
	}
	if len(chain) == 0 {
		return message.Request{}, Prepared{}, ErrNoEntry
	}
	// And forward again.
	var messages []message.Message
	var tools []message.ToolSpec
	for i, p := range slices.Backward(chain) {
		if p.Kept > len(messages) {
			return message.Request{}, Prepared{}, fmt.Errorf("%d entries back it keeps %d of %d messages", i, p.Kept, len(messages))
		}
		messages = append(messages[:p.Kept:p.Kept], p.Request.Messages...)
		if !p.SameTools {
			tools = p.Request.Tools
		}
	}
	last := chain[0]
	request := last.Request
	request.Messages, request.Tools = messages, tools
	return request, last, nil
}

func preparedAt(ctx context.Context, s Store, id ID, seq Seq) (Prepared, error) {
	for record, err := range s.Read(ctx, id, seq) {
		if err != nil {
			return Prepared{}, err
		}
		p, is := record.Entry.(Prepared)
		if record.Seq != seq || !is {
			return Prepared{}, fmt.Errorf("entry %d is a %q, not a request", record.Seq, record.Entry.Kind())
		}
		return p, nil
	}
	return Prepared{}, fmt.Errorf("entry %d: %w", seq, ErrNoEntry)
}
