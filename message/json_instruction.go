package message

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// EncodeInstruction writes in as one flat JSON object, with the whole of it:
// {"type":"delegate_reasoning","agent_prompt":"You are …"}.
func EncodeInstruction(in Instruction) (jsontext.Value, error) {
	out, err := appendInstruction(nil, in)
	if err != nil {
		return nil, fmt.Errorf("encode instruction: %w", err)
	}
	return out, nil
}

// DecodeInstruction reads what [EncodeInstruction] wrote. It does not validate:
// what was stored can be read, and [Instruction.Validate] says whether it can
// be followed.
func DecodeInstruction(data jsontext.Value) (Instruction, error) {
	err := check(data)
	if err == nil {
		var in Instruction
		if in, err = readInstruction(data); err == nil {
			return in, nil
		}
	}
	return nil, fmt.Errorf("decode instruction: %w", err)
}

type shapedInstruction interface {
	shaped
	instruction() Instruction
}

func newInstruction(name string) shapedInstruction {
	switch name {
	case TypeDelegateReasoning:
		return new(DelegateReasoning)
	case TypeReturnControl:
		return new(ReturnControl)
	case TypeIntermediate:
		return new(Intermediate)
	default:
		return nil
	}
}

func readInstruction(value []byte) (Instruction, error) {
	s := shapes.Get().(*shape)
	defer s.free()
	name, _, err := s.openTagged(value)
	if err != nil {
		return nil, err
	}
	if v := newInstruction(name); v != nil {
		if s.read(v); s.err == nil {
			return v.instruction(), nil
		}
	}
	return UnknownInstruction{Name: name, Raw: bytes.Clone(value)}, nil
}

func appendInstruction(out []byte, in Instruction) ([]byte, error) {
	switch in := in.(type) {
	case nil:
		return out, errors.New("the instruction is nil")
	case DelegateReasoning:
		return appendObject(out, tag, TypeDelegateReasoning, &in)
	case ReturnControl:
		return appendObject(out, tag, TypeReturnControl, &in)
	case Intermediate:
		return appendObject(out, tag, TypeIntermediate, &in)
	case UnknownInstruction:
		return appendUnknown(out, in.Name, in.Raw)
	default:
		return out, fmt.Errorf("an instruction is a value, this is a %T", in)
	}
}

func (d *DelegateReasoning) describe(s *shape) {
	must(s, "agent_prompt", &d.AgentPrompt)
	flag(s, "mark_intermediate", &d.MarkIntermediate, true)
}

func (*ReturnControl) describe(*shape) {}
func (*Intermediate) describe(*shape)  {}

func (d *DelegateReasoning) rest() *jsontext.Value { return &d.Extra }
func (r *ReturnControl) rest() *jsontext.Value     { return &r.Extra }
func (i *Intermediate) rest() *jsontext.Value      { return &i.Extra }

func (d *DelegateReasoning) instruction() Instruction { return *d }
func (r *ReturnControl) instruction() Instruction     { return *r }
func (i *Intermediate) instruction() Instruction      { return *i }
