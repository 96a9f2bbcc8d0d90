package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/config"
)

// TestOneUsualModel: there are two names for it, for two packages.
func TestOneUsualModel(t *testing.T) {
	if DefaultModel != config.DefaultModel || "anthropic/"+UsualModel("anthropic") != DefaultModel {
		t.Errorf("%s, %s, %s", DefaultModel, config.DefaultModel, UsualModel("anthropic"))
	}
	if UsualModel("echo") != "echo" || UsualModel("nobody") != "" {
		t.Errorf("echo %q, nobody %q", UsualModel("echo"), UsualModel("nobody"))
	}
}

// outcome is what becomes of the first mention.
func outcome(t *testing.T, a *App, text string) ampersat.Outcome {
	t.Helper()
	stack, err := a.Pipeline.Prepare(t.Context(), ampersat.Ask(text))
	if err != nil {
		t.Fatal(err)
	}
	return stack.Reports[0].Outcome
}

// TestWhatIsConfiguredMayBeRead: by the user's file, by a trusted project's, and
// by nobody else's.
func TestWhatIsConfiguredMayBeRead(t *testing.T) {
	w := newWorld(t, map[string]string{
		"~/.ampersat/config.yaml": "allow: {paths: [~/notes]}\nbudget: {turn: 77}\n", "~/notes/n.md": "n", "~/lib/l.md": "l", "~/lib/.env": "DB_PASSWORD=hunter2hunter2",
		".ampersat/config.yaml": "allow: {paths: [../home/lib]}\n",
	})
	open := func(o Options) *App {
		t.Helper()
		o.Dir = w.project
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := open(Options{})
	if have := outcome(t, a, "@~/notes/n.md"); have != ampersat.Loaded || a.Trusted() || a.Config.Budget.Turn != 77 {
		t.Errorf("%s, trusted %v, budget %d", have, a.Trusted(), a.Config.Budget.Turn)
	}
	if have := outcome(t, a, "@~/lib/l.md"); have != ampersat.Blocked {
		t.Errorf("a project allows itself: %s", have)
	}
	snapshot, err := a.Project.Snapshot()
	if err == nil {
		err = a.Project.Agree(snapshot, time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	a = open(Options{})
	if have := outcome(t, a, "@~/lib/l.md"); have != ampersat.Loaded || !a.Trusted() {
		t.Errorf("%s, trusted %v", have, a.Trusted())
	}
	if have := outcome(t, a, "@~/lib/.env"); have != ampersat.Blocked {
		t.Errorf("the secrets of an allowed folder: %s", have)
	}
	if a := open(Options{Flags: []config.Flag{{Name: "--budget", Key: "budget.turn", Value: "5"}}}); a.Config.Budget.Turn != 5 {
		t.Errorf("budget %d", a.Config.Budget.Turn)
	}
}

// TestDamagedRecordsAreTold before anything is done with them.
func TestDamagedRecordsAreTold(t *testing.T) {
	w := newWorld(t, map[string]string{"~/.ampersat/trust.json": "{"})
	if _, err := New(Options{Dir: w.project}); err == nil {
		t.Error("no error")
	}
	if err := os.Remove(filepath.Join(w.ampHome, "trust.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Dir: w.project}); err != nil {
		t.Error(err)
	}
}
