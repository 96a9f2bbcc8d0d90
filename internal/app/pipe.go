package app

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/editor"
)

// pipeName is what the content of a pipe is called.
const pipeName = "stdin"

// IsPiped reports whether a report is about what came from a pipe.
func IsPiped(r ampersat.Report) bool { return r.Mention == mention.Custom{Scheme: pipeName} }

// Piped keeps what came from a pipe and returns its mention, to be added to a
// message. What is in it is not searched for mentions: nobody wrote them for
// us. The pipeline must read from the same blobs.
func (a *App) Piped(ctx context.Context, blobs blob.Store, text string) (message.Ref, error) {
	digest, err := blobs.Put(ctx, []byte(editor.Plain(text)))
	if err != nil {
		return message.Ref{}, fmt.Errorf("keep what came from the pipe: %w", err)
	}
	return message.Ref{Mention: mention.Custom{Scheme: pipeName}, Captured: digest}, nil
}
