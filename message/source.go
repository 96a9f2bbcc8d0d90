package message

import (
	"encoding/base64"
	"fmt"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json/jsontext"
)

// Source says where the bytes of an [Image] or a [Document] are. Make one with
// [Inline], [AtURL] or [InBlob]; a source of another type keeps its members in
// Extra.
type Source struct {
	Type SourceType
	// MIME is the media type, such as "image/png".
	MIME string
	// Data is the bytes in standard base64, for [SourceBase64].
	Data string
	// URL is the address, for [SourceURL].
	URL string
	// Digest names the bytes, for [SourceBlob].
	Digest blob.Digest
	Extra  jsontext.Value
}

// SourceType names the way a [Source] gives its bytes.
type SourceType string

// The types of sources. [SourceBlob] is for the store and the library; before
// a request leaves, its bytes are taken from [Request.Blobs].
const (
	SourceBase64 SourceType = "base64"
	SourceURL    SourceType = "url"
	SourceBlob   SourceType = "blob"
)

// Inline returns a source that carries its bytes.
func Inline(mime string, data []byte) Source {
	return Source{Type: SourceBase64, MIME: mime, Data: base64.StdEncoding.EncodeToString(data)}
}

// AtURL returns a source that the provider fetches. Of a data: URL it is sent the
// bytes.
func AtURL(url string) Source {
	return Source{Type: SourceURL, URL: url}
}

// InBlob returns a source whose bytes are kept by digest.
func InBlob(mime string, digest blob.Digest) Source {
	return Source{Type: SourceBlob, MIME: mime, Digest: digest}
}

// Bytes returns the bytes of a source that has them: inline, or by digest in
// blobs. For a URL, and for types it does not know, it returns an error.
func (s Source) Bytes(blobs map[blob.Digest][]byte) ([]byte, error) {
	switch s.Type {
	case SourceBase64:
		data, err := base64.StdEncoding.DecodeString(s.Data)
		if err != nil {
			return nil, fmt.Errorf("read source: its data is not base64: %w", err)
		}
		return data, nil
	case SourceBlob:
		data, held := blobs[s.Digest]
		if !held {
			return nil, fmt.Errorf("read source %s: %w", s.Digest.Short(), blob.ErrNotFound)
		}
		return data, nil
	default:
		return nil, fmt.Errorf("read source: one of type %q carries no bytes", s.Type)
	}
}
