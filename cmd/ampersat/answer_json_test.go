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
	stamp := message.Stamp{SessionID: "s", TurnID: "t", Seq: 7}
	a.watch(agent.ToolStarted{Stamp: stamp, Call: message.ToolCall{ID: "1", Name: "shell", Input: jsontext.Value(`{"command":`)}})
	a.watch(agent.ToolOutput{Stamp: stamp, ID: "1", Text: "\xff"})
	var lost struct {
		Type  string `json:"type"`
		Turn  string `json:"turn_id"`
		Seq   int    `json:"seq"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], `"tool.output"`) {
		t.Fatalf("%q", lines)
	}
	if err := json.Unmarshal([]byte(lines[0]), &lost); err != nil {
		t.Fatalf("%v: %s", err, lines[0])
	}
	if lost.Type != "error" || lost.Turn != "t" || lost.Seq != 7 || !strings.Contains(lost.Error.Message, "print event tool.start") {
		t.Errorf("%+v", lost)
	}
	if a.lost == nil || strings.Contains(a.lost.Error(), "tool.output") {
		t.Errorf("%v", a.lost)
	}
}
