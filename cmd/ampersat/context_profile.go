package main

import (
	"context"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/go-json-experiment/json/jsontext"
)

// beginning is what a conversation begins with. The zero value is nothing.
type beginning struct {
	stack  ampersat.Stack
	origin origin
}

// begin prepares the profile, if one was named, and lets its settings count
// where neither a flag nor the environment says otherwise.
func (f *contextFlags) begin(ctx context.Context, a *app.App) (beginning, error) {
	if f.profile == "" {
		return beginning{}, nil
	}
	stack, m, err := a.System(ctx, f.profile)
	if err != nil {
		return beginning{}, err
	}
	if owner, _, _ := strings.Cut(m.Model, "/"); m.Model != "" && !f.fixed("model") && !f.fixed("provider") && (f.wire == "" || owner == app.WireProvider(f.wire)) {
		f.model, f.modelGiven = m.Model, true
	}
	if m.Context.Placement != "" && !f.fixed("place") {
		f.place = string(m.Context.Placement)
	}
	if m.Context.Budget != nil && !f.fixed("budget.turn") {
		f.budget = *m.Context.Budget
	}
	if m.Context.ItemBudget != nil && !f.fixed("budget.item") {
		f.itemBudget = *m.Context.ItemBudget
	}
	b := beginning{stack: stack}
	mentions, err := ampersat.EncodeReports(stack.Reports)
	b.origin.Profile = struct {
		Name     string         `json:"name"`
		Mentions jsontext.Value `json:"mentions"`
		Tokens   int            `json:"tokens"`
	}{m.Qualified(), mentions, stack.Tokens}
	return b, err
}
