package git

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// section is the diff of one file. Its text is gone where there was no room.
type section struct {
	name string // as git names it: "a/x b/x"
	size int
	text []byte
	gone bool
	// withheld is why it may not be shown, empty if it may.
	withheld string
	// allowed says that it holds secrets that may be shown.
	allowed bool
}

// sections holds the diffs of whole files, as many as there is room for,
// smallest first, however many there are and in whatever order they come.
type sections struct {
	room int // in bytes
	// withhold says why the diff of a file may not be shown, empty if it may.
	withhold func(path string) string

	all     []*section
	held    int
	largest bySize
	current *section
	buffer  []byte // the text of the current one
}

const (
	sectionStart = "diff --git "
	// unmergedStart begins a line about a file in conflict that belongs to no
	// section; these files are asked for apart.
	unmergedStart = "* Unmerged path "
)

// pieces calls each with the lines of a text, a long one in several pieces; begin is
// set for the first of a line.
func pieces(r *bufio.Reader, each func(text []byte, begin bool)) error {
	for begin := true; ; {
		text, err := r.ReadSlice('\n')
		each(text, begin)
		switch {
		case err == nil:
			begin = true
		case errors.Is(err, bufio.ErrBufferFull):
			begin = false
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
}

// read takes a diff as git writes it. Lines of a file's text never begin as a
// section does: there is a sign before them.
func (s *sections) read(r *bufio.Reader) error {
	err := pieces(r, func(text []byte, begin bool) {
		if begin && bytes.HasPrefix(text, []byte(sectionStart)) {
			s.finish()
			name := strings.TrimSuffix(string(text[len(sectionStart):]), "\n")
			s.current = &section{name: name, withheld: s.reason(name)}
			s.all = append(s.all, s.current)
		}
		if !begin || !bytes.HasPrefix(text, []byte(unmergedStart)) {
			s.add(text)
		}
	})
	if err == nil {
		s.finish()
	}
	return err
}

// reason is why a file may not be shown, by either of its names.
func (s *sections) reason(name string) string {
	before, after := paths(name)
	if why := s.withhold(after); why != "" || before == after {
		return why
	}
	return s.withhold(before)
}

// paths returns the two names of a file in "a/x b/y". Where a name has " b/" in
// it, it is the same on both sides, or quoted.
func paths(name string) (before, after string) {
	for i := 0; ; {
		next := strings.Index(name[i:], " b/")
		if next < 0 {
			break
		}
		i += next
		before, after = strings.TrimPrefix(name[:i], "a/"), name[i+len(" b/"):]
		if before == after {
			return before, after
		}
		i++
	}
	if unquoted, rest, ok := strings.Cut(strings.TrimPrefix(name, `"a/`), `" "b/`); ok {
		return unquoted, strings.TrimSuffix(rest, `"`)
	}
	return before, after
}

func (s *sections) add(text []byte) {
	c := s.current
	if c == nil {
		return
	}
	if c.withheld != "" {
		// Of what may not be shown there is a line in its place.
		if c.size == 0 {
			text = c.leftOut()
		} else {
			return
		}
	}
	c.size += len(text)
	if c.gone = c.gone || c.size > s.room; !c.gone {
		s.buffer = append(s.buffer, text...)
	}
}

// leftOut is the line in the place of what may not be shown.
func (c *section) leftOut() []byte {
	return fmt.Appendf(nil, "[left out: %s: %s]\n", c.name, c.withheld)
}

// finish makes room for the section that has been read: the largest go first.
// What is left is what taking the smallest first from all would give, because
// no section that went could ever come to fit again.
func (s *sections) finish() {
	c, text := s.current, s.buffer
	s.current, s.buffer = nil, text[:0]
	if c == nil || c.gone {
		return
	}
	c.text = bytes.Clone(text)
	s.held += c.size
	heap.Push(&s.largest, c)
	s.shrink(s.room)
}

// review leaves out what judge says may not be shown, and why. Allowed says that
// there are secrets in it that may be.
func (s *sections) review(judge func(c *section) (why string, allowed bool)) {
	s.held = 0
	for _, c := range s.largest {
		if c.withheld == "" {
			if c.withheld, c.allowed = judge(c); c.withheld != "" {
				c.text = c.leftOut()
				c.size = len(c.text)
			}
		}
		s.held += c.size
	}
	heap.Init(&s.largest)
}

func (s *sections) shrink(room int) {
	for s.held > room {
		c := heap.Pop(&s.largest).(*section)
		s.held -= c.size
		c.text, c.gone = nil, true
	}
}

// render returns the names of the files that there is no room for, and the
// diffs of the others. What it shows is said if it is not all.
func (s *sections) render() (names, text, shown string) {
	if len(s.largest) < len(s.all) {
		// The names need room as well.
		s.shrink(s.room - s.room/8)
		names = s.names(s.room / 8)
		shown = fmt.Sprintf("%s of %s files", wording.Number(len(s.largest)), wording.Number(len(s.all)))
	}
	var b strings.Builder
	b.Grow(s.held)
	for _, c := range s.all {
		b.Write(c.text)
	}
	return names, b.String(), shown
}

// names lists the files that are not shown, in so many bytes.
func (s *sections) names(room int) string {
	const rest = 48 // what the last line may take
	var b strings.Builder
	left := len(s.all) - len(s.largest)
	for _, c := range s.all {
		if !c.gone {
			continue
		}
		line := fmt.Sprintf("[not shown: %s, %s bytes]\n", c.name, wording.Number(c.size))
		if b.Len()+len(line)+rest > room {
			break
		}
		b.WriteString(line)
		left--
	}
	if left > 0 {
		fmt.Fprintf(&b, "[not shown: %s more files]\n", wording.Number(left))
	}
	return b.String()
}

func (s *sections) size() (total int64) {
	for _, c := range s.all {
		total += int64(c.size)
	}
	return total
}

// bySize is a heap with the largest section on top.
type bySize []*section

func (h bySize) Len() int           { return len(h) }
func (h bySize) Less(a, b int) bool { return h[a].size > h[b].size }
func (h bySize) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *bySize) Push(c any)        { *h = append(*h, c.(*section)) }
func (h *bySize) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}
