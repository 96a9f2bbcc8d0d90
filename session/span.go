package session

import "slices"

// maxSpans bounds how often a store is asked when a view is opened. Each span
// costs a query; each entry between two that are read as one costs reading it.
const maxSpans = 32

// spansOf returns the stretches that hold the places in order. A view of some
// hundred messages that lie far apart is read in a few of them.
func spansOf(places []Seq) []Span {
	const near = 8 // notes and requests stand between messages
	var spans []Span
	for _, seq := range places {
		if n := len(spans); n > 0 && seq-spans[n-1].Last <= near {
			spans[n-1].Last = seq
		} else {
			spans = append(spans, Span{seq, seq})
		}
	}
	if len(spans) <= maxSpans {
		return spans
	}
	gaps := make([]Seq, 0, len(spans)-1)
	for i := range spans[1:] {
		gaps = append(gaps, spans[i+1].First-spans[i].Last)
	}
	slices.Sort(gaps)
	// All gaps up to this one are closed, and a few of the same width too many.
	closed := gaps[len(spans)-maxSpans-1]
	joined := spans[:1:1]
	for _, s := range spans[1:] {
		if last := &joined[len(joined)-1]; s.First-last.Last <= closed {
			last.Last = s.Last
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// within returns the decisions about entries in the spans. Of an entry that the
// model does not see at all only that remains.
func within(spans []Span, decisions []Decision) []Decision {
	gone := map[Seq]bool{}
	for _, d := range decisions {
		gone[d.Seq] = gone[d.Seq] || d.Part == 0 && d.Action == Evict
	}
	var kept []Decision
	told := map[Seq]bool{}
	for _, d := range decisions {
		at, _ := slices.BinarySearchFunc(spans, d.Seq, func(s Span, seq Seq) int { return int(s.Last - seq) })
		if at == len(spans) || d.Seq < spans[at].First {
			continue
		}
		if gone[d.Seq] {
			if told[d.Seq] || d.Part != 0 || d.Action != Evict {
				continue
			}
			told[d.Seq] = true
		}
		kept = append(kept, d)
	}
	return kept
}
