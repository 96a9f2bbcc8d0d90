package token_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/ampersat/ampersat/token"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func observed(pairs ...token.Pair) token.Calibration {
	var c token.Calibration
	for _, p := range pairs {
		c = c.Observe(p)
	}
	return c
}

func times(n int, p token.Pair) []token.Pair {
	pairs := make([]token.Pair, n)
	for i := range pairs {
		pairs[i] = p
	}
	return pairs
}

func TestFactor(t *testing.T) {
	for _, c := range []struct {
		name        string
		pairs       []token.Pair
		least, most float64
	}{
		{"nothing known", nil, 1, 1},
		{"one large request", []token.Pair{{20000, 24000}}, 1.15, 1.20},
		{"many", times(20, token.Pair{20000, 24000}), 1.19, 1.20},
		{"a few words are not believed", []token.Pair{{10, 60}}, 1, 1.05},
		{"one request far off among many", append(times(9, token.Pair{9000, 9900}), token.Pair{9000, 900000}), 1.09, 1.11},
		{"a huge one far off among small", append(times(9, token.Pair{3000, 3300}), token.Pair{500000, 100}), 1.06, 1.11},
		{"the model changed its tokenizer", append(times(32, token.Pair{9000, 9000}), times(20, token.Pair{9000, 18000})...), 1.95, 2},
		{"more than any tokenizer", times(9, token.Pair{9000, 9000000}), 8, 8},
		{"less than any tokenizer", times(9, token.Pair{9000, 1}), 0.125, 0.125},
		{"pairs that say nothing", []token.Pair{{0, 5}, {5, 0}, {-9000, 9000}, {9000, -9000}}, 1, 1},
		{"the largest numbers", times(9, token.Pair{math.MaxInt, math.MaxInt}), 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := observed(c.pairs...).Factor(); !(got >= c.least && got <= c.most) {
				t.Errorf("factor %.4f, want %.4f to %.4f", got, c.least, c.most)
			}
		})
	}
}

// A quarter of the observations may be anything at all: the factor stays near
// the one that the others show.
func TestFactorWithstandsAQuarterOfNonsense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := rapid.Float64Range(0.5, 4).Draw(t, "truth")
		honest := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) token.Pair {
			estimated := rapid.IntRange(8192, 200000).Draw(t, "estimated")
			noise := rapid.Float64Range(0.95, 1.05).Draw(t, "noise")
			return token.Pair{Estimated: estimated, Actual: int(float64(estimated) * truth * noise)}
		}), 12, 24).Draw(t, "honest")
		nonsense := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) token.Pair {
			return token.Pair{Estimated: rapid.Int().Draw(t, "estimated"), Actual: rapid.Int().Draw(t, "actual")}
		}), 0, len(honest)/3).Draw(t, "nonsense")

		c := observed(rapid.Permutation(append(honest, nonsense...)).Draw(t, "order")...)
		// A third of those that count may lie at the edge of what is usual.
		if off := c.Factor()/truth - 1; math.Abs(off) > 0.20 {
			t.Errorf("factor %.3f, want %.3f", c.Factor(), truth)
		}
	})
}

func TestFactorConvergesWithoutNonsense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := rapid.Float64Range(0.2, 7).Draw(t, "truth")
		c := observed(times(16, token.Pair{Estimated: 10000, Actual: int(10000 * truth)})...)
		if off := c.Factor()/truth - 1; math.Abs(off) > 0.01 {
			t.Errorf("factor %.4f, want %.4f", c.Factor(), truth)
		}
	})
}

func TestObserveLeavesTheCalibrationAsItWas(t *testing.T) {
	before := observed(times(40, token.Pair{9000, 9900})...)
	factor := before.Factor()
	first := before.Observe(token.Pair{9000, 1})
	second := before.Observe(token.Pair{9000, 2})
	if before.Factor() != factor || first.Pairs[len(first.Pairs)-1].Actual != 1 || second.Pairs[len(second.Pairs)-1].Actual != 2 {
		t.Errorf("calibrations share what they should not: %v, %v", first.Pairs, second.Pairs)
	}
	if len(first.Pairs) > 32 {
		t.Errorf("%d observations are kept", len(first.Pairs))
	}
}

func TestCalibrationSurvivesJSON(t *testing.T) {
	var models token.Models
	models.Observe("large", token.Pair{Estimated: 9000, Actual: 11000})
	models.Observe("large", token.Pair{Estimated: 12000, Actual: 14500})
	models.Observe("small", token.Pair{Estimated: 500, Actual: 480})
	saved, err := json.Marshal(models.Snapshot(), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"large":{"pairs":[{"estimated":9000,"actual":11000},{"estimated":12000,"actual":14500}]},"small":{"pairs":[{"estimated":500,"actual":480}]}}`
	if diff := cmp.Diff(want, string(saved)); diff != "" {
		t.Error(diff)
	}
	var loaded map[string]token.Calibration
	if err := json.Unmarshal(saved, &loaded); err != nil {
		t.Fatal(err)
	}
	again := token.NewModels(loaded)
	if diff := cmp.Diff(models.Snapshot(), again.Snapshot()); diff != "" {
		t.Error(diff)
	}
	if again.Estimator("large") != models.Estimator("large") {
		t.Error("the factor changed")
	}
}

func TestCalibrationFromAFileThatSomebodyChanged(t *testing.T) {
	var c token.Calibration
	if err := json.Unmarshal([]byte(`{"pairs":[{"estimated":-3,"actual":5},{"estimated":0,"actual":0},{"estimated":9000,"actual":9000}],"more":1}`), &c); err != nil {
		t.Fatal(err)
	}
	if f := c.Factor(); f != 1 {
		t.Errorf("factor %v, want 1", f)
	}
}

func TestModelsAreSafeForConcurrentUse(t *testing.T) {
	var models token.Models
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 100 {
				model := fmt.Sprint("model ", i%2)
				models.Observe(model, token.Pair{Estimated: 10000, Actual: 12000 + 2000*(i%2)})
				models.Estimator(model).Count("some text")
				models.Snapshot()
			}
		})
	}
	all.Wait()
	for model, want := range map[string]float64{"model 0": 1.2, "model 1": 1.4, "never seen": 1} {
		if got := models.Estimator(model).Factor; math.Abs(got-want) > 0.01 {
			t.Errorf("%s: factor %.3f, want %.3f", model, got, want)
		}
	}
}

func TestAnEstimatorDoesNotChangeWithLaterObservations(t *testing.T) {
	var models token.Models
	before := models.Estimator("m")
	models.Observe("m", token.Pair{Estimated: 10000, Actual: 30000})
	if before.Count("one two three") != token.Estimate("one two three") {
		t.Error("the estimator changed")
	}
	if models.Snapshot()["m"].Factor() <= 1.5 {
		t.Error("nothing was learnt")
	}
}
