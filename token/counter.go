package token

// Counter says how many tokens a text costs.
//
// It is asked for every block of every turn, often for the same text and from
// several goroutines at once: an implementation is safe for concurrent use,
// fast (it reads the text, and nothing else) and has no error to return. It
// may be exact, as a tokenizer is, or an estimate, as [Estimator] is; whoever
// asks allows for the difference and anchors on the usage that the provider
// reports.
//
// Count is never negative, zero for the empty text alone, and about additive:
// the tokens of two texts one after the other are those of both, give or take
// a few where they meet.
type Counter interface {
	Count(text string) int
}
