package export

import (
	"bytes"
	"errors"
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// add puts a session into the store, unless the file or the store has it already.
func (x *reader) add(id session.ID, records []session.Record) error {
	x.done = append(x.done, id)
	x.order = slices.DeleteFunc(x.order, func(other session.ID) bool { return other == id })
	sum, err := sumOf(records)
	if err != nil {
		return err
	}
	if x.second[id] {
		if sum != x.sums[id] {
			x.twice = append(x.twice, id)
		}
		return nil
	}
	x.sums[id] = sum
	m, known := x.metas[id]
	if !known {
		// A log whose session is lost.
		m = session.Meta{ID: id, Title: "recovered from " + string(id)}
		if len(records) > 0 {
			m.Created, m.Updated = records[0].Time, records[len(records)-1].Time
		}
	}
	if x.options.NewIDs {
		m.ID, m.Parent, m.ForkOf = x.newID(id), x.known(m.Parent), x.known(m.ForkOf)
		for i := range records {
			records[i].Entry = x.renamed(records[i].Entry)
		}
	}
	added, err := x.store.Restore(x.ctx, m, func(yield func(session.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	})
	if errors.Is(err, session.ErrExists) {
		return x.compare(id, records)
	}
	if err != nil {
		return err
	}
	x.result.Sessions = append(x.result.Sessions, added)
	x.result.Entries += len(records)
	return nil
}

// compare looks whether a session whose ID is taken is the one that is there.
func (x *reader) compare(id session.ID, records []session.Record) error {
	i := 0
	for have, err := range x.store.Read(x.ctx, id, 1) {
		if err != nil {
			return err
		}
		if i == len(records) || !same(have, records[i]) {
			x.other = append(x.other, id)
			return nil
		}
		i++
	}
	if i < len(records) {
		x.other = append(x.other, id)
	} else {
		x.result.Same = append(x.result.Same, id)
	}
	return nil
}

// same reports whether two records are the same in an export.
func same(a, b session.Record) bool {
	line, err := lineOf(a)
	if err != nil {
		return false
	}
	other, err := lineOf(session.Record{Seq: b.Seq, Time: a.Time, Entry: b.Entry})
	return err == nil && a.Time.Equal(b.Time) && bytes.Equal(line, other)
}

// sumOf tells two logs apart.
func sumOf(records []session.Record) (blob.Digest, error) {
	var all []byte
	for _, r := range records {
		line, err := lineOf(r)
		if err != nil {
			return "", err
		}
		all = append(all, blob.Of(line)...)
	}
	return blob.Of(all), nil
}

// lineOf is how a record stands in an export, whichever session it is of.
func lineOf(r session.Record) ([]byte, error) {
	entry, err := session.Encode(r.Entry)
	if err != nil {
		return nil, err
	}
	return Line{Type: TypeEntry, Seq: r.Seq, Time: r.Time, Entry: entry}.Append(nil)
}

// newID is what a session of the export is called here.
func (x *reader) newID(id session.ID) session.ID {
	if x.ids[id] == "" {
		x.ids[id] = session.NewID(x.options.Now())
	}
	return x.ids[id]
}

// known returns the new name of a session that is in the export, and that of any
// other as it is.
func (x *reader) known(id session.ID) session.ID {
	if _, exported := x.metas[id]; !exported {
		return id
	}
	return x.newID(id)
}

// renamed returns an entry with the new names of the sessions in it.
func (x *reader) renamed(e session.Entry) session.Entry {
	switch e := e.(type) {
	case session.Delegated:
		e.Child = x.known(e.Child)
		return e
	case session.Returned:
		e.Child = x.known(e.Child)
		return e
	}
	return e
}
