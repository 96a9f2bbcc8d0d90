package dialogue

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func say(role message.Role, text string) message.Message {
	return message.Message{Role: role, Content: message.Say(text)}
}

func parts(role message.Role, list ...message.Part) message.Message {
	return message.Message{Role: role, Content: message.Of(list...)}
}

func calling(id string) message.ToolCall { return message.ToolCall{ID: id, Name: "look"} }

// told writes a dialogue in lines: who says what.
func told(d Dialogue) string {
	var b strings.Builder
	for _, text := range d.System {
		fmt.Fprintf(&b, "system: %s\n", text)
	}
	for _, turn := range d.Turns {
		fmt.Fprintf(&b, "%s:", turn.Role)
		for _, part := range turn.Parts {
			switch part := part.(type) {
			case message.Text:
				fmt.Fprintf(&b, " %q", part.Text)
			case message.ToolCall:
				fmt.Fprintf(&b, " %s(%s%s)", part.Name, part.ID, part.Input)
			default:
				fmt.Fprintf(&b, " %s", part.Type())
			}
		}
		for _, result := range turn.Results {
			fmt.Fprintf(&b, " %s:%s=", result.Name, result.CallID)
			for _, part := range result.Parts {
				if text, ok := part.(message.Text); ok {
					fmt.Fprintf(&b, "%q", text.Text)
				} else {
					b.WriteString(part.Type())
				}
			}
			if result.Failed {
				b.WriteString("!")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestOf(t *testing.T) {
	failed := message.TextResult("a", "boom")
	failed.Extra = jsontext.Value(`{"is_error":true}`)
	text := "See @a.md now"
	for _, c := range []struct {
		name     string
		messages []message.Message
		want     string
		degraded []string
	}{
		{"system text is set apart", []message.Message{say("system", "A"), say("system", "B"), say("user", "hi")}, "system: A\nsystem: B\nuser: \"hi\"\n", nil},
		{"context before it stays", []message.Message{parts("developer", message.Context{Names: []string{"a"}, Text: "x"}), say("system", "A"), say("user", "hi")},
			"system: A\nuser: \"<context_file paths=\\\"a\\\">\\nx\\n</context_file>\"\nuser: \"hi\"\n", nil},
		{"later system text stays in place", []message.Message{say("user", "hi"), say("system", "A")}, "user: \"hi\"\nuser: \"A\"\n", []string{"a system message in the course of the conversation"}},
		{"a system message is text", []message.Message{parts("system", message.Image{}, message.Text{Text: "A"}), say("user", "hi")}, "system: A\nuser: \"hi\"\n", []string{"a part of type image in the system message"}},
		{"mentions are text again", []message.Message{{Role: "user", Content: message.Cut(text, mention.Find(text))}}, "user: \"See @a.md now\"\n", nil},
		{"results follow their call", []message.Message{parts("assistant", calling("a"), calling("b")), parts("tool", message.TextResult("b", "B")), parts("tool", message.TextResult("a", "A"))},
			"assistant: look(a{}) look(b{})\ntool: look:a=\"A\" look:b=\"B\"\n", nil},
		{"what came between comes after", []message.Message{parts("assistant", calling("a")), say("user", "hm"), parts("tool", message.TextResult("a", "A"))},
			"assistant: look(a{})\ntool: look:a=\"A\"\nuser: \"hm\"\n", []string{"the result of a tool call"}},
		{"a result in what the user says", []message.Message{parts("assistant", calling("a")), parts("user", message.Text{Text: "here"}, message.TextResult("a", "A"))},
			"assistant: look(a{})\ntool: look:a=\"A\"\nuser: \"here\"\n", nil},
		{"a call without result", []message.Message{parts("assistant", calling("a")), say("user", "hm"), say("assistant", "ok")},
			"assistant: look(a{})\ntool: look:a=\"There is no result: the call was interrupted.\"!\nuser: \"hm\"\nassistant: \"ok\"\n", []string{"the result of a tool call"}},
		{"a result that is too late", []message.Message{parts("assistant", calling("a")), say("assistant", "ok"), parts("tool", message.TextResult("a", "A"))},
			"assistant: look(a{})\ntool: look:a=\"There is no result: the call was interrupted.\"!\nassistant: \"ok\"\nuser: \"<context_file paths=\\\"result of a\\\" kind=\\\"tool-result\\\">\\nA\\n</context_file>\"\n",
			[]string{"the result of a tool call", "the result of a tool call"}},
		{"the second result is one too many", []message.Message{parts("assistant", calling("a")), parts("tool", message.TextResult("a", "A"), message.TextResult("a", "B"))},
			"assistant: look(a{})\ntool: look:a=\"A\"\nuser: \"<context_file paths=\\\"result of a\\\" kind=\\\"tool-result\\\">\\nB\\n</context_file>\"\n", []string{"the result of a tool call"}},
		{"a result that failed", []message.Message{parts("assistant", calling("a")), parts("tool", failed)}, "assistant: look(a{})\ntool: look:a=\"boom\"!\n", nil},
		{"an empty result", []message.Message{parts("assistant", calling("a")), parts("tool", message.TextResult("a", ""))}, "assistant: look(a{})\ntool: look:a=\n", nil},
		{"a result of any JSON", []message.Message{parts("assistant", calling("a")), parts("tool", message.ToolResult{ToolCallID: "a", Output: jsontext.Value(`{"n":1}`)})}, "assistant: look(a{})\ntool: look:a=\"{\\\"n\\\":1}\"\n", nil},
		{"a result of unknown parts", []message.Message{parts("assistant", calling("a")), parts("tool", message.ToolResult{ToolCallID: "a", Output: jsontext.Value(`[{"type":"audio"}]`)})},
			"assistant: look(a{})\ntool: look:a=\"{\\\"type\\\":\\\"audio\\\"}\"\n", []string{"a part of type audio in the result of a tool call"}},
		{"ids are unique", []message.Message{parts("assistant", calling("a")), parts("tool", message.TextResult("a", "1")), parts("assistant", calling("a"), calling("a_2"), calling("a")), parts("tool", message.TextResult("a", "2"), message.TextResult("a", "4"), message.TextResult("a_2", "3"))},
			"assistant: look(a{})\ntool: look:a=\"1\"\nassistant: look(a_2{}) look(a_2_2{}) look(a_3{})\ntool: look:a_2=\"2\" look:a_2_2=\"3\" look:a_3=\"4\"\n", []string{"the id of a tool call"}},
		{"a call without id and name", []message.Message{say("user", "x"), parts("assistant", message.ToolCall{}), parts("tool", message.TextResult("", "A"))},
			"user: \"x\"\nassistant: unknown(call_1_1{})\ntool: unknown:call_1_1=\"A\"\n", []string{"a tool call without a name"}},
		{"null is no arguments", []message.Message{parts("assistant", message.ToolCall{ID: "a", Name: "look", Input: jsontext.Value("null")}), parts("tool", message.TextResult("a", "A"))}, "assistant: look(a{})\ntool: look:a=\"A\"\n", nil},
		{"only the model calls", []message.Message{parts("user", message.Text{Text: "x"}, calling("a"), message.Thinking{})}, "user: \"x\"\n", []string{"a part of type tool_call in a message of the role user", "a part of type thinking in a message of the role user"}},
		{"blank texts", []message.Message{say("user", ""), say("user", "hi"), parts("assistant", message.Text{Text: " \n"})}, "user: \"hi\"\n", nil},
		{"unknown roles and parts", []message.Message{say("critic", "boo"), parts("user", message.Unknown{Name: "audio", Raw: jsontext.Value(`{"type":"audio"}`)})}, "user: \"boo\"\n", []string{`a message of the role "critic"`, `a part of type "audio"`}},
		{"instructions prefix the text", []message.Message{{Role: "user", Content: message.Say("hi"), Instructions: []message.Instruction{message.ReturnControl{}, message.Intermediate{}}}}, "user: \"<return-control>Returning to main agent</return-control>\\nhi\"\n", nil},
		{"calls in the shape of others", []message.Message{{Role: "assistant", Extra: jsontext.Value(`{"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{\"x\":1}"}}]}`)}, {Role: "tool", ToolCallID: "a", Content: message.Say("A")}},
			"assistant: look(a{\"x\":1})\ntool: look:a=\"A\"\n", nil},
		{"arguments that nobody can read", []message.Message{{Role: "assistant", Extra: jsontext.Value(`{"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{"}}]}`)}, {Role: "tool", ToolCallID: "a", Content: message.Say("A")}},
			"assistant: look(a{})\ntool: look:a=\"A\"\n", []string{"the arguments of a tool call"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Of(message.Request{Messages: c.messages}, Rules{})
			if err != nil {
				t.Fatal(err)
			}
			if have := told(d); have != c.want {
				t.Errorf("have:\n%s\nwant:\n%s", have, c.want)
			}
			var degraded []string
			for _, d := range d.Notes.Degradations() {
				degraded = append(degraded, d.Requested)
			}
			if !slices.Equal(degraded, c.degraded) {
				t.Errorf("degraded: %q, want %q", degraded, c.degraded)
			}
		})
	}
}

func TestOfNeedsSomethingToSay(t *testing.T) {
	for want, messages := range map[string][]message.Message{
		"encode request: there is nothing to send: no message says anything": {say("system", "A"), say("user", " ")},
		"encode request: message 2: a part is nil":                           {say("user", "A"), parts("user", nil)},
	} {
		if _, err := Of(message.Request{Messages: messages}, Rules{}); err == nil || err.Error() != want {
			t.Errorf("have %v, want %s", err, want)
		}
	}
}

// What every API demands holds whatever the messages are: each turn with calls is
// followed by one with their results, in order, and no other is; nothing is empty.
// And the turns up to an answer do not depend on what follows.
func TestOfHoldsForAnySession(t *testing.T) {
	ids := rapid.SampledFrom([]string{"a", "b", "", "a_2"})
	texts := rapid.SampledFrom([]string{"", " ", "x", "y"})
	messages := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) message.Message {
		m := message.Message{Role: rapid.SampledFrom([]message.Role{"user", "assistant", "assistant", "tool", "tool", "system", "developer", "x"}).Draw(t, "role")}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			m.Content.Parts = append(m.Content.Parts, rapid.Custom(func(t *rapid.T) message.Part {
				switch rapid.IntRange(0, 5).Draw(t, "part") {
				case 0, 1:
					return calling(ids.Draw(t, "id"))
				case 2, 3:
					return message.TextResult(ids.Draw(t, "id"), texts.Draw(t, "output"))
				case 4:
					return message.Thinking{Thinking: "hm"}
				default:
					return message.Text{Text: texts.Draw(t, "text")}
				}
			}).Draw(t, "part"))
		}
		return m
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		session := messages.Draw(t, "session")
		whole, err := Of(message.Request{Messages: session}, Rules{})
		if err != nil {
			return
		}
		used := map[string]bool{}
		var waiting []message.ToolCall
		for i, turn := range whole.Turns {
			if (turn.Role == message.Tool) != (len(waiting) > 0) || len(turn.Results) != len(waiting) {
				t.Fatalf("turn %d: %d results for %d calls\n%s", i, len(turn.Results), len(waiting), told(whole))
			}
			for n, result := range turn.Results {
				if result.CallID != waiting[n].ID || result.Name != waiting[n].Name {
					t.Fatalf("turn %d: result %d is of another call\n%s", i, n, told(whole))
				}
			}
			if len(turn.Parts) == 0 && turn.Role != message.Tool {
				t.Fatalf("turn %d is empty\n%s", i, told(whole))
			}
			waiting = nil
			for _, part := range turn.Parts {
				if c, ok := part.(message.ToolCall); ok {
					if turn.Role != message.Assistant || used[c.ID] || c.ID == "" || c.Name == "" || c.Input.Kind() != '{' {
						t.Fatalf("turn %d: a call %+v\n%s", i, c, told(whole))
					}
					used[c.ID] = true
					waiting = append(waiting, c)
				}
				if text, ok := part.(message.Text); ok && strings.TrimSpace(text.Text) == "" {
					t.Fatalf("turn %d: a blank text\n%s", i, told(whole))
				}
			}
		}
		if len(waiting) > 0 {
			t.Fatalf("calls without results at the end\n%s", told(whole))
		}
		for i, m := range session {
			if m.Role != message.Assistant {
				continue
			}
			before, err := Of(message.Request{Messages: session[:i]}, Rules{})
			if err != nil {
				continue
			}
			if !strings.HasPrefix(told(whole), told(before)) {
				t.Fatalf("before message %d:\n%s\nand with all:\n%s", i, told(before), told(whole))
			}
		}
	})
}

func TestNotesTellWhere(t *testing.T) {
	var n Notes
	n.Add("a", "b", "c")
	n.Add("a", "b", "c")
	n.AddAt(0, "d", "e", "f")
	for i := range 8 {
		n.AddAt(i, "g", "h", "i")
		n.AddAt(i, "g", "h", "i")
	}
	var have []string
	for _, d := range n.Degradations() {
		have = append(have, d.Requested+" "+d.Actual+" "+d.Reason)
	}
	want := []string{"a b c", "d e f (message 1)", "g h i (messages 1, 2, 3, 4, 5 and 3 more)"}
	if !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
}
