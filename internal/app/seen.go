package app

import (
	"context"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// Seen returns what the model can see of a session, see [App.FindSession], and the
// contents that differences are made from. Nothing is written to either.
func (a *App) Seen(ctx context.Context, name string) (ampersat.View, blob.Store, error) {
	store, err := a.Store(ctx)
	if err != nil {
		return ampersat.View{}, nil, err
	}
	meta, err := a.FindSession(ctx, name)
	if err != nil {
		return ampersat.View{}, nil, err
	}
	view, err := session.Open(ctx, store, meta.ID, session.NewPolicy(0))
	if err != nil {
		return ampersat.View{}, nil, err
	}
	return ampersat.View{Messages: view.Messages(), FirstTurn: view.FirstTurn()}, &blob.Late{Under: store.Blobs()}, nil
}
