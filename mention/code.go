package mention

import "strings"

// region is a part of a text, text[start:end].
type region struct{ start, end int }

// codeRegions returns the fenced code blocks and the code spans of a Markdown
// text, in order. A mention does not begin inside one.
//
// It follows CommonMark as far as that decides what is code: a fence ends with
// the list item or quote that holds it, and backticks pair up only within one
// paragraph. So the blocks have to be known, and this is a small block parser.
// Indented code and HTML blocks are ordinary text here: people indent prompts
// for reasons of their own.
func codeRegions(text string) []region {
	if strings.IndexByte(text, '`') < 0 && !strings.Contains(text, "~~~") {
		return nil
	}
	b := blocks{text: text}
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		b.line(start, len(strings.TrimSuffix(text[:end], "\r")))
		start = end + 1
	}
	b.closeLeaf(len(text))
	return b.regions
}

type leaf uint8

const (
	noLeaf    leaf = iota
	paragraph      // text, in which backticks may pair up
	indented       // lines indented by four, which are text of their own
	fence          // a fenced code block
)

// container is a block that holds other blocks: a quote or a list item.
type container struct {
	// indent is how far the content of a list item is indented; 0 is a quote.
	indent int
	// empty is a list item that nothing followed yet: one blank line ends it.
	empty bool
}

// blocks is the state between two lines.
type blocks struct {
	text       string
	regions    []region
	containers []container
	leaf       leaf
	start, end int // of the open leaf
	fenceChar  byte
	fenceSize  int
	spans      spanScanner
}

// line takes the line text[start:end], without its line ending.
func (b *blocks) line(start, end int) {
	cur := cursor{text: b.text, pos: start, end: end}
	matched := b.match(&cur)

	if b.leaf == fence {
		if matched == len(b.containers) {
			if b.closesFence(cur) {
				b.closeLeaf(end)
			}
			return
		}
		b.closeLeaf(start)
		b.containers = b.containers[:matched]
	}

	matched, openedContainer := b.openContainers(&cur, matched)
	indent, next := cur.indent()
	switch {
	case next == end: // blank
		b.closeTo(matched, start)
		return
	case b.leaf == paragraph && !openedContainer:
		rest := b.text[next:end]
		if indent < 4 && matched == len(b.containers) && isSetextUnderline(rest) {
			b.closeTo(matched, start)
			return
		}
		// A paragraph goes on, even where the line has dropped the markers of
		// its containers, unless something else starts here.
		if kind, _ := startOf(rest); indent >= 4 || kind == startParagraph {
			b.end = end
			return
		}
	case b.leaf == indented && indent >= 4 && matched == len(b.containers) && !openedContainer:
		b.end = end
		return
	}
	b.closeTo(matched, start)
	b.fill()
	if indent >= 4 {
		b.leaf, b.start, b.end = indented, next, end
		return
	}
	switch kind, size := startOf(b.text[next:end]); kind {
	case startFence:
		b.leaf, b.start = fence, next
		b.fenceChar, b.fenceSize = b.text[next], size
	case startHeading:
		b.regions = b.spans.append(b.regions, b.text, next, end)
	case startBreak:
	default:
		b.leaf, b.start, b.end = paragraph, next, end
	}
}

// match moves cur past the markers of the open containers and returns how many
// of them the line continues.
func (b *blocks) match(cur *cursor) int {
	for i, c := range b.containers {
		indent, next := cur.indent()
		blank := next == cur.end
		switch {
		case c.indent == 0:
			if blank || indent > 3 || b.text[next] != '>' {
				return i
			}
			cur.quoteMarker(next)
		case blank:
			if c.empty {
				return i
			}
		case indent >= c.indent:
			cur.skip(c.indent)
		default:
			return i
		}
	}
	return len(b.containers)
}

// openContainers opens the quotes and list items that begin on this line.
func (b *blocks) openContainers(cur *cursor, matched int) (int, bool) {
	opened := false
	for {
		indent, next := cur.indent()
		if next == cur.end || indent > 3 {
			return matched, opened
		}
		if b.text[next] == '>' {
			b.push(container{}, matched, next)
			cur.quoteMarker(next)
		} else {
			rest := b.text[next:cur.end]
			width, first := listMarker(rest)
			if width == 0 || isThematicBreak(rest) {
				return matched, opened
			}
			empty := strings.Trim(rest[width:], " \t") == ""
			if b.leaf == paragraph && !opened && matched == len(b.containers) && (empty || first != 1) {
				return matched, opened // it may not interrupt a paragraph
			}
			b.push(container{indent: 1, empty: empty}, matched, next)
			cur.advance(next + width)
			padding, _ := cur.indent()
			if empty || padding > 4 {
				padding = 1
			}
			if !empty {
				cur.skip(padding)
			}
			b.containers[matched].indent = indent + width + padding
		}
		matched++
		opened = true
	}
}

func (b *blocks) closesFence(cur cursor) bool {
	indent, next := cur.indent()
	if indent > 3 {
		return false
	}
	rest := strings.TrimRight(b.text[next:cur.end], " \t")
	return len(rest) >= b.fenceSize && strings.Trim(rest, string(rune(b.fenceChar))) == "" && rest != ""
}

// push opens a container in the first matched ones and closes all others.
func (b *blocks) push(c container, matched, at int) {
	b.closeTo(matched, at)
	b.fill()
	b.containers = append(b.containers, c)
}

func (b *blocks) closeTo(matched, at int) {
	b.closeLeaf(at)
	b.containers = b.containers[:matched]
}

// fill notes that the innermost container has something in it.
func (b *blocks) fill() {
	if n := len(b.containers); n > 0 {
		b.containers[n-1].empty = false
	}
}

// closeLeaf ends the open leaf; a fence ends at the given offset.
func (b *blocks) closeLeaf(at int) {
	switch b.leaf {
	case fence:
		b.regions = append(b.regions, region{b.start, at})
	case paragraph, indented:
		b.regions = b.spans.append(b.regions, b.text, b.start, b.end)
	}
	b.leaf = noLeaf
}

type start uint8

const (
	startParagraph start = iota
	startFence
	startHeading
	startBreak
)

// startOf tells which leaf a line begins that is indented by less than four.
// For a fence it also returns the number of its characters.
func startOf(rest string) (start, int) {
	switch c := rest[0]; c {
	case '`', '~':
		size := run(rest, c)
		if size >= 3 && (c == '~' || strings.IndexByte(rest[size:], '`') < 0) {
			return startFence, size
		}
	case '#':
		size := run(rest, c)
		if size <= 6 && (size == len(rest) || rest[size] == ' ' || rest[size] == '\t') {
			return startHeading, size
		}
	case '*', '-', '_':
		if isThematicBreak(rest) {
			return startBreak, 0
		}
	}
	return startParagraph, 0
}

func isThematicBreak(rest string) bool {
	c := rest[0]
	if c != '*' && c != '-' && c != '_' {
		return false
	}
	count := 0
	for i := range len(rest) {
		switch rest[i] {
		case c:
			count++
		case ' ', '\t':
		default:
			return false
		}
	}
	return count >= 3
}

func isSetextUnderline(rest string) bool {
	c := rest[0]
	if c != '=' && c != '-' {
		return false
	}
	return strings.Trim(rest[run(rest, c):], " \t") == ""
}

// listMarker returns the width of a list marker and the number it starts with
// (1 for a bullet), or zero if rest does not begin with one.
func listMarker(rest string) (width, first int) {
	switch c := rest[0]; {
	case c == '-' || c == '+' || c == '*':
		width, first = 1, 1
	case '0' <= c && c <= '9':
		digits := 0
		for digits < len(rest) && digits < 10 && '0' <= rest[digits] && rest[digits] <= '9' {
			first = first*10 + int(rest[digits]-'0')
			digits++
		}
		if digits > 9 || digits == len(rest) || rest[digits] != '.' && rest[digits] != ')' {
			return 0, 0
		}
		width = digits + 1
	default:
		return 0, 0
	}
	if width < len(rest) && rest[width] != ' ' && rest[width] != '\t' {
		return 0, 0
	}
	return width, first
}

func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// cursor reads the white space at the beginning of a line in columns, where a
// tab reaches to the next multiple of four.
type cursor struct {
	text     string
	pos, end int
	column   int
	// spare is what is left of a tab that was only partly used.
	spare int
}

// indent returns the columns of white space ahead and the offset after them.
func (c cursor) indent() (columns, next int) {
	column, next := c.column+c.spare, c.pos
	for ; next < c.end; next++ {
		switch c.text[next] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column - c.column, next
		}
	}
	return column - c.column, next
}

// skip moves over columns of white space.
func (c *cursor) skip(columns int) {
	for ; columns > 0; columns-- {
		switch {
		case c.spare > 0:
			c.spare--
		case c.pos < c.end && c.text[c.pos] == '\t':
			c.spare = 3 - c.column%4
			c.pos++
		case c.pos < c.end && c.text[c.pos] == ' ':
			c.pos++
		default:
			return
		}
		c.column++
	}
}

// advance moves to an offset on the same line, over white space and a marker.
func (c *cursor) advance(to int) {
	columns, next := c.indent()
	c.column += columns + to - next
	c.pos, c.spare = to, 0
}

// quoteMarker moves past the > at the given offset and one space.
func (c *cursor) quoteMarker(at int) {
	c.advance(at + 1)
	c.skip(1)
}
