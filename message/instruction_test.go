package message

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func throughJSON(t *testing.T, in Instruction) (data string, back Instruction) {
	t.Helper()
	raw, err := EncodeInstruction(in)
	if err != nil {
		t.Fatal(err)
	}
	if back, err = DecodeInstruction(raw); err != nil {
		t.Fatal(err)
	}
	return string(raw), back
}

func TestDelegateReasoningSerializesAndDeserializes(t *testing.T) {
	for _, in := range []DelegateReasoning{
		{AgentPrompt: "You are an architect.", MarkIntermediate: true},
		{AgentPrompt: "You are an architect.", MarkIntermediate: false},
	} {
		if _, back := throughJSON(t, in); !cmp.Equal(back, Instruction(in)) {
			t.Errorf("have %#v, want %#v", back, in)
		}
	}
	m := Message{Role: User, Content: Say("Task for specialist"), Instructions: []Instruction{
		DelegateReasoning{AgentPrompt: "p", MarkIntermediate: true}, Intermediate{}, ReturnControl{},
	}}
	data, err := Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(data)
	if err != nil || !cmp.Equal(m, back) {
		t.Errorf("%v: %s", err, cmp.Diff(m, back))
	}
}

func TestDelegateReasoningMarksIntermediateByDefault(t *testing.T) {
	in, err := DecodeInstruction(jsontext.Value(`{"type":"delegate_reasoning","agent_prompt":"p"}`))
	if err != nil || !in.(DelegateReasoning).MarkIntermediate {
		t.Errorf("have %#v, %v", in, err)
	}
	if d, err := Delegate("p"); err != nil || !d.MarkIntermediate {
		t.Errorf("have %#v, %v", d, err)
	}
}

func TestDelegateReasoningRefusesABlankPrompt(t *testing.T) {
	for _, prompt := range []string{"", " ", "\n\t ", "\u00a0\u3000\u2028"} {
		if _, err := Delegate(prompt); err == nil || !strings.Contains(err.Error(), "blank") {
			t.Errorf("%q: have %v", prompt, err)
		}
		m := Message{Role: User, Instructions: []Instruction{DelegateReasoning{AgentPrompt: prompt}}}
		if m.Validate() == nil {
			t.Errorf("%q: a message with it is valid", prompt)
		}
	}
}

func TestDelegateReasoningRefusesAPromptOver50000Characters(t *testing.T) {
	for _, letter := range []string{"x", "é", "漢", "𝄞"} {
		if _, err := Delegate(strings.Repeat(letter, 50_000)); err != nil {
			t.Errorf("%d bytes each: %v", len(letter), err)
		}
		_, err := Delegate(strings.Repeat(letter, 50_001))
		if err == nil || !strings.Contains(err.Error(), "50001 characters") {
			t.Errorf("%d bytes each: have %v", len(letter), err)
		}
	}
}

func TestDelegateReasoningXMLLineIsASummary(t *testing.T) {
	prompt := strings.Repeat("secret plan ü ", 200)
	line := DelegateReasoning{AgentPrompt: prompt}.XMLLine()
	if want := "<delegate-reasoning>Specialist active (2800 chars)</delegate-reasoning>"; line != want {
		t.Errorf("have %s\nwant %s", line, want)
	}
}

func TestDelegateReasoningKeepsTheFullPrompt(t *testing.T) {
	prompt := strings.Repeat("漢 </delegate-reasoning>\n", 2000)
	data, back := throughJSON(t, DelegateReasoning{AgentPrompt: prompt, MarkIntermediate: true})
	if back.(DelegateReasoning).AgentPrompt != prompt {
		t.Error("the prompt came back changed")
	}
	if !strings.Contains(data, `"agent_prompt":"漢 `) {
		t.Errorf("have %.80s", data)
	}
}

func TestReturnControlSerializesAsAnObject(t *testing.T) {
	data, back := throughJSON(t, ReturnControl{})
	if data != `{"type":"return_control"}` || !cmp.Equal(back, Instruction(ReturnControl{})) {
		t.Errorf("have %s, %#v", data, back)
	}
}

func TestIntermediateSerializesAsAnObject(t *testing.T) {
	data, back := throughJSON(t, Intermediate{})
	if data != `{"type":"intermediate"}` || !cmp.Equal(back, Instruction(Intermediate{})) {
		t.Errorf("have %s, %#v", data, back)
	}
}

func TestEveryInstructionSaysWhatItIs(t *testing.T) {
	for _, test := range []struct {
		in                       Instruction
		kind, title, description string
	}{
		{DelegateReasoning{AgentPrompt: "p"}, "delegate_reasoning", "Delegate Reasoning", "Switch to specialized agent for internal reasoning"},
		{ReturnControl{}, "return_control", "Return Control", "Return control to main agent"},
		{Intermediate{}, "intermediate", "Intermediate", "Internal reasoning step (can be cleaned up)"},
		{UnknownInstruction{Name: "meditate"}, "meditate", "meditate", "An instruction that this version does not know"},
	} {
		if test.in.Type() != test.kind || test.in.Title() != test.title || test.in.Description() != test.description {
			t.Errorf("%T: have %q, %q, %q", test.in, test.in.Type(), test.in.Title(), test.in.Description())
		}
		if err := test.in.Validate(); err != nil {
			t.Errorf("%T: %v", test.in, err)
		}
	}
}

func TestXMLLinesHaveTheExpectedForm(t *testing.T) {
	for want, in := range map[string]Instruction{
		"<delegate-reasoning>Specialist active (4 chars)</delegate-reasoning>": DelegateReasoning{AgentPrompt: "abcé"},
		"<return-control>Returning to main agent</return-control>":             ReturnControl{},
		"<intermediate>Internal reasoning</intermediate>":                      Intermediate{},
	} {
		if in.XMLLine() != want {
			t.Errorf("have %s\nwant %s", in.XMLLine(), want)
		}
	}
}

func TestPrefixLeavesIntermediateOut(t *testing.T) {
	got := Prefix([]Instruction{Intermediate{}, DelegateReasoning{AgentPrompt: "p"}, UnknownInstruction{Name: "x"}, ReturnControl{}})
	want := "<delegate-reasoning>Specialist active (1 chars)</delegate-reasoning>\n<return-control>Returning to main agent</return-control>\n"
	if got != want {
		t.Errorf("have %q", got)
	}
}

func TestAnInstructionThatLacksItsPromptIsKeptAndReported(t *testing.T) {
	data := `{"type":"delegate_reasoning","agent_prompt":5}`
	in, err := DecodeInstruction(jsontext.Value(data))
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := EncodeInstruction(in); string(again) != data {
		t.Errorf("have %s", again)
	}
	if err := in.Validate(); err == nil || !strings.Contains(err.Error(), "agent_prompt: want a string, have a number") {
		t.Errorf("have %v", err)
	}
}
