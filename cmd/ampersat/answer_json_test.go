package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An event that cannot be written has an error in its place, and the command
// fails for it.
func TestNoEventIsLostInSilence(t *testing.T) {
	var out bytes.Buffer
	a := newAnswer(streams{out: &out}, askFlags{json: true})
	stamp := message.Stamp{Time: "2026-01-02T03:04:05Z", SessionID: "s", TurnID: "t", Seq: 7}
	a.watch(agent.ToolStarted{Stamp: stamp, Call: message.ToolCall{ID: "1", Name: "shell", Input: jsontext.Value(`{"command":`)}})
	a.watch(agent.ToolOutput{Stamp: stamp, ID: "1", Text: "\xff"})
	unwritable := stamp
	unwritable.Extra = jsontext.Value(`{"x":`)
	a.watch(agent.Streamed{Event: message.ToolCallEnd{Stamp: stamp, ID: "1", Name: "shell", Arguments: jsontext.Value(`{"command":`)}})
	a.watch(agent.Streamed{Event: message.TextDelta{Stamp: unwritable, Text: "words"}})
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 4 || !strings.Contains(lines[1], `"tool.output"`) {
		t.Fatalf("%q", lines)
	}
	for line, event := range map[int]string{0: "tool.start", 2: "tool_call.end", 3: "text.delta"} {
		var lost struct {
			Type    string `json:"type"`
			Time    string `json:"ts"`
			Session string `json:"session_id"`
			Turn    string `json:"turn_id"`
			Seq     int    `json:"seq"`
			Error   struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal([]byte(lines[line]), &lost); err != nil {
			t.Fatalf("%v: %s", err, lines[line])
		}
		if lost.Type != "error" || lost.Time != stamp.Time || lost.Session != "s" || lost.Turn != "t" || lost.Seq != 7 || !strings.Contains(lost.Error.Message, "print event "+event) {
			t.Errorf("%+v", lost)
		}
	}
	if a.lost == nil || strings.Contains(a.lost.Error(), "tool.output") {
		t.Errorf("%v", a.lost)
	}
}
