package app

import (
	"testing"

	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/session"
)

// What the user configures counts under the usual profile: a profile that says
// what is built in anyway would only keep it from them.
func TestBundledProfilesDoNotRepeatWhatIsBuiltIn(t *testing.T) {
	w := newWorld(t, map[string]string{"~/.ampersat/config.yaml": "context: {strategy: smart, compact_threshold: 0.7, compact_target: 0.3, retention: {recent: 0.2, tool_results: 9}}\n"})
	a := w.app(false)
	_, m, err := a.wantedProfile()
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.policy(m, 1000)
	if err != nil || p.Strategy != session.Smart || p.Threshold != 0.7 || p.Target != 0.3 || p.Recent != 0.2 || p.ToolResults != 9 {
		t.Errorf("under %s: %+v", m.Qualified(), p)
	}
	built := config.Defaults()
	repeats := map[string]any{
		"model": built.Model, "place": built.Place, "context.strategy": built.Context.Strategy,
		"context.compact_threshold": built.Context.CompactThreshold, "context.compact_target": built.Context.CompactTarget,
		"context.retention.recent": built.Context.Retention.Recent, "context.retention.tool_results": built.Context.Retention.ToolResults,
	}
	entries, problems := a.Library.Profiles()
	if len(entries) < 6 || len(problems) > 0 {
		t.Fatal(entries, problems)
	}
	for _, entry := range entries {
		a, err := New(Options{Dir: w.project, Flags: []config.Flag{{Name: "--profile", Key: "profile", Value: entry.Qualified()}}})
		if err != nil {
			t.Fatal(err)
		}
		name, settings, err := a.ProfileLayer()
		if err != nil || name != entry.Qualified() {
			t.Fatal(name, err)
		}
		for _, s := range settings {
			if s.Value == repeats[s.Key] {
				t.Errorf("%s: %s is %v already", s.From, s.Key, s.Value)
			}
		}
	}
}
