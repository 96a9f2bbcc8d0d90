package gemini

import (
	"path"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
)

// media encodes an image or a document.
func (e *encoder) media(index int, p message.Part, source message.Source) part {
	omit := func(reason string) part { return textPart(e.notes.Omitted(index, p, reason).Text) }
	_, image := p.(message.Image)
	switch {
	case image && !e.card.Images:
		return omit("the model takes no images")
	case !image && !e.card.Documents:
		return omit("the model takes no documents")
	}
	media, err := dialogue.ReadMedia(source, e.request.Blobs)
	if err != nil {
		return omit(err.Error())
	}
	// Parameters, such as a character set, are not part of what the API compares.
	kind, _, _ := strings.Cut(media.MIME, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if media.URL != "" {
		if kind == "" {
			kind = typeOf(media.URL)
		}
		return part{FileData: &fileData{MIMEType: kind, FileURI: media.URL}}
	}
	switch {
	case media.Base64 == "":
		return omit("it is empty")
	case image && !isImage(kind):
		return omit("the API takes PNG, JPEG, WebP, HEIC and HEIF, and not " + named(kind))
	case !image && kind != "application/pdf" && !strings.HasPrefix(kind, "text/"):
		return omit("the API takes PDF and text, and not " + named(kind))
	}
	return part{InlineData: &inlineData{MIMEType: kind, Data: media.Base64}}
}

func isImage(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/webp", "image/heic", "image/heif":
		return true
	}
	return false
}

// typeOf guesses from an address what is there. The API wants to be told; where
// nobody knows it has to look itself.
func typeOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	switch strings.ToLower(path.Ext(address)) {
	case ".png":
		return "image/png"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".webp":
		return "image/webp"
	case ".heic":
		return "image/heic"
	case ".heif":
		return "image/heif"
	case ".pdf":
		return "application/pdf"
	default:
		return ""
	}
}

func named(mime string) string {
	if mime == "" {
		return "a type that is not told"
	}
	return mime
}
