package main

// The rules of output:
//
//   - stdout has the result and nothing else; what is said to the person about
//     it goes to stderr.
//   - --json prints one JSON value and a line end. Its form is documented and
//     stays.
//   - Colour, bold and underlining only on a terminal, and not with NO_COLOR set or
//     TERM=dumb. Without them the same is said in characters, laid out the same.
//   - Text that comes from a file, a prompt or a program is shown, never obeyed:
//     control characters appear as what they are.
//   - An error names the thing, says what is wrong and what to do, in one line
//     that begins with "ampersat:".

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/ampersat/ampersat/internal/terminal"
	"golang.org/x/term"
)

// streams is where the program reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// inTerminal says that a person sits at the other end of in.
	inTerminal bool
	// inPipe says that in is the output of another program, or a file.
	inPipe bool
	// errTerminal says that err is a terminal, where a line can be taken back.
	errTerminal bool
	// errColumns asks how wide that terminal is now; zero if it does not say. Nil
	// means that nobody knows.
	errColumns func() int
	// openKeyboard opens the terminal that the program was started from, where in
	// is something else. It is nil if there is none.
	openKeyboard func() (io.ReadCloser, error)
	// outTerminal says that out is a terminal, which would obey what is written.
	outTerminal bool
	// styled says that out may have colour and underlining.
	styled bool
	// columns is how wide the terminal is, zero if out is none or if it does not
	// say.
	columns int
}

func standardStreams() streams {
	outTerminal := term.IsTerminal(int(os.Stdout.Fd()))
	return streams{
		columns: columnsOf(os.Stdout), outTerminal: outTerminal,
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTerminal:   term.IsTerminal(int(os.Stdin.Fd())),
		inPipe:       isPipe(os.Stdin),
		errTerminal:  term.IsTerminal(int(os.Stderr.Fd())),
		errColumns:   func() int { return columnsOf(os.Stderr) },
		openKeyboard: openTerminal,
		styled:       os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && outTerminal,
	}
}

// columnsOf is how wide a terminal is, zero if it is none or does not say.
func columnsOf(file *os.File) int {
	columns, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// isPipe reports whether a file is one whose content somebody meant to give us:
// a pipe or a regular file, and not /dev/null.
func isPipe(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

// plainOut is out, where a terminal obeys nothing that is written.
func (s streams) plainOut() io.Writer {
	if !s.outTerminal {
		return s.out
	}
	return &rawText{out: s.out, show: shown}
}

// checkedWriter remembers the first error, so that a full disk is not taken for
// success by whoever prints line by line.
type checkedWriter struct {
	to  io.Writer
	err error
	// unread is called when nobody reads what is written: what is under way is
	// for nobody, and ends as if the person had stopped it.
	unread func()
}

// Write implements [io.Writer].
func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if w.err == nil && err != nil {
		w.err = err
		if w.isUnread() {
			w.unread()
		}
	}
	return n, err
}

// isUnread reports whether the reader of what is written has gone.
func (w *checkedWriter) isUnread() bool { return errors.Is(w.err, syscall.EPIPE) }

// maxInput is how much is read from standard input. A prompt is never that
// large; a device that never ends would be.
const maxInput = 64 << 20

// inputText returns the text that a command was given: its arguments, or what
// comes from standard input for "-" and where there are none.
//
// Reading ends with ctx, although what is read from may not: who types into a
// terminal and presses Ctrl-C is done.
func (s streams) inputText(ctx context.Context, args []string) (string, error) {
	if len(args) > 0 && (len(args) > 1 || args[0] != "-") {
		return strings.Join(args, " "), nil
	}
	if len(args) == 0 && s.inTerminal {
		return "", errNoText
	}
	var data []byte
	var err error
	read := make(chan struct{})
	go func() {
		defer close(read)
		data, err = io.ReadAll(io.LimitReader(s.in, maxInput+1))
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-read:
	}
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(data) > maxInput {
		return "", fmt.Errorf("read standard input: it is longer than %d MB; pass a file with @ in its place", maxInput>>20)
	}
	return string(data), nil
}

var errNoText = fmt.Errorf("there is no text; pass one, or - to read it from standard input")

// style is how a piece of text stands out on a terminal.
type style string

const (
	underlined style = "4"
	faint      style = "2"
	red        style = "31"
	green      style = "32"
	yellow     style = "33"
)

// paint puts text in a style, if the output may have any.
func (s streams) paint(text string, how style) string {
	if !s.styled || text == "" {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

// shown makes control characters visible; see [terminal.Show].
func shown(text string) string { return terminal.Show(text) }

// width is how many columns text takes; see [terminal.Width].
func width(text string) int { return terminal.Width(text) }

// table writes rows in columns, the first row as the heading. Where a row is
// wider than the terminal its last cell, which is for remarks, goes on a line
// of its own.
func (s streams) table(rows [][]string) {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	for r, row := range rows {
		last := len(row) - 1
		line := s.line(row, widths)
		remark := ""
		if s.columns > 0 && width(line) > s.columns && row[last] != "" {
			line, remark = s.line(row[:last], widths), row[last]
		}
		if r == 0 {
			line = s.paint(line, faint)
		}
		fmt.Fprintln(s.out, line)
		if remark != "" {
			fmt.Fprintln(s.out, "    "+s.paint(remark, faint))
		}
	}
}

// line writes the cells of a row, each as wide as its column.
func (s streams) line(row []string, widths map[int]int) string {
	var line strings.Builder
	for i, cell := range row {
		if i > 0 {
			line.WriteString("  ")
		}
		line.WriteString(cell)
		line.WriteString(strings.Repeat(" ", widths[i]-width(cell)))
	}
	return strings.TrimRight(line.String(), " ")
}
