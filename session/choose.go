package session

import (
	"cmp"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// Why something was taken out.
const (
	forFetching = "it can be fetched again"
	forResult   = "an old result of a tool"
	forAge      = "an old message"
	forWorth    = "of less importance than what stays"
	forLength   = "an old message, shortened"
	forRoom     = "there was no room for it"
)

// step is something that can be done to make room.
type step struct {
	stage int     // earlier ones first
	worth float64 // then what is worth less
	place int     // then what is older
	do    func()
}

// run makes room. First what is old goes; what is recent only if what is left is
// still far from the target, and then only as much of it as must.
func (p *plan) run(b bounds) {
	p.dropOrphans()
	p.weigh()
	p.unsignFormer()
	if p.noticed >= 0 {
		p.touch(p.noticed - 1)
	}
	if p.policy.Summarize != nil {
		p.touch(-1)
	}
	for _, u := range p.units {
		switch {
		case !u.items[0].unsent:
		case u.vital:
			p.fallAll(u) // the model does not see it either
		default:
			p.evict(u, "replaced by a later system message")
		}
	}
	p.take(p.steps(false), b.target)
	enough := (b.target + b.limit) / 2
	if p.after() > enough {
		p.take(p.steps(true), enough)
	}
	if p.after() > b.limit {
		p.take(p.lastSteps(b.limit), b.limit)
	}
}

func (p *plan) take(steps []step, target int) {
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(a.worth, b.worth), cmp.Compare(a.place, b.place))
	})
	for _, s := range steps {
		if p.after() <= target {
			return
		}
		s.do()
	}
}

// steps returns what can be done about units that are not vital. Recent ones,
// and the last results of tools, are spared unless they are asked for.
func (p *plan) steps(recent bool) (steps []step) {
	var last []step // of equals
	for _, u := range p.units {
		if u.vital || u.recent && !recent {
			continue
		}
		late, needed := false, false
		for _, it := range u.items {
			for _, b := range it.blocks {
				if needed = needed || b.needed; !b.needed {
					steps = append(steps, step{1, p.worth[u], it.place, func() { p.stub(b, forFetching) }})
				}
			}
			for i, part := range it.said.Content.Parts {
				result, is := part.(message.ToolResult)
				if !is || !it.untouched(i+1) {
					continue
				}
				if p.lateResults[partKey{it, i + 1}] && !recent {
					late = true
					continue
				}
				if it.parts[i] > stubTokens && !slices.ContainsFunc(it.blocks, func(b *block) bool { return b.part == i+1 }) {
					steps = append(steps, p.step(u, 2, 0.5, func() { p.stubResult(u, it, i+1, result, forResult) }))
				}
			}
		}
		if needed || late {
			continue
		}
		if !u.asked {
			steps = append(steps, p.step(u, 3, 1, func() { p.evict(u, p.reason()) }))
			continue
		}
		steps = append(steps, p.step(u, 4, 0.7, func() { p.shorten(u) }))
		forget := p.step(u, 5, 1.5, func() { p.forget(u, p.reason()) })
		for _, answer := range u.answers {
			forget.worth, forget.place = max(forget.worth, p.step(answer, 3, 1, nil).worth), answer.index
		}
		last = append(last, forget)
	}
	return append(steps, last...)
}

// forget takes out what a person said, if what answers it is gone: an answer says
// little, and may mislead, where nobody sees what was asked.
func (p *plan) forget(u *unit, reason string) {
	if !slices.ContainsFunc(u.answers, (*unit).standing) {
		p.evict(u, reason)
	}
}

// step returns one that is due at a stage, or, if units are weighed, when what
// is left is worth as much.
func (p *plan) step(u *unit, stage int, share float64, do func()) step {
	if p.policy.Strategy == Smart {
		return step{2, p.worth[u] * share, u.index, do}
	}
	return step{stage, 0, u.index, do}
}

func (p *plan) reason() string {
	if p.policy.Strategy == Smart {
		return forWorth
	}
	return forAge
}

// lastSteps returns what can be done when all else is gone: to what the last
// turn mentioned and to the results that the model is waiting for, the largest
// first. These are shortened, so that the limit is met, and not taken out: the
// model has not seen them, and would call for them again.
func (p *plan) lastSteps(limit int) (steps []step) {
	var last []step // of equals
	for _, u := range p.units {
		for _, it := range u.items {
			if !u.vital {
				for _, b := range it.blocks {
					steps = append(steps, step{1, -float64(it.parts[b.part-1]), it.place, func() { p.stub(b, forRoom) }})
				}
			}
			for i, part := range it.said.Content.Parts {
				result, is := part.(message.ToolResult)
				switch {
				case !is:
				case p.spare(u) && it.isShown(i+1) && it.parts[i] > unseenTokens: // again, if it must be
					steps = append(steps, step{2, -float64(it.parts[i]), it.place, func() { p.shortenResult(it, i+1, result, limit) }})
				case !u.vital && it.untouched(i+1) && it.parts[i] > stubTokens:
					steps = append(steps, step{2, -float64(it.parts[i]), it.place, func() { p.stubResult(u, it, i+1, result, forRoom) }})
				}
			}
		}
		switch {
		case u.vital:
		case len(u.answers) == 0:
			steps = append(steps, step{3, 0, u.index, func() { p.evict(u, forRoom) }})
		default:
			last = append(last, step{3, 0, u.answers[len(u.answers)-1].index, func() { p.forget(u, forRoom) }})
			// Only what is pinned stays without it.
			last = append(last, step{4, 0, u.index, func() { p.evict(u, forRoom) }})
		}
	}
	return append(steps, last...)
}

// stubResult leaves of a result that there was one.
func (p *plan) stubResult(u *unit, it *planned, part int, result message.ToolResult, reason string) {
	if it.untouched(part) {
		p.replaceResult(it, part, Decision{Action: Stub, Text: resultLeftover(u, result), Reason: reason})
	}
}

// shortenResult leaves the beginning and the end of a result, as much as the limit
// allows.
func (p *plan) shortenResult(it *planned, part int, result message.ToolResult, limit int) {
	over := int(float64(p.after()-limit)/p.scale) + 1
	text := p.policy.cutText(message.Flatten(message.Of(result.Parts()...).Rendered()), max(it.parts[part-1]-over-callTokens, unseenTokens-callTokens))
	p.replaceResult(it, part, Decision{Action: Stub, Text: text, Reason: forRoom})
}

// cutText leaves the beginning and the end of a text, so that it costs no more
// than some tokens.
func (p Policy) cutText(text string, tokens int) string {
	shorter := text
	for bytes := guessed(len(text), p.counter().Count(text), tokens); bytes > 0 && p.counter().Count(shorter) > tokens; {
		bytes = bytes * 9 / 10
		shorter, _ = capText(text, bytes)
	}
	return shorter
}

func (p *plan) replaceResult(it *planned, part int, d Decision) {
	p.part(it, part, d)
	for _, b := range it.blocks {
		if b.part == part {
			p.fall(b)
		}
	}
}

// resultLeftover is what stays where the result of a tool was.
func resultLeftover(u *unit, result message.ToolResult) string {
	tool := "a tool"
	for _, it := range u.items {
		for _, part := range it.said.Content.Parts {
			if call, is := part.(message.ToolCall); is && call.ID == result.ToolCallID && call.Name != "" {
				tool = plainName(call.Name)
			}
		}
	}
	return "[the result of " + tool + " was here; call it again if it is needed]"
}

// shorten leaves the beginning of what a person wrote.
func (p *plan) shorten(u *unit) {
	const most = 240
	for _, it := range u.items {
		if it.gone || u.exchange || it.said.Role != message.User || slices.ContainsFunc(it.decisions, func(d Decision) bool { return d.Part == 0 }) {
			continue
		}
		text := message.Flatten(it.said.Content)
		if len(text) <= most*2 && len(it.said.Content.Parts) == 1 {
			continue
		}
		if len(text) > most {
			text = ToUTF8(text[:most]) + "…"
		}
		d := Decision{Action: Stub, Text: text + " [shortened]", Reason: forLength}
		if messageTokens+p.policy.counter().Count(d.Text) < it.tokens() {
			p.decide(it, d)
			for _, b := range it.blocks {
				p.fall(b)
			}
		}
	}
}
