package ampersat_test

import (
	"context"
	"fmt"
	"slices"
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

// A picture that is attached and mentioned is one block, which is that of the file:
// this is looked at in later turns, and nothing else by the name of the attachment.
func TestAnAttachedPictureThatIsAFileIsThatFile(t *testing.T) {
	ctx := context.Background()
	blobs := new(blob.Memory)
	picture := []byte("\x89PNG")
	digest, err := blobs.Put(ctx, picture)
	if err != nil {
		t.Fatal(err)
	}
	attached := message.Ref{Mention: mention.Image{Digest: digest, MIME: "image/png", Name: "shot.png"}, Captured: digest}
	mentioned := message.Ref{Mention: mention.File{Path: "p.png"}, Written: "@p.png"}
	for name, refs := range map[string][]message.Part{
		"attached first": {attached, mentioned}, "mentioned first": {mentioned, attached},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string][]byte{"p.png": picture}
			s := session{t: t, p: &ampersat.Pipeline{Blobs: blobs, Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
				file, _ := q.Mention.(mention.File)
				data, ok := files[file.Path]
				if !ok {
					return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there"}
				}
				of := blob.Of(data)
				return ampersat.Content{
					Name: file.Path, ID: "/" + file.Path, MIME: "image/png", Size: int64(len(data)), Source: of,
					Parts: []message.Part{message.Image{Source: message.InBlob("image/png", of)}}, Blobs: map[blob.Digest][]byte{of: data},
				}, nil
			})}}
			turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Content{Parts: refs}}}
			for i, want := range []struct {
				outcomes []ampersat.Outcome
				file     string // what is said of the file
			}{
				{[]ampersat.Outcome{ampersat.Loaded, ampersat.Duplicate}, ""},
				{[]ampersat.Outcome{ampersat.Loaded, ampersat.Unchanged}, "[unchanged since turn 1, shown there]"},
			} {
				turn.View.Messages = s.view
				stack := prepare(t, s.p, turn)
				s.view = append(s.view, stack.Messages...)
				var outcomes []ampersat.Outcome
				for _, r := range stack.Reports {
					outcomes = append(outcomes, r.Outcome)
				}
				slices.Sort(outcomes) // the mentions stand in either order
				if !slices.Equal(outcomes, slices.Sorted(slices.Values(want.outcomes))) {
					t.Errorf("turn %d: %v, want %v", i+1, outcomes, want.outcomes)
				}
				for _, c := range contexts(stack) {
					if isFile := c.Kind == ""; isFile != slices.Equal(c.Names, []string{"p.png"}) || isFile && c.Text != want.file {
						t.Errorf("turn %d: %q of kind %q: %q", i+1, c.Names, c.Kind, c.Text)
					}
				}
			}
			if notes := s.ask("hi", 0).Notes; len(notes) > 0 {
				t.Errorf("nothing has changed: %q", notes)
			}
			files["p.png"] = []byte("\x89PNG, another")
			if notes := said(s.ask("hi", 0)); len(notes) != 1 || !strings.HasPrefix(notes[0], "p.png [changed since") {
				t.Errorf("the file has changed: %q", notes)
			}
		})
	}
}
