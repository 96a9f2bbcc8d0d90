package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/go-json-experiment/json/jsontext"
)

// configure takes what the configuration says, of which the flags are the last
// layer.
func (f *contextFlags) configure(c *config.Loaded) {
	f.fixed = func(key string) bool { return c.Origin(key).Layer >= config.Environment }
	f.profile, f.place = c.Profile, c.Place
	f.budget, f.itemBudget = int(c.Budget.Turn), int(c.Budget.Item)
}

// beginning is what a conversation begins with. The zero value is nothing.
type beginning struct {
	stack  ampersat.Stack
	origin origin
}

// begin prepares the profile, if one was named.
func (f *contextFlags) begin(ctx context.Context, io streams, a *app.App) (b beginning, err error) {
	var m profile.Merged
	if f.profile != "" && f.profile != app.NoProfile {
		if b.stack, m, err = a.System(ctx, f.profile); err != nil {
			return beginning{}, err
		}
		mentions, err := ampersat.EncodeReports(b.stack.Reports)
		if err != nil {
			return beginning{}, err
		}
		b.origin.Profile = struct {
			Name     string         `json:"name"`
			Mentions jsontext.Value `json:"mentions"`
			Tokens   int            `json:"tokens"`
		}{m.Qualified(), mentions, b.stack.Tokens}
	}
	f.settle(io, a, m, "")
	return b, nil
}

// settle lets what a profile says count where neither a flag nor the environment
// says otherwise. Before is who answered last in a session.
func (f *contextFlags) settle(io streams, a *app.App, m profile.Merged, before string) {
	f.chooseModel(io, a, m, before)
	if m.Context.Placement != "" && !f.fixed("place") {
		f.place = string(m.Context.Placement)
	}
	if m.Context.Budget != nil && !f.fixed("budget.turn") {
		f.budget = *m.Context.Budget
	}
	if m.Context.ItemBudget != nil && !f.fixed("budget.item") {
		f.itemBudget = *m.Context.ItemBudget
	}
}

// chooseModel takes the model that would be asked, or the built-in one if nobody
// would be.
func (f *contextFlags) chooseModel(io streams, a *app.App, m profile.Merged, before string) {
	var err error
	if f.provider, f.model, err = a.WouldAsk(m, before, f.wire); err != nil {
		fmt.Fprintln(io.err, "note:", oneLine(err.Error()))
	}
	if f.chosen = f.model != ""; !f.chosen {
		f.provider, f.model, _ = strings.Cut(app.DefaultModel, "/")
	}
}
