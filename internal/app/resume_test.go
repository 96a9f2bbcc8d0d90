package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// A log that does not say whom it is with, as older versions wrote it, goes on
// with what is configured, and says so where a profile is asked for.
func TestALogThatNamesNobodyGoesOn(t *testing.T) {
	w := newWorld(t, nil)
	a, err := New(Options{Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	store, err := a.Store(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	meta, err := store.Create(context.Background(), session.Meta{Dir: a.Root})
	if err != nil {
		t.Fatal(err)
	}
	request, err := session.Prepare("anthropic", message.Request{Model: "claude-old", Messages: []message.Message{{Role: message.User, Content: message.Say("hi")}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Append(context.Background(), meta.ID, 0, session.NoLease,
		session.Said{Message: message.Message{Role: message.System, Content: message.Say("Be old.")}},
		session.Note{Name: "turn", Value: jsontext.Value(`{"id":"x"}`)},
		session.Said{Message: message.Message{Role: message.User, Content: message.Say("hi")}}, request,
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Say("hello")}, Prepared: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for _, profile := range []string{"", "dev"} {
		flags := []config.Flag{{Name: "--profile", Key: "profile", Value: profile}}
		if profile == "" {
			flags = nil
		}
		var warned []string
		_, d := talkTo(t, w, "echo", "echo", "", Talk{Session: "last", Alert: func(text string) { warned = append(warned, text) }}, flags...)
		answer, err := d.Turn(context.Background(), ampersat.Ask("go on"), nil)
		if err != nil {
			t.Fatal(err)
		}
		text := message.Flatten(answer.Message.Content)
		writes := strings.Contains(text[strings.LastIndex(text, "Tools: "):], "write_file")
		if !strings.Contains(text, "Be old.") || writes != (profile == "dev") {
			t.Errorf("%q: %s", profile, text)
		}
		said := len(warned) == 1 && strings.Contains(warned[0], "does not say which profile it began with")
		if said != (profile != "") {
			t.Errorf("%q: %q", profile, warned)
		}
	}
}

// Making room asks no model, and needs no key; the window is that of the model
// that the session is with.
func TestCompactNeedsNoKey(t *testing.T) {
	for _, key := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "AZURE_OPENAI_API_KEY"} {
		t.Setenv(key, "")
	}
	w := newWorld(t, map[string]string{"~/.ampersat/config.yaml": `
provider: anthropic
providers: {work: {api: echo}, tiny: {api: anthropic, models: {small: {window: 4321}}}}
`})
	_, d := talkTo(t, w, "work", "x", "", Talk{}, config.Flag{Name: "--profile", Key: "profile", Value: "none"})
	for range 3 {
		if _, err := d.Turn(context.Background(), ampersat.Ask(strings.Repeat("many words ", 2000)), nil); err != nil {
			t.Fatal(err)
		}
	}
	a, err := New(Options{Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	entry, done, err := a.Compact(context.Background(), d.ID(), func(text string) { t.Error(text) })
	if err != nil || !done || entry.TokensAfter >= entry.TokensBefore {
		t.Errorf("%+v %t %v", entry, done, err)
	}
	for before, want := range map[string]int{"tiny/small": 4321, "": 200_000} {
		_, merged, err := a.profileOf(past{}, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		if window, err := a.window(merged, past{choice: before}); err != nil || window < want || before != "" && window != want {
			t.Errorf("%q: %d %v", before, window, err)
		}
	}
}

// A session is found under the path that the project was reached by, where older
// versions kept it, and under the one without links.
func TestSessionsAreFoundThroughALink(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, nil)
	link := w.project + "-link"
	if err := os.Symlink(w.project, link); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(w.project)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(Options{Dir: link})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	store, err := a.Store(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range []string{link, real, "/elsewhere"} {
		meta, err := store.Create(ctx, session.Meta{Dir: dir})
		if err == nil {
			_, err = store.Append(ctx, meta.ID, 0, session.NoLease, session.Note{Name: "n"})
		}
		if err != nil {
			t.Fatal(err)
		}
		if last, err := a.FindSession(ctx, "last"); err != nil || (last.ID == meta.ID) != (i < 2) {
			t.Errorf("%s: %+v %v", dir, last, err)
		}
	}
}

// Sessions in which nothing was said are none, however many there are before those
// that have begun.
func TestSessionsThatHaveNotBegunAreNotListed(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, nil)
	a, err := New(Options{Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	store, err := a.Store(ctx)
	if err != nil {
		t.Fatal(err)
	}
	create := func(dir, title string, entries ...session.Entry) {
		t.Helper()
		meta, err := store.Create(ctx, session.Meta{Dir: dir, Title: title})
		if err == nil && len(entries) > 0 {
			_, err = store.Append(ctx, meta.ID, 0, session.NoLease, entries...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	own := a.OwnSessions()
	titles := func(limit int) (titles string) {
		t.Helper()
		query := own
		query.Limit = limit
		list, err := a.Sessions(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		for _, meta := range list {
			titles += meta.Title
		}
		return titles
	}
	for i := range 20 {
		create(own.Dir, "x")
		if have := titles(3) + titles(0); have != "" {
			t.Fatalf("%d sessions that have not begun: %q", i+1, have)
		}
	}
	create("/elsewhere", "e", session.Note{Name: "n"})
	for _, title := range []string{"a", "b", "c"} {
		create(own.Dir, title, session.Note{Name: "n"})
		for range 40 {
			create(own.Dir, "x")
		}
	}
	for limit, want := range map[int]string{0: "cba", 1: "c", 2: "cb", 3: "cba", 4: "cba", 50: "cba"} {
		if have := titles(limit); have != want {
			t.Errorf("limit %d: have %q, want %q", limit, have, want)
		}
	}
	if last, err := a.FindSession(ctx, "last"); err != nil || last.Title != "c" {
		t.Errorf("the last is %q: %v", last.Title, err)
	}
}

// A request that nobody answered does not change whom a session is with.
func TestWhoAnsweredLast(t *testing.T) {
	ctx := context.Background()
	store := new(session.Memory)
	meta, err := store.Create(ctx, session.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	head := session.Seq(0)
	add := func(entries ...session.Entry) {
		t.Helper()
		if head, err = store.Append(ctx, meta.ID, head, session.NoLease, entries...); err != nil {
			t.Fatal(err)
		}
	}
	want := func(choice string) {
		t.Helper()
		if have, err := lastChoice(ctx, store, meta.ID); have != choice || err != nil {
			t.Errorf("have %q, want %q; error %v", have, choice, err)
		}
	}
	ask := func(choice string) {
		said := message.Message{Role: message.User, Content: message.Say("hello")}
		request, err := session.Prepare("p", message.Request{Model: "m", Messages: []message.Message{said}})
		if err != nil {
			t.Fatal(err)
		}
		request.Choice = choice
		add(session.Said{Message: said}, request)
	}
	answer := func() {
		add(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Say("hi")}, Prepared: head})
	}
	want("")
	ask("a/one")
	want("")
	answer()
	want("a/one")
	ask("a/typo")
	want("a/one")
	ask("b/two")
	answer()
	want("b/two")
}

// A log goes on whatever of it this version cannot read, and one in which there is
// a request and nothing that was said.
func TestWhoAnsweredLastIsNotKnown(t *testing.T) {
	said := func(role message.Role, prepared session.Seq) session.Entry {
		return session.Said{Message: message.Message{Role: role, Content: message.Say("hi")}, Prepared: prepared}
	}
	request, err := session.Prepare("p", message.Request{Model: "m", Messages: []message.Message{{Role: message.User, Content: message.Say("hi")}}})
	if err != nil {
		t.Fatal(err)
	}
	request.Choice = "a/one"
	unread := session.Unknown{Name: string(session.KindPrepared), Raw: jsontext.Value(`{"kind":"prepared"}`)}
	for name, test := range map[string]struct {
		log  []session.Entry
		want string
	}{
		"a request and nothing said":              {[]session.Entry{request}, ""},
		"one that cannot be read, nothing said":   {[]session.Entry{unread}, ""},
		"one that cannot be read, then a message": {[]session.Entry{unread, said(message.User, 0)}, ""},
		"one that cannot be read, then an answer": {[]session.Entry{unread, said(message.Assistant, 1)}, ""},
		"an answer, one that cannot be read":      {[]session.Entry{request, said(message.Assistant, 1), unread, said(message.User, 0)}, "a/one"},
		"an answer to one that cannot be read":    {[]session.Entry{request, said(message.Assistant, 1), unread, said(message.Assistant, 3)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			store := new(session.Memory)
			meta, err := store.Create(ctx, session.Meta{})
			if err == nil {
				_, err = store.Append(ctx, meta.ID, 0, session.NoLease, test.log...)
			}
			if err != nil {
				t.Fatal(err)
			}
			if have, err := lastChoice(ctx, store, meta.ID); have != test.want || err != nil {
				t.Errorf("have %q, want %q; error %v", have, test.want, err)
			}
		})
	}
}
