package profile

import (
	"fmt"
	"strings"
)

// Position is a place in a file. Line and column are counted from one; zero
// means the file as a whole.
type Position struct {
	// File is the path as people read it.
	File         string
	Line, Column int
}

// String returns file:line:column, as editors read it.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is one thing that is wrong with a profile or an agent file.
type Problem struct {
	At Position
	// What is one clause, lower case.
	What string
	// Chain is the names from the profile that was asked for to the one that
	// has the problem, if there is more than one.
	Chain []string
}

// Error implements error.
func (p *Problem) Error() string {
	text := p.What
	if at := p.At.String(); at != "" {
		text = at + ": " + text
	}
	if len(p.Chain) > 1 {
		text += " (" + strings.Join(p.Chain, " → ") + ")"
	}
	return text
}

// Problems is everything that is wrong, in the order of the files. As an error it
// is never empty.
type Problems []*Problem

// Error returns a line for each.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns them one by one.
func (p Problems) Unwrap() []error {
	errs := make([]error, len(p))
	for i, problem := range p {
		errs[i] = problem
	}
	return errs
}

// orNil returns an error only if there is something wrong.
func (p Problems) orNil() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// suggestion returns `, did you mean "x"?` for the name that word is most
// likely a slip of, and nothing if there is none.
func suggestion(word string, names []string) string {
	best, least := "", min(len([]rune(word))/3+2, 6)
	for _, name := range names {
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// distance is how many letters must be added, dropped or replaced to make b of
// a. Words longer than any name of ours are far from all of them.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if len(from) > 100 || len(to) > 100 {
		return 100
	}
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, f := range from {
		before := row[0]
		row[0] = i + 1
		for j, t := range to {
			cost := before
			if f != t {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
