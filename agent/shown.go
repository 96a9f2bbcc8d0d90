package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
)

// Shown returns messages as a model can be shown them. What is not in the blobs any
// more, because somebody removed it or could not save it, is told in its place, so
// that a [ampersat.View] of them does not take it for seen. Nil knows of nothing.
// The messages themselves are not changed.
func Shown(ctx context.Context, messages []message.Message, blobs blob.Store) ([]message.Message, error) {
	if blobs == nil {
		blobs = new(blob.Memory)
	}
	gone, err := goneFrom(messages, func(digest blob.Digest) error {
		_, err := blobs.Get(ctx, digest)
		return err
	})
	return without(messages, gone), err
}

// load puts the bytes that messages need into c.blobs. It returns them, and the
// messages as they can be sent: what is not in the store is told to the model in
// its place, since a session that holds it must go on.
func (c *Conversation) load(ctx context.Context, messages []message.Message) ([]message.Message, map[blob.Digest][]byte, error) {
	var needed map[blob.Digest][]byte
	gone, err := goneFrom(messages, func(digest blob.Digest) error {
		data, err := c.bytes(ctx, digest)
		if err != nil {
			return err
		}
		if needed == nil {
			needed = map[blob.Digest][]byte{}
		}
		c.blobs[digest], needed[digest] = data, data
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	c.gone = gone
	return without(messages, gone), needed, nil
}

// goneFrom reads all that messages show, each once, and finds what is not there.
func goneFrom(messages []message.Message, read func(blob.Digest) error) (gone map[blob.Digest]bool, err error) {
	looked := map[blob.Digest]bool{}
	for _, m := range messages {
		for _, digest := range m.Blobs() {
			if looked[digest] {
				continue
			}
			looked[digest] = true
			err := read(digest)
			switch {
			case errors.Is(err, blob.ErrNotFound):
				if gone == nil {
					gone = map[blob.Digest]bool{}
				}
				gone[digest] = true
			case err != nil:
				return nil, fmt.Errorf("read what was shown: %w", err)
			}
		}
	}
	return gone, nil
}

// without tells in messages of what is gone.
func without(messages []message.Message, gone map[blob.Digest]bool) []message.Message {
	if len(gone) == 0 {
		return messages
	}
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Content.Parts = shownParts(messages[i].Content.Parts, func(digest blob.Digest) bool { return !gone[digest] })
	}
	return messages
}

// notAll is how a content says that something of it is gone. What is said to be shown
// is not taken for all of it, so that it is sent again when it is mentioned.
const notAll = "without what is gone"

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
			part.Parts, part.Shown = shownParts(part.Parts, has), notAll
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
