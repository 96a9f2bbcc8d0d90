package message

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Call returns a tool call. Its arguments must be an object in JSON: a struct,
// a map, raw JSON; nil means none.
func Call(id, name string, arguments any) (ToolCall, error) {
	call := ToolCall{ID: id, Name: name, Input: jsontext.Value("{}")}
	if arguments == nil {
		return call, nil
	}
	input, err := json.Marshal(arguments, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return ToolCall{}, fmt.Errorf("call %s: %w", name, err)
	}
	if input[0] != '{' {
		return ToolCall{}, fmt.Errorf("call %s: the arguments must be an object, have %s", name, kindOf(input))
	}
	call.Input = input
	return call, nil
}

// TextResult returns the answer to a tool call as text.
func TextResult(toolCallID, text string) ToolResult {
	return ToolResult{ToolCallID: toolCallID, Output: appendString(nil, text)}
}

// PartResult returns the answer to a tool call as parts, in order.
func PartResult(toolCallID string, parts ...Part) (ToolResult, error) {
	output, err := appendList(nil, parts, appendPart)
	if err != nil {
		return ToolResult{}, fmt.Errorf("result of %s: part %w", toolCallID, err)
	}
	return ToolResult{ToolCallID: toolCallID, Output: output}, nil
}

// ValueResult returns the answer to a tool call as any value that JSON can say.
func ValueResult(toolCallID string, value any) (ToolResult, error) {
	output, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return ToolResult{}, fmt.Errorf("result of %s: %w", toolCallID, err)
	}
	return ToolResult{ToolCallID: toolCallID, Output: output}, nil
}

// Parts reads the output as parts: a string is a text, a list of blocks is its
// parts, and anything else is its JSON as a text. Without an output there are
// none.
func (r ToolResult) Parts() []Part {
	i := skipSpace(r.Output, 0)
	if i >= len(r.Output) {
		return nil
	}
	switch value := r.Output[i:]; value[0] {
	case '"':
		if end := skipString(value, 0); end > 0 {
			return []Part{Text{Text: readString(value[:end])}}
		}
	case '[':
		if parts, err := readParts(value, 0); err == nil {
			return parts
		}
	}
	return []Part{Text{Text: string(r.Output)}}
}

// rendered returns the result for a reader outside: contexts in it are text.
func (r ToolResult) rendered() ToolResult {
	parts := r.Parts()
	if !slices.ContainsFunc(parts, func(p Part) bool { _, ok := p.(Context); return ok }) {
		return r
	}
	again, err := PartResult(r.ToolCallID, Of(parts...).Rendered().Parts...)
	if err != nil {
		return r
	}
	r.Output = again.Output
	return r
}
