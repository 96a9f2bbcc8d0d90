package app

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
)

// pipeName is what the content of a pipe is called.
const pipeName = "stdin"

// IsPiped reports whether a report is about what came from a pipe.
func IsPiped(r ampersat.Report) bool { return r.Mention == mention.Custom{Scheme: pipeName} }

// Piped keeps what came from a pipe, to the byte, and returns its mention, to be
// added to a message. What is in it is not searched for mentions: nobody wrote
// them for us. The pipeline must read from the same blobs.
func (a *App) Piped(ctx context.Context, blobs blob.Store, text string) (message.Ref, error) {
	digest, err := blobs.Put(ctx, []byte(text))
	if err != nil {
		return message.Ref{}, fmt.Errorf("keep what came from the pipe: %w", err)
	}
	return message.Ref{Mention: mention.Custom{Scheme: pipeName}, Captured: digest}, nil
}

// captured is a resolver of custom mentions that makes of content which came
// with one what a file of that content would become: a picture in a pipe is a
// picture.
type captured struct {
	ampersat.Resolver
	files *fs.Resolver
}

// Captured implements [ampersat.Capturer].
func (c captured) Captured(ctx context.Context, q ampersat.Query, data []byte) (ampersat.Content, error) {
	name := q.Mention.(mention.Custom).Scheme
	if written := q.Mention.String(); written != "" {
		name = written[1:]
	}
	content, err := c.files.Decode(ctx, name, data, q.Limit)
	content.ID = string(blob.Of(data))
	return content, err
}
