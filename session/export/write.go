package export

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// Write exports sessions to w as JSON Lines: what is known about each, their
// entries, and the contents in the store that the entries name. [Read] puts
// them into a store again.
func Write(ctx context.Context, w io.Writer, store session.Store, ids ...session.ID) error {
	if w == nil || store == nil {
		return errors.New("export: there is no writer, or no store")
	}
	x := writer{ctx: ctx, out: bufio.NewWriter(w), store: store, named: map[blob.Digest]bool{}}
	if err := x.write(ids); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

type writer struct {
	ctx   context.Context
	out   *bufio.Writer
	store session.Store
	line  []byte
	// named are the digests that entries mention, order is that.
	named map[blob.Digest]bool
	order []blob.Digest
}

func (x *writer) write(ids []session.ID) error {
	for _, id := range ids {
		m, err := x.store.Get(x.ctx, id)
		if err != nil {
			return err
		}
		if err := x.put(Line{Type: TypeSession, Session: id, Meta: &m}); err != nil {
			return err
		}
	}
	for _, id := range ids {
		for r, err := range x.store.Read(x.ctx, id, 1) {
			if err != nil {
				return err
			}
			if err := x.record(id, r); err != nil {
				return err
			}
		}
	}
	for _, digest := range x.order {
		data, err := x.store.Blobs().Get(x.ctx, digest)
		if errors.Is(err, blob.ErrNotFound) {
			continue // it names content that was never kept
		}
		if err != nil {
			return err
		}
		if err := x.put(Line{Type: TypeBlob, Digest: digest, Data: &data}); err != nil {
			return err
		}
	}
	return x.out.Flush()
}

func (x *writer) put(l Line) (err error) {
	if x.line, err = l.Append(x.line[:0]); err == nil {
		_, err = x.out.Write(x.line)
	}
	return err
}

func (x *writer) record(id session.ID, r session.Record) error {
	entry, err := session.Encode(r.Entry)
	if err != nil {
		return fmt.Errorf("session %s: entry %d: %w", id, r.Seq, err)
	}
	x.note(entry)
	return x.put(Line{Type: TypeEntry, Session: id, Seq: r.Seq, Time: r.Time, Entry: entry})
}

// note finds the digests in an entry, wherever they are: what a later version
// names is exported too.
func (x *writer) note(entry []byte) {
	example := blob.Of(nil)
	prefix, _, _ := bytes.Cut([]byte(example), []byte(":"))
	prefix = append(prefix, ':')
	for {
		_, after, found := bytes.Cut(entry, prefix)
		if !found {
			return
		}
		entry = after
		if rest := len(example) - len(prefix); len(after) >= rest {
			if digest, err := blob.Parse(string(prefix) + string(after[:rest])); err == nil && !x.named[digest] {
				x.named[digest] = true
				x.order = append(x.order, digest)
			}
		}
	}
}
