package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/message"
)

// prepared is the last request of a log, and the whole of it once somebody
// needs it.
type prepared struct {
	seq   Seq
	entry Prepared
	whole *message.Request
	// none says that the log is known to have none besides.
	none bool
}

func (p *prepared) add(seq Seq, e Prepared) {
	var whole *message.Request
	switch {
	case e.Base == 0:
		whole = new(e.Request)
	case e.Base == p.seq && p.whole != nil && e.Kept <= len(p.whole.Messages):
		whole = new(e.Request)
		whole.Messages = append(p.whole.Messages[:e.Kept:e.Kept], e.Request.Messages...)
		if e.SameTools {
			whole.Tools = p.whole.Tools
		}
	}
	*p = prepared{seq: seq, entry: e, whole: whole, none: p.none}
}

// LastPrepared returns the last request of the session: where it is, the entry,
// and the whole request that it stands for, without its blobs. They are what
// [Prepared.Since] asks for. If there is none, the place is zero.
func (v *View) LastPrepared(ctx context.Context) (Seq, Prepared, message.Request, error) {
	if err := v.loadPrepared(ctx); err != nil {
		return 0, Prepared{}, message.Request{}, fmt.Errorf("read the last request of session %.40q: %w", string(v.id), err)
	}
	if v.prepared.whole == nil {
		return 0, Prepared{}, message.Request{}, nil
	}
	return v.prepared.seq, v.prepared.entry, *v.prepared.whole, nil
}

func (v *View) loadPrepared(ctx context.Context) error {
	if v.store == nil {
		return errNoStore
	}
	if v.prepared.whole != nil || v.prepared.none && v.prepared.seq == 0 {
		return nil
	}
	if v.prepared.seq == 0 {
		last, err := v.store.Last(ctx, v.id, KindPrepared)
		if errors.Is(err, ErrNoEntry) {
			return nil
		}
		if err != nil {
			return err
		}
		entry, is := last.Entry.(Prepared)
		if !is {
			return nil // one that only a later version can read
		}
		v.prepared.seq, v.prepared.entry = last.Seq, entry
	}
	whole, _, err := wholeRequest(ctx, v.store, v.id, v.prepared.seq)
	if err != nil {
		return err
	}
	v.prepared.whole = &whole
	return nil
}
