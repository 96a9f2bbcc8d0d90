package agent

import (
	"errors"
	"strings"
	"testing"

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
