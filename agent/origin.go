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
}

// Profile names who the assistant is.
type Profile struct {
	Name string `json:"name"`
	// Digest is that of what the name stood for, so that it can be told when it
	// stands for something else.
	Digest blob.Digest `json:"digest,omitzero"`
}

// Origin returns the profile that a session began with. The zero value means
// that the log does not say: it is older than profiles in logs, or begins
// elsewhere.
func Origin(ctx context.Context, store session.Store, id session.ID) (Profile, error) {
	if store == nil {
		return Profile{}, errors.New("read the profile of a session: there is no store")
	}
	for record, err := range store.Read(ctx, id, 1) {
		if err != nil {
			return Profile{}, err
		}
		switch e := record.Entry.(type) {
		case session.Note:
			var begun Begun
			if e.Name != NoteTurn {
				continue
			}
			// What is no such value was written by somebody else.
			if json.Unmarshal(e.Value, &begun) != nil {
				return Profile{}, nil
			}
			return begun.Profile, nil
		case session.Prepared:
			return Profile{}, nil
		}
	}
	return Profile{}, nil
}
