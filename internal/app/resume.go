package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// past is what the log of a session says about whom it is with. The zero value
// is that of a new session, and of a log that does not say.
type past struct {
	profile agent.Profile
	// dir is the folder that it began in, as [App.beganIn] writes it; empty if the log
	// does not say.
	dir string
	// choice is who answered last, as provider/model.
	choice string
}

// readPast finds out whom a session is with. Both are where a log is read
// quickly, however long it is.
func readPast(ctx context.Context, store session.Store, id session.ID) (past, error) {
	origin, err := agent.Origin(ctx, store, id)
	if err != nil {
		return past{}, err
	}
	p := past{profile: origin.Profile, dir: origin.Dir}
	p.choice, err = lastChoice(ctx, store, id)
	return p, err
}

// lastChoice is who answered last. A request that nobody answered does not count:
// its model may not even exist. Nor does one that this version cannot read.
func lastChoice(ctx context.Context, store session.Store, id session.ID) (string, error) {
	last, err := store.Last(ctx, id, session.KindPrepared)
	var said session.Record
	if err == nil {
		said, err = store.Last(ctx, id, session.KindSaid)
	}
	switch {
	case errors.Is(err, session.ErrNoEntry): // nobody was asked, or nobody answered
		return "", nil
	case err != nil:
		return "", err
	}
	// What was said since is by the model, or by a tool that it called.
	if request, is := last.Entry.(session.Prepared); is && said.Seq > last.Seq {
		return request.Choice, nil
	}
	// Seldom: all of the log is read.
	choice, asked := "", map[session.Seq]string{}
	for record, err := range store.Read(ctx, id, 1) {
		if err != nil {
			return "", err
		}
		switch entry := record.Entry.(type) {
		case session.Prepared:
			asked[record.Seq] = entry.Choice
		case session.Said:
			if entry.Prepared > 0 {
				choice = asked[entry.Prepared]
			}
		}
	}
	return choice, nil
}

// OtherProfileError means that a session was to go on with another profile than
// the one it began with.
type OtherProfileError struct{ Has, Wanted string }

func (e *OtherProfileError) Error() string {
	return fmt.Sprintf("--profile %s: the session began with %s, and its system message is that one's; leave --profile out, or begin a new session", e.Wanted, e.Has)
}

// flagged reports whether a key was set on the command line. What stands in the
// environment is meant for every run, and says nothing about a session that has
// its own.
func (a *App) flagged(key string) bool { return a.Config.Origin(key).Layer == config.CommandLine }

// wantedProfile loads the profile that the configuration names, for a session
// that has none yet. The name is empty if it is to have none.
func (a *App) wantedProfile() (name string, m profile.Merged, err error) {
	name = a.profileName()
	if name == "" {
		return "", m, nil
	}
	if m, err = a.Library.Profile(name); err != nil {
		return "", m, fmt.Errorf("load profile %s: %w", name, err)
	}
	return name, m, nil
}

// profileOf loads the profile of a session that goes on. It is the one that the
// session began with: that one's text is the system message, for good. If it is
// gone there are no tools, since nobody can say any more which of them it had.
func (a *App) profileOf(p past, warn func(string)) (name string, m profile.Merged, err error) {
	has := p.profile.Name
	if has == "" {
		if name, m, err = a.wantedProfile(); err == nil && a.flagged("profile") {
			warn(fmt.Sprintf("the session does not say which profile it began with: it keeps its system message, and gets the tools of %s", a.Config.Profile))
		}
		return name, m, err
	}
	if a.flagged("profile") && a.Config.Profile != has {
		_, wanted, err := a.wantedProfile()
		if err != nil {
			return "", m, err
		}
		if profileNote(wanted).Name != has {
			return "", m, &OtherProfileError{Has: has, Wanted: a.Config.Profile}
		}
	}
	if has == NoProfile {
		return "", profile.Merged{}, nil
	}
	m, err = a.Library.Profile(has)
	now := profileNote(m)
	switch {
	case err != nil:
		warn(fmt.Sprintf("the session began with the profile %s, which cannot be loaded any more (%v): its system message stays, and there are no tools", has, err))
	case now.Name != has:
		warn(fmt.Sprintf("the session began with the profile %s, which is not there any more: its system message stays, and there are no tools", has))
	case now.Digest != p.profile.Digest:
		warn(fmt.Sprintf("the profile %s has changed since the session began: the system message stays as it was, the tools are those of now", has))
		return has, m, nil
	default:
		return has, m, nil
	}
	return "", profile.Merged{Tools: []profile.Module{}}, nil
}

// profileNote is a profile as the log of a session has it: the name that no other has,
// and a digest of what makes the assistant. The profile of none is none.
func profileNote(m profile.Merged) agent.Profile {
	if m.Address == "" {
		return agent.Profile{Name: NoProfile}
	}
	made := struct {
		Body          string
		Tools, Except []string
	}{Body: m.Body, Except: m.ExceptTools}
	for _, tool := range m.Tools {
		made.Tools = append(made.Tools, tool.ID)
	}
	// Strings can be written in any case.
	text, _ := json.Marshal(made, jsontext.AllowInvalidUTF8(true))
	return agent.Profile{Name: m.Qualified(), Digest: blob.Of(text)}
}
