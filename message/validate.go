package message

import (
	"errors"
	"fmt"
)

// Validate returns what is wrong with the message, all of it: no role, a nil
// part, a part that could not be read as what it says it is, an instruction
// that cannot be followed. What is merely not known is not wrong.
func (m Message) Validate() error {
	var problems []error
	if m.Role == "" {
		problems = append(problems, errors.New("message: no role"))
	}
	problems = append(problems, partProblems(m.Content.Parts)...)
	for i, in := range m.Instructions {
		if in == nil {
			problems = append(problems, fmt.Errorf("instruction %d: it is nil", i))
		} else if err := in.Validate(); err != nil {
			problems = append(problems, fmt.Errorf("instruction %d: %w", i, err))
		}
	}
	return errors.Join(problems...)
}

func partProblems(parts []Part) (problems []error) {
	for i, p := range parts {
		var err error
		switch p := p.(type) {
		case nil:
			err = errors.New("it is nil")
		case Unknown:
			err = p.Err()
		case Ref:
			if p.Mention == nil {
				err = errors.New("a mention of nothing")
			}
		case Context:
			err = errors.Join(partProblems(p.Parts)...)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("part %d: %w", i, err))
		}
	}
	return problems
}

// Validate returns what is wrong with the request's messages.
func (r Request) Validate() error {
	var problems []error
	for i, m := range r.Messages {
		if err := m.Validate(); err != nil {
			problems = append(problems, fmt.Errorf("message %d: %w", i, err))
		}
	}
	return errors.Join(problems...)
}
