package message

import (
	"bytes"

	"github.com/ampersat/ampersat/blob"
)

// Blobs returns the digests that the sources in a message name, in order: what
// [Request.Blobs] must hold for it to be sent.
func (m Message) Blobs() []blob.Digest {
	return appendBlobs(nil, m.Content.Parts)
}

func appendBlobs(list []blob.Digest, parts []Part) []blob.Digest {
	for _, part := range parts {
		switch part := part.(type) {
		case Image:
			list = part.Source.appendBlob(list)
		case Document:
			list = part.Source.appendBlob(list)
		case Context:
			list = appendBlobs(list, part.Parts)
		case ToolResult:
			// Most results are text, which need not be read to see that.
			if bytes.Contains(part.Output, []byte(SourceBlob)) {
				list = appendBlobs(list, part.Parts())
			}
		}
	}
	return list
}

func (s Source) appendBlob(list []blob.Digest) []blob.Digest {
	if s.Type == SourceBlob {
		list = append(list, s.Digest)
	}
	return list
}
