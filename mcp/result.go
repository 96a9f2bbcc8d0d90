package mcp

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

const (
	// maxOutput is how many bytes of text one call may say.
	maxOutput = 131_072
	// maxPictures is how many pictures and documents it may show.
	maxPictures = 20
)

// result is what a tool said, for the model.
func (c *connection) result(ctx context.Context, said *callResult) (agent.Result, error) {
	r := answer{ctx: ctx, conn: c, left: maxOutput, result: agent.Result{Failed: said.IsError, Blobs: map[blob.Digest][]byte{}}}
	contents := present(said.Content)
	for _, content := range contents {
		if err := r.add(content); err != nil {
			return agent.Result{}, err
		}
	}
	if len(contents) == 0 && !isNull(said.Structured) {
		value, err := inOrder(said.Structured)
		if err != nil {
			return agent.Result{}, err
		}
		r.text(string(value))
	}
	r.close()
	return r.result, nil
}

// answer puts a result together, within its limits.
type answer struct {
	ctx    context.Context
	conn   *connection
	result agent.Result
	// left is how many bytes of text there is room for, over how many there
	// was no room for.
	left, over        int
	pictures, unshown int
}

func (r *answer) add(content *content) error {
	switch content.Type {
	case "text":
		r.text(content.Text)
	case "image", "audio":
		return r.bytes(content.Type, content.Data)
	case "resource_link":
		r.text(link(r.conn.server.config.Name, content))
	case "resource":
		if content.Resource == nil {
			return nil
		}
		return r.resource(content.Resource)
	default:
		r.text(fmt.Sprintf("[something of the type %q, which is not understood here]", content.Type))
	}
	return nil
}

// link tells of a resource that the tool did not send.
func link(server string, l *content) string {
	text := "[resource " + nameOf(server, l.URI)
	for _, more := range []string{l.Name, l.Description, l.MIME} {
		if more != "" {
			text += ", " + more
		}
	}
	return text + "]"
}

// text adds as much of a text as there is room for.
func (r *answer) text(text string) {
	text = r.fit(text)
	if text != "" {
		r.result.Parts = append(r.result.Parts, message.Text{Text: text})
	}
}

func (r *answer) fit(text string) string {
	kept := head(text, r.left)
	r.left -= len(kept)
	r.over += len(text) - len(kept)
	return kept
}

// bytes adds a picture, or a description of what is none.
func (r *answer) bytes(name string, data []byte) error {
	content, err := r.conn.server.client.decode(r.ctx, name, data, r.left)
	if err != nil {
		return err
	}
	if len(content.Parts) == 0 {
		if content.Note != "" {
			content.Text = strings.TrimSuffix(content.Text, "\n") + " (" + content.Note + ")"
		}
		r.text(content.Text)
		return nil
	}
	r.parts(content)
	return nil
}

// parts adds what cannot be said in text.
func (r *answer) parts(content ampersat.Content) {
	if r.pictures += len(content.Parts); r.pictures > maxPictures {
		r.unshown += len(content.Parts)
		return
	}
	for digest, data := range content.Blobs {
		r.result.Blobs[digest] = data
	}
	r.result.Parts = append(r.result.Parts, content.Parts...)
}

// resource adds a resource that the tool sent along, as a block, so that the
// model knows what it is.
func (r *answer) resource(sent *resourceContents) error {
	name := r.conn.server.config.Name
	content, err := r.conn.content(r.ctx, name, sent.URI, sent, r.left)
	if err != nil {
		return err
	}
	if text := r.fit(content.Text); text != "" || len(content.Parts) == 0 {
		block := message.Context{
			Names: []string{content.Name}, Kind: mention.KindResource, MIME: content.MIME,
			Source: content.Source, Body: blob.Of([]byte(text)), Shown: content.Shown, Text: text,
		}
		if len(text) < len(content.Text) {
			block.Shown = fmt.Sprintf("the first %d of %d bytes", len(text), len(content.Text))
		}
		r.result.Parts = append(r.result.Parts, block)
	}
	r.parts(content)
	return nil
}

// close says what was left out, and that there is nothing where there is nothing.
func (r *answer) close() {
	var notes []string
	if r.over > 0 {
		notes = append(notes, fmt.Sprintf("[cut: %d of %d bytes are shown]", maxOutput-r.left, maxOutput-r.left+r.over))
	}
	if r.unshown > 0 {
		notes = append(notes, fmt.Sprintf("[%d more pictures are not shown]", r.unshown))
	}
	if len(notes) == 0 && len(r.result.Parts) == 0 {
		notes = append(notes, "[it says nothing]")
	}
	if len(notes) > 0 {
		r.result.Parts = append(r.result.Parts, message.Text{Text: strings.Join(notes, "\n")})
	}
}

// head is the beginning of a text, at most so many bytes, in whole characters.
func head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// cut is head with a mark where something is missing.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return head(text, most) + " […]"
}
