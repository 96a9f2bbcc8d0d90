package message

import (
	"fmt"
	"io"
	"strings"
)

// WriteRendered writes what [Encode] returns for m.Rendered(), piece by piece: a
// message may hold a thousand files, and is neither rendered nor encoded as a
// whole. If it fails some of it may have been written.
func WriteRendered(w io.Writer, m Message) error {
	if w == nil {
		return fmt.Errorf("write %s message: there is no writer", m.Role)
	}
	m = m.rendered(m.Content.rendered(func(i int, _ Context) Part { return block{m.Content.Parts[i]} }))
	s := shapes.Get().(*shape)
	defer s.free()
	s.writing = true
	s.emit = func(out []byte) ([]byte, error) {
		_, err := w.Write(out)
		return out[:0], err
	}
	s.out = append(make([]byte, 0, min(m.size(), pieceSize+pieceSize/2)), '{')
	s.openRest(m.Extra)
	m.describe(s)
	out, err := s.close()
	if err == nil {
		_, err = w.Write(out)
	}
	if err != nil {
		return fmt.Errorf("write %s message: %w", m.Role, err)
	}
	return nil
}

// pieceSize is how much is written at once: little enough for a processor's
// cache, and for a short message not to touch much memory.
const pieceSize = 16 << 10

// emitParts is appendParts, with what was written handed on in pieces.
func emitParts(out []byte, parts []Part, emit func([]byte) ([]byte, error)) ([]byte, error) {
	return appendList(out, parts, func(out []byte, p Part) ([]byte, error) {
		out, err := appendPart(out, p)
		if err == nil && len(out) >= pieceSize {
			out, err = emit(out)
		}
		return out, err
	})
}

// block stands for the text that a [Context] renders as. It never leaves the
// package.
type block struct{ of Part }

func (b block) context() Context { return b.of.(Context) }

// Type implements [Part].
func (block) Type() string { return TypeText }
func (block) isPart()      {}

// append writes the JSON of the text, without putting the text together first.
func (b block) append(out []byte) []byte {
	context := b.context()
	var text strings.Builder
	text.Grow(128)
	context.writeOpening(&text)
	content := context.Text
	if !isHarmless(content) {
		writeContent(&text, content)
		content = ""
	}
	out = append(out, `{"type":"text","text":"`...)
	out = appendEscaped(out, text.String())
	out = appendEscaped(out, content)
	out = appendEscaped(out, closing)
	return append(out, `"}`...)
}
