package session

import (
	"cmp"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// asked is who a request went to: they count it in tokens of their own.
type asked struct{ provider, model string }

func (p Prepared) asked() asked  { return asked{p.Provider, p.Request.Model} }
func (c Compacted) asked() asked { return asked{c.Provider, c.Model} }
func (p Policy) asked() asked    { return asked{p.Provider, p.Model} }

// same tells whether what one counts holds for the other. Who is not known may be
// anybody: older versions did not always say.
func (a asked) same(b asked) bool {
	return (a.provider == b.provider || a.provider == "" || b.provider == "") && (a.model == b.model || a.model == "" || b.model == "")
}

// Tokens is how much of the window the view takes. It begins with what the
// provider reported last, and estimates only what came since; after a
// compaction, with what was left. What was counted for another model than that of
// the policy does not count: it may be ten times as much, with the tools that there
// were.
func (v *View) Tokens() int {
	tokens, _ := v.count()
	return tokens
}

// count returns what the view takes, and by whose count.
func (v *View) count() (tokens int, by asked) {
	reported, since, all, beyond := -1, 0, 0, 0
	by = v.policy.asked()
	reporter := by
	system := v.system()
	left := v.last != nil && v.last.asked().same(by)
	looked := 0
	isDoubtful := func() bool { return reported < (all-since-beyond)/mostOff }
	for _, it := range slices.Backward(v.items) {
		if left && it.seq <= v.last.Through {
			break
		}
		if reported >= 0 && looked == enoughToDoubt && !isDoubtful() {
			return reported + since, cmp.Or(by, reporter)
		}
		if reported < 0 && v.counts(it) {
			reported, since, reporter = it.usage.Occupied()+it.usage.OutputTokens, all, it.asked
		}
		if !isSystem(it) || it == system { // the others are not sent
			all += it.cost(v.policy)
		}
		if reported >= 0 {
			beyond += guessedTokens(it.shown.Content.Parts)
			looked++
		}
	}
	switch {
	case left:
		all += v.base
	case v.last != nil:
		all += v.policy.Overhead + v.policy.added(*v.last)
	default:
		all += v.policy.Overhead
	}
	if isDoubtful() {
		if left {
			by = cmp.Or(by, v.last.asked())
		}
		return all, by
	}
	return reported + since, cmp.Or(by, reporter)
}

// counts tells whether what was reported with an item counts: it is of a request
// that was made of the view as it is since the last compaction, and for the model
// that the view is for.
func (v *View) counts(it *item) bool {
	return it.usage != nil && it.usage.Occupied() > 0 && it.asked.same(v.policy.asked()) && (v.last == nil || cmp.Or(it.prepared, it.seq) > v.lastAt)
}

// added estimates what a compaction adds to a view.
func (p Policy) added(c Compacted) (tokens int) {
	if c.Summary != nil {
		tokens += p.cost(*c.Summary)
	}
	if c.Notice != "" {
		tokens += p.cost(c.notice())
	}
	return tokens
}

// mostOff is how many times less than the estimate a provider's count may be, to
// count more than the estimate. Of text the two differ by a fraction; thinking
// that is not sent again and small pictures make some more of it. What is less
// than that is no count of the request: servers report only what was not in their
// cache, or a constant, and believing them would mean that nothing is ever taken
// out, until the provider cuts or refuses what is too long. Of the pages of a document
// each provider counts what it likes, so that they are no reason to doubt
// (guessedTokens). There is no bound the other way: a document that a tool has brought
// is guessed to be one picture, and too large a count does no worse than to make room
// early.
const mostOff = 4

// enoughToDoubt is how many messages are estimated to doubt a count. If the last of
// them do not cost more than it by far, all of them are not worth counting.
const enoughToDoubt = 64

// guessedTokens is what parts are said to cost beyond one picture for each.
func guessedTokens(parts []message.Part) (tokens int) {
	for _, part := range parts {
		switch part := part.(type) {
		case message.Context:
			if len(part.Parts) > 0 {
				tokens += max(0, part.PartTokens-mediaTokens*len(part.Parts))
			}
		case message.ToolResult:
			tokens += guessedTokens(part.Parts())
		}
	}
	return tokens
}
