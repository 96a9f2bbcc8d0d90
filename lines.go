package ampersat

import (
	"context"
	"path"
	"strconv"
	"strings"
)

// isPart reports whether the content is some lines of its source, or a symbol.
func (c *Content) isPart() bool { return c.Lines+c.Symbol != "" }

// isSince reports whether a part was seen after the whole file was, if that was.
func isSince(before, file *sight) bool {
	return before != nil && (file == nil || !file.whole || before.at > file.at)
}

// comparePart decides what of lines or of a symbol is sent. They are judged by
// themselves: that the file has changed elsewhere makes them no others. Lines that
// the model has seen as part of a file that has changed since, or that it holds for
// outdated, are sent again, and not referred to, so that what becomes of them can be told.
func (p *Pipeline) comparePart(ctx context.Context, b *block, s seen) error {
	c := b.content
	before, file, _ := s.sights(c, b.called())
	switch {
	case isSince(before, file):
		switch {
		case before.whole && (before.source == c.Source || before.body == b.context.Body):
			b.context, b.outcome = b.reference(before), Unchanged
		case before.differs(b):
			return p.changed(ctx, b, before, nil)
		}
	case file == nil || !file.whole:
		// What was seen, if anything, are other lines, or nobody knows which.
	case file.source == c.Source && s.isTakenForCurrent(b):
		b.context, b.outcome = b.reference(file), Unchanged
	case !p.held(ctx, file, c):
		return p.changed(ctx, b, file, nil)
	}
	return ctx.Err()
}

// differs reports whether a part is another than was seen. Of one that was cut
// this is so if its file is another: what was not shown of it may have changed.
func (s *sight) differs(b *block) bool {
	if s.shown == b.content.Shown {
		return s.body != b.context.Body
	}
	return s.source != "" && s.source != b.content.Source
}

// held reports whether a file had the lines of a part when it was seen, or may
// have had them: it need not have been kept.
func (p *Pipeline) held(ctx context.Context, file *sight, part *Content) bool {
	if p.Blobs == nil {
		return true
	}
	old, err := p.Blobs.Get(ctx, file.source)
	if err != nil {
		return true
	}
	if part.Symbol != "" {
		return hadSymbol(string(old), part)
	}
	first, last, ok := lineRange(part.Lines)
	if !ok {
		return true
	}
	was := linesOf(string(old), first, last)
	return was == part.Text || part.Shown != "" && strings.HasPrefix(was, part.Text)
}

// hadSymbol reports whether a text had a symbol as it is now, on whichever lines. What
// has lost its last lines is found there too, with more lines of its own behind it.
func hadSymbol(old string, part *Content) bool {
	begins, rest := "\n"+strings.TrimSuffix(part.Text, "\n"), "\n"+old
	for begins != "\n" {
		_, behind, found := strings.Cut(rest, begins)
		if !found {
			return false
		}
		isWhole := behind == "" || behind[0] == '\n' && !goesOn(part, behind)
		if isWhole || part.Shown != "" {
			return true
		}
		rest = behind
	}
	return true // nothing is in every text
}

// goesOn reports whether a symbol goes on in what stands behind some lines of it: it
// does with a line that is further in than its first one, and a section of Markdown up
// to the next heading of its level. That much can be told whatever the language is.
func goesOn(symbol *Content, behind string) bool {
	line, below := firstLines(behind)
	if line == "" {
		return false
	}
	first, second := firstLines(symbol.Text)
	if own := headingLevel(first, second); own > 0 && isMarkdown(symbol.Name) {
		level := headingLevel(line, below)
		return level == 0 || level > own
	}
	isIn := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	return isIn(line) > isIn(first)
}

// firstLines returns the first line of a text that is not blank, and the next.
func firstLines(text string) (first, second string) {
	for line := range strings.Lines(text) {
		switch line = strings.TrimRight(line, "\r\n"); {
		case first != "":
			return first, line
		case strings.TrimSpace(line) != "":
			first = line
		}
	}
	return first, ""
}

// headingLevel is that of a line of Markdown with the one below it, zero if it is no
// heading.
func headingLevel(line, below string) int {
	rest := strings.TrimLeft(line, "#")
	switch level, under := len(line)-len(rest), strings.TrimSpace(below); {
	case level > 0 && level <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t'):
		return level
	case under != "" && strings.Trim(under, "=") == "":
		return 1
	case under != "" && strings.Trim(under, "-") == "":
		return 2
	}
	return 0
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// lineRange reads lines as they are written: 10-20, or 10.
func lineRange(lines string) (first, last int, ok bool) {
	from, to, isRange := strings.Cut(lines, "-")
	if !isRange {
		to = from
	}
	first, errFirst := strconv.Atoi(from)
	last, errLast := strconv.Atoi(to)
	return first, last, errFirst == nil && errLast == nil
}

// linesOf returns some lines of a text, counted from one, as far as it has them.
func linesOf(text string, first, last int) string {
	number, start, end := 0, len(text), 0
	for line := range strings.Lines(text) {
		number++
		if number == first {
			start = end
		}
		end += len(line)
		if number == last {
			break
		}
	}
	return text[start:max(start, end)]
}
