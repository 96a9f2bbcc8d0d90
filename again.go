package ampersat

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/blob"
)

// referAgain replaces what is not shown whole by a reference, where the model can
// still see just that of it, and returns how many tokens that saves. What of a
// source is shown is known after it was cut, and not before.
func (p *Pipeline) referAgain(blocks []*block, s seen) (saved int) {
	for _, b := range blocks {
		before := s.shownSo(b)
		if before == nil {
			continue
		}
		c := b.reference(before)
		c.Text = fmt.Sprintf("[unchanged since turn %d, shown there: %s]", before.turn, before.shown)
		if tokens := p.cost(c, 0); tokens < b.tokens {
			saved += b.tokens - tokens
			b.context, b.tokens, b.reason = c, tokens, strings.Trim(c.Text, "[]")
		}
	}
	return saved
}

// shownSo returns the sight of just what is to be sent of a block that is not shown
// whole, nil if there is none.
func (s seen) shownSo(b *block) (before *sight) {
	c := b.context
	if c.Shown == "" || isReference(c) || c.Source == "" || c.Body == "" || b.since != "" {
		return nil
	}
	for _, name := range c.Names {
		one := s.unlessOutdated(s.named[piece{called{c.Kind, name}, c.Lines, c.Symbol}])
		if one == nil || one.source != c.Source || one.shown != c.Shown || one.body != c.Body || before != nil && one.turn != before.turn {
			return nil
		}
		before = one
	}
	return before
}

// referToTwins replaces what is sent before under another name by a reference, and
// returns how many tokens that saves. Names of the same content are one block unless
// the model has seen different things by them; so one may have changed, and the other
// be new. The blocks are in the order in which they will stand.
func (p *Pipeline) referToTwins(blocks []*block) (saved int) {
	type look struct {
		source blob.Digest
		parts  int // a picture may be shown as text too
	}
	sent := map[look]*block{}
	for _, b := range blocks {
		if !b.content.isUncut() || isReference(b.context) || b.context.Base != "" {
			continue
		}
		as := look{b.content.Source, len(b.content.Parts)}
		twin := sent[as]
		if twin == nil {
			if b.context.Shown == "" {
				sent[as] = b
			}
			continue
		}
		c := b.whole()
		c.Parts, c.PartTokens, c.Body, c.Shown, c.ChangedSince = nil, 0, "", referenceOnly, b.since
		c.Text = twin.called().sameAsBefore()
		if tokens := p.cost(c, 0); tokens < b.tokens {
			saved += b.tokens - tokens
			b.context, b.tokens, b.reason, b.outcome = c, tokens, sameContent(twin), Duplicate
			if b.since != "" {
				b.outcome = Changed
			}
		}
	}
	return saved
}
