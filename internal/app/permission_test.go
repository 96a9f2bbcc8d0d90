package app

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/config"
)

// A refusal advises the narrowest thing that lifts it, and that does lift it when
// it is typed.
func TestARefusalAdvisesAsLittleAsCanBe(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "alpha", "~/out side/b.md": "beta"})
	outside := filepath.Join(filepath.Dir(w.ampHome), "out side", "b.md")
	check := func(o Options, action agent.Action) error {
		o.Dir = w.project
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.permissions(Talk{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Check(context.Background(), agent.Question{Tool: "tool", Action: action})
	}
	mode := func(value string) config.Flag {
		return config.Flag{Name: "--permissions", Key: "permissions.mode", Value: value}
	}
	for _, test := range []struct {
		action agent.Action
		advice string
		typed  Options
	}{
		{agent.Action{Effect: agent.Reads, Subject: outside}, "--allow '" + outside + "'", Options{Allow: []string{outside}}},
		{agent.Action{Effect: agent.Reads, Subject: filepath.Dir(outside) + "/"}, "--allow '" + filepath.Dir(outside) + "'", Options{Allow: []string{filepath.Dir(outside)}}},
		{agent.Action{Effect: agent.Reads, Subject: filepath.Join(w.project, "a.md")}, "--permissions auto-read", Options{Flags: []config.Flag{mode("auto-read")}}},
		{agent.Action{Effect: agent.Reads, Subject: "a table"}, "--permissions all", Options{Flags: []config.Flag{mode("all")}}},
		{agent.Action{Effect: agent.Fetches, Subject: "a.example:8443", Detail: "https://a.example:8443/b?c"}, "--allow https://a.example:8443/", Options{Allow: []string{"https://a.example:8443/"}}},
		{agent.Action{Effect: agent.Writes, Subject: filepath.Join(w.project, "a.md")}, "--permissions all", Options{Flags: []config.Flag{mode("all")}}},
		{agent.Action{Effect: agent.Runs, Subject: "true", Detail: "true"}, "--permissions all", Options{Flags: []config.Flag{mode("all")}}},
	} {
		err := check(Options{Flags: []config.Flag{mode("ask")}}, test.action)
		if err == nil || !strings.HasSuffix(err.Error(), "(to allow it: "+test.advice+")") {
			t.Errorf("%+v: %v, want %s", test.action, err, test.advice)
		}
		if test.typed.Flags == nil {
			test.typed.Flags = []config.Flag{mode("ask")}
		}
		if err := check(test.typed, test.action); err != nil {
			t.Errorf("the advice does not help: %v", err)
		}
	}
}
