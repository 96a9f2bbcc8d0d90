package tool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// program is a tool that makes a file another, as a command would.
type program struct{ dir string }

func (program) Spec() message.ToolSpec {
	return message.ToolSpec{Name: "program", Description: "writes a file", Parameters: jsontext.Value(`{"type":"object"}`)}
}

func (program) Plan(jsontext.Value) (agent.Action, error) {
	return agent.Action{Effect: agent.Runs, Subject: "program", Summary: "program"}, nil
}

func (p program) Run(_ context.Context, call agent.Call) (agent.Result, error) {
	var input struct {
		Last string `json:"last"`
	}
	if err := json.Unmarshal(call.Input, &input); err != nil {
		return agent.Result{}, err
	}
	return agent.Result{}, os.WriteFile(filepath.Join(p.dir, "a.txt"), []byte(version(input.Last)), 0o644)
}

// Whatever the calls of one message do to a file, each result builds on what the
// model has read before it, and the view knows the file as the last of them left
// it.
func TestPropertyCallsOfOneMessage(t *testing.T) {
	base := t.TempDir()
	run := 0
	words := []string{"one", "two", "three"}
	known := map[blob.Digest]bool{}
	for _, word := range words {
		known[blob.Of([]byte(version(word)))] = true
	}
	rapid.Check(t, func(t *rapid.T) {
		run++
		p := placeIn(t, filepath.Join(base, fmt.Sprint(run)), map[string]string{"a.txt": version("one")})
		p.tools = append(p.tools, program{p.dir})
		w := talkAbout(t, p)
		word := rapid.SampledFrom(words)
		read := func() message.ToolCall { return w.call("read_file", args{"path": "a.txt"}) }
		messages := [][]message.ToolCall{{read()}}
		for range rapid.IntRange(1, 3).Draw(t, "messages") {
			var calls []message.ToolCall
			for range rapid.IntRange(1, 6).Draw(t, "calls") {
				switch rapid.SampledFrom([]string{"read", "read", "edit", "write", "program"}).Draw(t, "call") {
				case "read":
					calls = append(calls, read())
				case "edit":
					calls = append(calls, w.call("edit_file", args{"path": "a.txt", "old": word.Draw(t, "old"), "new": word.Draw(t, "new")}))
				case "write":
					calls = append(calls, w.call("write_file", args{"path": "a.txt", "content": version(word.Draw(t, "content"))}))
				case "program":
					calls = append(calls, w.call("program", args{"last": word.Draw(t, "last")}))
				}
			}
			messages = append(messages, calls)
		}
		w.turn("go", messages...)
		var has blob.Digest
		for _, m := range w.View().Messages {
			for _, part := range m.Content.Parts {
				result, is := part.(message.ToolResult)
				if !is {
					continue
				}
				for _, part := range result.Parts() {
					c, is := part.(message.Context)
					switch {
					case !is:
						continue
					case c.Shown == "reference only" && c.Source != has:
						t.Fatalf("%s refers to another version than was read last: %s", result.ToolCallID, c.Text)
					case !known[c.Source]:
						t.Fatalf("%s is of no version: %s", result.ToolCallID, c.Text)
					}
					builds := c.Base == "" || c.Base == has || c.Source == has
					if !builds && c.ChangedSince != "this call" {
						t.Fatalf("%s is a difference to another version than was read last:\n%s", result.ToolCallID, c.Text)
					}
					// An edit of what the program has made, which the model has not read: it
					// cannot tell what the file is now.
					has = ""
					if builds {
						has = c.Source
					}
				}
			}
		}
		if seen := w.View().Seen()["a.txt"]; seen != has {
			t.Fatalf("the view has %q, the model %q", seen, has)
		}
	})
}
