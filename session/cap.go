package session

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/ampersat/ampersat/message"
)

// Cap returns a message whose results of tools are no longer than the policy
// allows, and whether something was cut. Call it before the message is appended:
// one result of a megabyte would otherwise fill the window, and the log, for
// nothing. The beginning and the end of a text stay, with a line between them
// that says what is missing; of several texts the first do, and a line says how
// many others there were. Pictures are not cut.
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

// leastCut is how many bytes are left out at least: it takes some to say so, and
// nothing gets longer by being cut.
const leastCut = 128

// capResult shortens the texts of a result until they have room together. When
// the room is used up, further texts are left out and counted. The last stays if
// it is short, since that is where an error stands.
func capResult(r message.ToolResult, room int) (message.ToolResult, bool) {
	parts := r.Parts()
	end := len(parts)
	if end > 1 {
		if last, is := parts[end-1].(message.Text); is && len(last.Text) <= room/4 {
			end--
			room -= len(last.Text)
		}
	}
	kept, cut := make([]message.Part, 0, len(parts)), false
	for i, part := range parts[:end] {
		if room <= 0 && i > 0 {
			shown, out := leaveOut(parts[i:end])
			kept, cut = append(kept, shown...), cut || out
			break
		}
		switch whole := part.(type) {
		case message.Text:
			text, left := capText(whole.Text, room)
			room -= left
			if left < len(whole.Text) {
				cut, room = true, 0
				whole.Text = text
				part = whole
			}
		case message.Context:
			capped, left := capContext(whole, room)
			room -= left
			if left < len(whole.Text) {
				cut, room = true, 0
				part = capped
			}
		}
		kept = append(kept, part)
	}
	if !cut {
		return r, false
	}
	kept = append(kept, parts[end:]...)
	if text, is := kept[0].(message.Text); is && len(kept) == 1 {
		capped := message.TextResult(r.ToolCallID, text.Text)
		capped.Visibility, capped.Extra = r.Visibility, r.Extra
		return capped, true
	}
	capped, err := message.PartResult(r.ToolCallID, kept...)
	if err != nil {
		return r, false // it could not have been read either
	}
	capped.Visibility, capped.Extra = r.Visibility, r.Extra
	return capped, true
}

// leaveOut returns what stays of parts for which there is no room: what has
// pictures, and a line that says how many others there were. Where that would be
// longer, they stay.
func leaveOut(parts []message.Part) (kept []message.Part, cut bool) {
	const frame = 16 // a part is written in more than that
	left, bytes := 0, 0
	all := slices.Clone(parts)
	for i, part := range parts {
		switch part := part.(type) {
		case message.Text:
			left, bytes = left+1, bytes+len(part.Text)+frame
			continue
		case message.Context:
			if len(part.Parts) == 0 {
				left, bytes = left+1, bytes+len(part.Text)+frame
				continue
			}
			capped, shown := capContext(part, 0)
			all[i], cut = capped, cut || shown < len(part.Text)
		}
		kept = append(kept, all[i])
	}
	if bytes < leastCut {
		return all, cut
	}
	return append(kept, message.Text{Text: fmt.Sprintf("\n[cut: %s not shown]\n", count(left, "more part is", "more parts are"))}), true
}

// capContext does for a content what capText does for its text.
func capContext(c message.Context, room int) (capped message.Context, left int) {
	text, left := capText(c.Text, room)
	if left == len(c.Text) {
		return c, left
	}
	shown := fmt.Sprintf("%d of %d bytes", left, len(c.Text))
	if c.Shown != "" {
		shown += "; " + c.Shown
	}
	// Nobody can put the content together from a piece of a difference.
	c.Text, c.Shown, c.Base = text, shown, ""
	return c, left
}

// capText keeps the head and, since errors stand at the end, the tail of a text. It
// returns how many of its bytes these are.
func capText(text string, room int) (capped string, left int) {
	room = max(room, 0)
	if len(text) < room+leastCut {
		return text, len(text)
	}
	head, tail := room*3/4, len(text)-room/4
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[cut: %d of %d bytes are not shown]\n%s", text[:head], tail-head, len(text), text[tail:]), head + len(text) - tail
}
