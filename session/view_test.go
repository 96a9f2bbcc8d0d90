package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// shown returns the texts of a view, each with the role it is said in.
func shown(v *session.View) []string { return texts(v.Messages()) }

func texts(messages []message.Message) (texts []string) {
	for _, m := range messages {
		var b strings.Builder
		for _, part := range m.Content.Parts {
			switch part := part.(type) {
			case message.Text:
				b.WriteString(part.Text)
			case message.Context:
				b.WriteString("<" + part.Names[0] + ">")
			case message.Thinking:
				b.WriteString("(" + part.Thinking + ")")
			case message.ToolCall:
				b.WriteString("call " + part.ID + " ")
			case message.ToolResult:
				b.WriteString("result " + part.ToolCallID + " " + string(part.Output))
			}
		}
		texts = append(texts, string(m.Role)+": "+b.String())
	}
	return texts
}

func wantShown(t tester, v *session.View, want ...string) {
	t.Helper()
	if have := shown(v); !slices.Equal(have, want) {
		t.Errorf("have\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func contextOf(name, text string, base blob.Digest) message.Context {
	return message.Context{Names: []string{name}, Source: blob.Of([]byte(text)), Body: blob.Of([]byte(text)), Base: base, Text: text}
}

// The contents of mentions go first and leave their reference, and with a base
// go its diffs and what refers to it; what the last turn mentions stays.
func TestContentsGoFirst(t *testing.T) {
	c := rehearse(t, session.NewPolicy(4000))
	old := contextOf("a.go", words(900, 1), "")
	diff := contextOf("a.go", "diff "+words(100, 2), old.Source)
	other := contextOf("b[1].go\n", words(900, 3), "")
	other.Lines = "10-20"
	say := func(role message.Role, parts ...message.Part) {
		t.Helper()
		c.say(session.Said{Message: message.Message{Role: role, Content: message.Of(parts...)}})
	}
	c.text(message.System, "You are here.")
	say(message.Developer, old)
	c.text(message.User, "one")
	c.text(message.Assistant, "two")
	say(message.Developer, diff)
	c.text(message.User, "three")
	c.text(message.Assistant, "four")
	say(message.Developer, other)
	c.text(message.User, "five")
	c.text(message.Assistant, "six "+words(400, 1))
	last := contextOf("c.go", words(900, 4), "")
	say(message.Developer, last)
	c.text(message.User, "seven")
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	have := shown(c.view)
	for _, want := range []string{
		"system: You are here.", "user: one", "user: three", "user: five", "user: seven", "developer: <c.go>",
		"developer: [a.go was here; mention it again to see it]", "developer: [b?1?.go?:10-20 was here; mention it again to see it]",
	} {
		if !slices.Contains(have, want) {
			t.Errorf("%q is not in\n\t%s", want, strings.Join(have, "\n\t"))
		}
	}
	if text := strings.Join(have, "\n"); strings.Contains(text, "<a.go>") || strings.Contains(text, "<b") {
		t.Errorf("contents are left:\n%s", text)
	}
	// The question is last, with its contents; what the model answers is not the notice.
	end := have[len(have)-3:]
	if !strings.HasPrefix(end[0], "developer: [To make room") || end[1] != "developer: <c.go>" || end[2] != "user: seven" {
		t.Errorf("the view ends with %q", end)
	}
	fates, err := session.Fates(c.store.Read(c.ctx, "s", 1))
	if err != nil {
		t.Fatal(err)
	}
	if f := fates[2]; len(f) != 1 || f[0].Action != session.Stub || f[0].Part != 1 || f[0].Epoch != 1 || f[0].At != c.view.Head() || f[0].Reason != "it can be fetched again" {
		t.Errorf("of the base it is told: %+v", f)
	}
	if f := fates[5]; len(f) != 1 || f[0].Reason != "it builds on content that is gone" {
		t.Errorf("of the diff it is told: %+v", f)
	}
	if f := fates[12]; f != nil {
		t.Errorf("of the last message it is told: %+v", f)
	}
}

// What the last turn mentions by a reference is not taken from under it, nor what of
// it was shown.
func TestWhatTheLastTurnRefersToStays(t *testing.T) {
	for _, cut := range []string{"", "lines 1-90 of 200"} {
		c := rehearse(t, session.NewPolicy(4000))
		old := contextOf("a.go", words(900, 1), "")
		old.Shown = cut
		for _, part := range []message.Context{old, contextOf("b.go", words(1800, 2), "")} {
			c.say(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(part)}})
			c.text(message.User, "look")
			c.text(message.Assistant, "yes "+words(300, 3))
		}
		reference := message.Context{Names: []string{"a.go"}, Source: old.Source, Shown: "reference only", Text: "[unchanged since turn 1, shown there]"}
		c.say(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(reference)}})
		c.text(message.User, "and now?")
		if !c.compact(false) {
			t.Fatal("nothing was compacted")
		}
		text := strings.Join(shown(c.view), "\n")
		if strings.Count(text, "<a.go>") != 2 || strings.Contains(text, "<b.go>") {
			t.Errorf("shown %q: have\n%s", cut, text)
		}
	}
}

// Contents in the results of tools are contents: the result stays the answer to
// its call.
func TestContentsInResults(t *testing.T) {
	c := rehearse(t, session.NewPolicy(2000))
	call, err := message.Call("1", "read_file", map[string]string{"path": "a.go"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := message.PartResult("1", contextOf("a.go", words(1500, 1), ""))
	if err != nil {
		t.Fatal(err)
	}
	c.text(message.User, "one")
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(call)}})
	c.say(session.Said{Message: message.Message{Role: message.Tool, Content: message.Of(result)}})
	c.text(message.Assistant, "two")
	c.text(message.User, "three "+words(400, 1))
	c.compact(false)
	wantShown(t, c.view, "user: one", "assistant: call 1 ", `tool: result 1 "[a.go was here; mention it again to see it]"`, "assistant: two", shown(c.view)[4], "user: three "+words(400, 1))
}

// The notice stays where it was put, whatever is said then; in the middle of a turn,
// where the model reads results and no question, it is last.
func TestThePlaceOfTheNotice(t *testing.T) {
	isNotice := func(text string) bool { return strings.HasPrefix(text, "developer: [To make room") }
	c := rehearse(t, session.NewPolicy(2000))
	c.say(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(contextOf("a.go", words(1500, 1), ""))}})
	c.text(message.User, "one")
	c.text(message.Assistant, "two")
	c.text(message.User, "not answered")
	c.text(message.User, "three "+words(400, 1))
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	before := shown(c.view)
	if len(before) != 6 || !isNotice(before[4]) {
		t.Fatalf("have %q", before)
	}
	c.text(message.Assistant, "four")
	c.text(message.User, "five")
	if have := shown(c.view); !slices.Equal(have[:6], before) || len(have) != 8 {
		t.Errorf("what was sent has changed:\n%q\n%q", before, have)
	}

	call, err := message.Call("1", "read_file", map[string]string{"path": "b.go"})
	if err != nil {
		t.Fatal(err)
	}
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(call)}})
	c.say(session.Said{Message: message.Message{Role: message.Tool, Content: message.Of(message.TextResult("1", words(900, 2)))}})
	if !c.compact(true) {
		t.Fatal("nothing was compacted")
	}
	have := shown(c.view)
	if last := len(have) - 1; !isNotice(have[last]) || slices.ContainsFunc(have[:last], isNotice) {
		t.Errorf("have %q", have)
	}
}

// What was thought is bound to what stood before it, as it was when the request was
// sent: a notice stays where the compaction has put it, also one that was made
// when none stood before a message, and whatever becomes of that message.
func TestANoticeIsNotMoved(t *testing.T) {
	for name, c := range map[string]struct {
		older, undone bool
		want          []string
	}{
		"before a message":              {false, false, []string{"<a.go>", "one", "two", "notice", "three", "(hm)four"}},
		"where it was made":             {true, false, []string{"<a.go>", "one", "two", "three", "notice", "(hm)four"}},
		"before a message that is gone": {false, true, []string{"<a.go>", "one", "two", "notice", "(hm)four"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rehearse(t, session.NewPolicy(2000))
			r.say(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(contextOf("a.go", words(1500, 1), ""))}})
			r.text(message.User, "one")
			r.text(message.Assistant, "two")
			asked := r.view.Head() + 1
			r.text(message.User, "three "+words(400, 1))
			compacted, smaller, err := r.view.Compact(t.Context(), "", false)
			if err != nil || !smaller || compacted.NoticeBefore != asked {
				t.Fatalf("%+v %v %v", compacted, smaller, err)
			}
			if c.older {
				compacted.NoticeBefore = 0
			}
			r.append(compacted)
			if c.undone {
				r.undone[asked] = true
				r.append(session.Undo(asked - 1))
			}
			r.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Thinking{Thinking: "hm", Signature: "c2lnbmVk"}, message.Text{Text: "four"})}})
			opened, err := session.Open(t.Context(), r.store, "s", r.view.Policy())
			if err != nil {
				t.Fatal(err)
			}
			have := shown(opened)
			for i, text := range have {
				_, have[i], _ = strings.Cut(text, ": ")
				switch {
				case strings.HasPrefix(have[i], "[To make room"):
					have[i] = "notice"
				case strings.HasPrefix(have[i], "[a.go was here"):
					have[i] = "<a.go>"
				case strings.HasPrefix(have[i], "three"):
					have[i] = "three"
				}
			}
			if !slices.Equal(have, c.want) {
				t.Errorf("%q, want %q", have, c.want)
			}
		})
	}
}

func TestPairsStayWhole(t *testing.T) {
	call := func(ids ...string) session.Said {
		var parts []message.Part
		for _, id := range ids {
			parts = append(parts, message.ToolCall{ID: id, Name: "t", Input: jsontext.Value("{}")})
		}
		return session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(parts...)}}
	}
	result := func(ids ...string) session.Said {
		var parts []message.Part
		for _, id := range ids {
			parts = append(parts, message.TextResult(id, "r"))
		}
		return session.Said{Message: message.Message{Role: message.Tool, Content: message.Of(parts...)}}
	}
	text := func(text string) session.Said {
		return session.Said{Message: message.Message{Role: message.User, Content: message.Say(text)}}
	}
	const none = `"[no result: the turn ended before the tool answered]"`
	for _, c := range []struct {
		name string
		said []session.Said
		want []string
	}{
		{"whole", []session.Said{call("a"), result("a")}, []string{"assistant: call a ", `tool: result a "r"`}},
		{"in two messages", []session.Said{call("a", "b"), result("b"), result("a")}, []string{"assistant: call a call b ", `tool: result b "r"`, `tool: result a "r"`}},
		{"not answered yet", []session.Said{text("x"), call("a", "b"), result("b")}, []string{"user: x"}},
		{"never answered", []session.Said{call("a"), text("x")}, []string{"assistant: call a ", "tool: result a " + none, "user: x"}},
		{"answered in part", []session.Said{call("a", "b"), result("b"), text("x")}, []string{"assistant: call a call b ", `tool: result b "r"`, "tool: result a " + none, "user: x"}},
		{"called again", []session.Said{call("a"), call("b"), result("b")}, []string{"assistant: call a ", "tool: result a " + none, "assistant: call b ", `tool: result b "r"`}},
		{"answered twice", []session.Said{call("a"), result("a"), result("a"), text("x")}, []string{"assistant: call a ", `tool: result a "r"`, "user: x"}},
		{"answered too late", []session.Said{call("a"), text("x"), result("a")}, []string{"assistant: call a ", "tool: result a " + none, "user: x"}},
		{"never asked", []session.Said{result("a"), text("x")}, []string{"user: x"}},
		{"asked and not", []session.Said{call("a"), result("b", "a", "c"), text("x")}, []string{"assistant: call a ", `tool: result a "r"`, "user: x"}},
		{"the same id twice", []session.Said{call("a", "a"), result("a"), result("a")}, []string{"assistant: call a call a ", `tool: result a "r"`, `tool: result a "r"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rehearse(t, session.NewPolicy(10_000))
			for _, s := range c.said {
				r.say(s)
			}
			wantShown(t, r.view, c.want...)
		})
	}
}

// What a person asked stays while something stays that answers it.
func TestAQuestionOutlivesItsAnswers(t *testing.T) {
	for _, strategy := range []session.Strategy{session.Simple, session.Smart} {
		t.Run(string(strategy), func(t *testing.T) {
			policy := session.NewPolicy(10_000)
			policy.Strategy = strategy
			c := rehearse(t, policy)
			c.text(message.User, "the first question")
			for i := range 8 {
				c.exchange(0, false, nil, 0, words(800, i))
			}
			c.text(message.Assistant, "the first answer")
			c.text(message.User, "the second question "+words(800, 3))
			for i := 0; c.epochs < 2; i++ {
				if !c.compact(false) {
					c.exchange(0, false, nil, 0, words(300, i))
					continue
				}
				have := strings.Join(shown(c.view), "\n")
				first, second := strings.Index(have, "the first question"), strings.Index(have, "the second question")
				if answers := strings.Index(have, "I look."); second < 0 || answers < second && first < 0 {
					t.Errorf("after %d compactions:\n%s", c.epochs, have)
				}
			}
		})
	}
}

func TestUndo(t *testing.T) {
	c := rehearse(t, session.NewPolicy(10_000))
	c.text(message.System, "sys")
	c.text(message.User, "one")
	c.text(message.Assistant, "two")
	c.text(message.User, "three")
	undo := func(through session.Seq, want ...string) {
		t.Helper()
		for i := through; i < session.Seq(len(c.log)); i++ {
			c.undone[i+1] = i > 0
		}
		c.append(session.Undo(through))
		wantShown(t, c.view, want...)
	}
	undo(3, "system: sys", "user: one", "assistant: two")
	c.text(message.User, "four")
	wantShown(t, c.view, "system: sys", "user: one", "assistant: two", "user: four")
	if turn := c.view.FirstTurn(); turn != 1 {
		t.Errorf("the first turn is %d", turn)
	}
	undo(2, "system: sys", "user: one")
	undo(0, "system: sys")
	fates, err := session.Fates(c.store.Read(c.ctx, "s", 1))
	if err != nil || len(fates) != 4 || fates[4][0].At != 5 || fates[6][0].At != 7 || fates[2][0].At != 8 || fates[2][0].Reason != "undone" {
		t.Errorf("have %+v, %v", fates, err)
	}
	// Notes of others that only share the name.
	for _, value := range []string{`null`, `7`, `{"through":"x"}`, `{"through":-1}`, `{"to":0}`} {
		c.append(session.Note{Name: "undo", Value: jsontext.Value(value)})
	}
	c.text(message.User, "five")
	wantShown(t, c.view, "system: sys", "user: five")
}

func TestTheLastSystemMessageIsFirst(t *testing.T) {
	c := rehearse(t, session.NewPolicy(10_000))
	c.text(message.User, "one")
	wantShown(t, c.view, "user: one")
	c.text(message.System, "a")
	wantShown(t, c.view, "system: a", "user: one")
	c.text(message.System, "b")
	wantShown(t, c.view, "system: b", "user: one")
	c.undone[3] = true
	c.append(session.Undo(2))
	wantShown(t, c.view, "system: a", "user: one")
}

// What an agent is comes back when what replaced it is undone, also after a
// compaction; until then it is not sent, and counts for nothing.
func TestUndoAfterACompactionLeavesTheFirstSystemMessage(t *testing.T) {
	c := rehearse(t, session.NewPolicy(1000))
	c.text(message.System, "You are kind. "+words(100, 1))
	c.text(message.User, "one")
	c.text(message.Assistant, "two")
	alone := c.view.Tokens()
	before := c.view.Head()
	c.text(message.System, "You are brief.")
	if n := c.view.Tokens(); n > alone-80 {
		t.Errorf("%d tokens with a short system message, %d with a long one", n, alone)
	}
	c.text(message.User, "three")
	c.text(message.Assistant, words(600, 2))
	c.text(message.User, "four")
	if !c.compact(true) {
		t.Fatal("nothing was compacted")
	}
	c.append(session.Note{Name: "bookmark"})
	if have := shown(c.view); have[0] != "system: You are brief." {
		t.Errorf("have\n%s", strings.Join(have, "\n"))
	}
	small := c.view.Tokens()
	c.undo(before)
	if have := shown(c.view); !strings.HasPrefix(have[0], "system: You are kind. ") || slices.Contains(have[1:], "system: You are brief.") {
		t.Errorf("have\n%s", strings.Join(have, "\n"))
	}
	if n := c.view.Tokens(); n < 100 {
		t.Errorf("%d tokens after the undo, %d before", n, small)
	}
	c.checkFresh(encoded(c, c.view.Messages()))
}

// Older versions took the first system message out when another came. Where the log
// begins with it, it is found again.
func TestAFirstSystemMessageThatWasTakenOut(t *testing.T) {
	said := func(role message.Role, text string) session.Entry {
		return session.Said{Message: message.Message{Role: role, Content: message.Say(text)}}
	}
	replaced := func(seq session.Seq) session.Decision {
		return session.Decision{Seq: seq, Action: session.Evict, Reason: "replaced by a later system message"}
	}
	for name, c := range map[string]struct {
		front     []session.Entry // stands before all
		system    []session.Entry // stands where another came
		decisions []session.Decision
		resume    *session.Resume
		before    []string
		want      []string
	}{
		"read whole": {
			[]session.Entry{said(message.System, "first")}, []session.Entry{said(message.System, "second")}, []session.Decision{replaced(1)}, nil,
			[]string{"system: second", "user: one", "assistant: two", "user: three"}, []string{"system: first", "user: one", "assistant: two"},
		},
		"resumed": {
			[]session.Entry{said(message.System, "first")}, []session.Entry{said(message.System, "second")}, []session.Decision{replaced(1)},
			&session.Resume{Spans: []session.Span{{First: 2, Last: 5}}, Turns: 2},
			[]string{"system: second", "user: one", "assistant: two", "user: three"}, []string{"system: first", "user: one", "assistant: two"},
		},
		"taken out by an earlier compaction": {
			[]session.Entry{session.Note{Name: "turn"}, said(message.System, "first")}, []session.Entry{said(message.System, "second")}, []session.Decision{{Seq: 3, Action: session.Evict}},
			&session.Resume{Spans: []session.Span{{First: 4, Last: 6}}, Turns: 2},
			[]string{"system: second", "assistant: two", "user: three"}, []string{"system: first", "assistant: two"},
		},
		"nothing has replaced it": {
			[]session.Entry{said(message.System, "first")}, nil, []session.Decision{{Seq: 1, Action: session.Evict, Reason: "somebody wants it so"}},
			&session.Resume{Spans: []session.Span{{First: 2, Last: 4}}, Turns: 2},
			[]string{"user: one", "assistant: two", "user: three"}, []string{"user: one", "assistant: two"},
		},
		"nothing has replaced it, read whole": {
			[]session.Entry{said(message.System, "first")}, nil, []session.Decision{{Seq: 1, Action: session.Evict, Reason: "somebody wants it so"}}, nil,
			[]string{"user: one", "assistant: two", "user: three"}, []string{"user: one", "assistant: two"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := new(session.Memory)
			_, err := store.Create(t.Context(), session.Meta{ID: "s"})
			log := slices.Concat(c.front, []session.Entry{said(message.User, "one"), said(message.Assistant, "two")})
			through := session.Seq(len(log))
			log = append(slices.Concat(log, c.system), said(message.User, "three"))
			log = append(log, session.Compacted{Epoch: 1, Strategy: "simple", Reason: "full", Through: session.Seq(len(log)), Decisions: c.decisions, Resume: c.resume})
			if err == nil {
				_, err = store.Append(t.Context(), "s", 0, session.NoLease, log...)
			}
			if err != nil {
				t.Fatal(err)
			}
			view, err := session.Open(t.Context(), store, "s", session.NewPolicy(1000))
			if err != nil {
				t.Fatal(err)
			}
			wantShown(t, view, c.before...)
			if _, err := view.Append(t.Context(), session.NoLease, session.Undo(through)); err != nil {
				t.Fatal(err)
			}
			wantShown(t, view, c.want...)
		})
	}
}

// Thinking goes where something before it was changed, and stays in the turn
// that is not over.
func TestSignedThinking(t *testing.T) {
	think := func(text string) message.Part { return message.Thinking{Thinking: text, Signature: "sig"} }
	c := rehearse(t, session.NewPolicy(2000))
	c.text(message.User, "one")
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(think("A"), message.Text{Text: words(1200, 1)})}})
	c.text(message.User, "two")
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(think("B"), message.Thinking{Thinking: "U"}, message.RedactedThinking{Data: "x"}, message.Text{Text: "yes"})}})
	c.text(message.User, "three "+words(300, 1))
	c.exchange(0, true, nil, 0, words(100, 2))
	c.compact(false)
	have := strings.Join(shown(c.view), "\n")
	if strings.Contains(have, "(A)") || strings.Contains(have, "(B)") || !strings.Contains(have, "(U)yes") || !strings.Contains(have, "(let me look at this)") {
		t.Errorf("have\n%s", have)
	}
	c.text(message.Assistant, "done")
	c.text(message.User, "four "+words(1300, 1))
	c.compact(false)
	if have := strings.Join(shown(c.view), "\n"); strings.Contains(have, "(let me look at this)") {
		t.Errorf("have\n%s", have)
	}
}

func TestTokensAreAnchored(t *testing.T) {
	policy := session.NewPolicy(100_000)
	policy.Overhead = 500
	c := rehearse(t, policy)
	c.text(message.User, words(100, 1))
	estimated := c.view.Tokens()
	if estimated < 600 || estimated > 750 {
		t.Errorf("an estimate of %d", estimated)
	}
	answer := session.Said{Message: message.Message{Role: message.Assistant, Content: message.Say("yes")}, Usage: &message.Usage{InputTokens: 7000, CacheWriteTokens: 300, OutputTokens: 20}}
	c.say(answer)
	if n := c.view.Tokens(); n != 7320 {
		t.Errorf("after the provider said 7320 it is %d", n)
	}
	c.text(message.User, words(100, 1))
	if n := c.view.Tokens(); n-7320 != estimated-500 {
		t.Errorf("a message more makes it %d", n)
	}
	c.undone[2], c.undone[3] = true, true
	c.append(session.Undo(1))
	if n := c.view.Tokens(); n != estimated {
		t.Errorf("after an undo it is %d, want %d", n, estimated)
	}
}

// A provider that counts next to nothing, or a constant, does not keep a view
// from being compacted.
func TestACountThatCannotBeIsNotBelieved(t *testing.T) {
	policy := session.NewPolicy(10_000)
	c := rehearse(t, policy)
	c.every, c.sparse = 1<<30, true
	c.text(message.System, "sys")
	estimated := c.view.Tokens()
	for i := range 60 {
		c.text(message.User, words(400, i))
		c.say(session.Said{
			Message: message.Message{Role: message.Assistant, Content: message.Say("yes")}, Usage: &message.Usage{InputTokens: 9, OutputTokens: 1},
		})
		estimated += 400
		if n := c.view.Tokens(); n < estimated || n > 2*estimated {
			t.Fatalf("message %d: %d tokens, want about %d", i, n, estimated)
		}
		if _, due := c.view.Due(); due != (c.view.Tokens() > 9200) {
			t.Fatalf("message %d: %d tokens, due: %t", i, c.view.Tokens(), due)
		}
		if c.view.Tokens() > 9200 {
			return
		}
	}
	t.Error("it is never full")
}

// Only the last of several system messages was sent, and is held against what the
// provider counted.
func TestFormerSystemMessagesDoNotCount(t *testing.T) {
	c := rehearse(t, session.NewPolicy(100_000))
	c.every, c.sparse = 1<<30, true
	for i := range 20 {
		c.text(message.System, words(1000, i))
	}
	c.text(message.User, "hi")
	c.say(session.Said{
		Message: message.Message{Role: message.Assistant, Content: message.Say("yes")}, Usage: &message.Usage{InputTokens: 1100, OutputTokens: 20},
	})
	if n := c.view.Tokens(); n != 1120 {
		t.Errorf("%d tokens, want those that were reported", n)
	}
}

func TestSummary(t *testing.T) {
	policy := session.NewPolicy(2000)
	var given [][]message.Message
	summaries := 0
	policy.Summarize = func(_ context.Context, gone []message.Message) (message.Message, error) {
		given = append(given, gone)
		summaries++
		return message.Message{Role: message.System, Content: message.Say(fmt.Sprintf("summary %d", summaries))}, nil
	}
	c := rehearse(t, policy)
	c.every, c.sparse = 1<<30, true
	c.text(message.System, "sys")
	grow := func() {
		t.Helper()
		for i := range 9 {
			c.text(message.Assistant, fmt.Sprint(i, " ", words(180, i)))
		}
		c.text(message.User, "go on")
	}
	grow()
	given = nil
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	have := shown(c.view)
	if have[0] != "system: sys" || !strings.HasPrefix(have[1], "developer: summary ") || len(given) == 0 || len(given[0]) < 4 || !strings.HasPrefix(message.Flatten(given[0][0].Content), "0 ") {
		t.Errorf("have %d given and\n%s", len(given), strings.Join(have, "\n"))
	}
	first := have[1]
	grow()
	given = nil
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	if have := shown(c.view); have[1] == first || "developer: "+message.Flatten(given[0][0].Content) != first {
		t.Errorf("the second summary is %s, made of %s", have[1], message.Flatten(given[0][0].Content))
	}
	// One that fails leaves the former.
	policy.Summarize = func(context.Context, []message.Message) (message.Message, error) {
		return message.Message{}, errors.New("the model is away")
	}
	if err := c.view.SetPolicy(policy); err != nil {
		t.Fatal(err)
	}
	before := shown(c.view)[1]
	grow()
	done, ok, err := c.view.Compact(c.ctx, "asked for", false)
	if err != nil || !ok || !strings.HasPrefix(done.Reason, "asked for") || !strings.Contains(done.Reason, "the model is away") || done.Summary == nil || "developer: "+message.Flatten(done.Summary.Content) != before {
		t.Errorf("have %v %v %q %+v", ok, err, done.Reason, done.Summary)
	}
	cancelled, cancel := context.WithCancel(c.ctx)
	cancel()
	if _, _, err := c.view.Compact(cancelled, "", true); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v", err)
	}
}

// The latest turns stay, however long, while there are others to take.
func TestTheLatestTurnsStay(t *testing.T) {
	for turns, want := range map[int]bool{0: false, 5: true} {
		policy := session.NewPolicy(4000)
		policy.Recent, policy.Turns = 0, turns
		c := rehearse(t, policy)
		for i := range 8 {
			c.text(message.User, fmt.Sprintf("question %d", i))
			c.text(message.Assistant, fmt.Sprintf("answer %d: %s", i, words(400, i)))
		}
		if !c.compact(false) {
			t.Fatal("nothing was compacted")
		}
		have := slices.ContainsFunc(shown(c.view), func(text string) bool { return strings.HasPrefix(text, "assistant: answer 3:") })
		if have != want {
			t.Errorf("with %d turns: %s", turns, strings.Join(shown(c.view), "\n\t"))
		}
	}
}
