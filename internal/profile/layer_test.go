package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// everyKey has every key there is.
const everyKey = `---
profile:
  name: all
  version: 2
  description: Everything
  model: local/llama3.3
session:
  orchestrator: basic
  context: smart
context:
  config:
    compact_threshold: 0.85
    compact_target: 0.4
    budget: 20_000
    item_budget: 5k
    placement: tool
    retention:
      recent: 0.3
      turns: 0
      tool_results: 5
      pinned: [AGENTS.md, "docs/**"]
providers:
  - anthropic
  - id: local
    module: chat
    config:
      base_url: http://localhost:11434/v1
      retries: 3
      strict: true
      headers: {x-team: docs}
      since: 2026-01-02
tools: [read_file, {id: search, config: {limit: 50}}]
hooks: log
agents: [explorer, reviewer]
exclude:
  hooks: [log]
project_files: AGENTS.md
---
Be kind.
`

func TestEveryKeyIsRead(t *testing.T) {
	w := newWorld(t, map[string]string{"user/profiles/all.md": everyKey})
	m := w.profile("all")
	number, count := func(f float64) *float64 { return &f }, func(n int) *int { return &n }
	want := Merged{
		Version: "2", Description: "Everything", Model: "local/llama3.3",
		Session: Session{Orchestrator: "basic", Context: "smart"},
		Context: Context{
			CompactThreshold: number(0.85), CompactTarget: number(0.4), Budget: count(20_000), ItemBudget: count(5_000), Placement: "tool",
			Retention: Retention{Recent: number(0.3), Turns: count(0), ToolResults: count(5), Pinned: []string{"AGENTS.md", "docs/**"}},
		},
		Providers: []Module{{ID: "anthropic", Module: "anthropic"}, {ID: "local", Module: "chat", Config: map[string]any{
			"base_url": "http://localhost:11434/v1", "retries": 3, "strict": true, "headers": map[string]any{"x-team": "docs"}, "since": "2026-01-02",
		}}},
		Tools:        []Module{{ID: "read_file", Module: "read_file"}, {ID: "search", Module: "search", Config: map[string]any{"limit": 50}}},
		Hooks:        []Module{{ID: "log", Module: "log"}},
		Agents:       Choice{Names: []string{"explorer", "reviewer"}},
		ProjectFiles: []string{"AGENTS.md"},
		Body:         "Be kind.", BodyLine: 39,
	}
	ignored := cmp.Options{
		cmpopts.IgnoreFields(Merged{}, "Source", "Chain", "Warnings"), cmpopts.IgnoreFields(Module{}, "At"), cmpopts.IgnoreUnexported(Merged{}),
	}
	if diff := cmp.Diff(want, m, ignored); diff != "" {
		t.Errorf("-want +have\n%s", diff)
	}
	if m.Name != "all" || m.Place != InUser || !m.Trusted || m.File != "user/profiles/all.md" {
		t.Errorf("%+v", m.Source)
	}
	// What it excludes, and its parents do not have, is worth a look.
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].Error(), `user/profiles/all.md:36:10: exclude names "log"`) {
		t.Errorf("%v", m.Warnings)
	}
	if have := m.Lines(3); have.String() != "user/profiles/all.md:39:4" {
		t.Errorf("%v", have)
	}
}

// What show prints can be put into a file, and is the same profile.
func TestYAMLComesBack(t *testing.T) {
	w := newWorld(t, map[string]string{"user/profiles/all.md": everyKey})
	m := w.profile("all")
	text, err := m.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "budget: 20000 # user/profiles/all.md:14:13\n") {
		t.Errorf("no origin in\n%s", text)
	}
	again := newWorld(t, map[string]string{"user/profiles/all.md": "---\n" + text + "---\n" + m.Body}).profile("all")
	ignored := cmp.Options{
		cmpopts.IgnoreFields(Merged{}, "Source", "Chain", "Warnings", "BodyLine"), cmpopts.IgnoreFields(Module{}, "At"), cmpopts.IgnoreUnexported(Merged{}),
	}
	if diff := cmp.Diff(m, again, ignored); diff != "" {
		t.Errorf("%s\n-before +after\n%s", text, diff)
	}
}

// Everything that is wrong is told at once, with its place.
func TestWrongKeysAndValues(t *testing.T) {
	for front, want := range map[string]string{
		"profle: {name: x}":                            `2:1: unknown key "profle" in a profile, did you mean "profile"?`,
		"zzzzz: 1":                                     `2:1: unknown key "zzzzz" in a profile; there are profile, session, context, providers, tools, hooks, agents, exclude, project_files`,
		"profile:\n  nmae: x":                          `3:3: unknown key "nmae" in profile, did you mean "name"?`,
		"profile: dev":                                 `2:10: profile is "dev"; it must be keys and values`,
		"- a":                                          `2:1: a profile is a list; it must be keys and values`,
		"profile: {name: a b}":                         `2:17: name is "a b"; use letters, digits, dots, dashes and underscores`,
		"profile: {name: [a]}":                         `2:17: name is a list; it must be a single text`,
		"profile: {model: sonnet}":                     `2:18: model is "sonnet"; it is written provider/model`,
		"profile: {extends: [a, b]}":                   `2:20: extends is a list; a profile has one parent`,
		"session: {orchestrator: streeming}":           `2:25: orchestrator cannot be "streeming", did you mean "streaming"?`,
		"session: {context: clever}":                   `2:20: context cannot be "clever"; use one of simple, smart`,
		"context: {compact_threshold: 0.9}":            `2:11: unknown key "compact_threshold" in context; there are config`,
		"context: {config: {compact_threshold: 1.5}}":  `2:39: compact_threshold is "1.5"; it must be a number above 0 and at most 1`,
		"context: {config: {compact_target: .nan}}":    `2:36: compact_target is ".nan"; it must be a number above 0 and at most 1`,
		"context: {config: {budget: lots}}":            `2:28: budget: "lots" is not a number of tokens; write it like 2000 or 32k`,
		"context: {config: {budget: -1}}":              `2:28: budget: "-1" leaves no token; write 1 or more, or leave it out for what is usual`,
		"context: {config: {item_budget: 0}}":          `2:33: item_budget: "0" leaves no token; write 1 or more, or leave it out for what is usual`,
		"context: {config: {budget: [1]}}":             `2:28: budget is a list; it must be a number of tokens, such as 2000 or 32k`,
		"context: {config: {placement: botom}}":        `2:31: placement cannot be "botom"; use one of system, before, top, tool`,
		"context: {config: {retention: {turns: 1.5}}}": `2:39: turns is "1.5"; it must be a whole number, 0 or more`,
		"tools: [a, a]":                                `2:12: tools has "a" twice`,
		"tools: [{config: {a: 1}}]":                    `2:9: an item of tools has neither an id nor a module`,
		"tools: [{id: a, confg: {}}]":                  `2:17: unknown key "confg" in an item of tools, did you mean "config"?`,
		"tools: [{id: a, config: 3}]":                  `2:25: config is "3"; it must be keys and values`,
		"tools: [[a]]":                                 `2:9: an item of tools is a list; it must be a single text`,
		"hooks: [{id: a, config: {b: .inf}}]":          `2:29: ".inf" is no number that can be used`,
		"agents: {a: b}":                               `2:9: an item of agents is keys and values; it must be a single text`,
		"exclude: [a]":                                 `2:10: exclude is a list; it must be keys and values`,
		"exclude: {tool: [a]}":                         `2:11: unknown key "tool" in exclude, did you mean "tools"?`,
		"project_files: [../secret.md]":                `2:16: project_files has "../secret.md"; it must be the name of a file, without a folder`,
		"tools: [a]\ntools: [b]":                       `3:1: the key "tools" is there twice, first in line 2`,
		"profile: {<<: {name: x}}":                     `2:11: merge keys are not read here; use extends`,
		"? [a]\n: b":                                   `2:3: a key must be a word, this is a list`,
		"a: 1\nprofile: {b: 2, model: 3}":              "2:1: unknown key \"a\" in a profile; there are profile, session, context, providers, tools, hooks, agents, exclude, project_files\nf.md:3:11: unknown key \"b\" in profile; there are name, version, description, model, extends\nf.md:3:24: model is \"3\"; it is written provider/model",
	} {
		doc, err := parse("f.md", []byte("---\n"+front+"\n---\nBe kind."))
		if err != nil {
			t.Errorf("%s: %v", front, err)
			continue
		}
		if _, problems := readLayer("f.md", doc); problems.Error() != "f.md:"+want {
			t.Errorf("%s:\nhave %s\nwant f.md:%s", front, problems.Error(), want)
		}
	}
}

// A few lines of YAML can stand for a billion values.
func TestBombs(t *testing.T) {
	bomb := "tools:\n- id: a\n  config:\n    a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		bomb += fmt.Sprintf("    a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for name, front := range map[string]string{
		"aliases of aliases":     bomb,
		"an alias of itself":     "tools: [{id: a, config: &x {b: *x}}]\n",
		"a list of itself":       "tools: &x [*x]\n",
		"a mapping of itself":    "profile: &x {name: *x}\n",
		"a document of itself":   "&x {profile: *x}\n",
		"very many items":        "agents: [" + strings.Repeat("a,", 30_000) + "]\n",
		"deep configuration":     "tools: [{id: a, config: {b: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}}]\n",
		"an alias as a list":     "agents: &x [a, *x]\n",
		"an exclusion of itself": "exclude: &x {tools: *x}\n",
	} {
		doc, err := parse("f.md", []byte("---\n"+front+"---\nBe kind."))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, problems := readLayer("f.md", doc)
		if len(problems) == 0 || len(problems) > maxValues {
			t.Errorf("%s: %d problems", name, len(problems))
		}
	}
	// An alias that is none of this is read.
	doc, err := parse("f.md", []byte("---\ntools: &some [a, b]\nexclude: {tools: *some}\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	l, problems := readLayer("f.md", doc)
	if len(problems) > 0 || ids(l.tools) != "a b" || len(l.exclude.tools.Names) != 2 {
		t.Errorf("%+v %v", l, problems)
	}
}
