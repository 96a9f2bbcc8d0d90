package app

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ampersat/ampersat"
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
	// decode finds what is packed in pictures and documents: see
	// [ampersat.Content.Secrets].
	decode func(ctx context.Context, name string, data []byte, limit int) (ampersat.Content, error)
}

// Run implements [agent.Tool]. A part with a secret in its text or its bytes is
// withheld, and the model is told so. Its bytes are not in the result, which is
// kept.
func (s scanned) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	result, err := s.Tool.Run(ctx, call)
	sent := result.Blobs
	result.Parts, result.Blobs = slices.Clone(result.Parts), maps.Clone(sent)
	for i, part := range result.Parts {
		text, source := "", message.Source{}
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
		withheld := s.check(text)
		if source.Type != "" {
			// What an address leads to is the provider's to fetch.
			withheld = s.check(source.URL)
			if data, err := source.Bytes(sent); err == nil {
				withheld = s.checkBytes(ctx, data)
			}
		}
		if withheld != nil {
			result.Parts[i] = message.Text{Text: "[withheld: " + withheld.Error() + "]"}
			result.Failed = true
			delete(result.Blobs, source.Digest)
		}
	}
	if err != nil && ctx.Err() == nil {
		if denied := s.check(err.Error()); denied != nil {
			err = fmt.Errorf("what went wrong is withheld: %w", denied)
		}
	}
	return result, err
}

// check refuses a text with secrets in it that nobody allowed.
func (s scanned) check(text string) error {
	name := s.Spec().Name
	return access.CheckSecrets(s.consent, name, access.ScanString(name, text))
}

// checkBytes refuses what has secrets in its bytes as they are, in what is packed
// in them, or in the text that a document says.
func (s scanned) checkBytes(ctx context.Context, data []byte) error {
	name := s.Spec().Name
	content, err := s.decode(ctx, name, data, 0)
	if err != nil {
		return fmt.Errorf("%s: it could not be searched for secrets: %w", name, err)
	}
	found := slices.Concat(access.Scan(name, data), access.ScanString(name, content.Text), content.Secrets)
	return access.CheckSecrets(s.consent, name, found)
}
