package token

import (
	"cmp"
	"slices"
)

// Pair is one request: what [Estimate] made of everything that was sent, and
// the input tokens that the provider reported for it.
type Pair struct {
	// Estimated is the sum of [Estimate] over the request, not multiplied by
	// any factor.
	Estimated int `json:"estimated"`
	// Actual is gross: tokens that were read from a cache or written to one
	// are tokens too.
	Actual int `json:"actual"`
}

// Calibration is what one model's usage has taught about the estimate. The
// zero value knows nothing, and its factor is one.
//
// It is an immutable value: [Calibration.Observe] returns another. It can be
// shared by goroutines, and written as JSON and read back.
type Calibration struct {
	// Pairs are the latest observations, the latest last. Do not change them
	// in place.
	Pairs []Pair `json:"pairs,omitempty"`
}

const (
	// remembered is how many observations count: enough that some may be
	// wrong, few enough that a change (of language, say) shows within a
	// session.
	remembered = 32

	// heaviest bounds the weight of one observation, in tokens, so that one
	// large request is not a majority; belief is the weight of the assumption
	// that the factor is one, which a few words do not outweigh.
	heaviest, belief = 8192, 1000

	// usual is how far from the median a ratio may be, as a factor, and still
	// count.
	usual = 1.5

	// A factor beyond these is a mistake in the observations, not a tokenizer.
	leastFactor, mostFactor = 1.0 / 8, 8
)

// Observe returns the calibration with one more observation. A pair that is
// not positive says nothing and is ignored.
func (c Calibration) Observe(p Pair) Calibration {
	if p.Estimated <= 0 || p.Actual <= 0 {
		return c
	}
	keep := c.Pairs[max(0, len(c.Pairs)-remembered+1):]
	return Calibration{Pairs: append(slices.Clone(keep), p)}
}

// Factor returns what the estimate is to be multiplied by.
//
// It is the mean of the ratios, weighted by size, of those observations that
// are near the median. So it does not move when a minority is far off: a
// request whose images were forgotten, or a usage that was reported for
// another one.
func (c Calibration) Factor() float64 {
	type ratio struct{ value, weight float64 }
	var store [remembered + 1]ratio
	ratios := append(store[:0], ratio{1, belief})
	total := float64(belief)
	for _, p := range c.Pairs[max(0, len(c.Pairs)-remembered):] {
		if p.Estimated <= 0 || p.Actual <= 0 { // read from a file that somebody changed
			continue
		}
		r := ratio{float64(p.Actual) / float64(p.Estimated), float64(min(p.Estimated, heaviest))}
		ratios = append(ratios, r)
		total += r.weight
	}
	slices.SortFunc(ratios, func(a, b ratio) int { return cmp.Compare(a.value, b.value) })

	median, below := 1.0, 0.0
	for _, r := range ratios {
		if below += r.weight; below >= total/2 {
			median = r.value
			break
		}
	}
	sum, weight := 0.0, 0.0
	for _, r := range ratios {
		if r.value >= median/usual && r.value <= median*usual {
			sum += r.value * r.weight
			weight += r.weight
		}
	}
	return min(max(sum/weight, leastFactor), mostFactor)
}

// Estimator returns the [Counter] for the model that was observed.
func (c Calibration) Estimator() Estimator {
	return Estimator{Factor: c.Factor()}
}
