package session

import (
	"context"
	"slices"
)

// newResume says where to find what is left.
func (v *View) newResume(p *plan) *Resume {
	r := &Resume{Turns: v.turns}
	joined := false
	for _, it := range p.items {
		if it.gone {
			joined = false
			continue
		}
		if n := len(r.Spans); n > 0 && joined && it.joined {
			r.Spans[n-1].Last = it.seq
		} else {
			r.Spans = append(r.Spans, Span{it.seq, it.seq})
		}
		joined = true
		r.Decisions = append(r.Decisions, it.decisions...)
	}
	for seq := range v.pinned {
		r.Pinned = append(r.Pinned, seq)
	}
	slices.Sort(r.Pinned)
	return r
}

// maxReads bounds how often a store is asked when a view is opened. Each read
// costs a query; each entry between two spans that are read at once costs
// reading it.
const maxReads = 32

// beginning is how many entries at the start of a log are looked through for who the
// agent is, before the first span: older versions have taken it out when another
// system message came, and it is needed when that is undone.
const beginning = 16

// readSpans reads what was said in the spans.
func (v *View) readSpans(ctx context.Context, spans []Span) error {
	if len(spans) == 0 {
		return nil
	}
	var taken *item
	all := slices.Concat([]Span{{1, min(beginning, spans[0].First)}}, spans)
	for reads := readsOf(all); len(reads) > 0; reads = reads[1:] {
		for r, err := range v.store.Read(ctx, v.id, reads[0].First) {
			if err != nil {
				return err
			}
			for len(spans) > 0 && spans[0].Last < r.Seq {
				spans = spans[1:]
			}
			said, is := r.Entry.(Said)
			switch {
			case !is || len(spans) == 0:
			case spans[0].First <= r.Seq:
				it := newItem(r.Seq, said)
				it.joined = spans[0].First != r.Seq
				v.items = append(v.items, it)
			case len(v.items) == 0 && saysWho(said.Message):
				taken = newItem(r.Seq, said)
				v.items = append(v.items, taken)
			}
			if r.Seq >= reads[0].Last {
				break
			}
		}
	}
	if taken != nil && taken == v.system() {
		v.drop(func(it *item) bool { return it == taken }) // nothing has replaced it
	}
	return nil
}

// readsOf joins spans that lie near each other, all of them if they are few.
func readsOf(spans []Span) []Span {
	const near = 16
	if len(spans) == 0 {
		return nil
	}
	gaps := make([]Seq, 0, len(spans)-1)
	for i := range spans[1:] {
		gaps = append(gaps, spans[i+1].First-spans[i].Last)
	}
	slices.Sort(gaps)
	closed := Seq(near)
	if len(spans) > maxReads {
		closed = max(closed, gaps[len(spans)-maxReads-1])
	}
	reads := []Span{spans[0]}
	for _, s := range spans[1:] {
		if last := &reads[len(reads)-1]; s.First-last.Last <= closed {
			last.Last = s.Last
		} else {
			reads = append(reads, s)
		}
	}
	return reads
}
