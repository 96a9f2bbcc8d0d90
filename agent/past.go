package agent

import (
	"fmt"
	"iter"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
)

// Past is a turn that is in the log.
type Past struct {
	// ID is the one that its events had.
	ID session.ID
	// Begins is its first entry, zero if there is no turn. What it said is taken
	// back by a [session.Undo] of the entry before.
	Begins session.Seq
	// Changes are the files that its tools wrote, in order. Package tool puts back
	// what was there before.
	Changes []Change
	// Head is the last entry of the log, where to append.
	Head session.Seq
}

// LastTurn finds the last turn of a log that was not undone. The log is read
// from its beginning.
func LastTurn(records iter.Seq2[session.Record, error]) (Past, error) {
	var turns []Past
	head := session.Seq(0)
	if records == nil {
		return Past{}, nil
	}
	for record, err := range records {
		if err != nil {
			return Past{}, err
		}
		head = record.Seq
		note, ok := record.Entry.(session.Note)
		if !ok {
			continue
		}
		switch note.Name {
		case NoteTurn:
			var begun Begun
			// What is no such value was written by somebody else, and is a turn
			// all the same.
			_ = json.Unmarshal(note.Value, &begun)
			turns = append(turns, Past{ID: begun.ID, Begins: record.Seq})
		case NoteChanged:
			var changed Changed
			if err := json.Unmarshal(note.Value, &changed); err != nil {
				return Past{}, fmt.Errorf("read entry %d: what a tool changed: %w", record.Seq, err)
			}
			if len(turns) > 0 {
				last := &turns[len(turns)-1]
				last.Changes = append(last.Changes, changed.Changes...)
			}
		case session.NoteUndo:
			through, ok := note.Undoes()
			for ok && len(turns) > 0 && turns[len(turns)-1].Begins > through {
				turns = turns[:len(turns)-1]
			}
		}
	}
	if len(turns) == 0 {
		return Past{Head: head}, nil
	}
	last := turns[len(turns)-1]
	last.Head = head
	return last, nil
}
