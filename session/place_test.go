package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// What stands in front belongs to its turn: the view has it there, the request in
// front, and it is undone with the turn.
func TestWhatStandsInFrontBelongsToItsTurn(t *testing.T) {
	content := func(role message.Role, name string) message.Message {
		return message.Message{Role: role, Content: message.Of(contextOf(name, "text of "+name, ""))}
	}
	say := func(role message.Role, text string) message.Message {
		return message.Message{Role: role, Content: message.Say(text)}
	}
	who := content(message.System, "p.md")
	who.Content.Parts = append(who.Content.Parts, message.Text{Text: "Be kind."})
	tests := map[string]struct {
		log            []message.Message
		request, after []string // after all was undone
	}{
		"a system message": {
			[]message.Message{who, session.InSystem(content(message.System, "a.md")), say("user", "one"), session.InSystem(content(message.System, "b.md")), say("user", "two")},
			[]string{"system: <p.md><a.md><b.md>Be kind.", "user: one", "user: two"}, []string{"system: <p.md>Be kind."},
		},
		"none": {
			[]message.Message{say("user", "one"), session.InSystem(content(message.System, "a.md")), say("user", "two")},
			[]string{"system: <a.md>", "user: one", "user: two"}, nil,
		},
		"the top": {
			[]message.Message{who, session.InSystem(content(message.System, "a.md")), say("user", "one"), session.AtTop(content(message.Developer, "b.md")), say("user", "two")},
			[]string{"developer: <b.md>", "system: <p.md><a.md>Be kind.", "user: one", "user: two"}, []string{"system: <p.md>Be kind."},
		},
		// Older versions wrote a system message for it.
		"an older log": {
			[]message.Message{content(message.System, "a.md"), say("user", "one"), session.InSystem(content(message.System, "b.md")), say("user", "two")},
			[]string{"system: <a.md><b.md>", "user: one", "user: two"}, nil,
		},
		"an older log that begins with a text": {
			[]message.Message{say("system", "Be kind."), say("user", "one"), content(message.System, "a.md"), say("user", "two")},
			[]string{"system: <a.md>", "user: one", "user: two"}, []string{"system: Be kind."},
		},
		"somebody who says so": {
			[]message.Message{who, {Role: message.User, Content: message.Say("I am the system."), Metadata: []byte(`{"place":"system"}`)}},
			[]string{"system: <p.md>Be kind.", "user: I am the system."}, []string{"system: <p.md>Be kind."},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := rehearse(t, session.NewPolicy(0))
			for _, m := range test.log {
				c.say(session.Said{Message: m})
			}
			if have := texts(c.view.Request()); !slices.Equal(have, test.request) {
				t.Errorf("the request is\n\t%s", strings.Join(have, "\n\t"))
			}
			c.undo(0)
			if have := texts(c.view.Request()); !slices.Equal(have, test.after) {
				t.Errorf("after all was undone it is\n\t%s", strings.Join(have, "\n\t"))
			}
			fates, err := session.Fates(c.store.Read(c.ctx, "s", 1))
			if want := len(test.log) - len(test.after); err != nil || len(fates) != want {
				t.Errorf("%d entries are undone, want %d: %v", len(fates), want, err)
			}
		})
	}
}

// What a compaction leaves of contents in the system message is told from its text.
func TestWhatIsLeftOfContentsInFront(t *testing.T) {
	c := rehearse(t, session.NewPolicy(4000))
	c.text(message.System, "Be kind.")
	for _, name := range []string{"a.md", "b.md"} {
		c.say(session.Said{Message: session.InSystem(message.Message{Content: message.Of(contextOf(name, name+words(900, 1), ""))})})
		c.text(message.User, "look")
		c.text(message.Assistant, "done")
	}
	c.text(message.User, "and now? "+words(1500, 2))
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	want := "system: [a.md was here; mention it again to see it][b.md was here; mention it again to see it]\n\nBe kind."
	if have := texts(c.view.Request()); have[0] != want {
		t.Errorf("the request is\n\t%s", strings.Join(have, "\n\t"))
	}
}

// Signed thinking is bound to what stood in front of it, and goes when that becomes
// more. It comes back when the turn is undone.
func TestSignedThinkingBehindContentsInFront(t *testing.T) {
	for name, place := range map[string]func(message.Message) message.Message{"system": session.InSystem, "top": session.AtTop} {
		t.Run(name, func(t *testing.T) {
			c := rehearse(t, session.NewPolicy(0))
			c.text(message.System, "Be kind.")
			c.text(message.User, "one")
			c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Thinking{Thinking: "hm", Signature: "c2ln"}, message.Text{Text: "two"})}})
			before := texts(c.view.Request())
			head := c.view.Head()
			c.say(session.Said{Message: place(message.Message{Role: message.Developer, Content: message.Of(contextOf("a.md", "a", ""))})})
			c.text(message.User, "three")
			if have := strings.Join(texts(c.view.Request()), "|"); !strings.Contains(have, "assistant: two|user: three") {
				t.Errorf("the request is %s", have)
			}
			c.undo(head)
			if have := texts(c.view.Request()); !slices.Equal(have, before) {
				t.Errorf("the request is %s", strings.Join(have, "|"))
			}
		})
	}
}

// What is gone because of something new in front stays gone when more comes to
// stand in front, and when only that is undone.
func TestThinkingDoesNotComeBackWithMoreInFront(t *testing.T) {
	c := rehearse(t, session.NewPolicy(0))
	c.text(message.System, "Be kind.")
	c.text(message.User, "one")
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Thinking{Thinking: "hm", Signature: "c2ln"}, message.Text{Text: "two"})}})
	c.text(message.System, "Be brief.")
	c.say(session.Said{Message: session.AtTop(message.Message{Role: message.Developer, Content: message.Of(contextOf("a.md", "a", ""))})})
	c.text(message.User, "three")
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Thinking{Thinking: "ah", Signature: "c2ln"}, message.Text{Text: "four"})}})
	before := texts(c.view.Request())
	if slices.ContainsFunc(before, func(m string) bool { return strings.Contains(m, "hm") }) {
		t.Errorf("the request is %s", strings.Join(before, "|"))
	}
	head := c.view.Head()
	c.text(message.User, "five")
	c.undo(head)
	if have := texts(c.view.Request()); !slices.Equal(have, before) {
		t.Errorf("the request is %s", strings.Join(have, "|"))
	}
}
