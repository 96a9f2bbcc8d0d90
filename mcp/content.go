package mcp

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
)

// content is what a server sent of a resource. Limit is how many bytes of text
// are of use.
func (c *connection) content(ctx context.Context, server, uri string, sent *resourceContents, limit int) (ampersat.Content, error) {
	name := nameOf(server, uri)
	if sent.Blob != nil {
		content, err := c.server.client.decode(ctx, name, *sent.Blob, limit)
		content.Name, content.ID, content.Tree, content.Folder = name, "", "", ""
		return content, err
	}
	content := ampersat.Content{
		Name: name, Text: sent.Text, MIME: textType(sent.MIME),
		Size: int64(len(sent.Text)), Source: blob.Of([]byte(sent.Text)),
	}
	return content, nil
}

// textType is the type of a text that is not plain.
func textType(mime string) string {
	kind, _, _ := strings.Cut(mime, ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "text/plain" {
		return ""
	}
	return kind
}

// decode makes a content of bytes.
func (c *Client) decode(ctx context.Context, name string, data []byte, limit int) (ampersat.Content, error) {
	if c.config.Decode != nil {
		return c.config.Decode(ctx, name, data, limit)
	}
	content := ampersat.Content{Name: name, Size: int64(len(data)), Source: blob.Of(data)}
	if utf8.Valid(data) {
		content.Text = string(data)
		return content, nil
	}
	content.MIME, _, _ = strings.Cut(http.DetectContentType(data), ";")
	content.Text, content.Shown = fmt.Sprintf("[%s, %d bytes: not text]\n", content.MIME, len(data)), "described only"
	return content, nil
}
