package session

import (
	"iter"
	"time"
)

// Fate is what became of an entry, or of a part of it: when the model ceased to
// see it as it was said, and why.
type Fate struct {
	Decision
	// At is the entry that decided it, a [Compacted] or an [Undo], Time that
	// entry's time, and Epoch the number of the compaction, zero for an undo.
	At    Seq
	Time  time.Time
	Epoch int
}

// orNone is the records of an empty log where there are none.
func orNone(records iter.Seq2[Record, error]) iter.Seq2[Record, error] {
	if records == nil {
		return func(func(Record, error) bool) {}
	}
	return records
}

// Fates tells what became of the entries of a log, by their places. Those that
// the model still sees as they were said are not in it.
func Fates(records iter.Seq2[Record, error]) (map[Seq][]Fate, error) {
	fates := map[Seq][]Fate{}
	var said []Seq // what is in the view, as far as undoing is concerned
	system := false
	for r, err := range orNone(records) {
		if err != nil {
			return nil, err
		}
		switch e := r.Entry.(type) {
		case Said:
			// The first system message is not undone.
			if first := !system && saysWho(e.Message); first {
				system = true
			} else {
				said = append(said, r.Seq)
			}
		case Compacted:
			for _, d := range e.Decisions {
				fates[d.Seq] = append(fates[d.Seq], Fate{Decision: d, At: r.Seq, Time: r.Time, Epoch: e.Epoch})
			}
		case Note:
			through, ok := e.place("through")
			if e.Name != NoteUndo || !ok {
				continue
			}
			for len(said) > 0 && said[len(said)-1] > through {
				seq := said[len(said)-1]
				said = said[:len(said)-1]
				fates[seq] = append(fates[seq], Fate{Decision: Decision{Seq: seq, Action: Evict, Reason: "undone"}, At: r.Seq, Time: r.Time})
			}
		}
	}
	return fates, nil
}
