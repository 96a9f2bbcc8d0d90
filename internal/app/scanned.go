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

// Run implements [agent.Tool]. A part with a secret in its text or its bytes is
// withheld, and the model is told so.
func (s scanned) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	result, err := s.Tool.Run(ctx, call)
	name := s.Spec().Name
	for i, part := range result.Parts {
		text := ""
		var source message.Source
		switch part := part.(type) {
		case message.Text:
			text = part.Text
		case message.Context:
			text = part.Text
		case message.Image:
			source = part.Source
		case message.Document:
			source = part.Source
		}
		if source.Type != "" {
			// What an address leads to is the provider's to fetch.
			text = source.URL
			if data, err := source.Bytes(result.Blobs); err == nil {
				text = string(data)
			}
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
