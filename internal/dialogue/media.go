package dialogue

import (
	"encoding/base64"
	"fmt"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
)

// Media is the bytes of an image or a document as APIs want them.
type Media struct {
	// MIME is the media type, empty if it is not known.
	MIME string
	// Base64 is the bytes, or URL where the provider finds them.
	Base64 string
	URL    string
}

// ReadMedia returns the bytes that a source names.
func ReadMedia(source message.Source, blobs map[blob.Digest][]byte) (Media, error) {
	switch source.Type {
	case message.SourceURL:
		if isDataURL(source.URL) {
			return readDataURL(source)
		}
		return Media{MIME: source.MIME, URL: source.URL}, nil
	case message.SourceBase64:
		if _, err := source.Bytes(nil); err != nil {
			return Media{}, err
		}
		return Media{MIME: source.MIME, Base64: source.Data}, nil
	case message.SourceBlob:
		data, err := source.Bytes(blobs)
		if err != nil {
			return Media{}, err
		}
		return Media{MIME: source.MIME, Base64: base64.StdEncoding.EncodeToString(data)}, nil
	default:
		return Media{}, fmt.Errorf("a source of type %q is not known", source.Type)
	}
}

// Omitted notes that a part of the message cannot be sent, and returns what
// stands in its place, so that the model knows that something was there.
func (n *Notes) Omitted(index int, part message.Part, reason string) message.Text {
	what := "a part of type " + part.Type()
	switch part := part.(type) {
	case message.Image:
		what = "an image"
	case message.Document:
		what = "a document"
		if part.Title != "" {
			what += " (" + part.Title + ")"
		}
	}
	n.AddAt(index, what, "left out, with a line in its place", reason)
	return message.Text{Text: "[" + what + " is left out: " + reason + "]"}
}
