package ampersat

import (
	"maps"
	"slices"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/message"
)

// secretsInParts returns the secrets in what is sent besides the text: in the
// bytes of pictures and documents as they are, and what the resolver found packed
// in them.
func secretsInParts(name string, c Content) []access.Finding {
	found := slices.Clone(c.Secrets)
	look := func(data []byte) {
		for _, f := range access.Scan(name, data) {
			if f.Line == 0 {
				continue // the name tells, which the scan of the text says
			}
			f.Line, f.In = 0, "its bytes"
			found = append(found, f)
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(c.Blobs)) {
		look(c.Blobs[digest])
	}
	for _, part := range c.Parts {
		switch source := sourceOf(part); source.Type {
		case message.SourceBase64:
			if data, err := source.Bytes(nil); err == nil {
				look(data)
			}
		case message.SourceURL:
			look([]byte(source.URL))
		}
	}
	return found
}

// sourceOf is where the bytes of a part are, the zero value if it has none.
func sourceOf(part message.Part) message.Source {
	switch part := part.(type) {
	case message.Image:
		return part.Source
	case message.Document:
		return part.Source
	}
	return message.Source{}
}
