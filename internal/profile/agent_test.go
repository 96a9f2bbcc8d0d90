package profile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAgents(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/agents/plain.md": "Look around.",
		"user/agents/full.md": front(
			"meta: {name: scout, description: Looks around}",
			"tools: [read_file, search]",
			"model: [anthropic/a, openai/b]",
			"budget: {tokens: 60_000, steps: 30}",
			"callers: [person, tester]"),
		"user/agents/short.md":                            front("meta: {name: short}", "model: anthropic/a", "budget: 500", "tools: none", "callers: none"),
		"user/agents/empty.md":                            "---\nmeta: {name: empty}\n---\n",
		"user/agents/wrong.md":                            front("meta: {name: wrong, colour: red}", "budget: none", "model: x", "modle: y"),
		"user/agents/unlike.md":                           front("profile: {name: unlike}"),
		"project/.ampersat/agents/theirs.md":              front("meta: {name: theirs}", "model: evil/x", "tools: [shell]"),
		"bundled/collections/foundation/agents/tester.md": "Try it.",
	})
	l := w.library()
	for name, want := range map[string]Agent{
		"plain": {Tools: Choice{All: true}, Callers: Choice{All: true}, Body: "Look around.", BodyLine: 1},
		"scout": {
			Description: "Looks around", Tools: Choice{Names: []string{"read_file", "search"}}, ToolsAt: Position{"user/agents/full.md", 3, 8}, Models: []string{"anthropic/a", "openai/b"},
			Budget: Budget{Tokens: ptr(60_000), Steps: ptr(30)}, Callers: Choice{Names: []string{"person", "tester"}}, Body: "Be kind.", BodyLine: 8,
		},
		"short":             {ToolsAt: Position{"user/agents/short.md", 5, 8}, Models: []string{"anthropic/a"}, Budget: Budget{Tokens: ptr(500)}, Body: "Be kind.", BodyLine: 8},
		"foundation:tester": {Tools: Choice{All: true}, Callers: Choice{All: true}, Body: "Try it.", BodyLine: 1},
	} {
		have, err := l.Agent(name)
		if err != nil {
			t.Error(err)
			continue
		}
		want.Source = have.Source
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s: -want +have\n%s", name, diff)
		}
	}
	for name, want := range map[string]string{
		"empty": "user/agents/empty.md: it has no body; write what the agent is to do",
		"wrong": "user/agents/wrong.md:2:21: unknown key \"colour\" in meta; there are name, description\n" +
			"user/agents/wrong.md:3:9: budget: \"none\" is not a number of tokens; write it like 2000 or 32k\n" +
			"user/agents/wrong.md:4:8: model is \"x\"; it is written provider/model\n" +
			"user/agents/wrong.md:5:1: unknown key \"modle\" in an agent, did you mean \"model\"?",
		"unlike": "user/agents/unlike.md:2:1: unknown key \"profile\" in an agent; there are meta, tools, model, budget, callers",
		"testr":  `there is no agent called "testr", did you mean "tester"?`,
	} {
		if _, err := l.Agent(name); err == nil || err.Error() != want {
			t.Errorf("%s:\nhave %v\nwant %s", name, err, want)
		}
	}
	// Where what it reads is sent to is not for strangers to say.
	theirs, err := l.Agent("theirs")
	if err != nil || theirs.Trusted || len(theirs.Models) > 0 || len(theirs.Withheld) != 1 || !theirs.Tools.Has("shell") {
		t.Errorf("%+v, %v", theirs, err)
	}
	w.trusted = true
	if theirs, err = w.library().Agent("theirs"); err != nil || !theirs.Trusted || len(theirs.Models) != 1 {
		t.Errorf("%+v, %v", theirs, err)
	}
	entries, problems := l.Agents()
	if len(problems) > 0 {
		t.Error(problems)
	}
	if have := strings.Join(Names(entries), " "); have != "theirs empty scout plain short unlike wrong tester foundation:tester" {
		t.Error(have)
	}
}

func TestWhoMayCall(t *testing.T) {
	for written, callers := range map[string]string{
		"all": "person model reviewer", "none": "", "person": "person", "[model, reviewer]": "model reviewer",
	} {
		w := newWorld(t, map[string]string{"user/agents/a.md": front("callers: " + written)})
		a, err := w.library().Agent("a")
		if err != nil {
			t.Fatal(err)
		}
		var may []string
		for _, caller := range []string{CallerPerson, CallerModel, "reviewer"} {
			if a.Callers.Has(caller) {
				may = append(may, caller)
			}
		}
		if have := strings.Join(may, " "); have != callers {
			t.Errorf("%s: have %q, want %q", written, have, callers)
		}
	}
}

func ptr(n int) *int { return &n }
