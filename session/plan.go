package session

import (
	"cmp"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// plan is a compaction while it is being made.
type plan struct {
	policy Policy
	items  []*planned
	units  []*unit
	// lively says that the turn is not over: the model is to read what tools
	// returned.
	lively bool
	// before, now and extra are estimates: of the view as it is, of its items as
	// decided so far, and of what the compaction adds, its summary and its
	// notice.
	before, now, extra int
	// actual is what the view costs by the provider's count, by whose that is, and
	// scale what an estimated token is worth by it.
	actual int
	by     asked
	scale  float64
	// touched is the place of the first item that the model has seen otherwise.
	touched int
	// noticed is the place of the first item after the former notice, negative
	// if there is none.
	noticed int
	// former is the last entry that the compaction before this looked at, front
	// the last that stands in front of what was said before it.
	former, front Seq
	// unbound is how many items have lost their thinking to that.
	unbound int
	// lateResults are the parts that are among the last results.
	lateResults map[partKey]bool
	worth       map[*unit]float64 // for the smart strategy
}

type partKey struct {
	item *planned
	part int
}

func (v *View) newPlan() *plan {
	p := &plan{policy: v.policy, scale: 1, unbound: v.unbound()}
	p.actual, p.by = v.count()
	system := v.system()
	for _, it := range v.items {
		d := newPlanned(it, v.policy)
		d.unsent = isSystem(it) && it != system
		d.place = len(p.items)
		p.items = append(p.items, d)
		p.now += d.tokens()
	}
	p.before = p.now
	p.touched, p.noticed = len(p.items), -1
	if v.last != nil {
		p.former = v.last.Through
		p.before += v.policy.added(*v.last)
		// Its notice gives way to the new one.
		if place := v.noticePlace(); place < len(p.items) {
			p.noticed = place
		}
	}
	if p.before > 0 {
		p.scale = min(max(float64(p.actual-p.policy.Overhead)/float64(p.before), 1.0/mostOff), mostOff)
	}
	p.units = unitsOf(p.items)
	findBlocks(p.items)
	p.protect(v)
	return p
}

// after is what the view will cost.
func (p *plan) after() int {
	return p.actual - int(float64(p.before-p.now-p.extra)*p.scale)
}

// protect marks what stays, and what stays as long as possible.
func (p *plan) protect(v *View) {
	system, who := v.system(), v.who()
	if front := v.front(); front >= 0 {
		p.front = v.items[front].seq
	}
	asked, exchange := -1, -1
	for _, u := range p.units {
		if u.asked {
			asked = u.index
		}
		if u.exchange {
			exchange = u.index
		}
		for _, it := range u.items {
			u.pinned = u.pinned || v.pinned[it.seq] || slices.Contains(p.policy.Pinned, it.seq)
			// What replaced the first of them may be undone.
			u.vital = u.vital || u.pinned || it.item == system || it.item == who
		}
	}
	for _, last := range slices.Backward(p.items) {
		if !isSystem(last.item) {
			calls, _ := exchanged(last.shown)
			p.lively = last.said.Role != message.Assistant || len(calls) > 0
			break
		}
	}
	if asked >= 0 {
		p.units[asked].vital = true
	}
	if p.lively && exchange > asked {
		p.units[exchange].vital = true
	}
	from := max(asked, 0)
	for from > 0 && p.units[from-1].items[0].said.Role == message.Developer {
		from--
	}
	for _, u := range p.units[min(from, len(p.units)):] {
		u.current = true
	}
	p.protectBlocks()
	p.protectRecent()
}

// protectRecent walks back from the end. One message that is larger than what
// is left ends it: it must not keep all others out, nor stay for being last.
func (p *plan) protectRecent() {
	room := int(p.policy.Recent * float64(p.window()))
	results := p.policy.ToolResults
	p.lateResults = map[partKey]bool{}
	turns := p.policy.Turns
	for _, u := range slices.Backward(p.units) {
		if room -= u.tokens(); room > 0 || turns > 0 {
			u.recent = true
		} else if !u.vital {
			room = 0
		}
		for _, it := range slices.Backward(u.items) {
			for i, part := range slices.Backward(it.said.Content.Parts) {
				if _, is := part.(message.ToolResult); is && results > 0 {
					p.lateResults[partKey{it, i + 1}] = true
					results--
				}
			}
		}
		if u.asked && turns > 0 {
			turns--
		}
	}
}

// window is the policy's, or what the view takes if nobody knows.
func (p *plan) window() int { return cmp.Or(p.policy.Window, p.actual) }

// decide makes a decision.
func (p *plan) decide(it *planned, d Decision) {
	if it.gone {
		return
	}
	d.Seq = it.seq
	p.now -= it.tokens()
	it.fresh = append(it.fresh, d)
	it.account(d, p.policy)
	p.now += it.tokens()
	p.touch(it.place)
}

// part decides about a part; a message of which nothing is left goes whole.
func (p *plan) part(it *planned, part int, d Decision) {
	d.Part = part
	p.decide(it, d)
	if d.Action != Evict || it.gone {
		return
	}
	all := slices.Concat(it.decisions, it.fresh)
	if _, left := it.view(all); !left {
		p.decide(it, Decision{Action: Evict, Reason: d.Reason})
	}
}

// evict takes a unit out.
func (p *plan) evict(u *unit, reason string) {
	for _, it := range u.items {
		p.decide(it, Decision{Action: Evict, Reason: reason})
	}
	p.fallAll(u)
}

// fallAll takes out the blocks that build on those of a unit.
func (p *plan) fallAll(u *unit) {
	for _, it := range u.items {
		for _, b := range it.blocks {
			p.fall(b)
		}
	}
}
