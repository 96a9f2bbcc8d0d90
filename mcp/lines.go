package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines reads messages, one in each line. What else there is between them counts
// as something that the program said, as it does to other clients.
type lines struct {
	from  *bufio.Reader
	limit int
	other io.Writer

	line []byte // the message being read
}

// maxKept is how large a buffer is kept for the next message.
const maxKept = 1 << 20

func newLines(from io.Reader, limit int, other io.Writer) *lines {
	return &lines{from: bufio.NewReaderSize(from, 64<<10), limit: limit, other: other}
}

// next returns the next message. The error is io.EOF at the end, also where the
// end is within a message.
func (l *lines) next() (envelope, error) {
	for {
		piece, more, err := l.piece()
		if err != nil && len(piece) == 0 {
			return envelope{}, err
		}
		if !isMessage(piece) {
			if err := l.skip(piece, more); err != nil {
				return envelope{}, err
			}
			continue
		}
		if err := l.rest(piece, more); err != nil {
			return envelope{}, err
		}
		e, bad := open(l.line)
		if bad != nil && l.line[len(l.line)-1] != '\n' {
			return envelope{}, io.EOF
		}
		if errors.Is(bad, errNoMessage) || bad == nil && e.Method == "" && e.ID == nil {
			l.other.Write(l.line)
			continue
		}
		return e, bad
	}
}

// piece reads as much of a line as is there, up to the size of the buffer. More
// says that the line goes on.
func (l *lines) piece() (piece []byte, more bool, err error) {
	piece, err = l.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return piece, true, nil
	}
	return piece, false, err
}

// rest reads the line of a message to its end.
func (l *lines) rest(piece []byte, more bool) error {
	if cap(l.line) > maxKept {
		l.line = nil
	}
	l.line = l.line[:0]
	for {
		if len(l.line)+len(piece) > l.limit {
			return fmt.Errorf("it is longer than %d bytes, the maximum line length", l.limit)
		}
		l.line = append(l.line, piece...)
		if !more {
			return nil
		}
		var err error
		if piece, more, err = l.piece(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// skip passes over the rest of a line.
func (l *lines) skip(piece []byte, more bool) error {
	for {
		l.other.Write(piece)
		if !more {
			return nil
		}
		var err error
		if piece, more, err = l.piece(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// isMessage tells messages from what people print. A list of messages, which the
// protocol once had, is not among them: "[info] ready" is printed too often.
func isMessage(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '{'
}
