package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Layer is where values come from. Later layers win.
type Layer int

// The layers, in their order.
const (
	BuiltIn Layer = iota
	UserFile
	ProjectFile
	Environment
	CommandLine
)

// String names the layer, as JSON output has it.
func (l Layer) String() string {
	return [...]string{"built in", "user", "project", "environment", "flag"}[l]
}

// Origin is where one value came from.
type Origin struct {
	Layer Layer
	// Name is the file, the variable or the flag; empty for what is built in.
	Name string
	// Line and Column are those of a file, counted from one.
	Line, Column int
}

// String is file:line, $VARIABLE, --flag, or "built in".
func (o Origin) String() string {
	switch o.Layer {
	case UserFile, ProjectFile:
		return o.Name + ":" + strconv.Itoa(o.Line)
	case Environment:
		return "$" + o.Name
	case CommandLine:
		return o.Name
	}
	return o.Layer.String()
}

// Setting is one value, with its place in the whole and where it came from.
type Setting struct {
	// Key is the dotted path: providers.ollama.base_url. A name with a dot in it
	// stands in quotes.
	Key string
	// Value is the value as text. A secret is never in it.
	Value string
	From  Origin
	// Also are the layers before that added to a list, the last first.
	Also []Origin
	// Overridden are the values that this one won over, the last first.
	Overridden []Setting

	path  []string
	value any
	// trust is what the setting would do, if it needs trust.
	trust string
}

// Problem is a mistake in the configuration.
type Problem struct {
	Origin Origin
	// Text is one clause that names the key, says what is wrong and what to do.
	Text string

	// path is where in the configuration it is, as far as that is known.
	path []string
}

// Error is file:line:column and the text.
func (p Problem) Error() string {
	switch p.Origin.Layer {
	case UserFile, ProjectFile:
		if p.Origin.Line == 0 {
			return p.Origin.Name + ": " + p.Text
		}
		return fmt.Sprintf("%s:%d:%d: %s", p.Origin.Name, p.Origin.Line, p.Origin.Column, p.Text)
	case BuiltIn:
		return p.Text
	}
	return p.Origin.String() + ": " + p.Text
}

// Problems are all mistakes that were found. It is an error if it has any.
type Problems []Problem

const maxProblems = 20

// Error has a line for each.
func (p Problems) Error() string {
	var b strings.Builder
	b.WriteString("read configuration: ")
	if len(p) > 1 {
		fmt.Fprintf(&b, "%d mistakes", len(p))
	}
	for i, problem := range p {
		if len(p) > 1 {
			b.WriteString("\n  ")
		}
		if i == maxProblems {
			fmt.Fprintf(&b, "and %d more", len(p)-i)
			break
		}
		b.WriteString(problem.Error())
	}
	return b.String()
}

// dotted writes a path; what would be misread stands in quotes.
func dotted(path []string) string {
	var b strings.Builder
	for i, name := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == '.' || r == '"' || !strconv.IsPrint(r) }) {
			name = strconv.Quote(name)
		}
		b.WriteString(name)
	}
	return b.String()
}
