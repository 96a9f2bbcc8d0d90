package session

import (
	"fmt"
	"unicode/utf8"

	"github.com/ampersat/ampersat/message"
)

// Cap returns a message whose results of tools are no longer than the policy
// allows, and whether something was cut. Call it before the message is appended:
// one result of a megabyte would otherwise fill the window, and the log, for
// nothing. The beginning and the end of a text stay, with a line between them
// that says what is missing. Pictures are not cut.
func (p Policy) Cap(m message.Message) (message.Message, bool) {
	if p.ToolResultBytes <= 0 {
		return m, false
	}
	var parts []message.Part
	for i, part := range m.Content.Parts {
		result, is := part.(message.ToolResult)
		if !is || len(result.Output) <= p.ToolResultBytes {
			continue
		}
		if capped, cut := capResult(result, p.ToolResultBytes); cut {
			if parts == nil {
				parts = append(parts, m.Content.Parts...)
			}
			parts[i] = capped
		}
	}
	if parts == nil {
		return m, false
	}
	m.Content.Parts = parts
	return m, true
}

// capResult shortens the texts of a result until they have room together.
func capResult(r message.ToolResult, room int) (message.ToolResult, bool) {
	parts := r.Parts()
	cut := false
	for i, part := range parts {
		switch part := part.(type) {
		case message.Text:
			part.Text, cut = capText(part.Text, room, cut)
			room -= len(part.Text)
			parts[i] = part
		case message.Context:
			was := part.Text
			if part.Text, cut = capText(part.Text, room, cut); part.Text != was {
				part.Shown = fmt.Sprintf("%d of %d bytes", min(room, len(was)), len(was))
				// Nobody can put the content together from a piece of a difference.
				part.Base = ""
			}
			room -= len(part.Text)
			parts[i] = part
		}
		room = max(room, 0)
	}
	if !cut {
		return r, false
	}
	if text, is := parts[0].(message.Text); is && len(parts) == 1 {
		capped := message.TextResult(r.ToolCallID, text.Text)
		capped.Visibility, capped.Extra = r.Visibility, r.Extra
		return capped, true
	}
	capped, err := message.PartResult(r.ToolCallID, parts...)
	if err != nil {
		return r, false // it could not have been read either
	}
	capped.Visibility, capped.Extra = r.Visibility, r.Extra
	return capped, true
}

// capText keeps the head and, since errors stand at the end, the tail of a text.
func capText(text string, room int, cut bool) (string, bool) {
	if len(text) <= room {
		return text, cut
	}
	head, tail := room*3/4, len(text)-room/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[cut: %d of %d bytes are not shown]\n%s", text[:head], tail-head, len(text), text[tail:]), true
}
