package agent

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
	"github.com/ampersat/ampersat/session"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// files are what mentions name.
type files map[string]string

func (f files) Resolve(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
	file, _ := q.Mention.(mention.File)
	text, ok := f[file.Path]
	if !ok {
		return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "not here"}
	}
	return ampersat.Content{Name: file.Path, ID: "/" + file.Path, Text: text, Source: blob.Of([]byte(text)), Size: int64(len(text))}, nil
}

// inFront are the placements that change what stands before a conversation.
var inFront = []ampersat.Placement{ampersat.InSystem, ampersat.Top}

// placed is a conversation whose contents go to one place.
type placed struct {
	*world
	place ampersat.Placement
}

func newPlaced(t *testing.T, place ampersat.Placement, window int, files files, system string) *placed {
	return &placed{place: place, world: newWorld(t, &scripted{window: window}, func(c *Config) {
		c.Pipeline = &ampersat.Pipeline{Resolver: files, Blobs: new(blob.Memory), Diff: func(_, before, after string) string {
			if strings.HasPrefix(after, before) {
				return "+" + after[len(before):]
			}
			return ""
		}}
		c.Tools = nil
		if system != "" {
			c.System = func(context.Context) (ampersat.Stack, error) {
				return c.Pipeline.Prepare(context.Background(), ampersat.Turn{
					Message: message.Message{Role: message.System, Content: message.Say(system)}, Place: ampersat.InSystem,
				})
			}
		}
	})}
}

// say runs a turn, and returns what became of its mentions.
func (p *placed) say(text string) []ampersat.Report {
	p.t.Helper()
	turn := ampersat.Ask(text)
	turn.Place = p.place
	answer, err := p.Turn(context.Background(), turn, p.watch)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.Stack.Reports
}

// reported is what is kept of reports.
func reported(t *testing.T, reports []ampersat.Report) string {
	t.Helper()
	data, err := ampersat.EncodeReports(reports)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// undo takes back the last turn.
func (p *placed) undo() {
	p.t.Helper()
	past, err := LastTurn(p.store.Read(context.Background(), p.ID(), 1))
	if err == nil && past.Begins > 0 {
		_, err = p.store.Append(context.Background(), p.ID(), past.Head, session.NoLease, session.Undo(past.Begins-1))
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *placed) resume() {
	p.t.Helper()
	var err error
	if p.Conversation, err = Resume(context.Background(), p.config, p.ID()); err != nil {
		p.t.Fatal(err)
	}
}

// sent are the contents of the last request in the order of the conversation, and
// what was said.
func (p *placed) sent() (contents, said []string) {
	p.t.Helper()
	p.provider.mu.Lock()
	defer p.provider.mu.Unlock()
	request := p.provider.seen[len(p.provider.seen)-1]
	for i, m := range request.Messages {
		if m.Role == message.System && i > 0 && request.Messages[i-1].Role != message.Developer {
			p.t.Errorf("%s: a system message at %d", p.place, i)
		}
		for _, part := range m.Content.Parts {
			if c, is := part.(message.Context); is {
				contents = append(contents, fmt.Sprintf("%v %s %s", c.Names, c.ChangedSince, c.Text))
			} else {
				said = append(said, message.Flatten(message.Of(part)))
			}
		}
	}
	return contents, said
}

// Wherever contents stand in a request, they belong to the turn that brought them:
// whatever happens to files and turns, mentions come to the same, the model reads
// the same contents, and is told the same about them.
func TestContentsBelongToTheirTurnInEveryPlace(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		files := files{"a.md": "one\n", "b.md": "one\n", "c.md": "three\n", "d.md": "four\n"}
		names := rapid.SampledFrom([]string{"a.md", "b.md", "c.md", "d.md"})
		system := rapid.SampledFrom([]string{"", "be kind", "be kind, as @d.md says"}).Draw(r, "system")
		reference := newPlaced(t, ampersat.Before, 0, files, system)
		others := make([]*placed, len(inFront))
		for i, place := range inFront {
			others[i] = newPlaced(t, place, 0, files, system)
		}
		all := append(slices.Clone(others), reference)
		for range rapid.IntRange(1, 12).Draw(r, "turns") {
			switch rapid.IntRange(0, 7).Draw(r, "event") {
			case 0, 1:
				files[names.Draw(r, "changed")] = rapid.SampledFrom([]string{"one\n", "two\n", strings.Repeat("x", 99)}).Draw(r, "text")
			case 2:
				files[names.Draw(r, "longer")] += "and more\n"
			case 3:
				delete(files, names.Draw(r, "removed"))
			case 4:
				for _, p := range all {
					if p.new == nil {
						p.undo()
					}
				}
			case 5:
				for _, p := range all {
					if p.new == nil {
						p.resume()
					}
				}
			}
			text := "look"
			for _, name := range rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(r, "asked") {
				text += " @" + name
			}
			want := reported(t, reference.say(text))
			wantContents, wantSaid := reference.sent()
			for _, p := range others {
				if diff := cmp.Diff(want, reported(t, p.say(text))); diff != "" {
					r.Fatalf("%s: %s", p.place, diff)
				}
				contents, said := p.sent()
				if p.place == ampersat.Top { // before those of the system message
					slices.Sort(contents)
					wantContents = slices.Sorted(slices.Values(wantContents))
				}
				if diff := cmp.Diff(wantContents, contents) + cmp.Diff(wantSaid, said); diff != "" {
					r.Fatalf("%s: %s", p.place, diff)
				}
				if n, m := len(reference.View().Messages), len(p.View().Messages); n != m {
					r.Fatalf("%s: %d messages in the view, want %d", p.place, m, n)
				}
			}
		}
	})
}

// Contents in front are taken out by their age like all others, when the window is
// full, and there is room for those of each new turn.
func TestContentsInFrontMakeRoom(t *testing.T) {
	files := files{}
	for i := range 16 {
		files[fmt.Sprintf("f%d.md", i)] = strings.Repeat(fmt.Sprintf("line of file %d\n", i), 140)
	}
	for _, system := range []string{"", "be kind"} {
		for _, place := range append(inFront, ampersat.Before) {
			t.Run(fmt.Sprintf("%s %q", place, system), func(t *testing.T) {
				p := newPlaced(t, place, 6000, files, system)
				for i := range 16 {
					name := fmt.Sprintf("f%d.md", i)
					if r := p.say("look at @" + name)[0]; r.Outcome != ampersat.Loaded {
						t.Errorf("turn %d: %s, %s", i+1, r.Outcome, r.Reason)
					}
					contents, _ := p.sent()
					if len(contents) == 0 || !strings.Contains(contents[len(contents)-1], name) {
						t.Errorf("turn %d: the model reads %.200q", i+1, contents)
					}
				}
				contents, said := p.sent()
				if len(contents) < 3 || len(contents) > 8 {
					t.Errorf("%d contents are left", len(contents))
				}
				text := strings.Join(said, "")
				for _, want := range []string{"[f5.md was here; mention it again to see it]", "look at @f5.md", "look at @f15.md", system} {
					if !strings.Contains(text, want) {
						t.Errorf("the model does not read %q: %s", want, text)
					}
				}
			})
		}
	}
}
