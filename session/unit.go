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
	// answers are the units in which the model answers what a person said.
	answers []*unit
	// vital units are never taken out: the system message, the first that said who
	// the agent is, the last that a person said, what is pinned, and the results
	// that the model is to read next. Recent ones are only when all others are
	// gone.
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

// standing tells whether something of the unit is still there.
func (u *unit) standing() bool {
	return slices.ContainsFunc(u.items, func(it *planned) bool { return !it.gone })
}

// planned is an item while it is decided about.
type planned struct {
	*item
	// place is that among the items.
	place  int
	unit   *unit
	blocks []*block
	// orphans are the parts that are results of no call.
	orphans []int
	fresh   []Decision
	gone    bool
	// unsent marks a system message that a later one has replaced: it costs
	// nothing.
	unsent bool
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
	if d.gone || d.unsent {
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

// isShown tells whether the model sees something of a part.
func (d *planned) isShown(part int) bool {
	out := func(done Decision) bool { return done.Part == 0 || done.Part == part && done.Action == Evict }
	return !d.gone && !slices.ContainsFunc(d.decisions, out) && !slices.ContainsFunc(d.fresh, out)
}

// unitsOf groups items as the stack does. Results that answer no call become
// orphans of their item.
func unitsOf(items []*planned) (units []*unit) {
	var open *unit
	var pending []string
	for _, it := range items {
		calls, _ := exchanged(it.shown)
		if len(calls) > 0 {
			open, pending = nil, calls
		}
		answers := false
		for i, part := range it.said.Content.Parts {
			result, is := part.(message.ToolResult)
			if !is || it.isEvicted(i+1) {
				continue
			}
			if at := slices.Index(pending, result.ToolCallID); at >= 0 {
				pending = slices.Delete(pending, at, at+1)
				answers = true
			} else {
				it.orphans = append(it.orphans, i+1)
			}
		}
		switch {
		case len(calls) == 0 && answers:
		case len(calls) == 0 && len(it.orphans) == len(it.said.Content.Parts) && len(it.orphans) > 0:
			// It is not seen, and does not end an exchange.
			u := &unit{index: len(units), items: []*planned{it}}
			it.unit, units = u, append(units, u)
			continue
		default:
			u := &unit{index: len(units), exchange: len(calls) > 0}
			open, units = u, append(units, u)
			if len(calls) == 0 {
				pending = nil
			}
		}
		open.items = append(open.items, it)
		open.asked = open.asked || asks(it.shown)
		it.unit = open
	}
	findAnswers(units)
	return units
}

// findAnswers gives each unit that a person said those that answer it.
func findAnswers(units []*unit) {
	var asked *unit
	for _, u := range units {
		switch {
		case u.asked:
			asked = u
		case asked != nil && u.items[0].said.Role == message.Assistant:
			asked.answers = append(asked.answers, u)
		}
	}
}

// isEvicted tells whether a part is not shown at all.
func (d *planned) isEvicted(part int) bool {
	return slices.ContainsFunc(d.decisions, func(done Decision) bool { return done.Action == Evict && done.Part == part })
}

// dropOrphans takes out the results that answer no call. They are not seen as
// it is; but when what stands before them goes, they could come to stand behind
// a call of the same name.
func (p *plan) dropOrphans() {
	for _, it := range p.items {
		for _, part := range it.orphans {
			d := Decision{Seq: it.seq, Part: part, Action: Evict, Reason: "it answers no call"}
			if len(it.orphans) == len(it.said.Content.Parts) {
				d.Part = 0
			}
			p.now -= it.tokens()
			it.fresh = append(it.fresh, d)
			it.account(d, p.policy)
			p.now += it.tokens()
			if d.Part == 0 {
				break
			}
		}
	}
}
