package app

import (
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// readFile and listFiles are the arguments of the tools that read what mentions
// name. The placement "tool" pretends that they were called.
type readFile struct {
	Path  string `json:"path"`
	First int    `json:"first,omitzero"`
	Last  int    `json:"last,omitzero"`
}

type listFiles struct {
	Path string `json:"path"`
}

// Tools are the tools that the placement "tool" pretends were called.
func Tools() []message.ToolSpec {
	return []message.ToolSpec{
		{
			Name:        "read_file",
			Description: "Read a file, or the lines first to last of it, counted from one.",
			Parameters:  jsontext.Value(`{"type":"object","properties":{"path":{"type":"string"},"first":{"type":"integer"},"last":{"type":"integer"}},"required":["path"]}`),
		},
		{
			Name:        "list_files",
			Description: "List the files below a folder.",
			Parameters:  jsontext.Value(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
		},
	}
}

// toolFor says which of the tools would have read a mention.
func toolFor(m mention.Mention, name string) (tool string, arguments any, ok bool) {
	switch m := m.(type) {
	case mention.File:
		return "read_file", readFile{Path: name}, true
	case mention.Selection:
		return "read_file", readFile{Path: name, First: m.First, Last: m.Last}, true
	case mention.Directory:
		return "list_files", listFiles{Path: name}, true
	}
	return "", nil, false
}
