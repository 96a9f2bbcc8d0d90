package session

import (
	"cmp"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// unseenTokens is what stays at least of a result that the model has not seen.
const unseenTokens = 200

// Fit returns a message with results of tools as there is room for it, and
// whether something was cut. Call it before the message is appended: what the
// model is to read next is not taken out by a compaction, which would have it
// call again and again for what does not fit. Results that are short stay whole,
// and of the others the beginning and the end do, as with [Policy.Cap], which is
// part of it: give it results that are whole, so that what is cut says how much of
// the whole it is.
//
// There is room for what is free, or for half of what a compaction could free
// without what the turn mentions.
func (v *View) Fit(m message.Message) (message.Message, bool) {
	capped, cut := v.policy.Cap(m)
	limit := int(v.policy.Threshold * float64(v.policy.Window))
	if limit == 0 {
		return capped, cut
	}
	free := limit - v.Tokens()
	if v.policy.cost(capped) <= free {
		return capped, cut
	}
	p := v.newPlan()
	needed, current := p.bounds(v, false).needed, 0
	for _, u := range p.units {
		if u.current && !u.vital && !u.exchange {
			current += u.tokens()
		}
	}
	most := limit - needed
	room := max(free, (most-int(float64(current)*p.scale))/2, most/4)
	margin := v.policy.Window / 50 // what is an estimate here is another one there
	fitted, shortened := v.policy.fit(capped, m, int(float64(room-margin)/max(1, p.scale)))
	return fitted, cut || shortened
}

// fit shortens the longest results until a message costs no more than room, if
// that can be. Whole is the message before anything was cut.
func (p Policy) fit(m, whole message.Message, room int) (fitted message.Message, cut bool) {
	type long struct{ at, tokens int }
	var results []long
	for i, part := range m.Content.Parts {
		tokens := p.partCost(part)
		if _, is := part.(message.ToolResult); is {
			results = append(results, long{i, tokens})
		} else {
			room -= tokens
		}
	}
	room -= messageTokens
	// The shortest first: what it leaves of its share is for the others.
	slices.SortStableFunc(results, func(a, b long) int { return cmp.Compare(a.tokens, b.tokens) })
	parts := slices.Clone(m.Content.Parts)
	for i, r := range results {
		share := max(room/(len(results)-i), unseenTokens)
		if r.tokens > share {
			if shorter, ok := p.shortened(parts[r.at].(message.ToolResult), whole.Content.Parts[r.at].(message.ToolResult), share); ok {
				parts[r.at], cut = shorter, true
			}
		}
		room -= min(share, r.tokens)
	}
	if !cut {
		return m, false
	}
	m.Content.Parts = parts
	return m, true
}

// shortened cuts the texts of a result until it costs no more than some tokens,
// if texts are what it costs. Whole is the result before anything was cut.
func (p Policy) shortened(r, whole message.ToolResult, tokens int) (shorter message.ToolResult, cut bool) {
	bytes := 0
	for _, part := range r.Parts() {
		switch part := part.(type) {
		case message.Text:
			bytes += len(part.Text)
		case message.Context:
			bytes += len(part.Text)
		}
	}
	bytes = guessed(bytes, p.partCost(r), tokens)
	shorter = r
	for bytes > 0 && p.partCost(shorter) > tokens {
		bytes = bytes * 9 / 10
		if again, ok := capResult(whole, bytes); ok {
			shorter, cut = again, true
		}
	}
	return shorter, cut
}

// guessed is how many bytes of a text some tokens are about, if all of it costs
// so many. It is on the large side.
func guessed(bytes, cost, tokens int) int {
	if cost <= 0 || bytes/cost == 0 {
		return bytes
	}
	return min(bytes, bytes/cost*tokens*2)
}
