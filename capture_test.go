package ampersat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// shouting resolves nothing, and makes something of what came along.
type shouting struct{ ampersat.Resolver }

// Captured implements [ampersat.Capturer].
func (shouting) Captured(_ context.Context, _ ampersat.Query, data []byte) (ampersat.Content, error) {
	text := strings.ToUpper(string(data))
	return ampersat.Content{Name: "terminal", Text: text, Size: int64(len(text)), Source: blob.Of([]byte(text))}, nil
}

// What came with a mention goes through the resolver of its kind, if that can
// make something of it.
func TestCapturedContentIsMadeIntoSomething(t *testing.T) {
	ctx := context.Background()
	blobs := new(blob.Memory)
	digest, err := blobs.Put(ctx, []byte("make: ok\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		handled mention.Kind
		want    string
	}{{mention.KindTerminal, "MAKE: OK\n"}, {mention.KindImage, "make: ok\n"}} {
		mux := new(ampersat.Mux)
		mux.Handle(shouting{}, c.handled)
		p := ampersat.Pipeline{Resolver: mux, Blobs: blobs}
		stack, err := p.Prepare(ctx, ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Content{Parts: []message.Part{
			message.Ref{Mention: mention.Terminal{}, Written: "@terminal", Captured: digest},
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		part, ok := stack.Messages[0].Content.Parts[0].(message.Context)
		if !ok || part.Text != c.want {
			t.Errorf("have %+v\nwant %q", stack.Messages[0], c.want)
		}
	}
}

// The newest lines of a terminal are the ones that matter.
func TestTerminalIsCutAtItsBeginning(t *testing.T) {
	var output strings.Builder
	for i := range 400 {
		fmt.Fprintf(&output, "line %d\n", i+1)
	}
	text := output.String()
	for name, c := range map[string]struct {
		text, already, shown string
		budget               int
	}{
		"lines":                      {text, "", "of 400 lines", 200},
		"lines that were cut before": {text, "the last 400 of 5,204 lines", "of 5,204 lines", 200},
		"one long line":              {strings.Repeat("word ", 1000) + "line 400\n", "", "bytes", 100},
	} {
		t.Run(name, func(t *testing.T) {
			p := ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
				return ampersat.Content{Name: "terminal", Text: c.text, Size: int64(len(c.text)), Shown: c.already}, nil
			})}
			turn := ampersat.Ask("@terminal")
			turn.Budget.Turn = c.budget
			stack, err := p.Prepare(context.Background(), turn)
			if err != nil {
				t.Fatal(err)
			}
			r := stack.Reports[0]
			part := stack.Messages[0].Content.Parts[0].(message.Context)
			if r.Outcome != ampersat.Partial || !strings.HasSuffix(part.Text, "line 400\n") || !strings.HasSuffix(r.Shown, c.shown) || !strings.HasPrefix(r.Shown, "the last ") {
				t.Errorf("%s, shown %q: %q", r.Outcome, r.Shown, part.Text)
			}
			if r.Tokens > c.budget || r.Tokens < c.budget/2 {
				t.Errorf("%d tokens of %d", r.Tokens, c.budget)
			}
		})
	}
}

// A picture's digest is a member of its mention, and stands there once.
func TestReportOfAPicture(t *testing.T) {
	digest := blob.Of([]byte("picture"))
	encoded, err := ampersat.EncodeReports([]ampersat.Report{{Mention: mention.Image{Digest: digest, MIME: "image/png", Name: "a.png"}, Outcome: ampersat.Loaded, Digest: digest, Parent: -1}})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(encoded), string(digest)); n != 1 {
		t.Errorf("%d digests: %s", n, encoded)
	}
}
