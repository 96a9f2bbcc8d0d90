package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/session"
)

// Seen is what a session is like for whoever goes on with it.
type Seen struct {
	// View is what the model can see, and Blobs has the contents that differences
	// are made from. What is put there is not kept.
	View  ampersat.View
	Blobs blob.Store
	// Profile is the one it began with, as far as it is still there, and Choice who
	// answered last.
	Profile profile.Merged
	Choice  string
}

// Seen looks at a session, see [App.FindSession]. Nothing is written.
func (a *App) Seen(ctx context.Context, name string, warn func(string)) (Seen, error) {
	if _, err := os.Stat(filepath.Join(a.UserDir, storeName)); a.UserDir != "" && errors.Is(err, os.ErrNotExist) {
		return Seen{}, errors.New("there is no session yet; \"ampersat ask\" begins one")
	}
	store, err := a.Store(ctx)
	if err != nil {
		return Seen{}, err
	}
	meta, before, err := a.findPast(ctx, store, name, warn)
	if err != nil {
		return Seen{}, err
	}
	_, merged, err := a.profileOf(before, warn)
	if err != nil {
		return Seen{}, err
	}
	view, err := session.Open(ctx, store, meta.ID, session.NewPolicy(0))
	if err != nil {
		return Seen{}, err
	}
	messages, err := agent.Shown(ctx, view.Messages(), store.Blobs())
	if err != nil {
		return Seen{}, fmt.Errorf("read session %s: %w", meta.ID, err)
	}
	return Seen{
		View:  ampersat.View{Messages: messages, FirstTurn: view.FirstTurn()},
		Blobs: &blob.Late{Under: store.Blobs()}, Profile: merged, Choice: before.choice,
	}, nil
}
