package fs

import (
	"bytes"
	"context"
	"errors"
	"math"
)

// What a parser of PDF would believe and a small file may claim: tables of a
// billion entries, brackets nested a million deep, a gigabyte of zeros in a
// kilobyte. Neither the memory nor the stack that these take can be had back
// by recovering from a panic, so they are looked for before.
const (
	pdfNumber  = 8 << 20   // entries of a table, columns of a predictor
	pdfObject  = 64 << 20  // a number that stands alone
	pdfNesting = 20_000    // brackets within brackets
	pdfStream  = 16 << 20  // bytes of one stream, unpacked
	pdfTotal   = 128 << 20 // of all
)

var errHostile = errors.New("its structure would take too much to read")

// guardPDF looks for secrets in all of a file, and returns an error if it is
// better not parsed.
func guardPDF(ctx context.Context, data []byte, s *sieve) error {
	w := &pdfStreams{ctx: ctx, sieve: s}
	// A stream may be packed twice. It is rare, and the parser would unpack it
	// without a bound.
	for _, filter := range []string{"ASCII85Decode", "/A85", "LZWDecode", "ASCIIHexDecode", "/AHx"} {
		if bytes.Contains(data, []byte(filter)) {
			w.refuse(errors.New("it is packed in a way that is not read"))
		}
	}
	if _, err := (&pdfGuard{ctx: ctx}).Write(data); err != nil {
		w.refuse(err)
	}
	if err := guardTables(data); err != nil {
		w.refuse(err)
	}
	if err := w.walk(data); err != nil {
		return err
	}
	return w.refused
}

// pdfGuard looks at PDF syntax as it passes. It takes pictures for syntax too;
// its bounds are far from what chance puts into those.
type pdfGuard struct {
	ctx     context.Context
	nesting int
	number  int64
	digits  int
	// key is the name being read, or the one before the number.
	key    []byte
	inName bool
	// word is the end of the last bare word.
	word [3]byte
}

// Write implements [io.Writer].
func (g *pdfGuard) Write(data []byte) (int, error) {
	for i, b := range data {
		if i%(64<<10) == 0 && g.ctx.Err() != nil {
			return i, g.ctx.Err()
		}
		if !g.see(b) {
			return i, errHostile
		}
	}
	return len(data), nil
}

func (g *pdfGuard) see(b byte) bool {
	switch {
	case b >= '0' && b <= '9' && !g.inName:
		if g.digits < 18 {
			g.number = g.number*10 + int64(b-'0')
			g.digits++
		}
		return g.number <= g.most()
	case b == '/':
		g.inName, g.key = true, g.key[:0]
	case b == ' ' || b == '\r' || b == '\n' || b == '\t' || b == '\f' || b == 0:
		g.inName = false
	case b == '[' || b == '<' || b == '{':
		g.inName = false
		g.nesting++
	case b == ']' || b == '>' || b == '}':
		g.inName = false
		g.nesting = max(0, g.nesting-1)
	case g.inName:
		if len(g.key) < 24 {
			g.key = append(g.key, b)
		}
	default:
		if g.word = [3]byte{g.word[1], g.word[2], b}; string(g.word[:]) == "obj" {
			// Where an object begins or ends.
			g.nesting, g.key = 0, append(g.key[:0], g.word[:]...)
		}
	}
	g.number, g.digits = 0, 0
	return g.nesting <= pdfNesting
}

// most is how large the number being read may be: some a parser would make
// room for.
func (g *pdfGuard) most() int64 {
	switch string(g.key) {
	case "Size", "Index", "W", "Columns", "Colors", "BitsPerComponent", "First", "N", "Count":
		return pdfNumber
	case "obj":
		return pdfObject
	}
	if bytes.IndexByte(g.key, '#') >= 0 {
		return pdfNumber // a name that hides
	}
	return math.MaxInt64
}

// guardTables looks at the sections of cross-reference tables: "7 2" says that
// there are two entries, and that they are the seventh and the eighth. Where
// that is is believed.
func guardTables(data []byte) error {
	for at := 0; ; {
		next := bytes.Index(data[at:], []byte("xref"))
		if next < 0 {
			return nil
		}
		at += next + len("xref")
		rest := data[at:]
		for {
			first, after, ok := pdfInteger(rest)
			second, after, also := pdfInteger(after)
			if !ok || !also {
				break
			}
			if rest = bytes.TrimLeft(after, " "); len(rest) > 0 && (rest[0] == 'n' || rest[0] == 'f') {
				rest = rest[1:] // an entry: where an object is
				continue
			}
			if first > pdfNumber || second > pdfNumber {
				return errHostile
			}
		}
	}
}

// pdfInteger reads an unsigned integer.
func pdfInteger(text []byte) (n int64, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " \t\r\n\f\x00")
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		if digits < 18 {
			n = n*10 + int64(text[digits]-'0')
		}
		digits++
	}
	return n, text[digits:], digits > 0
}
