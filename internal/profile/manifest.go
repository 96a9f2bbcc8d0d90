package profile

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// manifestName is the file in which a collection says what it is.
const manifestName = "collection.yaml"

// collectionName is what a collection is called: what its manifest says, or the
// name of its folder where there is none. A manifest that cannot be read is a
// problem, and then the folder counts.
func (r *reading) collectionName(h home, at, folder string) string {
	manifest := h.join(at, manifestName)
	read, err := r.read(h, manifest)
	if isAbsent(err) {
		return folder
	}
	file := r.shown(h, manifest)
	if err != nil {
		r.problems = append(r.problems, &Problem{At: Position{File: file}, What: "it cannot be read: " + err.Error()})
		return folder
	}
	if len(read.data) > maxFront {
		r.problems = append(r.problems, &Problem{At: Position{File: file}, What: "it is too long for a manifest"})
		return folder
	}
	node, problem := readYAML(unixLines(strings.TrimPrefix(string(read.data), "\ufeff")))
	if problem != nil {
		problem.At.File = file
		r.problems = append(r.problems, problem)
		return folder
	}
	if node == nil {
		return folder
	}
	// What else a manifest says is for whoever installs collections.
	f := newFields(file, document{})
	name := folder
	if node = follow(node); node.Kind != yaml.MappingNode {
		f.wrong(node, "a manifest is %s; it must be keys and values", describe(node))
	} else {
		for key, value := range f.pairs(node) {
			if key.Value == "name" && !f.name(value, &name) {
				name = folder
			}
		}
	}
	r.problems = append(r.problems, f.problems...)
	return name
}
