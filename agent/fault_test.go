package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// faulty is a store with something wrong.
type faulty struct {
	*session.Memory
	lease, put error
	// down is why nothing is appended, and what was is not read.
	down error
	// note is why no note of that name is appended.
	note map[string]error
}

func (f *faulty) Append(ctx context.Context, id session.ID, after session.Seq, lease session.Token, entries ...session.Entry) (session.Seq, error) {
	for _, e := range entries {
		if note, ok := e.(session.Note); ok && f.note[note.Name] != nil {
			return 0, f.note[note.Name]
		}
	}
	if f.down != nil {
		return 0, f.down
	}
	return f.Memory.Append(ctx, id, after, lease, entries...)
}

func (f *faulty) Last(ctx context.Context, id session.ID, kind session.Kind) (session.Record, error) {
	if f.down != nil {
		return session.Record{}, f.down
	}
	return f.Memory.Last(ctx, id, kind)
}

func (f *faulty) Lease(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
	if f.lease != nil {
		return session.Lease{}, f.lease
	}
	return f.Memory.Lease(ctx, id, holder, ttl)
}

func (f *faulty) Blobs() blob.Store { return faultyBlobs{f.Memory.Blobs(), f} }

type faultyBlobs struct {
	blob.Store
	of *faulty
}

func (b faultyBlobs) Put(ctx context.Context, data []byte) (blob.Digest, error) {
	if b.of.put != nil {
		return "", b.of.put
	}
	return b.Store.Put(ctx, data)
}

func TestANewSessionThatCannotBeTakenIsNotLeftBehind(t *testing.T) {
	busy := errors.New("busy")
	var store *faulty
	w := newWorld(t, &scripted{}, func(c *Config) {
		store = &faulty{Memory: c.Store.(*session.Memory), lease: busy}
		c.Store = store
	})
	if _, err := w.Turn(context.Background(), ampersat.Ask("hello"), nil); !errors.Is(err, busy) {
		t.Fatal(err)
	}
	if _, err := w.store.Get(context.Background(), w.ID()); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("an empty session was kept: %v", err)
	}
	store.lease = nil
	w.ask("hello again")
}

// What a tool has done is written down, even if what it would take to undo it
// cannot be kept.
func TestResultsAreWrittenAlthoughTheirBlobsAreNot(t *testing.T) {
	full := errors.New("the disk is full")
	before, picture := []byte("old"), []byte("a picture")
	var store *faulty
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`, "draw", `{}`)}}, func(c *Config) {
		store = &faulty{Memory: c.Store.(*session.Memory)}
		c.Store = store
		c.Tools = []Tool{
			probe{name: "edit", effect: Writes, run: func(context.Context, Call) (Result, error) {
				store.put = full
				return Result{
					Parts:   []message.Part{message.Text{Text: "edited"}},
					Changes: []Change{{Path: "/a", Before: blob.Of(before)}}, Blobs: map[blob.Digest][]byte{blob.Of(before): before},
				}, nil
			}},
			probe{name: "draw", effect: Runs, run: func(context.Context, Call) (Result, error) {
				return Result{Parts: []message.Part{message.Image{Source: message.InBlob("image/png", blob.Of(picture))}}, Blobs: map[blob.Digest][]byte{blob.Of(picture): picture}}, nil
			}},
		}
	})
	if _, err := w.Turn(context.Background(), ampersat.Ask("go"), nil); !errors.Is(err, full) {
		t.Fatal(err)
	}
	log := w.log()
	if !slices.Contains(log, "note "+NoteChanged) || !slices.ContainsFunc(log, func(line string) bool {
		return strings.HasPrefix(line, "tool: =edited =error: ") && strings.Contains(line, full.Error())
	}) {
		t.Errorf("%q", log)
	}
	store.put = nil
	w.ask("go on")
	paired(t, w.provider.seen[len(w.provider.seen)-1].Messages)
}

// That contents could not be kept for later turns is no error of this one: its
// answer stands, and who asked again would have it twice.
func TestAnAnswerStandsAlthoughContentsAreNotKept(t *testing.T) {
	full := errors.New("the disk is full")
	var store *faulty
	w := newWorld(t, &scripted{}, func(c *Config) {
		store = &faulty{Memory: c.Store.(*session.Memory)}
		c.Store = store
		c.Late = &blob.Late{Under: store.Blobs()}
		pipeline := *c.Pipeline
		pipeline.Blobs = c.Late
		c.Pipeline = &pipeline
	})
	store.put = full
	answer := w.ask("Explain @a.md")
	if !errors.Is(answer.Unflushed, full) || brief(answer.Message) != "done" {
		t.Errorf("%+v", answer)
	}
	ended := w.events[len(w.events)-1].(Ended)
	if ended.Err != nil || !errors.Is(ended.Answer.Unflushed, full) {
		t.Errorf("%+v", ended)
	}
	if text, err := EncodeEvent(ended); err != nil || !strings.Contains(string(text), `"unflushed":"the disk is full"`) {
		t.Errorf("%s %v", text, err)
	}
	store.put = nil
	if answer = w.ask("go on"); answer.Unflushed != nil {
		t.Error(answer.Unflushed)
	}
	content := []byte("content of a.md")
	if _, err := w.store.Blobs().Get(t.Context(), blob.Of(content)); err != nil {
		t.Errorf("it did not wait for the next turn: %v", err)
	}
}

// A message of which it was told that it is not kept can be said again: it does
// not come into the log with what follows, although the store did not even let
// it be taken back.
func TestWhatWasNotSaidIsNotSaidLater(t *testing.T) {
	for name, next := range map[string]func(w *world) error{
		"a turn": func(w *world) error {
			_, err := w.Turn(t.Context(), ampersat.Ask("second try"), nil)
			return err
		},
		"a compaction": func(w *world) error {
			_, smaller, err := w.Compact(t.Context())
			if err == nil && !smaller {
				err = errors.New("nothing was compacted")
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			down := errors.New("the disk does not answer")
			var store *faulty
			w := newWorld(t, &scripted{window: 4_000}, func(c *Config) {
				store = &faulty{Memory: c.Store.(*session.Memory)}
				c.Store = store
			})
			w.ask("Explain @long.md")
			w.ask("hello")
			answer, err := w.Turn(t.Context(), ampersat.Ask("first try"), func(e Event) {
				if e.Type() == TypeResolved {
					store.down = down
				}
			})
			if answer.Said != 0 || !errors.Is(err, down) {
				t.Fatalf("said at %d: %v", answer.Said, err)
			}
			if err := next(w); !errors.Is(err, down) {
				t.Errorf("the store is still down: %v", err)
			}
			store.down = nil
			if err := next(w); err != nil {
				t.Fatal(err)
			}
			w.ask("third try")
			if slices.Contains(w.log(), "user: first try") {
				t.Error("it is in the log")
			}
			if sent := render(w.provider.seen[len(w.provider.seen)-1]); strings.Contains(sent, "first try") {
				t.Error("it was sent")
			}
		})
	}
}
