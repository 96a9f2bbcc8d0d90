package export

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Options are what an import can be told.
type Options struct {
	// NewIDs gives each session an ID of its own, so that an export can be read
	// into the store it was made from. Sessions that belong together still do.
	NewIDs bool
	// Now tells the time for new IDs; nil means [time.Now].
	Now func() time.Time
}

// Imported is what [Read] has put into a store.
type Imported struct {
	// Sessions are those that were added, in the order of the export.
	Sessions       []session.Meta
	Entries, Blobs int
	// Lost is how many entries were missing from the export. Where others follow
	// them a [LostNote] stands in their place, so that these keep their numbers.
	Lost int
	// Skipped is how many lines are of a type that this version does not know.
	Skipped int
}

// LostNote is the name of the [session.Note] that stands for a lost entry.
const LostNote = "lost"

// maxLine bounds the memory that one line may take.
const maxLine = 1 << 30

// Read puts what [Write] or a salvage wrote into a store. Each session is added
// whole or not at all; those that were added before an error stay, and are in
// the result. A session whose ID is taken is a [session.ErrExists].
func Read(ctx context.Context, r io.Reader, store session.Store, options Options) (Imported, error) {
	if r == nil || store == nil {
		return Imported{}, errors.New("import: there is no reader, or no store")
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	x := &reader{ctx: ctx, store: store, options: options, metas: map[session.ID]session.Meta{}, ids: map[session.ID]session.ID{}, reasons: map[session.Seq]Line{}}
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 {
			if failure := x.line(line); failure != nil {
				return x.result, fmt.Errorf("import: line %d: %w", number, failure)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return x.result, fmt.Errorf("import: line %d: %w", number, err)
		}
	}
	if err := x.end(); err != nil {
		return x.result, fmt.Errorf("import: %w", err)
	}
	return x.result, nil
}

// readLine returns a line without its end.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) > maxLine {
			return nil, fmt.Errorf("it is longer than %d bytes", maxLine)
		}
		if line = append(line, piece...); err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// reader is one import.
type reader struct {
	ctx     context.Context
	store   session.Store
	options Options
	result  Imported

	metas map[session.ID]session.Meta
	order []session.ID // of metas that are not added yet
	ids   map[session.ID]session.ID
	added []session.ID

	// current is the session whose entries are being read.
	current session.ID
	records []session.Record
	reasons map[session.Seq]Line // of what is lost in it
}

func (x *reader) line(text []byte) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("it is no line of an export, which is JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	switch l.Type {
	case TypeSession:
		if l.Meta == nil {
			return errors.New("a session without its meta")
		}
		if _, twice := x.metas[l.Meta.ID]; twice {
			return fmt.Errorf("session %s is there twice", l.Meta.ID)
		}
		x.metas[l.Meta.ID] = *l.Meta
		x.order = append(x.order, l.Meta.ID)
	case TypeEntry:
		return x.entry(l)
	case TypeBlob:
		if l.Data == nil {
			return errors.New("a blob without its data")
		}
		digest, err := x.store.Blobs().Put(x.ctx, *l.Data)
		if err == nil && l.Digest != "" && digest != l.Digest {
			err = fmt.Errorf("blob %s is not what it says it is", l.Digest.Short())
		}
		if err != nil {
			return err
		}
		x.result.Blobs++
	case TypeLost:
		return x.lost(l)
	default:
		x.result.Skipped++
	}
	return nil
}

// turnTo goes on with the entries of a session.
func (x *reader) turnTo(id session.ID) error {
	if id == x.current {
		return nil
	}
	if err := x.flush(); err != nil {
		return err
	}
	if slices.Contains(x.added, id) {
		return fmt.Errorf("the entries of session %s do not stand together", id)
	}
	x.current = id
	return nil
}

func (x *reader) entry(l Line) error {
	if err := x.turnTo(l.Session); err != nil {
		return err
	}
	e, err := session.Decode(l.Entry)
	if err != nil {
		return err
	}
	next := session.Seq(len(x.records)) + 1
	if l.Seq < next {
		return fmt.Errorf("entry %d of session %s comes after entry %d", l.Seq, l.Session, next-1)
	}
	if l.Seq-next > 1<<20 {
		return fmt.Errorf("session %s lacks its entries %d to %d", l.Session, next, l.Seq-1)
	}
	for ; next < l.Seq; next++ {
		x.records = append(x.records, session.Record{Seq: next, Time: l.Time, Entry: x.placeholder(next)})
		x.result.Lost++
	}
	x.records = append(x.records, session.Record{Seq: l.Seq, Time: l.Time, Entry: e})
	return nil
}

func (x *reader) lost(l Line) error {
	if l.Session == "" || l.Seq == 0 {
		return nil // a session or a blob of which nothing is left
	}
	if err := x.turnTo(l.Session); err != nil {
		// The end of a log that was read already: nothing follows it.
		if slices.Contains(x.added, l.Session) {
			return nil
		}
		return err
	}
	x.reasons[l.Seq] = l
	return nil
}

// placeholder stands for an entry that is lost.
func (x *reader) placeholder(seq session.Seq) session.Note {
	value := struct {
		Reason string `json:"reason"`
		Raw    string `json:"raw,omitzero"`
	}{Reason: "it is not in the export"}
	for first, l := range x.reasons {
		if first <= seq && seq <= max(first, l.Through) {
			value.Reason, value.Raw = l.Reason, l.Raw
		}
	}
	text, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text = nil // there is nothing in it that could fail
	}
	return session.Note{Name: LostNote, Value: text}
}

// flush adds the session whose entries were read.
func (x *reader) flush() error {
	id, records := x.current, x.records
	x.current, x.records = "", nil
	clear(x.reasons)
	if id == "" {
		return nil
	}
	return x.add(id, records)
}

// end adds what is left: the last log, and sessions without entries.
func (x *reader) end() error {
	if err := x.flush(); err != nil {
		return err
	}
	for len(x.order) > 0 {
		if err := x.add(x.order[0], nil); err != nil {
			return err
		}
	}
	return nil
}

func (x *reader) add(id session.ID, records []session.Record) error {
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
	m, err := x.store.Restore(x.ctx, m, func(yield func(session.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	x.added = append(x.added, id)
	x.order = slices.DeleteFunc(x.order, func(other session.ID) bool { return other == id })
	x.result.Sessions = append(x.result.Sessions, m)
	x.result.Entries += len(records)
	return nil
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
