package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/wording"
)

// maxOutput is how much of what a command says is kept, half of it from the
// beginning and half from the end. With what is said around it this is no more
// than a result may have.
const maxOutput = 131_072 - 4_096

// output keeps what a command says as a terminal would leave it, without escape
// codes.
type output struct {
	// show, if set, is told what was said, line by line. Lines with secrets are
	// left out.
	show func(text string)

	plain plain
	// head is the beginning, tail the end of the rest, and lost what is between.
	head, tail []byte
	lost       int
}

// Write implements [io.Writer]. It never fails.
func (o *output) Write(said []byte) (int, error) {
	o.plain.write(said, o.add)
	return len(said), nil
}

// add takes one line, or a piece of a very long one.
func (o *output) add(line []byte) {
	if o.show != nil {
		text := strings.ToValidUTF8(string(line), "\uFFFD")
		if found := access.ScanString("shell", text); len(found) > 0 {
			text = fmt.Sprintf("[withheld: %s]\n", found[0].Rule)
		}
		o.show(text)
	}
	if len(o.tail) == 0 && len(o.head)+len(line) <= maxOutput/2 {
		o.head = append(o.head, line...)
		return
	}
	o.tail = append(o.tail, line...)
	// Shortened now and then, and not for every line.
	if len(o.tail) > 2*maxOutput {
		o.shorten()
	}
}

// shorten drops what is too much of the tail, up to the beginning of a line
// where one is near.
func (o *output) shorten() {
	drop := len(o.tail) - maxOutput/2
	if drop <= 0 {
		return
	}
	for end := drop; end < len(o.tail) && end < drop+1_024; end++ {
		if o.tail[end-1] == '\n' {
			drop = end
			break
		}
	}
	for drop < len(o.tail) && !utf8.RuneStart(o.tail[drop]) {
		drop++
	}
	o.lost += drop
	o.tail = append(o.tail[:0], o.tail[drop:]...)
}

// text is all that was said, or its head and its tail.
func (o *output) text() string {
	o.plain.end(o.add)
	o.shorten()
	between := ""
	if o.lost > 0 {
		if len(o.head) > 0 && o.head[len(o.head)-1] != '\n' {
			between = "\n"
		}
		between += fmt.Sprintf("[%s left out]\n", wording.Count(o.lost, "byte"))
	}
	return strings.ToValidUTF8(string(o.head)+between+string(o.tail), "\uFFFD")
}
