package message

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Instruction rides on a message and steers who reasons next. It is one of
// [DelegateReasoning], [ReturnControl], [Intermediate] or
// [UnknownInstruction].
type Instruction interface {
	// Type names the variant, as in JSON.
	Type() string
	// Title and Description are for people.
	Title() string
	Description() string
	// XMLLine is the instruction in one line. What of it the model reads is
	// decided by [Prefix].
	XMLLine() string
	// Validate returns an error if the instruction cannot be followed.
	Validate() error

	isInstruction()
}

// The types of instructions.
const (
	TypeDelegateReasoning = "delegate_reasoning"
	TypeReturnControl     = "return_control"
	TypeIntermediate      = "intermediate"
)

// MaxAgentPrompt is how many characters the prompt of a [DelegateReasoning]
// may have.
const MaxAgentPrompt = 50_000

// DelegateReasoning hands the conversation to a specialist, who is nothing but
// its prompt. [Delegate] makes one.
type DelegateReasoning struct {
	// AgentPrompt is the specialist's whole system prompt.
	AgentPrompt string
	// MarkIntermediate says that the specialist's messages are to be marked
	// [Intermediate]. In JSON an absent member means true.
	MarkIntermediate bool
	Extra            jsontext.Value
}

// ReturnControl gives the conversation back to the main agent.
type ReturnControl struct {
	Extra jsontext.Value
}

// Intermediate marks a message as a step of internal reasoning, which people
// see while it happens and which may be cleaned up later.
type Intermediate struct {
	Extra jsontext.Value
}

// UnknownInstruction is an instruction of a type that this version does not
// know, or one that lacks what its type needs. It is kept as it came.
type UnknownInstruction struct {
	Name string
	// Raw is the whole JSON object, with its type, byte for byte.
	Raw jsontext.Value
}

// Delegate returns the instruction that hands over to a specialist with the
// given prompt and marks what it says as intermediate.
func Delegate(agentPrompt string) (DelegateReasoning, error) {
	d := DelegateReasoning{AgentPrompt: agentPrompt, MarkIntermediate: true}
	return d, d.Validate()
}

// Prefix returns what of the instructions the model reads: the XML lines of
// those that hand over and give back, each with a newline, to stand before the
// message's text. [Intermediate] is for people and clean-up and is not sent;
// nor is an instruction that nobody here understands.
func Prefix(instructions []Instruction) string {
	var lines strings.Builder
	for _, in := range instructions {
		switch in.(type) {
		case DelegateReasoning, ReturnControl:
			lines.WriteString(in.XMLLine())
			lines.WriteByte('\n')
		}
	}
	return lines.String()
}

// Type implements [Instruction].
func (DelegateReasoning) Type() string    { return TypeDelegateReasoning }
func (ReturnControl) Type() string        { return TypeReturnControl }
func (Intermediate) Type() string         { return TypeIntermediate }
func (u UnknownInstruction) Type() string { return u.Name }

// Title implements [Instruction].
func (DelegateReasoning) Title() string    { return "Delegate Reasoning" }
func (ReturnControl) Title() string        { return "Return Control" }
func (Intermediate) Title() string         { return "Intermediate" }
func (u UnknownInstruction) Title() string { return u.Name }

// Description implements [Instruction].
func (DelegateReasoning) Description() string {
	return "Switch to specialized agent for internal reasoning"
}
func (ReturnControl) Description() string { return "Return control to main agent" }
func (Intermediate) Description() string {
	return "Internal reasoning step (can be cleaned up)"
}
func (UnknownInstruction) Description() string {
	return "An instruction that this version does not know"
}

// XMLLine implements [Instruction]. The prompt itself stays out of it: it can
// be long, and the model that reads the line is not the one it is for.
func (d DelegateReasoning) XMLLine() string {
	return fmt.Sprintf("<delegate-reasoning>Specialist active (%d chars)</delegate-reasoning>",
		utf8.RuneCountInString(d.AgentPrompt))
}

// XMLLine implements [Instruction].
func (ReturnControl) XMLLine() string {
	return "<return-control>Returning to main agent</return-control>"
}

// XMLLine implements [Instruction].
func (Intermediate) XMLLine() string {
	return "<intermediate>Internal reasoning</intermediate>"
}

// XMLLine implements [Instruction]. It is empty.
func (UnknownInstruction) XMLLine() string { return "" }

// Validate implements [Instruction].
func (d DelegateReasoning) Validate() error {
	if strings.TrimFunc(d.AgentPrompt, unicode.IsSpace) == "" {
		return errors.New("delegate reasoning: the agent prompt is blank; say who the specialist is and what it must do")
	}
	if n := utf8.RuneCountInString(d.AgentPrompt); n > MaxAgentPrompt {
		return fmt.Errorf("delegate reasoning: the agent prompt has %d characters, at most %d are allowed", n, MaxAgentPrompt)
	}
	return nil
}

// Validate implements [Instruction].
func (ReturnControl) Validate() error { return nil }

// Validate implements [Instruction].
func (Intermediate) Validate() error { return nil }

// Validate implements [Instruction]. It is nil for a type that is not known,
// and says what is wrong with one that is.
func (u UnknownInstruction) Validate() error {
	if v := newInstruction(u.Name); v != nil {
		return misread(v, u.Name+" instruction", u.Name, u.Raw)
	}
	return nil
}

func (DelegateReasoning) isInstruction()  {}
func (ReturnControl) isInstruction()      {}
func (Intermediate) isInstruction()       {}
func (UnknownInstruction) isInstruction() {}
