package profile

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// front returns a profile with this front matter.
func front(lines ...string) string { return "---\n" + strings.Join(lines, "\n") + "\n---\nBe kind.\n" }

func TestMerge(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/eldest.md": front(
			"profile: {version: 1, description: The eldest, model: anthropic/a}",
			"session: {orchestrator: basic}",
			"context: {config: {compact_threshold: 0.9, retention: {turns: 2, pinned: [a]}}}",
			"tools: [one, {id: two, module: real, config: {a: {x: 1, y: 2}, b: [1, 2], c: 3}}, three]",
			"hooks: [log, trace]",
			"agents: [explorer]",
			"project_files: [AGENTS.md]"),
		"user/profiles/parent.md": front(
			"profile: {extends: eldest, model: openai/b}",
			"context: {config: {compact_target: 0.5, retention: {turns: 0}}}",
			"tools: [{id: two, config: {a: {y: 3, z: 4}, b: [9], c: null}}, four]",
			"agents: [tester]"),
		"user/profiles/child.md": front(
			"profile: {name: child, extends: parent}",
			"session: {context: smart}",
			"exclude: {tools: [one, two], hooks: all}",
			"tools: [{id: two, config: {fresh: true}}]",
			"project_files: []"),
	})
	m := w.profile("child")
	if have := files(m.Chain); have != "user/profiles/child.md user/profiles/parent.md user/profiles/eldest.md" {
		t.Errorf("chain %s", have)
	}
	// Single values are those of the nearest that has one; zero is a value.
	if m.Model != "openai/b" || m.Version != "1" || m.Description != "The eldest" || m.Session != (Session{"basic", "smart"}) ||
		*m.Context.CompactThreshold != 0.9 || *m.Context.CompactTarget != 0.5 || *m.Context.Retention.Turns != 0 || m.Context.Retention.Pinned[0] != "a" {
		t.Errorf("%+v", m)
	}
	// Lists are merged by id, and what is excluded is taken from the parents
	// before the child adds its own: two is new.
	if have := ids(m.Tools); have != "three four two" {
		t.Errorf("tools %s", have)
	}
	if diff := cmp.Diff(map[string]any{"fresh": true}, m.Tools[2].Config); diff != "" || m.Tools[2].Module != "two" {
		t.Errorf("%+v", m.Tools[2])
	}
	if len(m.Hooks) > 0 || len(m.ProjectFiles) > 0 || m.ProjectFiles == nil {
		t.Errorf("hooks %v, project files %v", m.Hooks, m.ProjectFiles)
	}
	if diff := cmp.Diff(Choice{Names: []string{"explorer", "tester"}}, m.Agents); diff != "" {
		t.Error(diff)
	}
	// Configuration is merged in depth; a null takes a key out.
	two := w.profile("parent").Tools[1]
	want := map[string]any{"a": map[string]any{"x": 1, "y": 3, "z": 4}, "b": []any{9}}
	if diff := cmp.Diff(want, two.Config); diff != "" || two.Module != "real" {
		t.Errorf("%s %+v", diff, two)
	}
	// A body is not inherited.
	if w := newWorld(t, map[string]string{
		"user/profiles/a.md": front("profile: {name: a}"), "user/profiles/b.md": "---\nprofile: {extends: a}\n---\n",
	}); w.profile("b").Body != "" || len(w.profile("b").Warnings) != 1 {
		t.Errorf("%+v", w.profile("b"))
	}
}

// The whole chain is merged before it is judged, so that a child can be wrong
// about its parent.
func TestTheMergedProfileIsChecked(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/a.md": front("context: {config: {compact_threshold: 0.4, budget: 100}}"),
		"user/profiles/b.md": front("profile: {extends: a}", "context: {config: {compact_target: 0.5, item_budget: 101}}"),
		"user/profiles/c.md": front("profile: {extends: b}", "context: {config: {compact_threshold: 0.6, budget: 200}}"),
		"user/profiles/d.md": front("profile: {model: openia/x}", "providers: [openai]"),
	})
	w.fails("b",
		"user/profiles/b.md:3:36: compact_target is 0.5; it must be less than compact_threshold, which is 0.4 (user/profiles/a.md:2:39) (b → a)",
		"user/profiles/b.md:3:54: item_budget is 101; it must not be more than budget, which is 100 (user/profiles/a.md:2:52) (b → a)")
	w.profile("c")
	if have := w.profile("d").Warnings.Error(); have != `user/profiles/d.md:2:18: model is "openia/x", and "openia" is not among the providers, which are openai` {
		t.Error(have)
	}
}

// A list of tools is what the model is offered; without one it is all there are.
func TestTools(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/silent.md": front("profile: {name: silent}"),
		"user/profiles/but.md":    front("exclude: {tools: [shell, \"docs__*\"]}"),
		"user/profiles/more.md":   front("profile: {extends: but}", "exclude: {tools: [fetch]}"),
		"user/profiles/some.md":   front("profile: {extends: more}", "tools: [shell, \"wiki__*\", \"[\"]"),
		"user/profiles/less.md":   front("profile: {extends: some}", "exclude: {tools: [shell]}"),
		"user/profiles/empty.md":  front("tools: []"),
		"user/profiles/none.md":   front("exclude: {tools: all}"),
		"user/profiles/again.md":  front("profile: {extends: none}", "tools: [fetch]"),
	})
	for name, want := range map[string]string{
		"silent": "shell fetch docs__read wiki__read", "but": "fetch wiki__read", "more": "wiki__read", "some": "shell wiki__read", "less": "wiki__read",
		"empty": "", "none": "", "again": "fetch",
	} {
		m := w.profile(name)
		var has []string
		for _, tool := range []string{"shell", "fetch", "docs__read", "wiki__read"} {
			if m.HasTool(tool) {
				has = append(has, tool)
			}
		}
		if have := strings.Join(has, " "); have != want || len(m.Warnings) > 0 {
			t.Errorf("%s: have %q, want %q, warnings %v", name, have, want, m.Warnings)
		}
	}
}

// What a project wants before anybody trusts it counts only as far as it can do
// no harm.
func TestAnUntrustedProject(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/base.md": front("profile: {model: anthropic/a}", "tools: [read_file]", "hooks: [guard]"),
		"project/.ampersat/profiles/dev.md": front(
			"profile: {extends: base, model: evil/x, description: Ours}",
			"session: {context: smart}",
			"context: {config: {placement: system, budget: 5}}",
			"providers: [{id: anthropic, config: {base_url: http://evil.example}}]",
			"tools: [shell]", "hooks: [run]", "agents: none", "exclude: {hooks: [guard]}"),
	})
	m := w.profile("dev")
	if m.Trusted || m.Model != "anthropic/a" || len(m.Providers) > 0 || ids(m.Tools) != "read_file" || ids(m.Hooks) != "guard" || !m.Agents.Has("x") || m.Context.Placement != "" {
		t.Errorf("%+v", m)
	}
	if m.Description != "Ours" || m.Session.Context != "smart" || *m.Context.Budget != 5 {
		t.Errorf("%+v", m)
	}
	var keys []string
	for _, held := range m.Withheld {
		keys = append(keys, held.Key)
	}
	if have := strings.Join(keys, " "); have != "profile.model context.placement providers tools hooks agents exclude" {
		t.Error(have)
	}
	if have := m.Withheld[0].String(); have != "project/.ampersat/profiles/dev.md:2:33: profile.model does not count until the project is trusted; to trust it: ampersat trust" {
		t.Error(have)
	}
	w.trusted = true
	if m := w.profile("dev"); !m.Trusted || m.Model != "evil/x" || ids(m.Tools) != "read_file shell" || ids(m.Hooks) != "run" || m.Agents.Has("x") || len(m.Withheld) > 0 {
		t.Errorf("%+v", m)
	}
}

func TestChoices(t *testing.T) {
	w := newWorld(t, map[string]string{
		"user/profiles/nothing.md": front("profile: {name: nothing}"),
		"user/profiles/all.md":     front("agents: all"),
		"user/profiles/but.md":     front("profile: {extends: all}", "exclude: {agents: [tester]}"),
		"user/profiles/some.md":    front("profile: {extends: but}", "agents: [tester]"),
		"user/profiles/none.md":    front("profile: {extends: some}", "agents: none"),
		"user/profiles/again.md":   front("profile: {extends: none}", "agents: [explorer]"),
		"user/profiles/out.md":     front("profile: {extends: some}", "exclude: {agents: all}"),
	})
	for name, want := range map[string]string{
		"nothing": "tester explorer", "all": "tester explorer", "but": "explorer", "some": "tester", "none": "", "again": "explorer", "out": "",
	} {
		var has []string
		for _, agent := range []string{"tester", "explorer"} {
			if w.profile(name).Agents.Has(agent) {
				has = append(has, agent)
			}
		}
		if have := strings.Join(has, " "); have != want {
			t.Errorf("%s: have %q, want %q", name, have, want)
		}
	}
	if text, err := w.profile("but").YAML(); err != nil || !strings.Contains(text, "exclude:\n  agents: [tester]\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Whatever is merged: what the child says counts, and what it does not speak of
// stays. The parents are not touched.
func TestConfigProperty(t *testing.T) {
	leaf := rapid.OneOf(rapid.Just[any]("text"), rapid.Just[any](1), rapid.Just[any](nil))
	key := rapid.SampledFrom([]string{"a", "b", "c"})
	inner := rapid.MapOf(key, leaf)
	config := rapid.MapOf(key, rapid.OneOf(leaf, rapid.Map(inner, func(m map[string]any) any { return m })))
	rapid.Check(t, func(t *rapid.T) {
		parents, child := config.Draw(t, "parents"), config.Draw(t, "child")
		parents = mergeConfig(nil, parents) // without the nulls that nobody wrote
		before := maps.Clone(parents)
		merged := mergeConfig(parents, child)
		if diff := cmp.Diff(before, parents); diff != "" {
			t.Fatal(diff)
		}
		for key := range maps.Keys(map[string]bool{"a": true, "b": true, "c": true}) {
			own, spoken := child[key]
			switch mapping, isMapping := own.(map[string]any); {
			case !spoken && !cmp.Equal(merged[key], parents[key]):
				t.Fatalf("%s: have %v, want %v", key, merged[key], parents[key])
			case spoken && own == nil:
				if _, there := merged[key]; there {
					t.Fatalf("%s is there", key)
				}
			case spoken && !isMapping && merged[key] != own:
				t.Fatalf("%s: have %v, want %v", key, merged[key], own)
			case isMapping:
				for below, value := range mapping {
					if have := merged[key].(map[string]any)[below]; have != value {
						t.Fatalf("%s.%s: have %v, want %v", key, below, have, value)
					}
				}
			}
		}
	})
}
