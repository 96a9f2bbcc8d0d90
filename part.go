package ampersat

import (
	"maps"
	"slices"

	"github.com/ampersat/ampersat/access"
)

// secretsInParts returns the secrets in what is sent besides the text: in the
// bytes of pictures and documents as they are, and what the resolver found packed
// in them.
func secretsInParts(name string, c Content) []access.Finding {
	found := slices.Clone(c.Secrets)
	for _, digest := range slices.Sorted(maps.Keys(c.Blobs)) {
		for _, f := range access.Scan(name, c.Blobs[digest]) {
			if f.Line == 0 {
				continue // the name tells, which the scan of the text says
			}
			f.Line, f.In = 0, "its bytes"
			found = append(found, f)
		}
	}
	return found
}
