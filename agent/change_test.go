package agent

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// notes are those of a session, without the ones that turns begin with: the name
// and what is in it.
func (w *world) notes() (names []string, values []Changed) {
	w.t.Helper()
	for record, err := range w.store.Read(context.Background(), w.ID(), 1) {
		if err != nil {
			w.t.Fatal(err)
		}
		note, ok := record.Entry.(session.Note)
		if !ok || note.Name == NoteTurn {
			continue
		}
		var changed Changed
		if note.Name != NoteActing {
			if err := json.Unmarshal(note.Value, &changed); err != nil {
				w.t.Fatal(err)
			}
		}
		names, values = append(names, note.Name), append(values, changed)
	}
	return names, values
}

// A program can be killed at any time: before a file is written it is in the log
// what it was, and when the call has ended that it was written, while the calls
// beside it still run. A call that cannot be undone is in it before it begins.
func TestWhatCallsDoIsNotedWhileTheyDoIt(t *testing.T) {
	before, after := []byte("old"), []byte("new")
	blobs := map[blob.Digest][]byte{blob.Of(before): before, blob.Of(after): after}
	change := Change{Path: "/project/a", Before: blob.Of(before), After: blob.Of(after), Mode: 0o644}
	var w *world
	have := func(when string, want ...string) {
		t.Helper()
		if names, _ := w.notes(); !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", when, names, want)
		}
	}
	var late func(context.Context, []Change, map[blob.Digest][]byte) error
	w = newWorld(t, &scripted{steps: []step{call("edit", `{}`, "run", `{}`, "look", `{}`)}}, func(c *Config) {
		c.Tools = append(c.Tools,
			probe{name: "edit", effect: Writes, undoable: true, run: func(ctx context.Context, call Call) (Result, error) {
				have("before the edit")
				if err := call.Changing(ctx, []Change{change}, blobs); err != nil {
					t.Error(err)
				}
				have("while it is made", NoteChanging)
				if data, err := w.store.Blobs().Get(ctx, change.Before); err != nil || string(data) != "old" {
					t.Errorf("%q %v", data, err)
				}
				late = call.Changing
				return Result{Changes: []Change{change}, Blobs: blobs}, nil
			}},
			probe{name: "run", effect: Runs, run: func(ctx context.Context, _ Call) (Result, error) {
				have("while a program runs", NoteChanging, NoteChanged, NoteActing)
				if err := late(ctx, []Change{change}, blobs); err == nil {
					t.Error("a call that has ended notes more")
				}
				return Result{}, nil
			}})
	})
	w.ask("go")
	have("afterwards", NoteChanging, NoteChanged, NoteActing)
	_, values := w.notes()
	for _, value := range values[:2] {
		if diff := cmp.Diff([]Change{change}, value.Changes); diff != "" {
			t.Error(diff)
		}
	}
}

// gated is a store that keeps nothing before it is opened.
type gated struct {
	*session.Memory
	entered, opened chan struct{}
}

func (g gated) Blobs() blob.Store { return gatedBlobs{g.Memory.Blobs(), g} }

type gatedBlobs struct {
	blob.Store
	of gated
}

func (b gatedBlobs) Put(ctx context.Context, data []byte) (blob.Digest, error) {
	close(b.of.entered)
	<-b.of.opened
	return b.Store.Put(ctx, data)
}

// A call that ends while something is still being kept for it notes nothing more:
// the turn goes on, and what is not noted must not be written.
func TestACallThatEndsMeanwhileNotesNothing(t *testing.T) {
	store := gated{new(session.Memory), make(chan struct{}), make(chan struct{})}
	before, noted := []byte("old"), make(chan error, 1)
	afterwards := func(ctx context.Context, request message.Request) Stream {
		close(store.opened)
		if err := <-noted; err == nil {
			t.Error("it may write")
		}
		return say("done")(ctx, request)
	}
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`), afterwards}}, func(c *Config) {
		c.Store = store
		c.Tools = []Tool{probe{name: "edit", effect: Writes, undoable: true, run: func(ctx context.Context, call Call) (Result, error) {
			go func() {
				noted <- call.Changing(ctx, []Change{{Path: "/project/a", Before: blob.Of(before)}}, map[blob.Digest][]byte{blob.Of(before): before})
			}()
			<-store.entered
			return Result{}, nil
		}}}
	})
	w.store = store.Memory
	w.ask("go")
	if names, _ := w.notes(); len(names) > 0 {
		t.Errorf("%q", names)
	}
	w.ask("go on")
}

// counted is a store that counts how often each content is put into it.
type counted struct {
	*session.Memory
	puts map[string]int
}

func (c counted) Blobs() blob.Store { return countedBlobs{c.Memory.Blobs(), c.puts} }

type countedBlobs struct {
	blob.Store
	puts map[string]int
}

func (b countedBlobs) Put(ctx context.Context, data []byte) (blob.Digest, error) {
	b.puts[string(data)]++
	return b.Store.Put(ctx, data)
}

// What it takes to undo is put into the store once, and is not held for as long as
// the conversation lives: only what the model is shown is.
func TestWhatUndoingTakesIsKeptOnce(t *testing.T) {
	store := counted{new(session.Memory), map[string]int{}}
	blobs := map[blob.Digest][]byte{}
	named := func(text string) blob.Digest {
		blobs[blob.Of([]byte(text))] = []byte(text)
		return blob.Of([]byte(text))
	}
	changes := []Change{{Path: "/project/a", Before: named("old"), After: named("new")}}
	picture := message.Image{Source: message.InBlob("image/png", named("a picture"))}
	more := Change{Path: "/project/b", Before: named("not told before")}
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`)}}, func(c *Config) {
		c.Store = store
		c.Tools = []Tool{probe{name: "edit", effect: Writes, undoable: true, run: func(ctx context.Context, call Call) (Result, error) {
			err := call.Changing(ctx, changes, blobs)
			return Result{Parts: []message.Part{picture}, Changes: append(changes, more), Blobs: blobs}, err
		}}}
	})
	w.ask("go")
	want := map[string]int{"old": 1, "new": 1, "a picture": 1, "not told before": 1}
	if diff := cmp.Diff(want, store.puts); diff != "" {
		t.Error(diff)
	}
	if held := slices.Collect(maps.Keys(w.blobs)); !slices.Equal(held, []blob.Digest{picture.Source.Digest}) {
		t.Errorf("%d contents are held", len(held))
	}
}

// What was to be written and was not is noted as nothing.
func TestAWriteThatFailedIsNoted(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "edit", effect: Writes, undoable: true, run: func(ctx context.Context, call Call) (Result, error) {
			if err := call.Changing(ctx, []Change{{Path: "/project/a"}}, nil); err != nil {
				t.Error(err)
			}
			return Result{}, errors.New("the disk is full")
		}}}
	})
	w.ask("go")
	names, values := w.notes()
	if !slices.Equal(names, []string{NoteChanging, NoteChanged}) || len(values[1].Changes) != 0 {
		t.Errorf("%q %v", names, values)
	}
}

// Where it cannot be kept what a file was, it is not written; where it cannot be
// noted that a program begins, it does not.
func TestWhatCannotBeNotedIsNotDone(t *testing.T) {
	full := errors.New("the disk is full")
	var store *faulty
	before := []byte("old")
	change := Change{Path: "/project/a", Before: blob.Of(before)}
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`), call("run", `{}`)}}, func(c *Config) {
		store = &faulty{Memory: c.Store.(*session.Memory), note: map[string]error{NoteActing: full}}
		c.Store = store
		c.Tools = []Tool{
			probe{name: "edit", effect: Writes, undoable: true, run: func(ctx context.Context, call Call) (Result, error) {
				store.put = full
				err := call.Changing(ctx, []Change{change}, map[blob.Digest][]byte{change.Before: before})
				store.put = nil
				return Result{}, err
			}},
			probe{name: "run", effect: Runs, run: func(context.Context, Call) (Result, error) {
				t.Error("it was run")
				return Result{}, nil
			}},
		}
	})
	w.ask("go")
	var ends []error
	for _, e := range w.events {
		if end, ok := e.(ToolEnded); ok {
			ends = append(ends, end.Err)
		}
	}
	if len(ends) != 2 || !errors.Is(ends[0], full) || !strings.Contains(ends[0].Error(), "it was not done") || !errors.Is(ends[1], full) || !strings.Contains(ends[1].Error(), "it was not run") {
		t.Errorf("%v", ends)
	}
}

// By what is in the log, a turn that was killed at any point can be undone as far
// as it came, and what cannot is told.
func TestLastTurnOfATurnThatWasKilled(t *testing.T) {
	one, two := Change{Path: "/project/one"}, Change{Path: "/project/two"}
	w := newWorld(t, &scripted{steps: []step{call("edit", `{"path":"one"}`, "run", `{}`, "edit", `{"path":"two"}`, "write", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{
			probe{name: "edit", effect: Writes, undoable: true, run: func(ctx context.Context, call Call) (Result, error) {
				changes := []Change{one}
				if strings.Contains(string(call.Input), "two") {
					changes[0] = two
				}
				return Result{Changes: changes}, call.Changing(ctx, changes, nil)
			}},
			probe{name: "run", effect: Runs},
			probe{name: "write", effect: Writes, run: func(context.Context, Call) (Result, error) {
				return Result{Changes: []Change{one}}, nil
			}},
		}
	})
	w.ask("go")
	var records []session.Record
	for record, err := range w.store.Read(t.Context(), w.ID(), 1) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	last := func(through int) Past {
		t.Helper()
		past, err := LastTurn(func(yield func(session.Record, error) bool) {
			for _, record := range records[:through] {
				if !yield(record, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		past.ID, past.Begins, past.Head = "", 0, 0
		return past
	}
	run := Left{Acting: Acting{Call: "call_1_1", Tool: "run", Effect: Runs, Summary: "run "}}
	write := Left{Acting: Acting{Call: "call_1_3", Tool: "write", Effect: Writes, Summary: "write "}}
	ended := run
	ended.Ended = true
	at := slices.Index(w.log(), "note "+NoteChanging) + 1
	for i, want := range []Past{
		{Changes: []Change{one}, Unsettled: []Change{one}}, // changing
		{Changes: []Change{one}},                           // changed
		{Changes: []Change{one}, Left: []Left{run}},        // acting
		{Changes: []Change{one, two}, Unsettled: []Change{two}, Left: []Left{run}},
		{Changes: []Change{one, two}, Left: []Left{run}},
		{Changes: []Change{one, two}, Left: []Left{run, write}},
		{Changes: []Change{one, two, one}, Left: []Left{run}},
		{Changes: []Change{one, two, one}, Left: []Left{ended}}, // the results
	} {
		if diff := cmp.Diff(want, last(at+i)); diff != "" {
			t.Errorf("after entry %d: %s", at+i, diff)
		}
	}
}
