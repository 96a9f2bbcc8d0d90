package symbol

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// view is which lines are shown.
type view struct {
	lines []line
	fits  func(string) bool
	// parents is for each line the one that it is nested in, or -1.
	parents []int32
	// level is how deep lines are shown, on which are shown besides.
	level int
	on    []bool
	// count is how many lines were written last.
	count int
}

func newView(lines []line, fits func(string) bool) *view {
	v := &view{lines: lines, fits: fits, parents: make([]int32, len(lines)), on: make([]bool, len(lines))}
	var open []int32 // the last line of each level
	for i, l := range lines {
		v.parents[i] = -1
		if l.level > 0 && int(l.level) <= len(open) {
			v.parents[i] = open[l.level-1]
		}
		if l.kind == solid {
			open = append(open[:l.level], int32(i))
		}
	}
	return v
}

// fit reports whether what is shown fits.
func (v *view) fit() bool { return v.fits(v.render()) }

// show adds a line, with what it is in.
func (v *view) show(i int) {
	for at := int32(i); at >= 0 && !v.on[at]; at = v.parents[at] {
		v.on[at] = true
	}
}

// longestHead is how many lines may belong to the first line of a declaration.
const longestHead = 12

// head adds the first line of a declaration, and its parameters if they are below.
func (v *view) head(d declaration) {
	i := d.head - 1
	v.show(i)
	end := int(v.lines[i].end)
	if end < len(v.lines) && end-i <= longestHead && strings.HasPrefix(strings.TrimSpace(v.lines[end].code), ")") {
		for at := i; at <= end; at++ {
			v.show(at)
		}
	}
}

// try adds a declaration, whole or only its head, if that fits.
func (v *view) try(d declaration, whole bool) bool {
	before := slices.Clone(v.on)
	v.head(d)
	for i := d.first - 1; whole && i < d.last; i++ {
		v.show(i)
	}
	if v.fit() {
		return true
	}
	v.on = before
	return false
}

// levels shows all lines as deep as there is room for.
func (v *view) levels() {
	deepest := 0
	for _, l := range v.lines {
		deepest = max(deepest, int(l.level))
	}
	v.level = sort.Search(deepest, func(k int) bool {
		v.level = k + 1
		return !v.fit()
	})
}

// most adds as many of some things as fit, the first ones first.
func (v *view) most(n int, add func(k int)) {
	before := v.on
	first := func(n int) {
		v.on = slices.Clone(before)
		for k := range n {
			add(k)
		}
	}
	first(sort.Search(n, func(k int) bool {
		first(k + 1)
		return !v.fit()
	}))
}

// top adds as many of the lines that are not nested as fit, from the top.
func (v *view) top() {
	if !slices.Contains(v.on, true) {
		return // it is not known what in them matters
	}
	v.most(len(v.lines), func(i int) {
		if v.lines[i].level == 0 {
			v.on[i] = true
		}
	})
}

// longestAlone is how long a line is at most that is shown because saying that it
// is missing would be as long.
const longestAlone = 120

func (v *view) render() string {
	shown := func(i int) bool { return int(v.lines[i].level) <= v.level || v.on[i] }
	var b strings.Builder
	v.count = 0
	for i := 0; i < len(v.lines); {
		l := v.lines[i]
		hidden := i
		for i < len(v.lines) && !shown(i) {
			i++
		}
		if missing := i - hidden; missing > 1 || missing == 1 && len(l.text) > longestAlone {
			indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t\r\n"))]
			fmt.Fprintf(&b, "%s… %d line%s", strings.Trim(indent, "\r\n"), missing, plural(missing))
			if i < len(v.lines) || strings.HasSuffix(v.lines[i-1].text, "\n") {
				b.WriteByte('\n')
			}
			continue
		}
		b.WriteString(l.text)
		v.count++
		i = hidden + 1
	}
	return b.String()
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
