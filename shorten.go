package ampersat

import (
	"cmp"
	"fmt"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// nothing is what is shown of a thing that is left out.
const nothing = "nothing: it does not fit the budget"

// omit leaves a block out for want of room.
func (b *block) omit() {
	b.outcome, b.tokens, b.omitted = Partial, 0, true
	b.context = message.Context{Names: b.names, Shown: nothing}
}

// framed is what a block costs around its text if it says what of it is shown.
func (p *Pipeline) framed(b *block, shown string) int {
	return p.cost(message.Context{
		Names: b.names, Kind: contextKind(b.kind), Lines: b.content.Lines, Symbol: b.content.Symbol, Shown: shown, ChangedSince: b.since,
	}, 0)
}

// tries is how often a text is cut: what is shown of it is known afterwards, and
// may cost more than was thought. Each leaves more room than was missing, since a
// text that is cut by lines or files may come out the same as before.
const tries = 6

// leastShown and mostShown are about what a cut says of itself at least and at
// the most.
func leastShown(c *Content) string { return c.besides("lines 1-9 of " + cmp.Or(c.Lines, "9,999")) }

func mostShown(c *Content) string {
	line, all := c.lineNumbers(lineCount(c.Text))
	last := line(lineCount(c.Text))
	return c.besides(fmt.Sprintf("lines %s-%s and %s-%s of %s", line(1), last, last, last, all))
}

// leastCut is how many tokens a block needs to be useful when it is cut.
func (p *Pipeline) leastCut(b *block) int { return p.framed(b, leastShown(b.content)) + leastUseful }

// cut shortens a block to a number of tokens, by its kind, and says so. What
// shows nothing then is left out.
func (p *Pipeline) cut(b *block, tokens int, prompt string) {
	switch {
	case tokens == 0:
		b.omit()
		return
	case len(b.context.Parts) > 0:
		p.describe(b, tokens)
		return
	}
	frame := p.framed(b, mostShown(b.content))
	if tokens-frame < leastUseful {
		frame = p.framed(b, leastShown(b.content))
	}
	full := b.whole()
	full.ChangedSince = b.since
	for try := range tries {
		full.Text, full.Shown = p.shorten(b, room{count: p.counter().Count, tokens: tokens - frame}, prompt)
		over := p.cost(full, 0) - tokens
		if full.Text != "" && over <= 0 {
			b.sent(p, full)
			return
		}
		frame += max(over, 0) + 1<<try
	}
	b.omit()
}

// shorten cuts the text of a block to a room, by its kind.
func (p *Pipeline) shorten(b *block, r room, prompt string) (text, shown string) {
	switch b.kind {
	case mention.KindDirectory:
		return cutTree(b.content, r)
	case mention.KindGitDiff:
		return cutDiff(b.content, r)
	case mention.KindTerminal:
		return cutOutput(b.content, r)
	}
	if p.Outline != nil && b.content.Tail == "" && b.content.Lines == "" {
		if text, shown, ok := p.Outline(b.names[0], b.content.Text, prompt, r.fits); ok && text != "" && r.fits(text) {
			return text, b.content.besides(shown)
		}
	}
	text, shown = cutText(b.content, r)
	return text, b.content.besides(shown)
}

// besides adds to what a cut says of itself what was said of the whole: that
// something in it had to be replaced, say.
func (c *Content) besides(shown string) string {
	if c.Shown == "" || shown == "" || shown == c.Shown {
		return shown
	}
	return shown + "; " + c.Shown
}

// sent sets what of a block is sent after a cut.
func (b *block) sent(p *Pipeline, c message.Context) {
	c.Body = blob.Of([]byte(c.Text))
	b.context, b.outcome = c, Partial
	b.tokens = p.cost(c, 0)
}

const (
	// tooDear is why something is described and not sent.
	tooDear = "it costs more than its share of the budget"
	// describedOnly and withText are what is shown of it then.
	describedOnly = "described only: " + tooDear
	withText      = "described, with its text: " + tooDear
)

// description says what a block is that is not sent itself: its type and size.
func (b *block) description() string {
	what := "file"
	switch b.content.Parts[0].(type) {
	case message.Image:
		what = "picture"
	case message.Document:
		what = "document"
	}
	if b.content.MIME != "" {
		what += " (" + b.content.MIME + ")"
	}
	if b.content.Size > 0 {
		what += ", " + wording.Number(int(b.content.Size)) + " bytes"
	}
	return "[" + what + "]\n"
}

// described is how many tokens a block needs to be described, at least and with
// all of its text.
func (p *Pipeline) described(b *block) (least, most int) {
	what := p.counter().Count(b.description())
	return p.framed(b, describedOnly) + what, p.framed(b, withText) + what + b.content.tokens + slack
}

// describe replaces a picture or a document, which cannot be halved, by what it is
// and as much of its text as there is room for.
func (p *Pipeline) describe(b *block, tokens int) {
	c := b.whole()
	c.Parts, c.PartTokens, c.ChangedSince = nil, 0, b.since
	what, all := b.description(), *b.content
	all.Size = int64(len(all.Text)) // what is shown is of the text
	frame := p.framed(b, withText) + p.counter().Count(what)
	for try := range tries {
		text, shown := cutText(&all, room{count: p.counter().Count, tokens: tokens - frame})
		if text == "" {
			break
		}
		c.Text, c.Shown = what+text, withText
		if shown != "" {
			c.Shown = fmt.Sprintf("described, with %s of its text: %s", shown, tooDear)
		}
		over := p.cost(c, 0) - tokens
		if over <= 0 {
			b.sent(p, c)
			return
		}
		frame += over + 1<<try
	}
	c.Text, c.Shown = what, describedOnly
	if p.cost(c, 0) > tokens {
		b.omit()
		return
	}
	b.sent(p, c)
}
