package mention

import "strings"

// spanScanner finds the code spans of a paragraph: a run of backticks, up to
// the next run of the same length.
type spanScanner struct {
	// last is the offset of the last run of each length in the paragraph. An
	// opening run whose length does not come again is known at once to be
	// plain text, which keeps the scan linear.
	last map[int]int
	// steps counts the runs that were looked at, for the test of that.
	steps int
}

// append adds the code spans in text[start:end] to regions.
func (s *spanScanner) append(regions []region, text string, start, end int) []region {
	first := strings.IndexByte(text[start:end], '`')
	if first < 0 {
		return regions
	}
	s.index(text, start+first, end)

	plain := start // where text that is in no span begins
	for at := start + first; at < end; {
		s.steps++
		size := run(text[at:end], '`')
		open, want := at, size
		if isEscaped(text[plain:at]) {
			open, want = at+1, size-1
		}
		closing := -1
		if last, ok := s.last[want]; ok && want > 0 && last > open {
			closing = s.nextRun(text, at+size, end, want)
		}
		if closing >= 0 {
			regions = append(regions, region{open, closing + want})
			plain = closing + want
			at = plain
		} else {
			at += size
		}
		if next := strings.IndexByte(text[at:end], '`'); next >= 0 {
			at += next
		} else {
			break
		}
	}
	return regions
}

// index notes the last run of every length in text[from:end].
func (s *spanScanner) index(text string, from, end int) {
	if s.last == nil {
		s.last = make(map[int]int)
	}
	clear(s.last)
	for at := from; at < end; {
		size := run(text[at:end], '`')
		s.last[size] = at
		at += size
		next := strings.IndexByte(text[at:end], '`')
		if next < 0 {
			return
		}
		at += next
	}
}

// nextRun returns the offset of the next run of exactly size backticks.
func (s *spanScanner) nextRun(text string, from, end, size int) int {
	for at := from; at < end; {
		next := strings.IndexByte(text[at:end], '`')
		if next < 0 {
			return -1
		}
		at += next
		s.steps++
		n := run(text[at:end], '`')
		if n == size {
			return at
		}
		at += n
	}
	return -1
}

// isEscaped reports whether what follows before is escaped by a backslash,
// that is, whether before ends with an odd number of them.
func isEscaped(before string) bool {
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}
