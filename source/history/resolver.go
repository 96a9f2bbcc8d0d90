package history

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
)

// Config says where sessions are.
type Config struct {
	// Open returns the store that sessions are kept in. It is asked for every
	// mention, and whoever opened the store closes it.
	Open func(context.Context) (session.Store, error)
	// Find returns the session that a person names. Nil means by its whole ID.
	Find func(ctx context.Context, name string) (session.Meta, error)
}

// Resolver resolves mentions of the kind [mention.KindSession]. It is safe for
// concurrent use, as the functions of its config must be.
type Resolver struct{ config Config }

var _ ampersat.Resolver = (*Resolver)(nil)

// New returns a resolver. It opens nothing.
func New(config Config) *Resolver { return &Resolver{config} }

// Resolve implements [ampersat.Resolver].
func (r *Resolver) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	named, ok := q.Mention.(mention.Session)
	if !ok {
		return ampersat.Content{}, q.Unfit("is no session")
	}
	if err := q.Asker.Allow(named); err != nil {
		return ampersat.Content{}, err
	}
	if r.config.Open == nil {
		return ampersat.Content{}, q.Unfit("needs a store that it could be in")
	}
	store, meta, err := r.find(ctx, named.ID)
	if err != nil {
		outcome := ampersat.Failed
		if errors.Is(err, session.ErrNotFound) {
			outcome = ampersat.Missing
		}
		return ampersat.Content{}, miss(q, outcome, err)
	}
	t, err := read(ctx, store, meta)
	if err != nil {
		return ampersat.Content{}, miss(q, ampersat.Failed, err)
	}
	name := "session " + string(meta.ID)
	if meta.Title != "" {
		name += ": " + meta.Title
	}
	text, shown, err := t.within(q.Limit)
	if err != nil {
		return ampersat.Content{}, miss(q, ampersat.Failed, err)
	}
	content := ampersat.Content{Name: name, ID: "session:" + string(meta.ID), Text: text, Size: int64(len(text)), Shown: shown, MIME: "text/markdown"}
	if shown == "" {
		content.Source = blob.Of([]byte(text))
	}
	return content, nil
}

// find returns the session of a name, and the store that it is in, which is not
// opened for a name that means none.
func (r *Resolver) find(ctx context.Context, name string) (store session.Store, meta session.Meta, err error) {
	if r.config.Find != nil {
		if meta, err = r.config.Find(ctx, name); err != nil {
			return nil, meta, err
		}
	}
	if store, err = r.config.Open(ctx); err == nil && r.config.Find == nil {
		meta, err = store.Get(ctx, session.ID(name))
	}
	return store, meta, err
}

func miss(q ampersat.Query, outcome ampersat.Outcome, err error) error {
	return &ampersat.Miss{Mention: q.Mention, Outcome: outcome, Reason: err.Error(), Err: err}
}

// transcript is what was said in a session.
type transcript struct {
	meta    session.Meta
	records []session.Record
	// turns are where the messages of people stand in records.
	turns   []int
	summary string
}

// read reads the log. Requests repeat what was said and are left out.
func read(ctx context.Context, store session.Store, meta session.Meta) (transcript, error) {
	t := transcript{meta: meta}
	for record, err := range store.Read(ctx, meta.ID, 1) {
		if err != nil {
			return t, err
		}
		switch e := record.Entry.(type) {
		case session.Prepared:
			continue
		case session.Compacted:
			if e.Summary != nil {
				t.summary = message.Flatten(e.Summary.Content)
			}
		case session.Said:
			if e.Message.Role == message.User {
				t.turns = append(t.turns, len(t.records))
			}
		}
		t.records = append(t.records, record)
	}
	return t, nil
}

// within returns the transcript, or if that is longer than limit bytes the
// summary and as many of the last turns as fit, at least one.
func (t transcript) within(limit int) (text, shown string, err error) {
	text, err = t.render(0)
	if err != nil || limit <= 0 || len(text) <= limit {
		return text, "", err
	}
	head := ""
	if t.summary != "" {
		head = "Summary of what was said before:\n\n" + t.summary + "\n\n"
	}
	last := len(t.turns) - 1
	if last < 0 {
		return text, "", nil // nobody said anything; the pipeline cuts it
	}
	// A transcript that begins earlier is never shorter: where to begin is searched
	// for by halves.
	first := sort.Search(last, func(turn int) bool {
		if err != nil {
			return true
		}
		text, err = t.render(t.turns[turn])
		return len(head)+len(text) <= limit
	})
	if err == nil {
		text, err = t.render(t.turns[first])
	}
	shown = fmt.Sprintf("turns %d-%d of %d", first+1, len(t.turns), len(t.turns))
	if head != "" {
		shown = "a summary and " + shown
	}
	return head + text, shown, err
}

// render writes the records from one on.
func (t transcript) render(from int) (string, error) {
	var b strings.Builder
	err := export.Markdown(&b, t.meta, func(yield func(session.Record, error) bool) {
		for _, record := range t.records[from:] {
			if !yield(record, nil) {
				return
			}
		}
	})
	return b.String(), err
}
