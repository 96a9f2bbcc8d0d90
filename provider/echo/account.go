package echo

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
)

// maxQuoted is how much of a text is repeated.
const maxQuoted = 120

// Account returns what the request consists of, for people to read. Texts are
// quoted, so that nothing in them moves a terminal's cursor; long ones are cut,
// and say so.
func Account(request message.Request) string {
	var b strings.Builder
	total := 0
	for _, m := range request.Messages {
		total += tokens(m)
	}
	fmt.Fprintf(&b, "I received %s, about %s.\n", count(len(request.Messages), "message"), count(total, "token"))
	for i, m := range request.Messages {
		fmt.Fprintf(&b, "\n%d. %s", i+1, shown(string(m.Role)))
		if m.Name != "" {
			fmt.Fprintf(&b, " %s", strconv.Quote(m.Name))
		}
		fmt.Fprintf(&b, ", %s\n", count(tokens(m), "token"))
		for _, in := range m.Instructions {
			if in == nil {
				continue
			}
			fmt.Fprintf(&b, "   instruction %s\n", shown(in.Type()))
		}
		if m.ToolCallID != "" {
			fmt.Fprintf(&b, "   answers the call %s\n", strconv.Quote(m.ToolCallID))
		}
		for _, part := range m.Content.Parts {
			describe(&b, part, "   ")
		}
	}
	if len(request.Tools) > 0 {
		b.WriteString("\nTools: ")
		for i, tool := range request.Tools {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(shown(tool.Name))
		}
		b.WriteString("\n")
	}
	if settings := settings(request); settings != "" {
		fmt.Fprintf(&b, "\nSettings: %s\n", settings)
	}
	return b.String()
}

func describe(b *strings.Builder, part message.Part, indent string) {
	b.WriteString(indent)
	switch part := part.(type) {
	case message.Text:
		fmt.Fprintf(b, "text %s\n", quoted(part.Text))
	case message.Ref:
		fmt.Fprintf(b, "mention %s", strconv.Quote(part.Written))
		if part.Mention != nil {
			fmt.Fprintf(b, ", kind %s", shown(string(part.Mention.Kind())))
		}
		if part.Captured != "" {
			fmt.Fprintf(b, ", captured %s", shown(string(part.Captured)))
		}
		b.WriteString("\n")
	case message.Context:
		describeContext(b, part, indent)
	case message.Thinking:
		fmt.Fprintf(b, "thinking %s", quoted(part.Thinking))
		if part.Signature != "" {
			b.WriteString(", signed")
		}
		b.WriteString("\n")
	case message.ToolCall:
		fmt.Fprintf(b, "call %s of %s with %s\n", strconv.Quote(part.ID), shown(part.Name), quoted(string(part.Input)))
	case message.ToolResult:
		fmt.Fprintf(b, "result of %s\n", strconv.Quote(part.ToolCallID))
		for _, inner := range part.Parts() {
			describe(b, inner, indent+"   ")
		}
	case message.Image:
		fmt.Fprintf(b, "image %s\n", source(part.Source))
	case message.Document:
		fmt.Fprintf(b, "document %s%s\n", source(part.Source), titled(part.Title))
	case nil:
		b.WriteString("nothing\n")
	default:
		fmt.Fprintf(b, "%s\n", shown(part.Type()))
	}
}

func describeContext(b *strings.Builder, c message.Context, indent string) {
	names := make([]string, len(c.Names))
	for i, name := range c.Names {
		names[i] = strconv.Quote(name)
	}
	fmt.Fprintf(b, "context %s, %s, %s", strings.Join(names, " "), count(len(c.Text), "byte"), count(token.Estimate(c.Text), "token"))
	for _, attribute := range []struct{ name, value string }{
		{"kind", string(c.Kind)}, {"lines", c.Lines}, {"symbol", c.Symbol}, {"shown", c.Shown}, {"changed since", c.ChangedSince},
		{"body", string(c.Body)}, {"source", string(c.Source)}, {"base", string(c.Base)},
	} {
		if attribute.value != "" {
			fmt.Fprintf(b, ", %s %s", attribute.name, shown(attribute.value))
		}
	}
	b.WriteString("\n")
	for _, part := range c.Parts {
		describe(b, part, indent+"   ")
	}
}

func source(s message.Source) string {
	switch s.Type {
	case message.SourceBlob:
		return fmt.Sprintf("%s %s", shown(s.MIME), shown(string(s.Digest)))
	case message.SourceBase64:
		return fmt.Sprintf("%s, %s in base64", shown(s.MIME), count(len(s.Data), "byte"))
	case message.SourceURL:
		return "at " + strconv.Quote(s.URL)
	default:
		return "from " + strconv.Quote(string(s.Type))
	}
}

func titled(title string) string {
	if title == "" {
		return ""
	}
	return " " + strconv.Quote(title)
}

func settings(r message.Request) string {
	var list []string
	add := func(format string, value any, set bool) {
		if set {
			list = append(list, fmt.Sprintf(format, value))
		}
	}
	add("model %s", shown(r.Model), r.Model != "")
	if r.Temperature != nil {
		add("temperature %g", *r.Temperature, true)
	}
	if r.TopP != nil {
		add("top_p %g", *r.TopP, true)
	}
	add("at most %d tokens of output", r.MaxOutputTokens, r.MaxOutputTokens > 0)
	add("reasoning effort %s", shown(r.ReasoningEffort), r.ReasoningEffort != "")
	add("stop at %q", r.Stop, len(r.Stop) > 0)
	add("tool choice %s", shown(string(r.ToolChoice)), len(r.ToolChoice) > 0)
	if r.ResponseFormat != nil {
		add("format %s", shown(string(r.ResponseFormat.Type)), true)
	}
	add("timeout %s", r.Timeout, r.Timeout > 0)
	return strings.Join(list, ", ")
}

// tokens estimates what a message costs as the model reads it, images aside.
func tokens(m message.Message) int { return estimate(m.Rendered().Content.Parts) }

func estimate(parts []message.Part) (n int) {
	for _, part := range parts {
		switch part := part.(type) {
		case message.Text:
			n += token.Estimate(part.Text)
		case message.Thinking:
			n += token.Estimate(part.Thinking)
		case message.ToolCall:
			n += token.Estimate(part.Name) + token.Estimate(string(part.Input))
		case message.ToolResult:
			n += estimate(part.Parts())
		}
	}
	return n
}

// shown returns a word as it is if that is safe to show, and quoted otherwise.
func shown(word string) string {
	if quote := strconv.Quote(word); quote[1:len(quote)-1] != strings.ReplaceAll(word, `"`, `\"`) {
		return quote
	}
	return word
}

func quoted(text string) string {
	if len(text) <= maxQuoted {
		return strconv.Quote(text)
	}
	cut := maxQuoted
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s and so on, %s in all", strconv.Quote(text[:cut]), count(len(text), "byte"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
