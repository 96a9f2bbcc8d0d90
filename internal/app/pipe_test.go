package app

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
)

// What comes from a pipe is what another program wrote: it reaches the model to
// the byte, and what cannot is told.
func TestWhatComesFromAPipeIsNotChanged(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	many := strings.Repeat("1234\n", 60_000)
	for name, c := range map[string]struct {
		piped, text string
		outcome     ampersat.Outcome
		shown       string
		parts       int
	}{
		"a carriage return":  {"abc\rX\n", "abc\rX\n", ampersat.Loaded, "", 0},
		"white space":        {"\n\ta  \n\n\n", "\n\ta  \n\n\n", ampersat.Loaded, "", 0},
		"escape sequences":   {"a\n\x1b[1A\x1b[2Kb\n", "a\n\x1b[1A\x1b[2Kb\n", ampersat.Loaded, "", 0},
		"many lines":         {many, many, ampersat.Loaded, "", 0},
		"too many lines":     {strings.Repeat(many, 10), "", ampersat.Partial, "lines 1-", 0},
		"a picture":          {picture.String(), "", ampersat.Loaded, "", 1},
		"neither":            {"\x00\x01\x02", "[binary file", ampersat.Partial, "described only", 0},
		"not quite UTF-8":    {"a\xffbcdefgh\n", "a\uFFFDbcdefgh\n", ampersat.Partial, "replaced", 0},
		"what is no mention": {"see @gone.md\n", "see @gone.md\n", ampersat.Loaded, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			a, err := New(Options{Dir: w.project})
			if err != nil {
				t.Fatal(err)
			}
			blobs := new(blob.Memory)
			a.Pipeline.Blobs = blobs
			ref, err := a.Piped(context.Background(), blobs, c.piped)
			if err != nil {
				t.Fatal(err)
			}
			turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(ref)}}
			turn.Budget.Turn = 300_000
			stack, err := a.Pipeline.Prepare(context.Background(), turn)
			if err != nil {
				t.Fatal(err)
			}
			if len(stack.Reports) != 1 || !IsPiped(stack.Reports[0]) {
				t.Fatalf("%+v", stack.Reports)
			}
			r := stack.Reports[0]
			sent := stack.Messages[0].Content.Parts[0].(message.Context)
			if r.Outcome != c.outcome || !strings.Contains(r.Shown, c.shown) || len(sent.Parts) != c.parts {
				t.Errorf("%s %q, %d parts", r.Outcome, r.Shown, len(sent.Parts))
			}
			if exact := c.outcome == ampersat.Loaded && c.parts == 0; exact && sent.Text != c.text || !strings.Contains(sent.Text, c.text) {
				t.Errorf("%.100q, want %.100q", sent.Text, c.text)
			}
		})
	}
}
