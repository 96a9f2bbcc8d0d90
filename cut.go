package ampersat

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// cutText keeps the head and the tail of a text, three parts to one, in whole
// lines where it has any.
func cutText(c Content, fits func(string) bool) (text, shown string) {
	head := strings.SplitAfter(c.Text, "\n")
	tail := head
	total := len(head)
	if head[total-1] == "" {
		head, tail, total = head[:total-1], tail[:total-1], total-1
	}
	known := c.Tail == "" // whether the lines of the whole are known
	if !known {
		tail = strings.SplitAfter(c.Tail, "\n")[1:] // the first is a part of one
	}
	if known && total == 0 || fits(c.Text) && known {
		return c.Text, c.Shown
	}
	join := func(n int) string {
		first, last := head[:min(n-n/4, len(head))], tail[len(tail)-min(n/4, len(tail)):]
		gap := "[… not shown …]\n"
		if known {
			gap = fmt.Sprintf("[… lines %s to %s not shown …]\n", thousands(len(first)+1), thousands(total-len(last)))
		}
		return strings.Join(first, "") + gap + strings.Join(last, "")
	}
	most := len(head) + len(tail)
	if known {
		most = total - 1
	}
	n := largest(most, func(n int) bool { return fits(join(n)) })
	if n == 0 {
		return cutLine(c, fits)
	}
	first, last := min(n-n/4, len(head)), min(n/4, len(tail))
	switch {
	case !known:
		return join(n), fmt.Sprintf("the first %s lines and the last %s of %s bytes", thousands(first), thousands(last), thousands(int(c.Size)))
	case last == 0:
		shown = fmt.Sprintf("lines 1-%s of %s", thousands(first), thousands(total))
	default:
		shown = fmt.Sprintf("lines 1-%s and %s-%s of %s", thousands(first), thousands(total-last+1), thousands(total), thousands(total))
	}
	return join(n), shown
}

// cutLine keeps the beginning of a text whose lines are too long.
func cutLine(c Content, fits func(string) bool) (text, shown string) {
	n := largest(len(c.Text), func(n int) bool { return fits(strings.ToValidUTF8(c.Text[:n], "")) })
	text = strings.ToValidUTF8(c.Text[:n], "")
	if text == "" {
		return "", "nothing: it does not fit the budget"
	}
	return text, fmt.Sprintf("the first %s of %s bytes", thousands(len(text)), thousands(int(max(c.Size, int64(len(c.Text))))))
}

// cutTree keeps fewer levels of a listing that is indented by two spaces.
func cutTree(listing string, fits func(string) bool) (text, shown string) {
	lines := strings.SplitAfter(strings.TrimSuffix(listing, "\n"), "\n")
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
	levels := largest(deepest+1, func(n int) bool { text, _ := keep(n); return fits(text) })
	if levels > 0 {
		text, kept := keep(levels)
		return text, fmt.Sprintf("%d of %d levels, %s of %s entries", levels, deepest+1, thousands(kept), thousands(len(lines)))
	}
	n := largest(len(lines), func(n int) bool { return fits(strings.Join(lines[:n], "")) })
	return strings.Join(lines[:n], ""), fmt.Sprintf("%s of %s entries", thousands(n), thousands(len(lines)))
}

// cutDiff keeps the diffs of whole files, smallest first, and names the rest.
func cutDiff(diff string, fits func(string) bool) (text, shown string) {
	const header = "diff --git "
	var files []string
	for rest := diff; rest != ""; {
		end := strings.Index(rest[1:], "\n"+header)
		if end < 0 {
			files = append(files, rest)
			break
		}
		files = append(files, rest[:end+2])
		rest = rest[end+2:]
	}
	bySize := make([]int, len(files))
	for i := range bySize {
		bySize[i] = i
	}
	sort.SliceStable(bySize, func(a, b int) bool { return len(files[bySize[a]]) < len(files[bySize[b]]) })
	render := func(n int) string {
		whole := make([]bool, len(files))
		for _, i := range bySize[:n] {
			whole[i] = true
		}
		var b strings.Builder
		for i, file := range files {
			if whole[i] {
				b.WriteString(file)
			} else {
				name, _, _ := strings.Cut(strings.TrimPrefix(file, header), "\n")
				fmt.Fprintf(&b, "[not shown: %s, %s bytes]\n", name, thousands(len(file)))
			}
		}
		return b.String()
	}
	n := largest(len(files), func(n int) bool { return fits(render(n)) })
	text = render(n)
	if !fits(text) {
		return "", fmt.Sprintf("nothing: the names of %s files alone do not fit the budget", thousands(len(files)))
	}
	return text, fmt.Sprintf("%s of %s files", thousands(n), thousands(len(files)))
}

// largest returns the largest n up to most for which ok holds, which must hold
// for all smaller ones too; zero if it holds for none.
func largest(most int, ok func(n int) bool) int {
	return sort.Search(most, func(i int) bool { return !ok(i + 1) })
}

// thousands writes a number as people read it: 5,204.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
