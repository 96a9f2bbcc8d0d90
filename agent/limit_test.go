package agent

import (
	"context"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// A request does not ask for more output than the window has left, as far as it
// asks for a number at all.
func TestOutputFitsTheWindow(t *testing.T) {
	for _, c := range []struct {
		name                  string
		window, output, usual int
		asked, taken          int // what the settings ask for, and what the view takes
		want                  int
		told                  string
	}{
		{"there is room", 200_000, 32_000, 32_000, 0, 100_000, 0, ""},
		{"there is not", 200_000, 32_000, 32_000, 0, 174_000, 16_000, ""},
		{"and still is not", 200_000, 64_000, 64_000, 0, 180_500, 16_000, ""},
		{"a server that needs no number gets none", 200_000, 32_000, 0, 0, 174_000, 0, ""},
		{"one that was asked for fits", 200_000, 32_000, 32_000, 8_000, 174_000, 8_000, ""},
		{"one that was asked for does not", 200_000, 32_000, 0, 30_000, 174_000, 15_000, "30000 tokens of output → 15000: the window has no room for more"},
		{"more than the model can say", 200_000, 32_000, 0, 90_000, 174_000, 16_000, "90000 tokens of output → 16000: the window has no room for more"},
		{"more than the model can say, which fits", 200_000, 32_000, 0, 90_000, 100_000, 90_000, ""},
		{"less is not worth it", 40_000, 8_192, 8_192, 0, 36_500, 4_096, ""},
		{"what is asked for is less", 40_000, 8_192, 8_192, 300, 36_500, 300, ""},
		{"nobody knows the window", 0, 32_000, 32_000, 0, 174_000, 0, ""},
		{"a limit that makes no sense", 200_000, 32_000, 32_000, -5, 174_000, -5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			full := func(_ context.Context, _ message.Request) Stream {
				return func(yield func(message.Event, error) bool) {
					yield(message.MessageEnd{Content: []message.Part{message.Text{Text: "so"}}, FinishReason: FinishStop,
						Usage: &message.Usage{InputTokens: c.taken, OutputTokens: 1, TotalTokens: c.taken + 1}}, nil)
				}
			}
			w := newWorld(t, &scripted{window: c.window, output: c.output, usual: c.usual, steps: []step{full}}, func(config *Config) {
				config.Settings.MaxOutputTokens = c.asked
				config.Policy = session.NewPolicy(50 * c.window) // nothing is to be taken out
			})
			w.ask("go")
			if have := w.provider.seen[0].MaxOutputTokens; have != c.asked {
				t.Errorf("the first request asks for %d", have)
			}
			answer := w.ask("on")
			told := ""
			for _, d := range answer.Degradations {
				told += d.Requested + " → " + d.Actual + ": " + d.Reason
			}
			if have := w.provider.seen[1].MaxOutputTokens; have != c.want || told != c.told {
				t.Errorf("the second request asks for %d, want %d; told: %s", have, c.want, told)
			}
		})
	}
}
