package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
)

func TestPermissionsByMode(t *testing.T) {
	actions := map[string]Action{
		"read":         {Effect: Reads, Subject: "/p/a.go", Summary: "read a.go"},
		"know":         {Effect: Reads, Summary: "look up an order"},
		"table":        {Effect: Reads, Subject: "orders", Summary: "read the table orders"},
		"change":       {Effect: Writes, Summary: "change an order"},
		"list":         {Effect: Lists, Subject: "/p/", Summary: "list ."},
		"search":       {Effect: Reads, Subject: "/p/", Summary: "search . for a"},
		"list outside": {Effect: Lists, Subject: "/etc/", Summary: "list /etc"},
		"read outside": {Effect: Reads, Subject: "/etc/hosts", Summary: "read /etc/hosts"},
		"read beside":  {Effect: Reads, Subject: "/private/a.go", Summary: "read /private/a.go"},
		"fetch":        {Effect: Fetches, Subject: "go.dev", Summary: "fetch https://go.dev/"},
		"write":        {Effect: Writes, Subject: "/p/a.go", Summary: "edit a.go"},
		"run":          {Effect: Runs, Subject: "make", Summary: "run make"},
		"unknown":      {Effect: "teleport", Subject: "x", Summary: "teleport x"},
	}
	for mode, free := range map[Mode]string{
		ModeAsk: "", "": "", "nonsense": "", ModeAutoRead: "read list search know",
		ModeAll: "read list search know table change list outside read outside read beside fetch write run unknown",
	} {
		for name, action := range actions {
			asked := 0
			p := &Permissions{Mode: mode, Project: "/p", Ask: func(context.Context, Question) (Decision, error) {
				asked++
				return Refuse, nil
			}}
			err := p.Check(t.Context(), Question{Tool: "tool", Action: action})
			var refused *Refused
			if isFree := strings.Contains(" "+free+" ", " "+name+" "); isFree != (err == nil) || isFree != (asked == 0) || !isFree && !errors.As(err, &refused) {
				t.Errorf("mode %q, %s: %v, asked %d times", mode, name, err, asked)
			}
		}
	}
	// Without a project nothing is in it, and what is no file can still be known.
	if (&Permissions{Mode: ModeAutoRead}).Check(t.Context(), Question{Tool: "read_file", Action: actions["read"]}) == nil {
		t.Error("read without a project")
	}
	if err := (&Permissions{Mode: ModeAutoRead}).Check(t.Context(), Question{Tool: "look_up", Action: actions["know"]}); err != nil {
		t.Error(err)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	no := func(context.Context, Question) (Decision, error) { return "perhaps", nil }
	away := func(context.Context, Question) (Decision, error) { return AllowOnce, fmt.Errorf("ask: %w", ErrNobody) }
	for _, c := range []struct {
		p      *Permissions
		action Action
		want   string
	}{
		{&Permissions{Ask: away, Hint: func(string, Action) string { return "come back" }}, Action{Effect: Writes, Subject: "/p/a", Summary: "edit a"}, "edit_file: not allowed: edit a: there is nobody to ask here (come back)"},
		{&Permissions{}, Action{Effect: Writes, Subject: "/p/a", Summary: "edit a"}, "edit_file: not allowed: edit a: there is nobody to ask here"},
		{&Permissions{Hint: func(tool string, a Action) string { return "press " + tool + " for " + a.Subject }}, Action{Effect: Writes, Subject: "/p/a", Summary: "edit a"}, "edit_file: not allowed: edit a: there is nobody to ask here (press edit_file for /p/a)"},
		{&Permissions{Hint: func(string, Action) string { return "" }}, Action{Effect: Writes, Subject: "/p/a", Summary: "edit a"}, "edit_file: not allowed: edit a: there is nobody to ask here"},
		{&Permissions{Ask: no}, Action{Effect: Runs, Subject: "make", Summary: "run make"}, "edit_file: not allowed: run make: the person said no; do not try to get there another way, ask what to do instead"},
	} {
		if err := c.p.Check(t.Context(), Question{Tool: "edit_file", Action: c.action}); err == nil || err.Error() != c.want {
			t.Errorf("have %v, want %s", err, c.want)
		}
	}
}

func TestDecisionsAreRemembered(t *testing.T) {
	var asked []Action
	var kept []Rule
	decision := AllowOnce
	p := &Permissions{
		Ask: func(_ context.Context, q Question) (Decision, error) {
			asked = append(asked, q.Action)
			return decision, nil
		},
		Remember: func(r Rule) { kept = append(kept, r) },
		Allowed:  []Rule{{Runs, "make"}},
	}
	check := func(effect Effect, subject string, asks bool) {
		t.Helper()
		before := len(asked)
		if err := p.Check(t.Context(), Question{Tool: "tool", Action: Action{Effect: effect, Subject: subject}}); err != nil {
			t.Errorf("%s %s: %v", effect, subject, err)
		}
		if (len(asked) > before) != asks {
			t.Errorf("%s %s: asked %v, want %v", effect, subject, !asks, asks)
		}
	}
	check(Runs, "make", false)
	check(Runs, "make install", true)
	check(Runs, "make install", true) // only once
	decision = AllowForSession
	check(Writes, "/p/sub/a.go", true)
	check(Writes, "/p/sub/b.go", false)
	check(Writes, "/p/sub/deep/c.go", false)
	check(Reads, "/p/sub/a.go", false) // who may write may read
	check(Writes, "/p/subway/a.go", true)
	check(Writes, "/p/sub/../d.go", true)
	check(Lists, "/l/", true)
	check(Lists, "/l/sub/", false)
	check(Reads, "/l/a.go", true) // listing is not reading
	check(Reads, "/q/", true)
	check(Lists, "/q/sub/", false)
	check(Reads, "/q/a.go", false)
	check(Writes, "/q/a.go", true) // reading is not writing
	check(Reads, "/", true)
	check(Fetches, "go.dev", true)
	check(Fetches, "go.dev", false)
	check(Fetches, "sub.go.dev", true)
	check(Runs, "go.dev", true)
	if len(kept) != 0 {
		t.Errorf("%v", kept)
	}
	decision = AllowForProject
	check(Runs, "go vet", true)
	check(Runs, "go vet", false)
	check(Runs, "go vet ./...", true)
	check(Writes, "/z/a.go", true)
	if len(kept) != 3 || kept[0] != (Rule{Runs, "go vet"}) || kept[2] != (Rule{Writes, "/z"}) || kept[2].String() != "write files in /z" || kept[0].String() != "run go vet" {
		t.Errorf("%v", kept)
	}
	if (Rule{Lists, "/q"}).String() != "list files in /q" {
		t.Error(Rule{Lists, "/q"})
	}
	if (Rule{Fetches, "go.dev"}).String() != "fetch from go.dev" {
		t.Error(Rule{Fetches, "go.dev"})
	}

	// What was kept is as good in the next session.
	data, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	p = &Permissions{}
	if err := json.Unmarshal(data, &p.Allowed); err != nil {
		t.Fatal(err)
	}
	check(Writes, "/z/sub/b.go", false)
	if err := p.Check(t.Context(), Question{Tool: "tool", Action: Action{Effect: Writes, Subject: "/y/a.go"}}); err == nil {
		t.Error("more is allowed than was kept")
	}
}

// A yes for the session to something that has no name is one to the tool.
func TestWhatHasNoSubjectIsRememberedByItsTool(t *testing.T) {
	var asked int
	var kept []Rule
	p := &Permissions{
		Ask:      func(context.Context, Question) (Decision, error) { asked++; return AllowForProject, nil },
		Remember: func(r Rule) { kept = append(kept, r) },
	}
	for _, c := range []struct {
		tool   string
		action Action
		asks   bool
	}{
		{"look_up", Action{Effect: Reads}, true},
		{"look_up", Action{Effect: Reads}, false},
		{"look_up", Action{Effect: Writes}, true},
		{"look_up", Action{Effect: Reads, Subject: "/p/a"}, true},
		{"look_around", Action{Effect: Reads}, true},
	} {
		before := asked
		if err := p.Check(t.Context(), Question{Tool: c.tool, Action: c.action}); err != nil || (asked > before) != c.asks {
			t.Errorf("%s %+v: asked %v, %v", c.tool, c.action, asked > before, err)
		}
	}
	if len(kept) != 1 || kept[0] != (Rule{Reads, "/p"}) {
		t.Errorf("%v", kept)
	}
}

// A rule that names nothing, or a relative path, allows nothing.
func TestRulesThatAllowNothing(t *testing.T) {
	for _, rule := range []Rule{{}, {Writes, ""}, {Runs, ""}, {"", "make"}, {Writes, "."}, {Reads, "p"}} {
		for _, action := range []Action{{}, {Effect: Writes, Subject: "/p/a"}, {Effect: Writes}, {Effect: Runs}, {Effect: Reads, Subject: "p/a"}, {Effect: Runs, Subject: "make"}} {
			if rule.Covers(action) {
				t.Errorf("%v covers %v", rule, action)
			}
		}
	}
}

// Calls run at the same time; a person is asked one thing after the other, and
// not what the answer before has settled.
func TestOneQuestionAtATime(t *testing.T) {
	var open, asked atomic.Int32
	p := &Permissions{Ask: func(context.Context, Question) (Decision, error) {
		if open.Add(1) > 1 {
			t.Error("two questions at once")
		}
		defer open.Add(-1)
		asked.Add(1)
		return AllowForSession, nil
	}}
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if err := p.Check(t.Context(), Question{Tool: "fetch", Action: Action{Effect: Fetches, Subject: "go.dev"}}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestPermissionsWhenCancelled(t *testing.T) {
	action := Action{Effect: Runs, Subject: "make", Summary: "run make"}
	ctx, cancel := context.WithCancel(t.Context())
	asking := make(chan struct{})
	p := &Permissions{Ask: func(ctx context.Context, _ Question) (Decision, error) {
		close(asking)
		<-ctx.Done()
		return AllowForSession, errors.New("the terminal is gone")
	}}
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := p.Check(ctx, Question{Tool: "shell", Action: action}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	<-asking
	wait.Go(func() { // waits for its turn to ask
		if err := p.Check(ctx, Question{Tool: "shell", Action: action}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	cancel()
	wait.Wait()
	if err := (&Permissions{Mode: ModeAll}).Check(ctx, Question{Tool: "shell", Action: action}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	broken := errors.New("the terminal is gone")
	p = &Permissions{Ask: func(context.Context, Question) (Decision, error) { return AllowOnce, broken }}
	if err := p.Check(t.Context(), Question{Tool: "shell", Action: action}); !errors.Is(err, broken) || err.Error() != "shell: ask about run make: the terminal is gone" {
		t.Error(err)
	}
}

func TestParseMode(t *testing.T) {
	for _, mode := range []Mode{ModeAsk, ModeAutoRead, ModeAll} {
		if have, err := ParseMode(string(mode)); have != mode || err != nil {
			t.Errorf("%q: %v %v", mode, have, err)
		}
	}
	if _, err := ParseMode("yolo"); err == nil || err.Error() != `permission mode "yolo": there are ask, auto-read and all` {
		t.Error(err)
	}
}

func TestParseAllowed(t *testing.T) {
	for text, want := range map[string]struct {
		tool string
		rule Rule
	}{
		"list /folder": {"", Rule{Lists, "/folder"}}, "search": {"search", Rule{}}, "docs__*": {"docs__*", Rule{}}, "run go test ./...": {"", Rule{Runs, "go test ./..."}},
		" read /folder ": {"", Rule{Reads, "/folder"}}, "fetch go.dev": {"", Rule{Fetches, "go.dev"}},
	} {
		tool, rule, err := ParseAllowed(text)
		if err != nil || tool != want.tool || rule != want.rule {
			t.Errorf("%q: %q %+v %v", text, tool, rule, err)
		}
		if rule != (Rule{}) {
			if _, again, err := ParseAllowed(rule.Text()); again != rule || err != nil {
				t.Errorf("%q: %+v %v", rule.Text(), again, err)
			}
		}
	}
	for _, text := range []string{"", "  ", "dance tango", "[x"} {
		if tool, rule, err := ParseAllowed(text); err == nil {
			t.Errorf("%q: %q %+v", text, tool, rule)
		}
	}
}

func TestWhatIsAllowedElsewhereIsNotAsked(t *testing.T) {
	var granted []Action
	p := &Permissions{
		Tools: []string{"look", "docs__*"}, Known: func(a Action) bool { return a.Subject == "/open" }, Grant: func(a Action) { granted = append(granted, a) },
	}
	for _, c := range []struct {
		tool, subject string
		allowed       bool
	}{
		{"look", "/x", true}, {"docs__search", "/x", true}, {"other", "/open", true}, {"other", "/x", false},
	} {
		if err := p.Check(context.Background(), Question{Tool: c.tool, Action: Action{Effect: Reads, Subject: c.subject}}); (err == nil) != c.allowed {
			t.Errorf("%s %s: %v", c.tool, c.subject, err)
		}
	}
	if len(granted) != 3 {
		t.Errorf("granted: %+v", granted)
	}
}

// Who asks can tell which call the question is about: in the events of the turn
// it is known by the same names, and has not started.
func TestAQuestionNamesItsCall(t *testing.T) {
	var questions []Question
	var w *world
	w = newWorld(t, &scripted{steps: []step{call("look", `{"path":"a"}`, "look", `{"path":"b"}`)}}, func(c *Config) {
		c.Permissions = &Permissions{Ask: func(_ context.Context, q Question) (Decision, error) {
			for _, e := range w.events {
				if started, ok := e.(ToolStarted); ok && started.Call.ID == q.Call {
					t.Errorf("%s has started", q.Call)
				}
			}
			questions = append(questions, q)
			return AllowOnce, nil
		}}
	})
	w.ask("go")
	started := map[string]ToolStarted{}
	for _, e := range w.events {
		if e, ok := e.(ToolStarted); ok {
			started[e.Call.ID] = e
		}
	}
	if len(questions) != 2 || len(started) != 2 {
		t.Fatalf("%d questions about %d calls", len(questions), len(started))
	}
	for _, q := range questions {
		e := started[q.Call]
		if want := (Question{Action: e.Action, Tool: e.Call.Name, Call: e.Call.ID, Session: session.ID(e.SessionID), Turn: session.ID(e.TurnID)}); q != want {
			t.Errorf("%+v, want %+v", q, want)
		}
	}
}
