package message

import (
	"slices"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

// Flatten returns the text as it was written: every [Text], and every [Ref] as
// its Written, joined. Other parts were not written by anybody and add nothing.
func Flatten(c Content) string {
	if len(c.Parts) == 1 {
		if t, ok := c.Parts[0].(Text); ok {
			return t.Text
		}
	}
	var b strings.Builder
	for _, p := range c.Parts {
		switch p := p.(type) {
		case Text:
			b.WriteString(p.Text)
		case Ref:
			b.WriteString(p.Written)
		}
	}
	return b.String()
}

// Cut returns text as content, with refs standing in it in place. [Flatten]
// gives the text back, byte for byte.
//
// The refs must be in order, as [mention.Find] returns them; one that reaches
// back into the one before it, or out of the text, is left as text. A bare word
// is a ref only once it is known to name something: leave out those that do
// not.
func Cut(text string, refs []mention.Ref) Content {
	var parts []Part
	done := 0
	for _, ref := range refs {
		if ref.Mention == nil || ref.Start < done || ref.End <= ref.Start || ref.End > len(text) {
			continue
		}
		if ref.Start > done {
			parts = append(parts, Text{Text: text[done:ref.Start]})
		}
		parts = append(parts, Ref{Mention: ref.Mention, Written: text[ref.Start:ref.End]})
		done = ref.End
	}
	if done == 0 {
		return Say(text)
	}
	if done < len(text) {
		parts = append(parts, Text{Text: text[done:]})
	}
	return Content{Parts: parts}
}

// Rendered returns the content for a reader outside, who knows neither
// mentions nor contexts: what was written is text again, with no seam where a
// mention stood, and each [Context] is the text of its block, followed by its
// parts. Everything else stays as it is.
//
// Content that was one string before its mentions were found in it is one
// string again.
func (c Content) Rendered() Content {
	blocks := make([]Part, len(c.Parts))
	inChunks(len(c.Parts), func(_, from, to int) {
		for i := from; i < to; i++ {
			if context, ok := c.Parts[i].(Context); ok {
				blocks[i] = Text{Text: context.Render()}
			}
		}
	})
	return c.rendered(func(i int, _ Context) Part { return blocks[i] })
}

// rendered is [Content.Rendered] with what stands for the context at an index.
func (c Content) rendered(block func(i int, context Context) Part) Content {
	rendered := make([]Part, 0, len(c.Parts))
	var said []string // what was written since the last part of another kind
	flush := func() {
		if len(said) > 0 {
			rendered = append(rendered, Text{Text: strings.Join(said, "")})
			said = said[:0]
		}
	}
	for i, p := range c.Parts {
		switch p := p.(type) {
		case Ref:
			said = append(said, p.Written)
			continue
		case Text:
			if p.Visibility == "" && p.Extra == nil {
				said = append(said, p.Text)
				continue
			}
		case Context:
			flush()
			rendered = append(rendered, block(i, p))
			if len(p.Parts) > 0 {
				rendered = append(rendered, Of(p.Parts...).Rendered().Parts...)
			}
			continue
		case ToolResult:
			flush()
			rendered = append(rendered, p.rendered())
			continue
		}
		flush()
		rendered = append(rendered, p)
	}
	flush()
	return Content{Parts: rendered, Plain: c.Plain && len(rendered) <= 1}
}

// Rendered returns the message for a reader outside: its content rendered, and
// in place of its instructions their [Prefix] before its text.
func (m Message) Rendered() Message {
	return m.rendered(m.Content.Rendered())
}

// rendered returns the message with its content, which was rendered already.
func (m Message) rendered(content Content) Message {
	m.Content = content
	prefix := Prefix(m.Instructions)
	m.Instructions = nil
	if prefix == "" {
		return m
	}
	m.Content.Parts = slices.Clone(m.Content.Parts)
	for i, p := range m.Content.Parts {
		if b, ok := p.(block); ok {
			p = Text{Text: b.context().Render()}
		}
		if t, ok := p.(Text); ok {
			t.Text = prefix + t.Text
			m.Content.Parts[i] = t
			return m
		}
	}
	// Providers want thinking and results to come first.
	first := slices.IndexFunc(m.Content.Parts, func(p Part) bool {
		switch p.(type) {
		case Thinking, RedactedThinking, Reasoning, ToolResult:
			return false
		}
		return true
	})
	if first < 0 {
		first = len(m.Content.Parts)
	}
	m.Content.Parts = slices.Insert(m.Content.Parts, first, Part(Text{Text: prefix}))
	return m
}
