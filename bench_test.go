package ampersat_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
)

// BenchmarkSession runs a scripted session of 20 turns over 30 files, in which
// files are mentioned again and some of them change, and reports how many times
// more tokens a program would send that sends each mentioned file with every
// prompt that mentions it, be it once or twice.
func BenchmarkSession(b *testing.B) {
	factor := 0.0
	for b.Loop() {
		random := rand.New(rand.NewSource(1))
		d := disk{}
		for i := range 30 {
			var text strings.Builder
			for line := range 60 + random.Intn(200) {
				fmt.Fprintf(&text, "func f%d_%d() { return %d }\n", i, line, random.Intn(1000))
			}
			d[fmt.Sprintf("f%d.go", i)] = text.String()
		}
		p := pipeline(d)
		var view []message.Message
		ours, naive := 0, 0
		for range 20 {
			prompt := "Go on with"
			for range 3 + random.Intn(4) {
				name := fmt.Sprintf("f%d.go", int(random.ExpFloat64()*8)%30) // some files matter more
				if strings.Contains(prompt+" ", " @"+name+" ") {
					continue
				}
				prompt += " @" + name
				naive += token.Estimate(message.Context{Names: []string{name}, Text: d[name]}.Render())
			}
			turn := ampersat.Ask(prompt)
			turn.View.Messages = view
			stack, err := p.Prepare(b.Context(), turn)
			if err != nil {
				b.Fatal(err)
			}
			// All that is said for the mentions counts: contents, differences,
			// references, and the notes of what has changed unmentioned.
			for _, m := range stack.All() {
				for _, part := range m.Content.Parts {
					if c, ok := part.(message.Context); ok {
						ours += token.Estimate(c.Render())
					}
				}
			}
			view = append(view, stack.Messages...)
			// The person edits two of the files.
			for range 2 {
				name := fmt.Sprintf("f%d.go", int(random.ExpFloat64()*8)%30)
				d[name] = strings.Replace(d[name], "return", "return 1 +", 1+random.Intn(3))
			}
		}
		factor = float64(naive) / float64(ours)
	}
	b.ReportMetric(factor, "x-fewer-tokens")
}
