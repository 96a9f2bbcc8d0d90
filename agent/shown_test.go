package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// picture is a part that shows what has a digest.
func picture(digest blob.Digest) message.Part {
	return message.Image{Source: message.InBlob("image/png", digest)}
}

// A tool that makes a mistake with its contents gets an error for a result, and
// neither its turn nor those after it fail.
func TestAResultThatNamesWhatIsNotThereIsAnError(t *testing.T) {
	png, other := []byte("a picture"), []byte("another")
	for name, c := range map[string]struct {
		result Result
		want   []string // in what is logged of the result
		shows  []blob.Digest
	}{
		"its bytes are missing": {
			Result{Parts: []message.Part{message.Text{Text: "here"}, picture(blob.Of(png))}},
			[]string{"=here+\nerror: draw: ", blob.Of(png).Short(), "Result.Blobs"}, nil,
		},
		"within a context": {
			Result{Parts: []message.Part{message.Context{Text: "a", Parts: []message.Part{picture(blob.Of(png))}}}},
			[]string{"error: draw: ", blob.Of(png).Short()}, nil,
		},
		"they are under another digest": {
			Result{Parts: []message.Part{picture(blob.Of(png))}, Blobs: map[blob.Digest][]byte{blob.Of(png): other}},
			[]string{"error: draw: ", blob.Of(png).Short(), blob.Of(other).Short()}, nil,
		},
		"under what is no digest": {
			Result{Parts: []message.Part{picture("etag-1")}, Blobs: map[blob.Digest][]byte{"etag-1": other}},
			[]string{"error: draw: ", "etag-1", blob.Of(other).Short()}, nil,
		},
		"one of two": {
			Result{Parts: []message.Part{picture(blob.Of(png)), picture(blob.Of(other))}, Blobs: map[blob.Digest][]byte{blob.Of(other): other}},
			[]string{"error: draw: ", blob.Of(png).Short()}, []blob.Digest{blob.Of(other)},
		},
		"all are there": {
			Result{Parts: []message.Part{picture(blob.Of(other))}, Blobs: map[blob.Digest][]byte{blob.Of(other): other}},
			[]string{"="}, []blob.Digest{blob.Of(other)},
		},
		"they are in the store": {
			Result{Parts: []message.Part{picture(blob.Of([]byte("kept before")))}},
			[]string{"="}, []blob.Digest{blob.Of([]byte("kept before"))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, &scripted{steps: []step{call("draw", `{}`)}}, func(c2 *Config) {
				c2.Tools = []Tool{probe{name: "draw", effect: Reads, run: func(context.Context, Call) (Result, error) { return c.result, nil }}}
			})
			if _, err := w.store.Blobs().Put(t.Context(), []byte("kept before")); err != nil {
				t.Fatal(err)
			}
			w.ask("draw something")
			failed := strings.Contains(c.want[0], "error")
			ended := endOf(t, w.events, "draw")
			if ended.Failed != failed || (ended.Err != nil) != failed {
				t.Errorf("failed %v, %v", ended.Failed, ended.Err)
			}
			at := slices.IndexFunc(w.log(), func(line string) bool { return strings.HasPrefix(line, "tool: ") })
			for _, want := range c.want {
				if !strings.Contains(w.log()[at], want) {
					t.Errorf("%q is not in %s", want, w.log()[at])
				}
			}
			// Whoever goes on has all that is shown.
			var err error
			if w.Conversation, err = Resume(t.Context(), w.config, w.ID()); err != nil {
				t.Fatal(err)
			}
			w.ask("go on")
			last := w.provider.seen[len(w.provider.seen)-1]
			paired(t, last.Messages)
			if shows := blobsOf(last); !slices.Equal(shows, c.shows) {
				t.Errorf("it shows %v, want %v", shows, c.shows)
			}
		})
	}
}

// endOf is the end of the call of a tool.
func endOf(t *testing.T, events []Event, tool string) ToolEnded {
	t.Helper()
	for _, e := range events {
		if end, ok := e.(ToolEnded); ok && end.Call.Name == tool {
			return end
		}
	}
	t.Fatal("no call has ended")
	return ToolEnded{}
}

// blobsOf are the digests in a request, each of which must have its bytes.
func blobsOf(r message.Request) (all []blob.Digest) {
	for _, m := range r.Messages {
		for _, digest := range m.Blobs() {
			if data, ok := r.Blobs[digest]; ok && blob.Of(data) == digest {
				all = append(all, digest)
			} else {
				all = append(all, "no bytes of "+digest)
			}
		}
	}
	return all
}

// What a tool has changed is noted even if its result cannot be shown.
func TestChangesAreNotedAlthoughTheResultIsWrong(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "edit", effect: Writes, run: func(context.Context, Call) (Result, error) {
			return Result{Parts: []message.Part{picture("x")}, Changes: []Change{{Path: "/a"}}}, nil
		}}}
	})
	w.ask("go")
	if !slices.Contains(w.log(), "note "+NoteChanged) {
		t.Errorf("%q", w.log())
	}
}

// A session may hold what is gone: an earlier version logged it, or somebody
// removed contents. It goes on, and the model is told.
func TestASessionWhoseContentsAreGoneGoesOn(t *testing.T) {
	w := newWorld(t, &scripted{}, nil).resumed()
	gone := blob.Of([]byte("gone"))
	result, err := message.PartResult("c1", message.Text{Text: "drawn"}, picture(gone))
	if err != nil {
		t.Fatal(err)
	}
	said := func(role message.Role, parts ...message.Part) session.Entry {
		return session.Said{Message: message.Message{Role: role, Content: message.Of(parts...)}}
	}
	_, err = w.store.Append(t.Context(), w.ID(), 0, session.NoLease,
		said(message.User, message.Text{Text: "look"}, picture(gone), message.Document{Source: message.InBlob("application/pdf", gone)}),
		said(message.Assistant, message.ToolCall{ID: "c1", Name: "draw", Input: []byte(`{}`)}),
		said(message.Tool, result),
		said(message.Developer, message.Context{Text: "a.png", Parts: []message.Part{picture(gone)}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	var first []message.Message
	for range 2 {
		w.ask("go on")
		last := w.provider.seen[len(w.provider.seen)-1]
		paired(t, last.Messages)
		if shows := blobsOf(last); len(shows) > 0 {
			t.Errorf("it shows %v", shows)
		}
		text := render(last)
		if strings.Count(text, "is gone") != 3 || !strings.Contains(text, "drawn+[") {
			t.Errorf("the model is not told: %s", text)
		}
		inside := last.Messages[3].Content.Parts[0].(message.Context).Parts
		if part, ok := inside[0].(message.Text); !ok || !strings.Contains(part.Text, "is gone") {
			t.Errorf("%+v", inside)
		}
		if first == nil {
			first = last.Messages
		} else if prefix := render(message.Request{Messages: last.Messages[:len(first)]}); prefix != render(message.Request{Messages: first}) {
			t.Error("what was sent changes, which spoils the provider's cache")
		}
	}
	// A request that was sent so can be sent again.
	record, err := w.store.Last(t.Context(), w.ID(), session.KindPrepared)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Sent(t.Context(), w.store, w.ID(), record.Seq); err != nil {
		t.Error(err)
	}
}

// Who says something that names what is not there is told, and nothing was said.
func TestAMessageThatNamesWhatIsNotThere(t *testing.T) {
	w := newWorld(t, &scripted{}, nil)
	said := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(picture(blob.Of([]byte("nowhere"))))}}
	if _, err := w.Turn(t.Context(), said, nil); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("%v", err)
	}
	w.ask("hello")
	if n := len(w.View().Messages); n != 2 {
		t.Errorf("%d messages: %q", n, w.log())
	}
	// The same for what a session begins with, under a wrong digest.
	w = newWorld(t, &scripted{}, func(c *Config) {
		c.System = func(context.Context) (ampersat.Stack, error) {
			return ampersat.Stack{
				Messages: []message.Message{{Role: message.System, Content: message.Of(picture(blob.Of([]byte("a"))))}},
				Blobs:    map[blob.Digest][]byte{blob.Of([]byte("a")): []byte("b")},
			}, nil
		}
	})
	if _, err := w.Turn(t.Context(), ampersat.Ask("hello"), nil); err == nil || !strings.Contains(err.Error(), blob.Of([]byte("b")).Short()) {
		t.Errorf("%v", err)
	}
}

// pictures is how many there are in a gallery.
const pictures = 130

// gallery is a world of small pictures, with a prompt that mentions them all.
func gallery(t *testing.T, provider *scripted) (*world, string) {
	t.Helper()
	w := newWorld(t, provider, func(c *Config) {
		c.Pipeline.Resolver = ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
			data := []byte(q.Mention.String())
			digest := blob.Of(data)
			return ampersat.Content{
				Name: q.Mention.String(), MIME: "image/png", Source: digest, Size: int64(len(data)), PartTokens: 15,
				Parts: []message.Part{message.Image{Source: message.InBlob("image/png", digest)}}, Blobs: map[blob.Digest][]byte{digest: data},
			}, nil
		})
	})
	var prompt strings.Builder
	for i := range pictures {
		fmt.Fprintf(&prompt, "@icon%d.png ", i)
	}
	return w, prompt.String()
}

// Pictures that were loaded are not thrown out again before anybody has seen them,
// for being counted as more than they are.
func TestManySmallPicturesAreSent(t *testing.T) {
	w, prompt := gallery(t, &scripted{window: 200_000})
	w.ask(prompt)
	w.ask("and now?")
	if len(w.provider.seen) != 2 {
		t.Errorf("%d requests", len(w.provider.seen))
	}
	for _, request := range w.provider.seen {
		if len(request.Blobs) != pictures {
			t.Errorf("%d pictures are sent, want %d", len(request.Blobs), pictures)
		}
	}
	for _, e := range w.events {
		if made, is := e.(Compacted); is {
			t.Errorf("%s", made.Entry.Reason)
		}
	}
}

// A provider that takes fewer pictures is sent fewer, and not none.
func TestFewerPicturesAreSentWhereThereAreTooMany(t *testing.T) {
	w, prompt := gallery(t, &scripted{window: 200_000, steps: []step{fail("", &message.Error{Kind: message.ErrContextLength})}})
	w.ask(prompt)
	if len(w.provider.seen) != 2 {
		t.Fatalf("%d requests", len(w.provider.seen))
	}
	if n := len(w.provider.seen[1].Blobs); n < pictures/4 || n > pictures*3/4 {
		t.Errorf("%d pictures are sent, of %d", n, pictures)
	}
	if sent := render(w.provider.seen[1]); !strings.Contains(sent, "contents of mentions") || strings.Contains(sent, ", 0 contents of mentions") {
		t.Errorf("the model is not told: %s", sent)
	}
}

// forgetful is a store that has lost some contents until somebody puts them there
// again. It counts how often it is asked for any.
type forgetful struct {
	session.Store
	lost map[blob.Digest]bool
	gets *int
}

func (f forgetful) Blobs() blob.Store { return forgetfulBlobs{f.Store.Blobs(), f} }

type forgetfulBlobs struct {
	blob.Store
	of forgetful
}

func (b forgetfulBlobs) Put(ctx context.Context, data []byte) (blob.Digest, error) {
	delete(b.of.lost, blob.Of(data))
	return b.Store.Put(ctx, data)
}

func (b forgetfulBlobs) Get(ctx context.Context, digest blob.Digest) ([]byte, error) {
	*b.of.gets++
	if b.of.lost[digest] {
		return nil, fmt.Errorf("get %s: %w", digest.Short(), blob.ErrNotFound)
	}
	return b.Store.Get(ctx, digest)
}

// A picture whose bytes are gone is not one that the model has seen: it is sent when
// it is mentioned again, under any of its names, whatever was said of it since, and no
// tool takes it for seen. One that is there is not sent.
func TestWhatIsGoneWasNotSeen(t *testing.T) {
	var seen []ampersat.View
	w, _ := gallery(t, &scripted{})
	// Two names of one picture.
	resolver := w.config.Pipeline.Resolver
	w.config.Pipeline.Resolver = ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		name := q.Mention.String()
		if name == "@copy.png" {
			q.Mention = mention.File{Path: "gone.png"}
		}
		content, err := resolver.Resolve(ctx, q)
		content.Name = strings.TrimPrefix(name, "@")
		return content, err
	})
	w.config.Tools = []Tool{probe{name: "look", effect: Reads, run: func(_ context.Context, call Call) (Result, error) {
		seen = append(seen, call.View)
		return Result{}, nil
	}}}
	gone, kept := blob.Of([]byte("@gone.png")), blob.Of([]byte("@kept.png"))
	reports := func(answer Answer) (all []string) {
		for _, r := range answer.Stack.Reports {
			all = append(all, r.Name+" "+string(r.Outcome))
		}
		return all
	}
	want := func(answer Answer, want ...string) {
		t.Helper()
		if have := reports(answer); !slices.Equal(have, want) {
			t.Errorf("%q, want %q", have, want)
		}
	}
	var err error
	if w.Conversation, err = Start(w.config, session.Meta{}); err != nil {
		t.Fatal(err)
	}
	want(w.ask("@gone.png @kept.png"), "gone.png loaded", "kept.png loaded")
	want(w.ask("@gone.png @copy.png"), "gone.png unchanged", "copy.png loaded")

	store := forgetful{w.store, map[blob.Digest]bool{gone: true}, new(int)}
	w.config.Store = store
	again := func() {
		t.Helper()
		if w.Conversation, err = Resume(t.Context(), w.config, w.ID()); err != nil {
			t.Fatal(err)
		}
	}
	// For whoever looks at the session without going on with it.
	again()
	shown, err := Shown(t.Context(), w.View().Messages, store.Blobs())
	if err != nil {
		t.Fatal(err)
	}
	known := ampersat.View{Messages: shown}.Seen()
	if len(known) != 1 || known["kept.png"] != kept || len(w.View().Seen()) != 3 {
		t.Errorf("%v, of %v", known, w.View().Seen())
	}
	// For a tool.
	*store.gets = 0
	w.provider.steps = append(make([]step, len(w.provider.seen)), call("look", `{}`))
	w.ask("look")
	if len(seen) != 1 || len(seen[0].Seen()) != 1 {
		t.Errorf("%v", seen)
	}
	// What is there is read once, what is not is looked for before each request.
	if *store.gets > 4 {
		t.Errorf("two pictures were read %d times", *store.gets)
	}
	// For a person, under either name.
	for _, name := range []string{"copy.png", "gone.png"} {
		store.lost[gone] = true
		again()
		want(w.ask("@"+name+" @kept.png"), name+" loaded", "kept.png unchanged")
		last := w.provider.seen[len(w.provider.seen)-1]
		if sent := blobsOf(last); !slices.Contains(sent, gone) {
			t.Errorf("%v: %s", sent, render(last))
		}
	}
	// It is there again.
	again()
	want(w.ask("@gone.png @copy.png @kept.png"), "gone.png unchanged", "copy.png unchanged", "kept.png unchanged")
	// A file that is another by now has changed, as always.
	store.lost[gone] = true
	again()
	w.config.Pipeline.Resolver = ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		content, err := resolver.Resolve(ctx, ampersat.Query{Mention: mention.File{Path: "other.png"}})
		content.Name = "gone.png"
		return content, err
	})
	again()
	want(w.ask("@gone.png"), "gone.png changed")
}

// Where something in the system message is gone, another can be added to it all the
// same.
func TestASystemMessageIsAddedToOneThatIsNotAllThere(t *testing.T) {
	png := []byte("a picture")
	gone := blob.Of(png)
	w := newWorld(t, &scripted{}, func(c *Config) {
		c.System = func(context.Context) (ampersat.Stack, error) {
			logo := message.Context{Names: []string{"logo.png"}, Source: gone, Parts: []message.Part{picture(gone)}}
			return ampersat.Stack{
				Messages: []message.Message{{Role: message.System, Content: message.Of(logo, message.Text{Text: "You are kind."})}},
				Blobs:    map[blob.Digest][]byte{gone: png},
			}, nil
		}
	})
	w.ask("hello")
	w.config.Store = forgetful{w.store, map[blob.Digest]bool{gone: true}, new(int)}
	var err error
	if w.Conversation, err = Resume(t.Context(), w.config, w.ID()); err != nil {
		t.Fatal(err)
	}
	brief := ampersat.Turn{Message: message.Message{Role: message.System, Content: message.Say("Be brief.")}}
	if _, err := w.Turn(t.Context(), brief, nil); err != nil {
		t.Fatal(err)
	}
	request := w.provider.seen[len(w.provider.seen)-1]
	if sent := message.Flatten(request.Messages[0].Content); !strings.Contains(sent, "Be brief.") || !strings.Contains(sent, "You are kind.") || len(blobsOf(request)) > 0 {
		t.Errorf("%s", render(request))
	}
}
