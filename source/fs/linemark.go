package fs

import (
	"bytes"
	"io"
	"strings"
)

// hasLines reports whether the bytes of an encoding tell where its lines begin,
// and can be decoded from there on. One that switches alphabets does not.
func (c codec) hasLines() bool { return c.name != "iso-2022-jp" }

// newline is how the end of a line is written. In encodings without a unit it is
// one byte, which is part of no other character.
func (c codec) newline() string {
	end := strings.Repeat("\x00", max(c.unit-1, 0))
	if strings.HasPrefix(c.replacement, "\xFD") { // the lowest byte comes first
		return "\n" + end
	}
	return end + "\n"
}

// lineMarker reads bytes that are decoded later, and tells where lines begin
// among them.
type lineMarker struct {
	from    io.Reader
	newline string
	// at is the line that is read, and how far into the file.
	at   mark
	mark func(mark)
	// part is the beginning of a character that the rest of is not read yet.
	part []byte
}

// Read implements [io.Reader].
func (l *lineMarker) Read(buffer []byte) (int, error) {
	n, err := l.from.Read(buffer)
	data, unit, done := buffer[:n], len(l.newline), 0
	if len(l.part) > 0 {
		done = min(unit-len(l.part), n)
		if l.part = append(l.part, data[:done]...); len(l.part) == unit {
			l.read(string(l.part), done)
			l.part = l.part[:0]
		}
	}
	for whole := n - (n-done)%unit; done < whole; {
		next := bytes.IndexByte(data[done:whole], '\n')
		if next < 0 {
			done = whole
			break
		}
		done += next - next%unit + unit
		l.read(string(data[done-unit:done]), done)
	}
	l.part = append(l.part, data[done:]...)
	l.at.offset += int64(n)
	return n, err
}

// read counts a character that ends so many bytes further, if it is a newline.
func (l *lineMarker) read(character string, further int) {
	if character == l.newline {
		l.at.line++
		l.mark(mark{l.at.line, l.at.offset + int64(further)})
	}
}
