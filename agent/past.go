package agent

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/message"
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
	// Unsettled are those of the changes of which nobody knows whether they were
	// made: the program ended meanwhile.
	Unsettled []Change
	// Left are the calls whose effects nobody can take back.
	Left []Left
	// Unnoted are the other calls of a turn that an older version wrote: nothing in
	// the log says whether they were run, and with which [Effect]. Who knows the
	// tools knows which of them count as Left.
	Unnoted []Left
	// Head is the last entry of the log, where to append.
	Head session.Seq
}

// Left is a call whose effects stay when its turn is undone.
type Left struct {
	Acting
	// Ended says that the call has come to its end. What one has done that has
	// not, nobody knows.
	Ended bool
}

// LastTurn finds the last turn of a log that was not undone. The log is read
// from its beginning.
func LastTurn(records iter.Seq2[session.Record, error]) (Past, error) {
	var turns []*deeds
	head := session.Seq(0)
	if records == nil {
		return Past{}, nil
	}
	last := new(deeds) // what is noted outside of a turn
	for record, err := range records {
		if err != nil {
			return Past{}, err
		}
		head = record.Seq
		switch e := record.Entry.(type) {
		case session.Said:
			last.said(e.Message)
		case session.Note:
			if e.Name == NoteTurn {
				var begun Begun
				// What is no such value was written by somebody else, and is a turn
				// all the same.
				_ = json.Unmarshal(e.Value, &begun)
				last = &deeds{id: begun.ID, begins: record.Seq, notes: begun.Notes}
				turns = append(turns, last)
			}
			if err := last.note(e); err != nil {
				return Past{}, fmt.Errorf("read entry %d: what a tool did: %w", record.Seq, err)
			}
			through, ok := e.Undoes()
			for ok && len(turns) > 0 && turns[len(turns)-1].begins > through {
				turns = turns[:len(turns)-1]
			}
		}
	}
	if len(turns) == 0 {
		return Past{Head: head}, nil
	}
	past := turns[len(turns)-1].past()
	past.Head = head
	return past, nil
}

// deeds are what a turn has done to the world, by its log.
type deeds struct {
	id     session.ID
	begins session.Seq
	writes []written
	acts   []Left
	// calls are all that were made, and notes says that the log tells what they did.
	calls []Left
	notes bool
}

// written is what one call wrote, or was about to write when nothing more came.
type written struct {
	Changed
	settled bool
}

// note takes what a note says that was done.
func (d *deeds) note(n session.Note) error {
	d.notes = d.notes || n.Name == NoteActing || n.Name == NoteChanging
	switch n.Name {
	case NoteActing:
		var acting Acting
		err := json.Unmarshal(n.Value, &acting)
		d.acts = append(d.acts, Left{Acting: acting})
		return err
	case NoteChanging:
		var changing Changed
		err := json.Unmarshal(n.Value, &changing)
		d.writes = append(d.writes, written{Changed: changing})
		return err
	case NoteChanged:
		var changed Changed
		err := json.Unmarshal(n.Value, &changed)
		// What was to be written makes way for what was.
		d.writes = slices.DeleteFunc(d.writes, func(w written) bool { return !w.settled && w.Call == changed.Call })
		d.writes = append(d.writes, written{changed, true})
		return err
	}
	return nil
}

// said takes the calls, and the results that they have come to.
func (d *deeds) said(m message.Message) {
	for _, part := range m.Content.Parts {
		switch p := part.(type) {
		case message.ToolCall:
			d.calls = append(d.calls, Left{Acting: Acting{Call: p.ID, Tool: p.Name, Summary: inBrief(p)}})
		case message.ToolResult:
			for _, calls := range [][]Left{d.acts, d.calls} {
				for i := range calls {
					calls[i].Ended = calls[i].Ended || calls[i].Call == p.ToolCallID
				}
			}
		}
	}
}

// inBrief is a call of which there is nothing but what the model wrote.
func inBrief(call message.ToolCall) string {
	const most = 120
	text := strings.Join(strings.Fields(call.Name+" "+string(call.Input)), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// past is the turn for others. A call that writes, and has told what it wrote, is
// not left.
func (d *deeds) past() Past {
	p := Past{ID: d.id, Begins: d.begins}
	for _, w := range d.writes {
		p.Changes = append(p.Changes, w.Changes...)
		if !w.settled {
			p.Unsettled = append(p.Unsettled, w.Changes...)
		}
	}
	for _, act := range d.acts {
		told := slices.ContainsFunc(d.writes, func(w written) bool { return w.settled && w.Call == act.Call && len(w.Changes) > 0 })
		if act.Effect != Writes || !told {
			p.Left = append(p.Left, act)
		}
	}
	if d.notes {
		return p
	}
	for _, call := range d.calls {
		if !slices.ContainsFunc(d.writes, func(w written) bool { return w.Call == call.Call }) {
			p.Unnoted = append(p.Unnoted, call)
		}
	}
	return p
}
