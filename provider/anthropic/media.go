package anthropic

import (
	"encoding/base64"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
)

func (e *encoder) image(index int, image message.Image) block {
	if !e.card.Images {
		return said(e.notes.Omitted(index, image, "the model takes no images"))
	}
	media, err := dialogue.ReadMedia(image.Source, e.request.Blobs)
	if err != nil {
		return said(e.notes.Omitted(index, image, err.Error()))
	}
	if media.URL != "" {
		return block{Type: "image", Source: &source{Type: "url", URL: media.URL}}
	}
	switch media.MIME {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		return block{Type: "image", Source: &source{Type: "base64", MediaType: media.MIME, Data: media.Base64}}
	default:
		return said(e.notes.Omitted(index, image, "the API takes JPEG, PNG, GIF and WebP, and not "+named(media.MIME)))
	}
}

func (e *encoder) document(index int, document message.Document) block {
	if !e.card.Documents {
		return said(e.notes.Omitted(index, document, "the model takes no documents"))
	}
	media, err := dialogue.ReadMedia(document.Source, e.request.Blobs)
	if err != nil {
		return said(e.notes.Omitted(index, document, err.Error()))
	}
	sent := block{Type: "document", Title: document.Title}
	switch {
	case media.URL != "":
		sent.Source = &source{Type: "url", URL: media.URL}
	case media.MIME == "application/pdf":
		sent.Source = &source{Type: "base64", MediaType: media.MIME, Data: media.Base64}
	case strings.HasPrefix(media.MIME, "text/"):
		text, err := base64.StdEncoding.DecodeString(media.Base64)
		if err != nil || strings.TrimSpace(string(text)) == "" {
			return said(e.notes.Omitted(index, document, "it is empty"))
		}
		sent.Source = &source{Type: "text", MediaType: "text/plain", Data: string(text)}
	default:
		return said(e.notes.Omitted(index, document, "the API takes PDF and plain text, and not "+named(media.MIME)))
	}
	return sent
}

func named(mime string) string {
	if mime == "" {
		return "a type that is not told"
	}
	return mime
}
