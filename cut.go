package ampersat

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// room is how many tokens there are for a text.
type room struct {
	count  func(string) int
	tokens int
}

func (r room) fits(text string) bool { return r.over(text) == 0 }

// over is how many tokens a text costs too much. The empty one costs nothing, even
// where there is less than no room.
func (r room) over(text string) int { return max(0, r.count(text)-max(0, r.tokens)) }

// countLines counts the lines of a text one by one, as headLines and tailLines
// do. That is not quite what they cost together: of many short lines each is
// rounded.
func (r room) countLines(text string) (tokens int) {
	for line := range strings.Lines(text) {
		tokens += r.count(line)
	}
	return tokens
}

// cutText keeps the head and the tail of a text, three parts to one, in whole
// lines where it has any.
func cutText(c *Content, r room) (text, shown string) {
	known := c.Tail == "" // whether the lines of the whole are known
	if known && r.fits(c.Text) {
		return c.Text, c.Shown
	}
	const gap = 14 // what the line between the two costs
	head := headLines(c.Text, room{r.count, (r.tokens - gap) * 3 / 4})
	tail := c.Tail
	if known {
		tail = c.Text[len(head):]
	}
	tail = tailLines(tail, room{r.count, r.tokens - gap - r.count(head)})
	for {
		text, shown = joinCut(c, head, tail)
		over := r.over(text)
		if over == 0 || head == "" {
			break
		}
		head = headLines(head, room{r.count, r.countLines(head) - over})
	}
	if head == "" || tail == "" && r.tokens < 4*gap {
		return cutShort(c, r)
	}
	return text, shown
}

// cutOutput keeps the last lines of a terminal's output, which are the newest.
func cutOutput(c *Content, r room) (text, shown string) {
	// A line break before it tells that the first line is a whole one.
	text = tailLines("\n"+c.Text, r)
	for over := r.over(text); over > 0; over = r.over(text) {
		text = tailLines(text, room{r.count, r.countLines(text) - over})
	}
	text = strings.TrimPrefix(text, "\n")
	if text == "" {
		start := sort.Search(len(c.Text), func(n int) bool { return r.fits(c.Text[n:]) })
		text = strings.ToValidUTF8(c.Text[start:], "")
		return text, c.besides(fmt.Sprintf("the last %s of %s bytes", wording.Number(len(text)), wording.Number(int(c.Size))))
	}
	total, rest := c.inAll(strings.Count(c.Text, "\n"), "lines")
	return text, fmt.Sprintf("the last %s of %s lines%s", wording.Number(strings.Count(text, "\n")), total, rest)
}

// inAll is how many things a content has of which count are in its text: some may
// have been left out where it was read ("40 of more than 312 entries"). What that
// says otherwise is rest, to be said as well.
func (c *Content) inAll(count int, things string) (total, rest string) {
	if c.Shown == "" {
		return wording.Number(count), ""
	}
	_, of, found := strings.Cut(c.Shown, " of ")
	of, counted := strings.CutSuffix(of, " "+things)
	if number := strings.TrimPrefix(of, "more than "); found && counted && number != "" && strings.Trim(number, "0123456789,") == "" {
		return of, ""
	}
	return wording.Number(count), "; " + c.Shown
}

// headLines returns the whole lines at the beginning of a text that fit.
func headLines(text string, r room) string {
	end, left := 0, r.tokens
	for end < len(text) {
		next := strings.IndexByte(text[end:], '\n') + 1
		if next == 0 {
			break // an unfinished line is no whole one
		}
		if left -= r.count(text[end : end+next]); left < 0 {
			break
		}
		end += next
	}
	return text[:end]
}

// tailLines returns the whole lines at the end of a text that fit.
func tailLines(text string, r room) string {
	start, left := len(text), r.tokens
	for start > 0 {
		before := strings.LastIndexByte(text[:start-1], '\n') + 1
		if before == 0 {
			break // the first line may be a part of one
		}
		if left -= r.count(text[before:start]); left < 0 {
			break
		}
		start = before
	}
	return text[start:]
}

// joinCut puts head and tail together and says what they are.
func joinCut(c *Content, head, tail string) (text, shown string) {
	first, last := strings.Count(head, "\n"), strings.Count(tail, "\n")
	if tail != "" && !strings.HasSuffix(tail, "\n") {
		last++
	}
	if c.Tail != "" {
		return head + "[… not shown …]\n" + tail,
			fmt.Sprintf("the first %s lines and the last %s of %s bytes", wording.Number(first), wording.Number(last), wording.Number(int(c.Size)))
	}
	total := lineCount(c.Text)
	line, of := c.lineNumbers(total)
	text = fmt.Sprintf("%s[… lines %s to %s not shown …]\n%s", head, line(first+1), line(total-last), tail)
	if last == 0 {
		return text, fmt.Sprintf("lines %s-%s of %s", line(1), line(first), of)
	}
	return text, fmt.Sprintf("lines %s-%s and %s-%s of %s", line(1), line(first), line(total-last+1), line(total), of)
}

// lineCount is how many lines a text has.
func lineCount(text string) int {
	total := strings.Count(text, "\n")
	if !strings.HasSuffix(text, "\n") {
		total++
	}
	return total
}

// lineNumbers says what the lines of a text are called, and all of them. They are
// those of the file, also where only some were asked for.
func (c *Content) lineNumbers(total int) (line func(int) string, all string) {
	before := 0
	all = wording.Number(total)
	if n, err := strconv.Atoi(strings.SplitN(c.Lines, "-", 2)[0]); err == nil {
		before, all = n-1, c.Lines
	}
	return func(n int) string { return wording.Number(before + n) }, all
}

// cutShort keeps the beginning of a text where there is no room for a tail: whole
// lines, or a piece of the first one.
func cutShort(c *Content, r room) (text, shown string) {
	text = headLines(c.Text, r)
	for over := r.over(text); over > 0; over = r.over(text) {
		text = headLines(text, room{r.count, r.countLines(text) - over})
	}
	lines := strings.Count(text, "\n")
	line, of := c.lineNumbers(lineCount(c.Text))
	switch {
	case text == "":
		return cutLine(c, r)
	case c.Tail != "":
		return text, fmt.Sprintf("the first %s lines of %s bytes", wording.Number(lines), wording.Number(int(c.Size)))
	case lines == 1:
		return text, fmt.Sprintf("line %s of %s", line(1), of)
	}
	return text, fmt.Sprintf("lines %s-%s of %s", line(1), line(lines), of)
}

// cutLine keeps the beginning of a text whose lines are too long.
func cutLine(c *Content, r room) (text, shown string) {
	n := largest(len(c.Text), func(n int) bool { return r.fits(c.Text[:n]) })
	text = strings.ToValidUTF8(c.Text[:n], "") // a character may have been cut in two
	first := wording.Number(len(text))
	switch {
	case text == "":
		return "", nothing
	case strings.Contains(c.Lines, "-"):
		return text, fmt.Sprintf("the first %s of %s bytes of lines %s", first, wording.Number(len(c.Text)), c.Lines)
	case c.Lines != "":
		return text, fmt.Sprintf("the first %s of %s bytes of line %s", first, wording.Number(len(c.Text)), c.Lines)
	}
	return text, fmt.Sprintf("the first %s of %s bytes", first, wording.Number(int(max(c.Size, int64(len(c.Text))))))
}

// cutTree keeps fewer levels of a listing that is indented by two spaces.
func cutTree(c *Content, r room) (text, shown string) {
	lines := strings.SplitAfter(strings.TrimSuffix(c.Text, "\n"), "\n")
	total, rest := c.inAll(len(lines), "entries")
	depth := func(line string) int { return (len(line) - len(strings.TrimLeft(line, " "))) / 2 }
	deepest := 0
	for _, line := range lines {
		deepest = max(deepest, depth(line))
	}
	keep := func(levels int) (string, int) {
		var b strings.Builder
		kept := 0
		for _, line := range lines {
			if depth(line) < levels {
				b.WriteString(line)
				kept++
			}
		}
		return b.String(), kept
	}
	levels := largest(deepest+1, func(n int) bool { text, _ := keep(n); return r.fits(text) })
	if levels > 0 {
		text, kept := keep(levels)
		return text, fmt.Sprintf("%d of %d levels, %s of %s entries%s", levels, deepest+1, wording.Number(kept), total, rest)
	}
	n := largest(len(lines), func(n int) bool { return r.fits(strings.Join(lines[:n], "")) })
	return strings.Join(lines[:n], ""), fmt.Sprintf("%s of %s entries%s", wording.Number(n), total, rest)
}

// largest returns the largest n up to most for which ok holds, which must hold
// for all smaller ones too; zero if it holds for none.
func largest(most int, ok func(n int) bool) int {
	return sort.Search(most, func(i int) bool { return !ok(i + 1) })
}
