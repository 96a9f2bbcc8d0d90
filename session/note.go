package session

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The notes that a [View] understands.
const (
	NoteUndo  = "undo"  // {"through": 7}: what was said since entry 7 is taken back
	NotePin   = "pin"   // {"seq": 7}: entry 7 stays whole
	NoteUnpin = "unpin" // {"seq": 7}: it need not any more
)

// Undo returns the note that takes back what was said after the entry through.
// The log keeps it; the model does not see it. What was compacted stays so.
func Undo(through Seq) Note {
	return Note{Name: NoteUndo, Value: jsontext.Value(fmt.Sprintf(`{"through":%d}`, through))}
}

// Pin returns the note that keeps an entry before the model's eyes: it is not
// taken out, nor shortened. An entry that is not there, or is gone from the view
// already, is none that could be kept; [Turns] tells which there are.
func Pin(seq Seq) Note {
	return Note{Name: NotePin, Value: jsontext.Value(fmt.Sprintf(`{"seq":%d}`, seq))}
}

// Unpin returns the note that ends a [Pin].
func Unpin(seq Seq) Note {
	return Note{Name: NoteUnpin, Value: jsontext.Value(fmt.Sprintf(`{"seq":%d}`, seq))}
}

// Undoes reads a note of [Undo]: what was said after the entry through is taken
// back. It is false for any other note.
func (n Note) Undoes() (through Seq, ok bool) {
	if n.Name != NoteUndo {
		return 0, false
	}
	return n.place("through")
}

// Pins reads a note of [Pin] or [Unpin]: which entry it is about, and whether that
// is pinned from here on. It is not ok for any other note.
func (n Note) Pins() (seq Seq, pinned, ok bool) {
	if n.Name != NotePin && n.Name != NoteUnpin {
		return 0, false, false
	}
	seq, ok = n.place("seq")
	return seq, n.Name == NotePin, ok
}

// place reads a member of a note's value. A note of somebody else's that only
// has the name in common is none of ours.
func (n Note) place(member string) (Seq, bool) {
	var value map[string]jsontext.Value
	if json.Unmarshal(n.Value, &value) != nil {
		return 0, false
	}
	var seq Seq
	if raw, has := value[member]; !has || json.Unmarshal(raw, &seq) != nil || seq < 0 {
		return 0, false
	}
	return seq, true
}
