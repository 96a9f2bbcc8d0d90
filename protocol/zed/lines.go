package zed

import (
	"strconv"
	"strings"
)

// parseNumber reads a whole number. Zed's numbers are 32 bits and may have a
// plus sign; ours end where an int does on every machine.
func parseNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, 31)
	return int(n), err == nil
}

// parseLines reads the fragment of a URI: L10:20, L10-20, L10-L20 or L10, the
// first L being optional. Lines count from one.
func parseLines(fragment string) (first, last int, ok bool) {
	text := strings.TrimPrefix(fragment, "L")
	from, to, ranged := strings.Cut(text, ":")
	if !ranged {
		if from, to, ranged = strings.Cut(text, "-"); ranged {
			to = strings.TrimPrefix(to, "L")
		} else {
			to = from
		}
	}
	first, ok1 := parseNumber(from)
	last, ok2 := parseNumber(to)
	if !ok1 || !ok2 || first == 0 || last == 0 {
		return 0, 0, false
	}
	return min(first, last), max(first, last), true
}

// position is where in a file a compiler or a model points.
type position struct {
	row, column       int
	hasRow, hasColumn bool
}

// cutPosition splits what compilers write after a path from it: a.rs:4,
// a.rs:4:2, a.cs(4), a.cs(4,2), a.cs:(4,2), a.rb:4:in. Colons at the end mean
// nothing. It is told from a part of the name by standing at the very end.
func cutPosition(path string, style Style) (string, position) {
	trimmed := strings.TrimSpace(path)
	start := style.lastSeparator(trimmed) + 1
	folder, name := trimmed[:start], trimmed[start:]
	bare := strings.TrimRight(name, ":")
	for _, cut := range []func(string) (string, position, bool){cutBrackets, cutColons, cutWord} {
		if file, at, ok := cut(bare); ok {
			return folder + file, at
		}
	}
	if bare != "" && bare != name {
		return folder + bare, position{}
	}
	return path, position{}
}

// cutBrackets reads the (4), (4,2) or (4:2) that ends name.
func cutBrackets(name string) (string, position, bool) {
	inner, closed := strings.CutSuffix(name, ")")
	open := strings.LastIndexByte(inner, '(')
	if !closed || open < 1 {
		return "", position{}, false
	}
	row, column, two := strings.Cut(inner[open+1:], ",")
	if !two {
		row, column, two = strings.Cut(inner[open+1:], ":")
	}
	var at position
	if at.row, at.hasRow = parseDigits(row); !at.hasRow {
		return "", position{}, false
	}
	if at.column, at.hasColumn = parseDigits(column); two && !at.hasColumn {
		return "", position{}, false
	}
	file := strings.TrimSuffix(inner[:open], ":")
	return file, at, file != ""
}

// cutColons reads the :4 or :4:2 that ends name.
func cutColons(name string) (string, position, bool) {
	rest, last, ok := cutNumber(name)
	if !ok {
		return "", position{}, false
	}
	// Two colons in a row end the search: in a.rs:1::2 the file is a.rs:1.
	if before, single := strings.CutSuffix(rest, ":"); single {
		before, first, ok := cutNumber(before)
		if file := strings.TrimRight(before, ":"); ok && file != "" && file != before {
			return file, position{first, last, true, true}, true
		}
	}
	file := strings.TrimRight(rest, ":")
	return file, position{row: last, hasRow: true}, file != "" && file != rest
}

// cutWord reads the :4:in that ends name, which Ruby and Python tools write.
func cutWord(name string) (string, position, bool) {
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 || strings.Trim(name[colon+1:], "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", position{}, false
	}
	rest, row, ok := cutNumber(name[:colon])
	file := strings.TrimRight(rest, ":")
	return file, position{row: row, hasRow: true}, ok && file != "" && file != rest
}

// cutNumber splits the digits that end text from it.
func cutNumber(text string) (rest string, n int, ok bool) {
	rest = strings.TrimRight(text, "0123456789")
	n, ok = parseDigits(text[len(rest):])
	return rest, n, ok
}

func parseDigits(text string) (int, bool) {
	if strings.HasPrefix(text, "+") {
		return 0, false
	}
	return parseNumber(text)
}
