package session

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Record is an entry in its log.
type Record struct {
	Seq Seq
	// Time is when the store took the entry, by the store's clock, as [Stamp]
	// gives it. Clocks are set back at times: the order is that of Seq.
	Time  time.Time
	Entry Entry
}

// Meta is what a store knows about a session besides its log.
type Meta struct {
	ID    ID     `json:"id"`
	Title string `json:"title,omitzero"`
	// Dir is the project that the session is about, an absolute path.
	Dir string `json:"dir,omitzero"`
	// Parent is the session that delegated work to this one.
	Parent ID `json:"parent,omitzero"`
	// ForkOf is the session that this one began as a copy of, and ForkAt the
	// last entry that the two share. The other may be gone since.
	ForkOf  ID        `json:"fork_of,omitzero"`
	ForkAt  Seq       `json:"fork_at,omitzero"`
	Created time.Time `json:"created"`
	// Updated is when the log last grew, or Created.
	Updated time.Time `json:"updated"`
	// Head is the last entry, zero if there is none.
	Head Seq `json:"head"`
}

// Stamp returns t as stores keep it: in UTC, to the microsecond.
func Stamp(t time.Time) time.Time {
	return t.UTC().Truncate(time.Microsecond)
}

// ToUTF8 returns what a store keeps of a text that need not be UTF-8, such as a
// path: each byte that is not becomes U+FFFD, as in an entry.
func ToUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// New fills in what a store adds to a session that is created at the time now:
// an ID and the times if there are none. It is for those who write a [Store],
// so that all of them do it in the same way.
func (m Meta) New(now time.Time) (Meta, error) {
	if m.ID == "" {
		m.ID = NewID(now)
	} else if _, err := ParseID(string(m.ID)); err != nil {
		return Meta{}, err
	}
	if m.Created.IsZero() {
		m.Created = now
	}
	m.Created = Stamp(m.Created)
	m.Updated = m.Created
	m.Head = 0
	m.Title, m.Dir = ToUTF8(m.Title), ToUTF8(m.Dir)
	m.Parent, m.ForkOf = ID(ToUTF8(string(m.Parent))), ID(ToUTF8(string(m.ForkOf)))
	return m, nil
}

// Restored returns the session that is created when m is restored with the
// records that have been written to the log. It is for those who write a
// [Store].
func (m Meta) Restored(head Seq, now time.Time) (Meta, error) {
	updated := m.Updated
	if m.ID == "" {
		return Meta{}, errors.New("restore session: it has no id")
	}
	m, err := m.New(now)
	if err != nil {
		return Meta{}, err
	}
	if !updated.IsZero() {
		m.Updated = Stamp(updated)
	}
	m.Head = head
	return m, nil
}

// Lines writes records as a store keeps them, one after the other. It returns
// the first error, and one for a record that is not where it says it is. It is
// for those who write a [Store].
func Lines(records iter.Seq2[Record, error], keep func(r Record, entry jsontext.Value) error) (head Seq, err error) {
	for r, err := range orNone(records) {
		if err != nil {
			return head, err
		}
		if r.Seq != head+1 {
			return head, fmt.Errorf("record %d has the number %d", head+1, r.Seq)
		}
		entry, err := Encode(r.Entry)
		if err != nil {
			return head, fmt.Errorf("record %d: %w", r.Seq, err)
		}
		r.Time = Stamp(r.Time)
		if err := keep(r, entry); err != nil {
			return head, err
		}
		head++
	}
	return head, nil
}

// NewFork returns the session that is created when m is forked after the entry
// at, with the ID, title, project and parent of given. It is for those who
// write a [Store].
func (m Meta) NewFork(at Seq, given Meta, now time.Time) (Meta, error) {
	if at < 0 || at > m.Head {
		return Meta{}, fmt.Errorf("entry %d: %w; the last is %d", at, ErrNoEntry, m.Head)
	}
	fork := Meta{
		ID: given.ID, Title: cmp.Or(given.Title, m.Title), Dir: cmp.Or(given.Dir, m.Dir), Parent: given.Parent,
		ForkOf: m.ID, ForkAt: at,
	}
	fork, err := fork.New(now)
	fork.Head = at
	return fork, err
}

// Query says which sessions to list. The zero value means all of them.
type Query struct {
	// Dir asks for the sessions of a project, and AlsoDir, where Dir is set, for
	// those that have it under another path, which leads there through a link.
	Dir, AlsoDir string
	// Parent asks for those that a session delegated to; TopLevel for those that
	// none did.
	Parent   ID
	TopLevel bool
	// After asks for what follows the session that the cursor was taken of.
	After Cursor
	// Limit is how many to return at most; all if it is not positive.
	Limit int
}

// Matches tells whether a query asks for the session m, be it After or not. It
// is for those who write a [Store].
func (q Query) Matches(m Meta) bool {
	ofProject := q.Dir == "" || ToUTF8(q.Dir) == m.Dir || q.AlsoDir != "" && ToUTF8(q.AlsoDir) == m.Dir
	return ofProject && (q.Parent == "" || q.Parent == m.Parent) && (!q.TopLevel || m.Parent == "")
}

// Cursor is a place in a list of sessions. It remains one when the session it
// was taken of is gone. The zero value is the start.
type Cursor string

// Cursor returns the place of m.
func (m Meta) Cursor() Cursor {
	return Cursor(strconv.FormatInt(m.Updated.UnixMicro(), 10) + "." + string(m.ID))
}

// Place returns what [Meta.Cursor] put into the cursor: the time of the last
// change and the ID. It is for those who write a [Store].
func (c Cursor) Place() (updated time.Time, id ID, err error) {
	stamp, name, _ := strings.Cut(string(c), ".")
	micros, err := strconv.ParseInt(stamp, 10, 64)
	if err == nil {
		id, err = ParseID(name)
	}
	if err != nil {
		return time.Time{}, "", fmt.Errorf("read cursor %.80q: %w", string(c), ErrCursor)
	}
	return time.UnixMicro(micros).UTC(), id, nil
}

// Compare orders sessions as they are listed: the last changed first, and of
// those that changed at the same time the greater ID.
func (m Meta) Compare(other Meta) int {
	return cmp.Or(other.Updated.Compare(m.Updated), cmp.Compare(other.ID, m.ID))
}
