package session

import (
	"slices"

	"github.com/ampersat/ampersat/message"
)

// unit is what goes or stays together: a message, or the call of tools with all
// of its results.
type unit struct {
	items []*planned
	// index is its place among the units.
	index    int
	exchange bool
	asked    bool // a person said it
	// vital units are never taken out: the system message, the last that a
	// person said, what is pinned, and the results that the model is to read
	// next. Recent ones are only when all others are gone.
	vital, recent, pinned bool
	// current marks the last turn, with the contents that were read for it.
	current bool
}

func (u *unit) tokens() (sum int) {
	for _, it := range u.items {
		sum += it.tokens()
	}
	return sum
}

// planned is an item while it is decided about.
type planned struct {
	*item
	// place is that among the items.
	place  int
	unit   *unit
	blocks []*block
	fresh  []Decision
	gone   bool
	// parts is what each part of the message costs as it is shown now, rest
	// what the message costs without them.
	parts []int
	rest  int
}

func newPlanned(it *item, p Policy) *planned {
	d := &planned{item: it, rest: messageTokens + p.counter().Count(message.Prefix(it.said.Instructions)), parts: make([]int, len(it.said.Content.Parts))}
	for i, part := range it.said.Content.Parts {
		d.parts[i] = p.partCost(part)
	}
	for _, done := range it.decisions {
		d.account(done, p)
	}
	return d
}

// account notes what a decision changes about the cost.
func (d *planned) account(done Decision, p Policy) {
	text := 0
	if done.Action == Stub {
		text = p.counter().Count(done.Text)
	}
	switch {
	case done.Part == 0 && done.Action == Evict:
		d.gone = true
	case done.Part == 0:
		clear(d.parts)
		d.rest = messageTokens + text
	case done.Part > len(d.parts):
	case d.isResult(done.Part) && done.Action == Stub:
		d.parts[done.Part-1] = callTokens + text
	default:
		d.parts[done.Part-1] = text
	}
}

func (d *planned) isResult(part int) bool {
	_, is := d.said.Content.Parts[part-1].(message.ToolResult)
	return is
}

func (d *planned) tokens() int {
	if d.gone {
		return 0
	}
	sum := d.rest
	for _, n := range d.parts {
		sum += n
	}
	return sum
}

// untouched tells whether a part is still shown as it was said.
func (d *planned) untouched(part int) bool {
	about := func(done Decision) bool { return done.Part == part || done.Part == 0 }
	return !d.gone && !slices.ContainsFunc(d.decisions, about) && !slices.ContainsFunc(d.fresh, about)
}

// unitsOf groups items as the stack does.
func unitsOf(items []*planned) (units []*unit) {
	var open *unit
	var pending []string
	for _, it := range items {
		calls, results := exchanged(it.shown)
		answers := false
		if results && open != nil && len(calls) == 0 {
			for _, part := range it.shown.Content.Parts {
				if result, is := part.(message.ToolResult); is {
					if at := slices.Index(pending, result.ToolCallID); at >= 0 {
						pending = slices.Delete(pending, at, at+1)
						answers = true
					}
				}
			}
		}
		if !answers {
			u := &unit{index: len(units), exchange: len(calls) > 0}
			units = append(units, u)
			open, pending = nil, nil
			if len(calls) > 0 {
				open, pending = u, calls
			}
		}
		u := units[len(units)-1]
		u.items = append(u.items, it)
		u.asked = u.asked || asks(it.shown)
		it.unit = u
	}
	return units
}
