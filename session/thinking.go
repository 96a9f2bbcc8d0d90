package session

import (
	"slices"

	"github.com/ampersat/ampersat/message"
)

// Signed thinking is bound to what stood before it: providers refuse it behind
// anything else. So where something before it changes it is taken out. But in
// the middle of a turn, between a call of tools and the answer, they ask for
// it, and it stays.

// signed tells whether a part is thinking that its provider has signed.
func signed(part message.Part) bool {
	switch part := part.(type) {
	case message.Thinking:
		return part.Signature != ""
	case message.RedactedThinking:
		return true
	}
	return false
}

// isSigned tells whether a message holds signed thinking.
func isSigned(m message.Message) bool { return slices.ContainsFunc(m.Content.Parts, signed) }

// touch notes that the item at a place is changed, and takes out the signed
// thinking behind it.
func (p *plan) touch(at int) {
	if at >= p.touched {
		return
	}
	behind := p.items[at+1 : min(p.touched+1, len(p.items))]
	p.touched = at
	for _, it := range behind {
		if !p.lively || !it.unit.current {
			p.unsign(it)
		}
	}
}

// unsign takes the signed thinking out of an item.
func (p *plan) unsign(it *planned) {
	for i, part := range it.said.Content.Parts {
		if signed(part) && it.untouched(i+1) {
			p.part(it, i+1, Decision{Action: Evict, Reason: "thinking is bound to what stood before it"})
		}
	}
}

// unsignFormer takes out what an earlier compaction or something new in front left
// in the middle of a turn that is over by now, and what is out of sight since
// then.
func (p *plan) unsignFormer() {
	for i, it := range p.items {
		if i < p.unbound || it.seq <= max(p.former, p.front) && !(p.lively && it.unit.current) {
			p.unsign(it)
		}
	}
}

// withoutSigned returns a message without its signed thinking.
func withoutSigned(m message.Message) message.Message {
	if slices.ContainsFunc(m.Content.Parts, signed) {
		m.Content.Parts = slices.DeleteFunc(slices.Clone(m.Content.Parts), signed)
	}
	return m
}

// unbound is how many items, from the first on, were said before something that
// now stands in front of them, and in turns that were over then. All that stands
// in front counts, not only the last: what it has unbound stays so.
func (v *View) unbound() int {
	unbound, ask := 0, -1
	for i, it := range v.items {
		switch {
		case asks(it.said) && !isInFront(it):
			ask = i
		case i == 0 || !isInFront(it):
		case ask < 0 || isAnswer(v.items[i-1].said):
			unbound = i
		default:
			unbound = max(unbound, ask)
		}
	}
	return unbound
}

// isAnswer tells whether a message ends a turn.
func isAnswer(m message.Message) bool {
	calls, _ := exchanged(m)
	return m.Role == message.Assistant && len(calls) == 0
}

// front is the place of the last item that stands in front, negative if there is
// none.
func (v *View) front() int {
	last := len(v.items) - 1
	for last >= 0 && !isInFront(v.items[last]) {
		last--
	}
	return last
}
