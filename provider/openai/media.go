package openai

import (
	"encoding/base64"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
)

const pdf = "application/pdf"

// image returns the URL of an image, which may hold it whole. If it cannot be sent
// the URL is empty, and instead is said in its place.
func (e *encoder) image(index int, image message.Image) (url, instead string) {
	omit := func(reason string) (string, string) { return "", e.notes.Omitted(index, image, reason).Text }
	if !e.card.Images {
		return omit("the model takes no images")
	}
	media, err := dialogue.ReadMedia(image.Source, e.request.Blobs)
	if err != nil {
		return omit(err.Error())
	}
	if media.URL != "" {
		return media.URL, ""
	}
	switch media.MIME {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		return dataURL(media), ""
	default:
		return omit("the API takes JPEG, PNG, GIF and WebP, and not " + named(media.MIME))
	}
}

// document reads a document. What is text comes back as a text that stands for
// it; so does the reason, if it cannot be sent. Else the text is empty, and the
// media is a PDF, or something that the provider is to fetch.
func (e *encoder) document(index int, document message.Document) (media dialogue.Media, text string) {
	omit := func(reason string) (dialogue.Media, string) {
		return dialogue.Media{}, e.notes.Omitted(index, document, reason).Text
	}
	media, err := dialogue.ReadMedia(document.Source, e.request.Blobs)
	switch {
	case err != nil:
		return omit(err.Error())
	case media.URL != "" || media.MIME == pdf:
		return media, ""
	case !strings.HasPrefix(media.MIME, "text/"):
		return omit("the API takes PDF and text, and not " + named(media.MIME))
	}
	raw, err := base64.StdEncoding.DecodeString(media.Base64)
	if err != nil || strings.TrimSpace(string(raw)) == "" {
		return omit("it is empty")
	}
	return dialogue.Media{}, asText(document, string(raw))
}

// asText writes the text of a document as what mentions resolve to is written.
func asText(document message.Document, text string) string {
	return message.Context{Names: []string{filename(document)}, Text: text}.Render()
}

// filename is never empty: the APIs demand one beside the bytes.
func filename(document message.Document) string {
	if document.Title != "" {
		return document.Title
	}
	if document.Source.MIME == pdf {
		return "document.pdf"
	}
	return "document"
}

func dataURL(media dialogue.Media) string { return "data:" + media.MIME + ";base64," + media.Base64 }

func named(mime string) string {
	if mime == "" {
		return "a type that is not told"
	}
	return mime
}
