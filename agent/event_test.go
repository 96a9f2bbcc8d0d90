package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
)

func TestEventsAsJSON(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{call("look", `{"path":"a"}`), say("hello")}}, nil)
	w.ask("Explain @a.md")
	seen := map[string]bool{}
	for i, e := range w.events {
		encoded, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		var stamp struct {
			Type      string `json:"type"`
			Time      string `json:"ts"`
			SessionID string `json:"session_id"`
			TurnID    string `json:"turn_id"`
			Seq       int    `json:"seq"`
		}
		if err := json.Unmarshal(encoded, &stamp); err != nil {
			t.Fatal(err)
		}
		if stamp.Type != e.Type() || stamp.Time == "" || stamp.SessionID != string(w.ID()) || stamp.TurnID == "" || stamp.Seq != i+1 {
			t.Errorf("%s", encoded)
		}
		seen[stamp.Type] = true
	}
	for _, name := range []string{TypeResolved, TypeRequested, message.TypeTextDelta, TypeToolStarted, TypeToolOutput, TypeToolEnded, TypeEnded} {
		if !seen[name] {
			t.Errorf("there was no %s", name)
		}
	}
	failed, err := EncodeEvent(Ended{Err: errors.New("it broke")})
	if err != nil || !strings.Contains(string(failed), `"error":"it broke"`) {
		t.Errorf("%s %v", failed, err)
	}
	if _, err := EncodeEvent(nil); err == nil {
		t.Error("no event is encoded")
	}
}

// Whoever draws calls on a screen needs a start for each end, whatever became
// of the call between them.
func TestEveryEndHasAStart(t *testing.T) {
	for _, c := range []struct {
		name    string
		step    step
		change  func(*Config)
		refused bool
		effect  Effect
	}{
		{"a call that is run", call("look", `{"path":"a"}`), nil, false, Reads},
		{"one that is not allowed", call("change", `{"path":"a"}`), func(c *Config) { c.Permissions = nil }, true, Writes},
		{"one that makes no sense", call("look", `{"path":"bad"}`), nil, true, ""},
		{"a tool that is not there", call("dance", `{}`), nil, true, ""},
		{"an answer that broke off", func(ctx context.Context, r message.Request) Stream {
			return answering(ctx, r, "let me", []message.ToolCall{{ID: "x", Name: "look"}}, &message.Error{Kind: message.ErrStream})
		}, nil, true, ""},
	} {
		w := newWorld(t, &scripted{steps: []step{c.step}}, c.change)
		// That the last one fails is not what is looked at here.
		_, _ = w.Turn(t.Context(), ampersat.Ask("go"), w.watch)
		var types []string
		for _, e := range w.events {
			switch e := e.(type) {
			case ToolStarted:
				types = append(types, "start "+e.Call.ID)
				if e.Refused != c.refused || e.Action.Effect != c.effect {
					t.Errorf("%s: %+v", c.name, e)
				}
				encoded, err := EncodeEvent(e)
				if err != nil || strings.Contains(string(encoded), `"refused":true`) != c.refused {
					t.Errorf("%s: %s %v", c.name, encoded, err)
				}
			case ToolEnded:
				types = append(types, "end "+e.Call.ID)
				if e.Failed != c.refused {
					t.Errorf("%s: %+v", c.name, e)
				}
			}
		}
		if len(types) != 2 || types[0] != "start"+strings.TrimPrefix(types[1], "end") {
			t.Errorf("%s: %q", c.name, types)
		}
	}
}
