package main

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/terminal"
	"github.com/ampersat/ampersat/mention"
)

// printUnderlined prints a text with its mentions underlined: in the style of
// the terminal, or with a line of marks beneath each line that has one.
func printUnderlined(io streams, text string, refs []mention.Ref) {
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		for len(refs) > 0 && refs[0].End <= start {
			refs = refs[1:]
		}
		line, marks := underline(io, text, start, end, refs)
		fmt.Fprintln(io.out, line)
		if marks != "" {
			fmt.Fprintln(io.out, marks)
		}
		start = end + 1
	}
}

// underline returns the line text[start:end] and, where the output cannot be
// styled, the marks beneath it.
func underline(io streams, text string, start, end int, refs []mention.Ref) (line, marks string) {
	var out, under strings.Builder
	add := func(piece string, mark byte) {
		piece = strings.TrimSuffix(shown(strings.ReplaceAll(piece, "\r", "")), "\n")
		if mark == ' ' {
			out.WriteString(piece)
		} else {
			out.WriteString(io.paint(piece, underlined))
		}
		for _, r := range piece {
			if r == '\t' {
				under.WriteByte('\t')
				continue
			}
			under.WriteString(strings.Repeat(string(mark), terminal.RuneWidth(r)))
		}
	}
	at := start
	for _, ref := range refs {
		if ref.Start >= end {
			break
		}
		from, to := max(ref.Start, start), min(ref.End, end)
		add(text[at:from], ' ')
		add(text[from:to], '~')
		at = to
	}
	add(text[at:end], ' ')
	if io.styled {
		return out.String(), ""
	}
	return out.String(), strings.TrimRight(under.String(), " \t")
}
