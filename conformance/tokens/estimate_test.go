package tokens

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/token"
	"github.com/tiktoken-go/tokenizer"
)

// tally is how far the estimate was off on the samples of one class. Errors
// are fractions of what the tokenizer counts: 0.1 is one tenth too many.
type tally struct {
	samples, bytes, estimated, actual int
	// total is the error of the sum, mean the average of the absolute errors
	// of single samples, worst the one that is farthest off.
	total, mean, worst float64
	worstName          string
}

func measure(t *testing.T, encoding tokenizer.Encoding, of []sample) map[string]*tally {
	t.Helper()
	judge, err := tokenizer.Get(encoding)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*tally{}
	for _, s := range of {
		actual, err := judge.Count(s.text)
		if err != nil {
			t.Fatalf("count the tokens of %s: %v", s.name, err)
		}
		estimated := token.Estimate(s.text)
		off := float64(estimated)/float64(actual) - 1
		for _, class := range []string{s.class, everything} {
			c := found[class]
			if c == nil {
				c = &tally{}
				found[class] = c
			}
			c.samples++
			c.bytes += len(s.text)
			c.estimated += estimated
			c.actual += actual
			c.mean += math.Abs(off)
			if math.Abs(off) > math.Abs(c.worst) {
				c.worst, c.worstName = off, s.name
			}
		}
	}
	for _, c := range found {
		c.total = float64(c.estimated)/float64(c.actual) - 1
		c.mean /= float64(c.samples)
	}
	return found
}

const everything = "~ all"

// bound is how far off a class may be: its sum, its samples on average, and
// any single one.
type bound struct{ total, mean, worst float64 }

// The bounds for o200k_base, which the weights were fitted to, in each class
// on samples that they were not fitted to. A class that is not listed has the
// usual ones. Short paragraphs of Chinese and Japanese differ with the choice of
// words; ascii85 was not fitted at all: it stands for noise of every kind.
var (
	usual  = bound{total: 0.06, mean: 0.10, worst: 0.20}
	bounds = map[string]bound{
		everything: {total: 0.03, mean: 0.08, worst: 0.35},
		"ascii85":  {total: 0.20, mean: 0.20, worst: 0.20},
		"chinese":  {total: 0.06, mean: 0.15, worst: 0.25},
		"japanese": {total: 0.12, mean: 0.15, worst: 0.30},
		"markdown": {total: 0.06, mean: 0.10, worst: 0.35},
	}
)

func boundOf(class string) bound {
	if b, ok := bounds[class]; ok {
		return b
	}
	return usual
}

// factors are how many tokens of cl100k_base one of the estimate is, where
// the older vocabulary has not learnt the script. Elsewhere it is one.
var factors = map[string]float64{
	"arabic": 2.4, "chinese": 1.5, "emoji": 1.25, "french": 1.2, "german": 1.3, "hindi": 3.4,
	"japanese": 1.35, "korean": 1.7, "russian": 1.75, "spanish": 1.15,
}

func TestEstimateIsCloseToO200k(t *testing.T) {
	found := measure(t, tokenizer.O200kBase, held(t))
	report(t, found)
	wanted := []string{
		"arabic", "ascii85", "assembly", "base64", "c", "chinese", "diff", "digits", "emoji", "french", "german", "go", "hex", "hindi",
		"html", "japanese", "javascript", "json", "korean", "log", "markdown", "minified", "prose", "python", "russian", "shell",
		"spanish", "yaml", everything,
	}
	if have := slices.Sorted(maps.Keys(found)); !slices.Equal(have, wanted) {
		t.Fatalf("there are samples of\n%q, want\n%q", have, wanted)
	}
	for class, c := range found {
		limit := boundOf(class)
		if math.Abs(c.total) > limit.total {
			t.Errorf("%s: the sum is off by %s, allowed are ±%.0f %%", class, percent(c.total), 100*limit.total)
		}
		if math.Abs(c.worst) > limit.worst {
			t.Errorf("%s: %s is off by %s, allowed are ±%.0f %%", class, c.worstName, percent(c.worst), 100*limit.worst)
		}
		if c.mean > limit.mean {
			t.Errorf("%s: samples are off by %.1f %% on average, allowed are %.0f %%", class, 100*c.mean, 100*limit.mean)
		}
	}
}

// Nothing was fitted to cl100k_base. That the estimate is close on code and
// prose all the same shows that it describes text and not one vocabulary; that
// one factor repairs each language shows that a calibration can.
func TestEstimateTimesFactorIsCloseToCl100k(t *testing.T) {
	found := measure(t, tokenizer.Cl100kBase, held(t))
	report(t, found)
	for class, c := range found {
		factor, ok := factors[class]
		if !ok {
			factor = 1
		}
		if off := (1+c.total)*factor - 1; math.Abs(off) > boundOf(class).total+0.02 {
			t.Errorf("%s: the sum is off by %s even with the factor %.2f", class, percent(off), factor)
		}
	}
}

// held returns the samples that the weights were not fitted to.
func held(t *testing.T) []sample {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(load(t)), func(s sample) bool { return !s.held })
}

// report prints the figures as the table that the documentation shows.
func report(t *testing.T, found map[string]*tally) {
	t.Helper()
	var table strings.Builder
	fmt.Fprintln(&table, "| class | samples | bytes per token | sum off by | single sample, mean | worst |")
	fmt.Fprintln(&table, "|---|---:|---:|---:|---:|---:|")
	for _, class := range slices.SortedFunc(maps.Keys(found), cmp.Compare[string]) {
		c := found[class]
		fmt.Fprintf(&table, "| %s | %d | %.2f | %s | %.1f %% | %s |\n",
			class, c.samples, float64(c.bytes)/float64(c.actual), percent(c.total), 100*c.mean, percent(c.worst))
	}
	t.Log("\n" + table.String())
}

func percent(fraction float64) string { return fmt.Sprintf("%+.1f %%", 100*fraction) }
