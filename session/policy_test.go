package session_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

func TestPolicyIsChecked(t *testing.T) {
	for want, change := range map[string]func(*session.Policy){
		"there is no strategy": func(p *session.Policy) { p.Strategy = "clever" },
		"window":               func(p *session.Policy) { p.Window = -1 },
		"threshold":            func(p *session.Policy) { p.Threshold = 1.1 },
		"target: want":         func(p *session.Policy) { p.Target = math.NaN() },
		"must be below":        func(p *session.Policy) { p.Target = 0.92 },
		"tool results":         func(p *session.Policy) { p.ToolResults = -1 },
		"overhead":             func(p *session.Policy) { p.Overhead = -1 },
		"turns":                func(p *session.Policy) { p.Turns = -1 },
		"rule 2: path":         func(p *session.Policy) { p.Rules = []session.Rule{{}, {Path: "[", Weight: 1}} },
		"rule 1: weight":       func(p *session.Policy) { p.Rules = []session.Rule{{Weight: -1}} },
		"recent: want a frac":  func(p *session.Policy) { p.Recent = -0.1 },
	} {
		policy := session.NewPolicy(1000)
		if err := policy.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&policy)
		err := policy.Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want %q", err, want)
		}
		store := &session.Memory{}
		if _, err := session.Open(t.Context(), store, "s", policy); err == nil || errors.Is(err, session.ErrNotFound) {
			t.Errorf("a view was opened: %v", err)
		}
	}
}

// Zero means none: nothing is protected for being recent.
func TestZeroProtectsNothing(t *testing.T) {
	policy := session.NewPolicy(3000)
	policy.Recent, policy.ToolResults = 0, 0
	c := rehearse(t, policy)
	c.text(message.User, "go")
	for i := range 10 {
		c.exchange(0, false, nil, 0, words(220, i))
	}
	c.text(message.Assistant, "done")
	c.text(message.User, "and now?")
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	if have := strings.Join(shown(c.view), "\n"); strings.Count(have, "was here; call it again") != 10 && strings.Count(have, "waits") > 400 {
		t.Errorf("have\n%s", have)
	}
	// With the usual policy the last five results are whole.
	c = rehearse(t, session.NewPolicy(3000))
	c.text(message.User, "go")
	for i := range 10 {
		c.exchange(0, false, nil, 0, words(220, i))
	}
	c.text(message.Assistant, "done")
	c.text(message.User, "and now?")
	c.compact(false)
	have := shown(c.view)
	whole := 0
	for _, m := range have {
		if strings.HasPrefix(m, "tool: ") && !strings.Contains(m, "was here") {
			whole++
		}
	}
	if whole != 5 {
		t.Errorf("%d results are whole:\n%s", whole, strings.Join(have, "\n"))
	}
}

// The smart strategy keeps what later turns speak of, what the rules keep, and
// what is pinned; and lets go what the rules say.
func TestSmartWeighs(t *testing.T) {
	fill := func(change func(*session.Policy), pin session.Seq) []string {
		policy := session.NewPolicy(4000)
		policy.Strategy, policy.Recent = session.Smart, 0
		change(&policy)
		c := rehearse(t, policy)
		c.every, c.sparse = 1<<30, true
		c.text(message.System, "sys")
		for _, name := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"} {
			c.text(message.Assistant, "about "+name+"/"+name+".go: "+strings.Repeat("it is so ", 220))
		}
		if pin > 0 {
			c.append(session.Pin(pin))
		}
		c.text(message.User, "what was beta/beta.go again?")
		c.text(message.Assistant, "I look at beta/beta.go")
		c.text(message.User, "and beta/beta.go with gamma?")
		if !c.compact(false) {
			t.Fatal("nothing was compacted")
		}
		var kept []string
		for _, m := range shown(c.view) {
			if rest, is := strings.CutPrefix(m, "assistant: about "); is {
				name, _, _ := strings.Cut(rest, "/")
				kept = append(kept, name)
			}
		}
		return kept
	}
	for _, c := range []struct {
		name   string
		change func(*session.Policy)
		pin    session.Seq
		want   []string
	}{
		{"what is spoken of later", func(*session.Policy) {}, 0, []string{"beta", "zeta"}},
		{"by age", func(p *session.Policy) { p.Strategy = session.Simple }, 0, []string{"epsilon", "zeta"}},
		{"what a rule keeps", func(p *session.Policy) { p.Rules = []session.Rule{{Text: "ABOUT ALPHA", Keep: true}} }, 0, []string{"alpha", "beta"}},
		{"what a rule weighs", func(p *session.Policy) {
			p.Rules = []session.Rule{{Role: message.Assistant, Text: "beta", Weight: 0}, {Text: "gamma/", Weight: 9}}
		}, 0, []string{"gamma", "zeta"}},
		{"what is pinned", func(*session.Policy) {}, 2, []string{"alpha", "beta"}},
		{"what the policy pins", func(p *session.Policy) { p.Pinned = []session.Seq{5} }, 0, []string{"beta", "delta"}},
	} {
		if have := fill(c.change, c.pin); !slices.Equal(have, c.want) {
			t.Errorf("%s: have %q, want %q", c.name, have, c.want)
		}
	}
}

// A rule is about tools and paths too.
func TestRulesKnowToolsAndPaths(t *testing.T) {
	policy := session.NewPolicy(3000)
	policy.Strategy, policy.Recent, policy.ToolResults = session.Smart, 0, 0
	policy.Rules = []session.Rule{{Tool: "read_file", Keep: true}, {Path: "notes/*.md", Keep: true}}
	c := rehearse(t, policy)
	c.text(message.User, "go")
	c.exchange(0, false, nil, 0, words(300, 1))
	c.say(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"notes/a.md"}, Text: "a note"}, message.Text{Text: "by hand"})}})
	for i := range 5 {
		c.text(message.Assistant, words(500, i))
	}
	c.text(message.User, "and now?")
	if !c.compact(false) {
		t.Fatal("nothing was compacted")
	}
	have := strings.Join(shown(c.view), "\n")
	if !strings.Contains(have, "result call_1 \"") || strings.Contains(have, "was here; call") || !strings.Contains(have, "by hand") {
		t.Errorf("have\n%s", have)
	}
}

func TestCap(t *testing.T) {
	policy := session.NewPolicy(1000)
	policy.ToolResultBytes = 1004
	long := strings.Repeat("é", 2000)
	mixed, err := message.PartResult("2", message.Text{Text: strings.Repeat("a", 600)}, message.Image{Source: message.AtURL("https://x")}, message.Text{Text: strings.Repeat("b", 600)}, message.Context{Names: []string{"c"}, Text: strings.Repeat("c", 600)},
		message.Context{Names: []string{"d"}, Text: strings.Repeat("d", 600), Parts: []message.Part{message.Image{Source: message.AtURL("https://y")}}})
	if err != nil {
		t.Fatal(err)
	}
	m := message.Message{Role: message.Tool, Content: message.Of(message.TextResult("1", long), mixed, message.TextResult("3", "short"), message.Text{Text: long})}
	before, _ := message.Encode(m)
	capped, cut := policy.Cap(m)
	if !cut {
		t.Fatal("nothing was cut")
	}
	if after, _ := message.Encode(m); string(after) != string(before) {
		t.Error("the message itself was changed")
	}
	first := capped.Content.Parts[0].(message.ToolResult)
	text := first.Parts()[0].(message.Text).Text
	if first.ToolCallID != "1" || !strings.Contains(text, "\n[cut: 2998 of 4000 bytes are not shown]\n") || !strings.HasPrefix(text, "éé") || !strings.HasSuffix(text, "éé") || strings.Contains(text, "\uFFFD") {
		t.Errorf("have %q", text)
	}
	parts := capped.Content.Parts[1].(message.ToolResult).Parts()
	if len(parts) != 5 || parts[0].(message.Text).Text != strings.Repeat("a", 600) || !strings.Contains(parts[2].(message.Text).Text, "[cut: 196 of 600") || parts[4].(message.Text).Text != "\n[cut: 1 more part is not shown]\n" {
		t.Errorf("have %+v", parts)
	}
	if c := parts[3].(message.Context); c.Names[0] != "d" || c.Shown != "0 of 600 bytes" || len(c.Text) > 100 || len(c.Parts) != 1 {
		t.Errorf("have %+v", c)
	}
	if _, cut := policy.Cap(message.Message{Role: message.Tool, Content: message.Of(message.TextResult("3", "short"))}); cut {
		t.Error("a short result was cut")
	}
	policy.ToolResultBytes = 0
	if _, cut := policy.Cap(m); cut {
		t.Error("without a limit something was cut")
	}
}

func TestViewFollowsTheLog(t *testing.T) {
	ctx := t.Context()
	store := &session.Memory{}
	if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	view, err := session.Open(ctx, store, "s", session.NewPolicy(1000))
	if err != nil {
		t.Fatal(err)
	}
	if at, _, _, err := view.LastPrepared(ctx); at != 0 || err != nil || view.ID() != "s" || view.Tokens() != 0 || view.FirstTurn() != 1 {
		t.Errorf("an empty view has a request %d, %v", at, err)
	}
	if _, err := store.Append(ctx, "s", 0, session.NoLease, said("user", "from elsewhere\xff")); err != nil {
		t.Fatal(err)
	}
	if _, err := view.Append(ctx, session.NoLease, said("user", "mine")); !errors.Is(err, session.ErrConflict) || view.Head() != 0 || len(view.Messages()) != 0 {
		t.Errorf("have %v, and the view is at %d", err, view.Head())
	}
	if err := view.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := view.Append(ctx, session.NoLease, said("user", "mine\xff")); err != nil {
		t.Fatal(err)
	}
	wantShown(t, view, "user: from elsewhere\uFFFD", "user: mine\uFFFD")
	if _, err := view.Append(ctx, session.NoLease, session.Said{}); err == nil {
		t.Error("an entry that is none was appended")
	}
	if err := view.Extend(session.Record{Seq: 4, Entry: said("user", "a gap")}); err == nil || view.Head() != 2 {
		t.Errorf("have %v, and the view is at %d", err, view.Head())
	}
	if err := view.Extend(session.Record{Seq: 3, Entry: said("user", "told")}); err != nil || view.Head() != 3 {
		t.Errorf("have %v, and the view is at %d", err, view.Head())
	}
	// Appending to the list is nobody else's business.
	_ = append(view.Messages(), message.Message{Role: "user"})
	if len(view.Messages()) != 3 {
		t.Error("the view has changed")
	}
	if _, err := session.Open(ctx, store, "missing", session.NewPolicy(1000)); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("have %v", err)
	}
	if err := view.SetPolicy(session.Policy{}); err == nil {
		t.Error("a policy that is none was taken")
	}
}
