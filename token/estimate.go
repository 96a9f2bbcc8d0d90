package token

import "math"

// Estimate returns about how many tokens text costs: zero for the empty text,
// at least one for any other. Bytes that are not UTF-8 are counted too. It
// takes time in proportion to the length of text and allocates nothing.
func Estimate(text string) int {
	return Estimator{}.Count(text)
}

// Estimator is a [Counter] that estimates. The zero value counts as [Estimate]
// does. It is a value without state and safe for concurrent use.
type Estimator struct {
	// Factor is what the estimate is multiplied by to get the tokens of a
	// certain model, as [Calibration.Factor] returns it. Zero means one.
	Factor float64
}

var _ Counter = Estimator{}

// Count implements [Counter].
func (e Estimator) Count(text string) int {
	if text == "" {
		return 0
	}
	cost, _ := scan(text, math.MaxInt)
	return max(1, e.tokens(cost))
}

// Head returns how many bytes of text, from its beginning, fit into the given
// number of tokens:
//
//	Count(text[:Head(text, tokens)]) <= tokens
//
// It does not cut a rune, nor a word of ordinary length, and leaves at most a
// few tokens of the budget unused. Text behind the cut is not read.
func (e Estimator) Head(text string, tokens int) int {
	if tokens <= 0 {
		return 0
	}
	_, end := scan(text, e.limit(tokens))
	return end
}

// Tail returns where in text the end begins that fits into the given number of
// tokens:
//
//	Count(text[Tail(text, tokens):]) <= tokens
//
// It is as careful as [Estimator.Head] about runes and words.
func (e Estimator) Tail(text string, tokens int) int {
	if tokens <= 0 {
		return len(text)
	}
	limit := e.limit(tokens)
	start := 0
	for start < len(text) {
		cost, _ := scan(text[start:], math.MaxInt)
		if cost <= limit {
			break
		}
		// What is cut off costs about the same alone as within the text, so
		// this is seldom repeated, and then for a few tokens.
		skip := 0
		for over := cost - limit; skip == 0; over += unit {
			_, skip = scan(text[start:], over)
		}
		start += skip
	}
	return start
}

// tokens turns what scan returns into whole tokens of the model.
func (e Estimator) tokens(cost int) int {
	return int(math.Round(float64(cost) * e.factor() / unit))
}

// limit is the highest cost that is not more than the given tokens. It errs to
// the low side by less than floating point could err to the high side.
func (e Estimator) limit(tokens int) int {
	limit := (float64(tokens)+0.5)*unit/e.factor() - 1
	return int(min(limit, maxCost))
}

// maxCost is beyond what any text costs.
const maxCost = 1 << 62

// factor is the Factor, unless nobody set it or it is no factor at all.
func (e Estimator) factor() float64 {
	if f := e.Factor; f > 0 && f <= math.MaxFloat32 {
		return f
	}
	return 1
}
