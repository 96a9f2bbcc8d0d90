package ampersat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// cutDiff keeps the diffs of whole files, smallest first, of the next one as many
// hunks as there is room for, and names the others. What stands before the first
// file, such as the message of a commit, stays.
func cutDiff(c *Content, r room) (text, shown string) {
	d := splitDiff(c.Text)
	total, also := c.inAll(len(d.files), "files")
	fits := func(p diffPart) bool { return r.fits(d.render(p)) }
	// Of many files the names alone would take all of it.
	p := diffPart{names: largest(len(d.files), func(n int) bool { return r.count(d.render(diffPart{names: n})) <= r.tokens/4 })}
	if p.names == 0 && fits(diffPart{names: 1}) {
		p.names = 1
	}
	if !fits(p) {
		return "", fmt.Sprintf("nothing: the names of %s files alone do not fit the budget", total)
	}
	p.whole = largest(len(d.files), func(n int) bool { return fits(diffPart{names: p.names, whole: n}) })
	shown = fmt.Sprintf("%s of %s files", wording.Number(p.whole), total)
	if p.whole < len(d.files) {
		next := d.next(p.whole)
		p.hunks = largest(len(next.hunks), func(n int) bool { return fits(diffPart{p.names, p.whole, n, 0}) })
		if p.hunks < len(next.hunks) {
			p.lines = largest(strings.Count(next.hunks[p.hunks], "\n"), func(n int) bool { return fits(diffPart{p.names, p.whole, p.hunks, n}) })
			if p.lines < leastLines {
				p.lines = 0
			}
		}
		switch count := len(next.hunks); {
		case p.lines > 0:
			shown += fmt.Sprintf(", and of %s %s of %s hunks and the beginning of one", next.path(), wording.Number(p.hunks), wording.Number(count))
		case p.hunks > 0:
			shown += fmt.Sprintf(", and of %s %s of %s hunks", next.path(), wording.Number(p.hunks), wording.Number(count))
		}
	}
	p.names = max(p.names, largest(len(d.files), func(n int) bool { return fits(diffPart{n, p.whole, p.hunks, p.lines}) }))
	return d.render(p), shown + also
}

// leastLines is how many lines of a hunk say more than that it is there: its
// heading, and more than one line around what has changed.
const leastLines = 6

// diffs is a diff in pieces.
type diffs struct {
	preamble string
	files    []fileDiff
	bySize   []int // the smallest first
}

// fileDiff is the diff of one file. The head is everything before its hunks.
type fileDiff struct {
	name, text, head string
	hunks            []string
}

// path is the name of a file that has the same before and after.
func (f fileDiff) path() string {
	if before, after, _ := strings.Cut(f.name, " b/"); before == "a/"+after {
		return after
	}
	return f.name
}

// diffPart is what of a diff is shown: the names of so many of the files that are
// not, so many whole files, and of the next one so many hunks, and lines of the one
// after them.
type diffPart struct{ names, whole, hunks, lines int }

// splitDiff takes a diff apart.
func splitDiff(text string) (d diffs) {
	const header = "diff --git "
	rest := text
	if !strings.HasPrefix(text, header) {
		start := strings.Index(text, "\n"+header) + 1
		d.preamble, rest = text[:start], text[start:]
	}
	for _, file := range splitBefore(rest, header) {
		parts := splitBefore(file, "@@")
		f := fileDiff{text: file, head: parts[0], hunks: parts[1:]}
		f.name, _, _ = strings.Cut(strings.TrimPrefix(file, header), "\n")
		d.files = append(d.files, f)
	}
	for i := range d.files {
		d.bySize = append(d.bySize, i)
	}
	slices.SortStableFunc(d.bySize, func(a, b int) int { return len(d.files[a].text) - len(d.files[b].text) })
	return d
}

// splitBefore divides a text before each line but the first that begins with a word.
func splitBefore(text, word string) (parts []string) {
	for text != "" {
		end := strings.Index(text[1:], "\n"+word)
		if end < 0 {
			return append(parts, text)
		}
		parts = append(parts, text[:end+2])
		text = text[end+2:]
	}
	return parts
}

// next is the file after so many that are shown whole.
func (d *diffs) next(whole int) fileDiff { return d.files[d.bySize[whole]] }

// render writes a part of the diff, in the order of its files, and says in the place
// of what is left out what that is.
func (d *diffs) render(p diffPart) string {
	whole := make([]bool, len(d.files))
	for _, i := range d.bySize[:p.whole] {
		whole[i] = true
	}
	var b strings.Builder
	b.WriteString(d.preamble)
	unnamed, size := 0, 0
	for i, f := range d.files {
		switch {
		case whole[i]:
			b.WriteString(f.text)
		case p.hunks+p.lines > 0 && i == d.bySize[p.whole]:
			f.render(&b, p)
		case p.names > 0:
			p.names--
			fmt.Fprintf(&b, "[not shown: %s, %s bytes]\n", f.name, wording.Number(len(f.text)))
		default:
			unnamed, size = unnamed+1, size+len(f.text)
		}
	}
	if unnamed > 0 {
		fmt.Fprintf(&b, "[not shown, nor named: %s of %s files, %s bytes]\n", wording.Number(unnamed), wording.Number(len(d.files)), wording.Number(size))
	}
	return b.String()
}

// render writes some hunks of a file.
func (f fileDiff) render(b *strings.Builder, p diffPart) {
	b.WriteString(f.head)
	for _, hunk := range f.hunks[:p.hunks] {
		b.WriteString(hunk)
	}
	left := f.hunks[p.hunks:]
	if p.lines > 0 {
		lines := strings.SplitAfterN(left[0], "\n", p.lines+1)
		for _, line := range lines[:p.lines] {
			b.WriteString(line)
		}
		if rest := lines[p.lines]; rest != "" {
			fmt.Fprintf(b, "[not shown: the rest of this hunk, %s bytes]\n", wording.Number(len(rest)))
		}
		left = left[1:]
	}
	if len(left) > 0 {
		fmt.Fprintf(b, "[not shown: %s of %s hunks of this file, %s bytes]\n", wording.Number(len(left)), wording.Number(len(f.hunks)), wording.Number(len(strings.Join(left, ""))))
	}
}
