package agent

import (
	"context"
	"errors"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
)

// NoteTurn is the name of the [session.Note] that a turn begins with: what
// follows it, up to the next one, belongs to the turn. Its value is a [Begun].
const NoteTurn = "turn"

// Begun is what is noted when a turn begins.
type Begun struct {
	// ID is the one that the turn's events have.
	ID session.ID `json:"id"`
	// Profile is in the first turn of a session: it is the profile that the
	// session began with, and has.
	Profile Profile `json:"profile,omitzero"`
	// Dir is in the first turn of a session, too: the folder that the session began
	// in, and that the model knows files from; see [Config].
	Dir string `json:"dir,omitzero"`
	// Notes says that what calls do is noted as they begin ([NoteActing]). Older
	// versions did not.
	Notes bool `json:"notes,omitzero"`
}

// Profile names who the assistant is.
type Profile struct {
	Name string `json:"name"`
	// Digest is that of what the name stood for, so that it can be told when it
	// stands for something else.
	Digest blob.Digest `json:"digest,omitzero"`
}

// Origin returns what is noted of the first turn of a session: the profile that it
// began with, and where. The zero value means that the log does not say: it is
// older than such notes, or begins elsewhere.
func Origin(ctx context.Context, store session.Store, id session.ID) (Begun, error) {
	if store == nil {
		return Begun{}, errors.New("read how a session began: there is no store")
	}
	for record, err := range store.Read(ctx, id, 1) {
		if err != nil {
			return Begun{}, err
		}
		switch e := record.Entry.(type) {
		case session.Note:
			var begun Begun
			if e.Name != NoteTurn {
				continue
			}
			// What is no such value was written by somebody else.
			if json.Unmarshal(e.Value, &begun) != nil {
				return Begun{}, nil
			}
			return begun, nil
		case session.Prepared:
			return Begun{}, nil
		}
	}
	return Begun{}, nil
}
