package app

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
)

// scanned is a tool whose results are looked through for secrets, like
// everything else that a model is given. Our own tools do it themselves, since
// they know the names of what they read.
type scanned struct {
	agent.Tool
	consent access.Consent
}

// Run implements [agent.Tool]. A text with a secret in it is withheld, and the
// model is told so.
func (s scanned) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	result, err := s.Tool.Run(ctx, call)
	name := s.Spec().Name
	for i, part := range result.Parts {
		text := ""
		switch part := part.(type) {
		case message.Text:
			text = part.Text
		case message.Context:
			text = part.Text
		}
		if denied := access.CheckSecrets(s.consent, name, access.ScanString(name, text)); denied != nil {
			result.Parts[i] = message.Text{Text: "[withheld: " + denied.Error() + "]"}
			result.Failed = true
		}
	}
	if err != nil && ctx.Err() == nil {
		if denied := access.CheckSecrets(s.consent, name, access.ScanString(name, err.Error())); denied != nil {
			err = fmt.Errorf("what went wrong is withheld: %w", denied)
		}
	}
	return result, err
}
