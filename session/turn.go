package session

import (
	"iter"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// Turn is what was said in one turn of a conversation: a message of a person,
// the contents that stand before it, and what follows until the next.
type Turn struct {
	// Said are its entries, in order; none if the turn was undone.
	Said []Seq
	// Pinned are those of them that stay before the model's eyes.
	Pinned []Seq
}

// Turns reads the turns of a log, in order. One that was undone is still
// counted. To pin the second turn is to append a [Pin] of each entry that
// was said in it.
func Turns(records iter.Seq2[Record, error]) ([]Turn, error) {
	var turns []Turn
	var before []Seq // contents whose message is to come
	pinned := map[Seq]bool{}
	for r, err := range orNone(records) {
		if err != nil {
			return nil, err
		}
		switch e := r.Entry.(type) {
		case Said:
			switch {
			case e.Message.Role == message.User:
				turns = append(turns, Turn{Said: append(before, r.Seq)})
				before = nil
			case e.Message.Role == message.Developer:
				before = append(before, r.Seq)
			case e.Message.Role != message.System && len(turns) > 0:
				last := &turns[len(turns)-1]
				last.Said = append(append(last.Said, before...), r.Seq)
				before = nil
			}
		case Note:
			if through, ok := e.Undoes(); ok {
				for i := range turns {
					turns[i].Said = slices.DeleteFunc(turns[i].Said, func(seq Seq) bool { return seq > through })
				}
				before = nil
			}
			if seq, is, ok := e.Pins(); ok {
				pinned[seq] = is
			}
		}
	}
	for i, turn := range turns {
		for _, seq := range turn.Said {
			if pinned[seq] {
				turns[i].Pinned = append(turns[i].Pinned, seq)
			}
		}
	}
	return turns, nil
}
