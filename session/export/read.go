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

	"github.com/ampersat/ampersat/blob"
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
	Sessions []session.Meta
	// Same are those that are there already, with the same log. They stay as they are.
	Same           []session.ID
	Entries, Blobs int
	// Lost is how many entries were lost before the export was written. Where others
	// follow them a [LostNote] stands in their place, so that these keep their numbers.
	Lost int
	// LostElse is how many lines tell of another loss: a session, a content, or some
	// of them.
	LostElse int
	// Skipped is how many lines are of a type that this version does not know.
	Skipped int
}

// LostNote is the name of the [session.Note] that stands for a lost entry.
const LostNote = "lost"

// maxLine bounds the memory that one line may take.
const maxLine = 1 << 30

// Read puts what [Write] or a salvage wrote into a store. Each session is added
// whole or not at all; those that were added before an error stay, and are in
// the result. So an import that did not come to its end can be done again: what is
// there already is passed over, and so is what the file has twice, as several exports
// one after the other may. A session that is there with another log is a
// [session.ErrExists]; one that is in the file with two logs, of which the first is
// read, and one whose log is cut off, are errors too. All of them come when all others
// are added, and so does that the file ends in the middle of a line. It is
// an error too if there is no session at all.
func Read(ctx context.Context, r io.Reader, store session.Store, options Options) (Imported, error) {
	if r == nil || store == nil {
		return Imported{}, errors.New("import: there is no reader, or no store")
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	x := &reader{ctx: ctx, store: store, options: options, metas: map[session.ID]session.Meta{}, ids: map[session.ID]session.ID{}, second: map[session.ID]bool{}, sums: map[session.ID]blob.Digest{}, logs: map[session.ID]*log{}}
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 {
			failure := x.line(line)
			if err == io.EOF && errors.Is(failure, errTorn) {
				x.cutOff(number)
				break
			}
			if failure != nil {
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
	if err := x.verdict(); err != nil {
		return x.result, fmt.Errorf("import: %w", err)
	}
	return x.result, nil
}

// verdict is the error for what did not come in although all was read.
func (x *reader) verdict() error {
	var errs []error
	if len(x.other) > 0 {
		errs = append(errs, fmt.Errorf("%w, with another log: %s", session.ErrExists, listed(x.other)))
	}
	if len(x.twice) > 0 {
		errs = append(errs, fmt.Errorf("in the file twice, with different logs: %s; of each only the first is read; import the second from a file of its own with new ids, or remove the first before", listed(x.twice)))
	}
	if len(x.short) > 0 {
		errs = append(errs, fmt.Errorf("the file is cut off: it does not have all of %s", listed(x.short)))
	} else if x.torn > 0 {
		errs = append(errs, fmt.Errorf("the file is cut off in line %d; import it again when it is whole, or contents are missing", x.torn))
	}
	switch {
	case len(errs) > 0:
		return errors.Join(errs...)
	case len(x.result.Sessions)+len(x.result.Same) == 0:
		return errors.New("there is no session in it")
	}
	return nil
}

func listed(ids []session.ID) string {
	var names []string
	for _, id := range ids {
		names = append(names, string(id))
	}
	return strings.Join(names, ", ")
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
	done  []session.ID // whose logs were read
	// second are those that are in the file once more, sums tell their logs apart.
	second map[session.ID]bool
	sums   map[session.ID]blob.Digest
	// other are those that are in the store with another log, twice those that are in
	// the file with two, short those whose log is not all there.
	other, twice, short []session.ID
	// torn is the number of the line in which the file is cut off.
	torn int

	// current is the session whose entries are being read, logs has what was read of
	// those that are not added yet.
	current session.ID
	logs    map[session.ID]*log
}

// log is what was read of one.
type log struct {
	records []session.Record
	lost    []Line
	noted   int // of records, that stand for lost ones
}

func (x *reader) line(text []byte) error {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	var l Line
	if err := json.Unmarshal(text, &l); errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it is no line of an export, which is JSON: %w", errTorn)
	} else if err != nil {
		return fmt.Errorf("it is no line of an export, which is JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	switch l.Type {
	case "":
		return errors.New("it is no line of an export, which says its type")
	case TypeSession:
		if l.Meta == nil {
			return errors.New("a session without its meta")
		}
		if _, twice := x.metas[l.Meta.ID]; twice || slices.Contains(x.done, l.Meta.ID) {
			if err := x.anew(l.Meta.ID); err != nil {
				return err
			}
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

// errTorn is that a line ends before its JSON does.
var errTorn = errors.New("its end is missing")

// cutOff notes in which line the file is cut off. Of the log that was being read it
// is known whether that is all of it if its session is.
func (x *reader) cutOff(line int) {
	x.torn = line
	if _, known := x.metas[x.current]; x.current != "" && !known {
		x.short = append(x.short, x.current)
		x.current = ""
	}
}

// turnTo goes on with the log of a session.
func (x *reader) turnTo(id session.ID) (*log, error) {
	if id != x.current {
		if err := x.flush(); err != nil {
			return nil, err
		}
		if slices.Contains(x.done, id) || x.logs[id] != nil {
			return nil, fmt.Errorf("the entries of session %s do not stand together", id)
		}
		x.current, x.logs[id] = id, &log{}
	}
	return x.logs[id], nil
}

// anew gets ready for a session that is in the file once more, as where exports were
// put one after the other.
func (x *reader) anew(id session.ID) error {
	if err := x.flush(); err != nil {
		return err
	}
	if i := slices.Index(x.done, id); i >= 0 {
		x.done = slices.Delete(x.done, i, i+1)
		x.second[id] = true
	}
	// Of the first there may be only a part; what comes now may be the whole.
	delete(x.logs, id)
	x.order = slices.DeleteFunc(x.order, func(other session.ID) bool { return other == id })
	return nil
}

func (x *reader) entry(l Line) error {
	if l.Session == "" {
		return errors.New("an entry without its session")
	}
	log, err := x.turnTo(l.Session)
	if err != nil {
		return err
	}
	e, err := session.Decode(l.Entry)
	if err != nil {
		return err
	}
	next := session.Seq(len(log.records)) + 1
	if l.Seq < next {
		return fmt.Errorf("entry %d of session %s comes after entry %d", l.Seq, l.Session, next-1)
	}
	if l.Seq-next > 1<<20 {
		return fmt.Errorf("session %s lacks its entries %d to %d", l.Session, next, l.Seq-1)
	}
	for ; next < l.Seq; next++ {
		log.records = append(log.records, session.Record{Seq: next, Time: l.Time, Entry: log.placeholder(next)})
		log.noted++
	}
	log.records = append(log.records, session.Record{Seq: l.Seq, Time: l.Time, Entry: e})
	return nil
}

func (x *reader) lost(l Line) error {
	if l.Session == "" || l.Seq == 0 {
		x.result.LostElse++ // a session or a blob of which nothing is left
		return nil
	}
	if slices.Contains(x.done, l.Session) {
		x.loseEntries(l.Session, int(max(l.Seq, l.Through)-l.Seq)+1)
		return nil
	}
	if log := x.logs[l.Session]; log != nil && l.Session != x.current {
		// What is lost at the end of a log is told when all were read.
		log.lost = append(log.lost, l)
		return x.finish(l.Session)
	}
	log, err := x.turnTo(l.Session)
	if err == nil {
		log.lost = append(log.lost, l)
	}
	return err
}

// loseEntries counts what is lost of a session, once for one that is in the file twice.
func (x *reader) loseEntries(id session.ID, n int) {
	if !x.second[id] {
		x.result.Lost += n
	}
}

// placeholder stands for an entry that is lost.
func (log *log) placeholder(seq session.Seq) session.Note {
	value := struct {
		Reason string `json:"reason"`
		Raw    string `json:"raw,omitzero"`
	}{Reason: "it is not in the export"}
	for _, l := range log.lost {
		if l.Seq <= seq && seq <= max(l.Seq, l.Through) {
			value.Reason, value.Raw = l.Reason, l.Raw
		}
	}
	text, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text = nil // there is nothing in it that could fail
	}
	return session.Note{Name: LostNote, Value: text}
}

// end is the last entry that is in the log, or of which it is told that it is lost.
func (log *log) end() session.Seq {
	end := session.Seq(len(log.records))
	for _, l := range log.lost { // in order
		if l.Seq <= end+1 {
			end = max(end, l.Seq, l.Through)
		}
	}
	return end
}

// flush adds the session whose entries were read.
func (x *reader) flush() error {
	id := x.current
	x.current = ""
	if id == "" {
		return nil
	}
	return x.finish(id)
}

// finish adds a session if its log is there up to where its session says that it
// ends. Otherwise that may still be told.
func (x *reader) finish(id session.ID) error {
	log := x.logs[id]
	end := log.end()
	if end < x.metas[id].Head {
		return nil
	}
	delete(x.logs, id)
	x.loseEntries(id, log.noted+int(end)-len(log.records))
	return x.add(id, log.records)
}

// end adds what is left: the last log, and sessions without entries.
func (x *reader) end() error {
	if err := x.flush(); err != nil {
		return err
	}
	for len(x.order) > 0 {
		id := x.order[0]
		if x.metas[id].Head > 0 {
			x.short = append(x.short, id)
			x.order = x.order[1:]
			continue
		}
		if err := x.add(id, nil); err != nil {
			return err
		}
	}
	return nil
}
