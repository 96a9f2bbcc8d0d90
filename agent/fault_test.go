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
	// note is why no note of that name is appended.
	note map[string]error
}

func (f *faulty) Append(ctx context.Context, id session.ID, after session.Seq, lease session.Token, entries ...session.Entry) (session.Seq, error) {
	for _, e := range entries {
		if note, ok := e.(session.Note); ok && f.note[note.Name] != nil {
			return 0, f.note[note.Name]
		}
	}
	return f.Memory.Append(ctx, id, after, lease, entries...)
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
