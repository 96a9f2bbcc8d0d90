package tool

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// lineEnds writes the lines of an edit as the file ends its own: models write
// newlines, whatever they have read.
func lineEnds(text, old, new string) (string, string) {
	crlf := strings.Count(text, "\r\n")
	switch {
	case crlf == 0:
		return old, new
	case crlf == strings.Count(text, "\n"), !strings.Contains(text, old):
		return withCRLF(old), withCRLF(new)
	}
	// Both sorts of ends, and old is there as it was given.
	return old, new
}

func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// linesOf says in which lines something stands.
func linesOf(text, what string) string {
	const most = 5
	var lines []string
	line, rest := 1, text
	for {
		before, after, found := strings.Cut(rest, what)
		if !found {
			break
		}
		if len(lines) == most {
			lines = append(lines, "and more")
			break
		}
		line += strings.Count(before, "\n")
		lines = append(lines, wording.Number(line))
		line += strings.Count(what, "\n")
		rest = after
	}
	return "lines " + strings.Join(lines, ", ")
}

// nearest says where a text stands that is most like one that was not found: in
// which line, and not what is there, since an edit is not a way to read.
func nearest(text, old string) string {
	first, offset := "", 0
	for i, line := range strings.Split(old, "\n") {
		if first = squeeze(line); first != "" {
			offset = i
			break
		}
	}
	if first == "" {
		return "it is nothing but white space, which must be exactly that of the file"
	}
	wanted := pairs(first)
	best, where, number := 0.0, 0, 0
	for line := range strings.Lines(text) {
		number++
		have := squeeze(line)
		if have == first {
			best, where = 1, number
			break
		}
		if likeness := alike(wanted, pairs(have)); likeness > best {
			best, where = likeness, number
		}
	}
	at := wording.Number(max(where-offset, 1))
	switch {
	case best == 1:
		return fmt.Sprintf("text that begins like it stands at line %s, with other white space or another end: read the lines there, and give old exactly", at)
	case best > 0.5:
		return fmt.Sprintf("most like it is line %s: read the lines there, and give old exactly", at)
	}
	return "nothing in it is like it: read it first"
}

// squeeze is a line without white space.
func squeeze(line string) string { return strings.Join(strings.Fields(line), "") }

// pairs counts the pairs of bytes that follow each other in a line.
func pairs(line string) map[[2]byte]int {
	const most = 1_000
	counted := map[[2]byte]int{}
	for i := 1; i < min(len(line), most); i++ {
		counted[[2]byte{line[i-1], line[i]}]++
	}
	return counted
}

// alike is how much of two lines is the same, from none, 0, to all, 1.
func alike(a, b map[[2]byte]int) float64 {
	same, all := 0, 0
	for pair, count := range a {
		same += min(count, b[pair])
		all += count
	}
	for _, count := range b {
		all += count
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(same) / float64(all)
}
