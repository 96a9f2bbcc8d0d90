package app

import (
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/tool"
)

// Tools are the tools that the placement "tool" pretends were called.
func Tools() []message.ToolSpec {
	return []message.ToolSpec{tool.ReadFileSpec(), tool.ListFilesSpec()}
}

// toolFor says which of the tools would have read a mention, and how it would
// have been called.
func toolFor(m mention.Mention, name string) (called string, arguments any, ok bool) {
	switch m := m.(type) {
	case mention.File:
		return tool.ReadFileSpec().Name, tool.ReadFile{Path: name}, true
	case mention.Selection:
		return tool.ReadFileSpec().Name, tool.ReadFile{Path: name, First: m.First, Last: m.Last}, true
	case mention.Directory:
		return tool.ListFilesSpec().Name, tool.ListFiles{Path: name}, true
	}
	return "", nil, false
}
