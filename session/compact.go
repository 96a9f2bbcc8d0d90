package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// TooLargeError means that no compaction can help: what is never taken out is
// larger than the model's window.
type TooLargeError struct{ Needed, Window int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("compact: the system message, the last message and what is pinned need %d tokens, and the window has %d: shorten them, or choose a model with a larger window", e.Needed, e.Window)
}

// Due tells whether the view is beyond the threshold, and can be brought below
// it, and says so for people.
//
// Where what is never taken out already fills most of the window, the threshold
// gives way: one large message does not make every turn a compaction.
func (v *View) Due() (reason string, due bool) {
	if v.hasRoom() {
		return "", false
	}
	p := v.newPlan()
	if p.actual <= p.bounds(v, false).limit {
		return "", false
	}
	return p.fullness(), true
}

// hasRoom tells whether the view is below the threshold, which is nearly always
// and is found without looking at it.
func (v *View) hasRoom() bool {
	return v.policy.Window == 0 || v.Tokens() <= int(v.policy.Threshold*float64(v.policy.Window))
}

// Room returns how many of the tokens that somebody wants to add together with
// some messages there can be room for: when all has gone that can be taken out.
// With more than that a compaction would take out what was just added.
func (v *View) Room(want int, with ...message.Message) int {
	added := 0
	for _, m := range with {
		added += v.policy.cost(m)
	}
	if limit := int(v.policy.Threshold * float64(v.policy.Window)); limit == 0 || v.Tokens()+added+want <= limit {
		return want
	}
	p := v.newPlan()
	b := p.bounds(v, false)
	system := v.system()
	for _, u := range p.units {
		if u.pinned || slices.ContainsFunc(u.items, func(it *planned) bool { return it.item == system }) {
			added += u.tokens()
		}
	}
	margin := b.window / 50 // what is an estimate here is another one there
	room := int(p.policy.Threshold*float64(b.window)) - p.policy.Overhead - b.extra - margin - int(float64(added)*p.scale)
	return min(want, max(room, 0))
}

// Compact decides what the model no longer sees. It returns the entry that says
// so, which takes effect when it is appended ([View.Append]); the view is
// as it was until then. The second result is false if there is nothing to do:
// the view is not [View.Due], or nothing in it can be taken out.
//
// The reason is for people; empty means that the window is full. With force the
// threshold does not count: a person asks for it, or the provider has found
// the request too long. Then even a view that is below the target is halved.
//
// What goes, in this order, until the target is reached: the contents of
// mentions, which leave a reference, since they can be fetched again; what tools
// returned; what the model said, calls with all their results; and what people
// wrote, first shortened, then whole, after all that answers it. [Smart] weighs the last three against each
// other. The system message, the last message of a person, what is pinned and
// the call that is being answered stay; the results that the model has not seen
// are shortened at the most. What was taken out once stays out. A system message
// that was replaced is not sent and costs nothing; it goes too, but for the first,
// which says who the agent is and comes back when the others are undone.
//
// A target that is below what must stay is not chased; the entry says so. If
// that is more than the window it is a [*TooLargeError].
func (v *View) Compact(ctx context.Context, reason string, force bool) (Compacted, bool, error) {
	if err := ctx.Err(); err != nil {
		return Compacted{}, false, err
	}
	if v.hasRoom() && !force {
		return Compacted{}, false, nil
	}
	p := v.newPlan()
	b := p.bounds(v, force)
	if p.actual <= b.limit && !force {
		return Compacted{}, false, nil
	}
	if b.needed > b.window {
		return Compacted{}, false, &TooLargeError{Needed: b.needed, Window: b.window}
	}
	p.extra = b.extra
	p.run(b)
	decisions := p.decisions()
	if len(decisions) == 0 || p.after() >= p.actual {
		return Compacted{}, false, nil
	}
	c := Compacted{
		Epoch: v.Epoch() + 1, Strategy: string(v.policy.Strategy), Reason: cmp.Or(reason, p.fullness()) + b.remark, Through: v.head,
		Decisions: decisions, Notice: p.notice(), NoticeBefore: p.noticeBefore(), TokensBefore: p.actual, TokensTarget: b.target,
		Provider: p.by.provider, Model: p.by.model,
	}
	if err := v.summarize(ctx, p, &c, b); err != nil {
		return Compacted{}, false, err
	}
	p.extra = v.policy.added(c)
	c.TokensAfter = max(0, p.after())
	c.Resume = v.newResume(p)
	return c, true, nil
}

// bounds are the numbers of a compaction, in tokens.
type bounds struct {
	window, limit, target int
	// needed is what stays in any case, extra what the compaction itself adds.
	needed, extra int
	// summary is how long a new summary may be.
	summary int
	remark  string
}

func (p *plan) bounds(v *View, force bool) bounds {
	w := p.window()
	b := bounds{
		window: w, limit: int(p.policy.Threshold * float64(w)), target: int(p.policy.Target * float64(w)),
		extra: noticeTokens,
	}
	if p.policy.Summarize != nil {
		b.summary = min(b.target/8, 2000)
		b.extra += messageTokens + b.summary
	} else if v.last != nil && v.last.Summary != nil {
		b.extra += p.policy.cost(*v.last.Summary)
	}
	b.needed = p.actual - int(float64(p.before-p.vital()-b.extra)*p.scale)
	// Below this a compaction would soon be followed by the next.
	least := w / 20
	if b.limit < b.needed+least {
		b.limit = min(w, b.needed+least)
	}
	if b.target < b.needed+least/2 {
		b.target = b.needed
		if b.limit-b.needed > least {
			b.target += (b.limit - b.needed) / 2
		}
		b.remark = fmt.Sprintf("; what must stay needs %d tokens, so that the target is %d", b.needed, b.target)
	}
	if force && p.actual <= b.target {
		b.target = max(b.needed, p.actual/2)
	}
	if force && p.actual <= b.limit {
		// Recent or not: what is too long for somebody must become shorter.
		b.limit = max(b.target, p.actual*3/4)
	}
	return b
}

// vital estimates what is left when everything is taken out that can be. It is
// the same before and after a compaction, so that none calls for the next.
func (p *plan) vital() (sum int) {
	for _, u := range p.units {
		if !u.vital {
			continue
		}
		sum += u.tokens()
		for _, it := range u.items {
			for i, part := range it.said.Content.Parts {
				switch _, is := part.(message.ToolResult); {
				case is && p.spare(u) && it.isShown(i+1) && it.parts[i] > unseenTokens:
					sum += unseenTokens - it.parts[i]
				case signed(part) && it.untouched(i+1) && !(p.lively && u.current):
					sum -= it.parts[i]
				}
			}
		}
	}
	return sum
}

// spare tells whether a vital unit is one only for its results, which can be
// shortened if nothing else is left.
func (p *plan) spare(u *unit) bool {
	return u.vital && u.exchange && !u.asked && !u.pinned
}

func (p *plan) fullness() string {
	return fmt.Sprintf("%d %% of the window is full (%d of %d tokens)", p.actual*100/max(1, p.window()), p.actual, p.window())
}

// decisions returns what was decided, in the order of the log.
func (p *plan) decisions() (all []Decision) {
	for _, it := range p.items {
		for _, d := range it.fresh {
			// What was decided about the parts of a message that then went whole
			// says nothing.
			if !it.gone || d.Part == 0 && d.Action == Evict {
				all = append(all, d)
			}
		}
	}
	return all
}

// How long a notice and a reference are.
const (
	noticeTokens = 80
	stubTokens   = 40
)

// notice tells the model what is gone.
func (p *plan) notice() string {
	var messages, contents, results int
	for _, it := range p.items {
		switch {
		case it.gone:
			messages++
		default:
			for _, d := range it.fresh {
				switch {
				case d.Part == 0:
					messages++
				case it.isResult(d.Part):
					results++
				case d.Action == Stub || isContext(it.said.Content.Parts[d.Part-1]):
					contents++
				}
			}
		}
	}
	return fmt.Sprintf("[To make room, earlier parts of this conversation were taken out or shortened: %s, %s, %s. Mention, read or ask again for what is needed.]",
		count(messages, "message"), count(contents, "content of a mention", "contents of mentions"), count(results, "result of a tool", "results of tools"))
}

// noticeBefore is the entry that the notice stands before, zero for where the
// compaction is made.
//
// There it leaves what was said before in the provider's cache. But a person's
// message that waits for its answer comes after it, with its contents: a model
// answers what it reads last. Nothing that a model said is moved by that, so that
// no signed thinking is parted from what it was bound to.
func (p *plan) noticeBefore() (before Seq) {
	for _, it := range slices.Backward(p.items) {
		if it.gone {
			continue
		}
		_, results := exchanged(it.said)
		switch role := it.said.Role; {
		case role == message.User && !results:
			if before != 0 {
				return before // an older one, which was not answered
			}
			before = it.seq
		case role == message.Developer && before != 0:
			before = it.seq
		case role != message.Developer && role != message.System:
			return before
		}
	}
	return before
}

func count(n int, one string, many ...string) string {
	if n == 1 {
		return "1 " + one
	}
	if len(many) == 0 {
		many = []string{one + "s"}
	}
	return fmt.Sprintf("%d %s", n, many[0])
}

// summarize has the summary made of what goes now, and of the former one.
func (v *View) summarize(ctx context.Context, p *plan, c *Compacted, b bounds) error {
	var gone []message.Message
	if v.last != nil {
		c.Summary = v.last.Summary
	}
	if v.policy.Summarize == nil {
		return nil
	}
	if c.Summary != nil {
		gone = append(gone, *c.Summary)
	}
	former := len(gone)
	for _, it := range p.items {
		if it.gone || slices.ContainsFunc(it.fresh, func(d Decision) bool { return d.Part == 0 }) {
			gone = append(gone, it.shown)
		}
	}
	if len(gone) == former {
		return nil
	}
	summary, err := v.policy.Summarize(ctx, gone)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.Reason += "; there is no new summary: " + err.Error()
		return nil
	}
	c.Summary = v.policy.condensed(summary, b.summary)
	return nil
}

// condensed returns a summary as it may stand in a view: some text, not too
// long.
func (p Policy) condensed(m message.Message, room int) *message.Message {
	text := message.Flatten(m.Content)
	count := p.counter().Count
	if count(text) > room {
		const marker = " [the summary was cut here]"
		cut := len(text)
		for cut > 0 && count(text[:cut])+count(marker) > room {
			cut = cut * 9 / 10
		}
		text = ToUTF8(text[:cut]) + marker
	}
	if text == "" {
		return nil
	}
	return &message.Message{Role: message.Developer, Content: message.Say(text)}
}
