package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
)

// load puts the bytes that messages need into c.blobs. It returns them, and the
// messages as they can be sent: what is not in the store is told to the model in
// its place, since a session that holds it must go on.
func (c *Conversation) load(ctx context.Context, messages []message.Message) ([]message.Message, map[blob.Digest][]byte, error) {
	needed := map[blob.Digest][]byte{}
	gone := false
	has := func(digest blob.Digest) bool { _, ok := needed[digest]; return ok }
	for _, m := range messages {
		for _, digest := range m.Blobs() {
			data, err := c.bytes(ctx, digest)
			switch {
			case errors.Is(err, blob.ErrNotFound):
				gone = true
				continue
			case err != nil:
				return nil, nil, fmt.Errorf("read what was shown: %w", err)
			}
			c.blobs[digest], needed[digest] = data, data
		}
	}
	if gone {
		messages = slices.Clone(messages)
		for i := range messages {
			messages[i].Content.Parts = shownParts(messages[i].Content.Parts, has)
		}
	}
	if len(needed) == 0 {
		needed = nil
	}
	return messages, needed, nil
}

// bytes are what a digest names, read from the store if they were not before.
func (c *Conversation) bytes(ctx context.Context, digest blob.Digest) ([]byte, error) {
	if data, ok := c.blobs[digest]; ok {
		return data, nil
	}
	return c.config.Store.Blobs().Get(ctx, digest)
}

// digestsIn are the digests of the bytes that a part shows.
func digestsIn(part message.Part) []blob.Digest {
	return message.Message{Content: message.Of(part)}.Blobs()
}

// isShown reports whether all bytes that a part shows are there.
func isShown(part message.Part, has func(blob.Digest) bool) bool {
	return !slices.ContainsFunc(digestsIn(part), func(d blob.Digest) bool { return !has(d) })
}

// shownParts puts a text in the place of each picture and document whose bytes
// are not there. The parts themselves are not changed.
func shownParts(parts []message.Part, has func(blob.Digest) bool) []message.Part {
	parts = slices.Clone(parts)
	for i, part := range parts {
		if isShown(part, has) {
			continue
		}
		switch part := part.(type) {
		case message.Context:
			part.Parts = shownParts(part.Parts, has)
			parts[i] = part
		case message.ToolResult:
			// It was read, so that it can be written.
			again, err := message.PartResult(part.ToolCallID, shownParts(part.Parts(), has)...)
			if err != nil {
				again = message.TextResult(part.ToolCallID, "["+err.Error()+"]")
			}
			again.Visibility, again.Extra = part.Visibility, part.Extra
			parts[i] = again
		default:
			parts[i] = message.Text{Text: fmt.Sprintf("[the %s that was shown here is gone]", part.Type())}
		}
	}
	return parts
}

// keep puts bytes into the store, before the entries that name them.
func (c *Conversation) keep(ctx context.Context, blobs map[blob.Digest][]byte) error {
	for digest, data := range blobs {
		if _, ok := c.blobs[digest]; ok {
			continue
		}
		is, err := c.config.Store.Blobs().Put(ctx, data)
		if err == nil && is != digest {
			err = misnamed(digest, is)
		}
		if err != nil {
			return fmt.Errorf("keep what is shown: %w", err)
		}
		c.blobs[digest] = data
	}
	return nil
}

func misnamed(digest, is blob.Digest) error {
	return fmt.Errorf("the bytes under %.80q are those of %s", string(digest), is.Short())
}

// check returns what of a result can be logged, and what is wrong with the rest:
// a part that names bytes which are nowhere would fail every request after it.
// Calls that run at the same time are checked so, and c.blobs stays as it is.
func (c *Conversation) check(ctx context.Context, result Result) (Result, error) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	var wrong []error
	kept := make(map[blob.Digest][]byte, len(result.Blobs))
	for digest, data := range result.Blobs {
		if is := blob.Of(data); is == digest {
			kept[digest] = data
		} else {
			wrong = append(wrong, misnamed(digest, is))
		}
	}
	has := func(digest blob.Digest) bool {
		if _, named := result.Blobs[digest]; named {
			_, ok := kept[digest]
			return ok
		}
		_, err := c.bytes(ctx, digest)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("it shows %.80q, which is not in Result.Blobs: %w", string(digest), err))
		}
		return err == nil
	}
	cannotShow := func(part message.Part) bool { return !isShown(part, has) }
	result.Blobs, result.Parts = kept, slices.DeleteFunc(slices.Clone(result.Parts), cannotShow)
	return result, errors.Join(wrong...)
}
