package fs

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"encoding/hex"
	"errors"
	"io"

	"golang.org/x/image/tiff/lzw"
)

// pdfStreams goes through a PDF from its beginning to its end, without believing
// what it says of its own structure: it looks for secrets in all that it can
// unpack, and tells whether the file may be given to a parser.
type pdfStreams struct {
	ctx   context.Context
	sieve *sieve
	// refused is why a parser should not get it, nil if it may.
	refused error

	inflate io.ReadCloser // is used again: a reader is forty kilobytes
	plain   *flow         // strings that are not packed
	packed  *flow
	strings *flow // strings that are
	total   int64
}

// inPacked is where something was found that is not to be seen in the file.
const inPacked = "a packed part"

// walk looks at everything. Its error is that of the context.
func (w *pdfStreams) walk(data []byte) error {
	w.plain, w.packed, w.strings = w.sieve.flow("its bytes"), w.sieve.flow(inPacked), w.sieve.flow(inPacked)
	last, hidden := 0, false // where what is between two streams begins, or the inside of one that is packed
	for {
		next := bytes.Index(data[last:], []byte("stream"))
		plain := data[last:]
		if next >= 0 {
			plain = data[last : last+next]
		}
		if !hidden {
			w.shown(plain)
		}
		if next < 0 {
			return w.ctx.Err()
		}
		last += next + len("stream")
		if err := w.ctx.Err(); err != nil {
			return err
		}
		body := data[last:]
		for range 2 { // the end of a line
			if len(body) > 0 && (body[0] == '\r' || body[0] == '\n') {
				body = body[1:]
			}
		}
		hidden = w.stream(plain, body)
	}
}

// shown looks at the strings in what is not packed. What else is in it, the
// pipeline sees.
func (w *pdfStreams) shown(text []byte) {
	(&pdfStrings{to: w.plain}).Write(text)
	w.plain.end()
}

// stream looks into a stream, whose dictionary is the last thing before it. It
// reports whether there is nothing to be seen in it from the outside.
func (w *pdfStreams) stream(before, body []byte) (hidden bool) {
	dictionary := before[max(0, len(before)-pdfDictionary):]
	if at := bytes.LastIndex(dictionary, []byte("obj")); at >= 0 {
		dictionary = dictionary[at:]
	}
	if bytes.HasSuffix(before, []byte("end")) {
		dictionary = nil // it is the end of one
	}
	filters := pdfFilters(dictionary)
	if len(filters) == 0 || bytes.HasPrefix(body, []byte("endstream")) {
		if !isZlib(body) {
			return false
		}
		filters = []string{"FlateDecode"} // whatever it says
	}
	guarded := len(filters) == 1
	var from io.Reader
	for i, filter := range filters {
		if i == 0 {
			from = bytes.NewReader(body)
		}
		switch filter {
		case "FlateDecode", "Fl":
			if from = w.inflated(from, i == 0); from == nil {
				w.sieve.miss()
				return true
			}
		case "ASCII85Decode", "A85":
			from = ascii85.NewDecoder(&until{from: from, end: '~'})
		case "ASCIIHexDecode", "AHx":
			from = hex.NewDecoder(&until{from: from, end: '>', dense: true})
		case "LZWDecode", "LZW":
			unpacked := lzw.NewReader(from, lzw.MSB, 8)
			defer unpacked.Close()
			from = unpacked
		case "DCTDecode", "DCT", "JPXDecode", "CCITTFaxDecode", "CCF", "JBIG2Decode":
			// A picture. What can be read in its bytes, can be without unpacking.
			if i == 0 {
				return true
			}
			w.look(from, dictionary, false)
			return true
		default:
			w.sieve.miss()
			return true
		}
	}
	w.look(from, dictionary, guarded)
	return true
}

// pdfDictionary is how far before a stream its dictionary is looked for.
const pdfDictionary = 4 << 10

// look searches what a stream unpacks to, as far as there is room.
func (w *pdfStreams) look(from io.Reader, dictionary []byte, guarded bool) {
	left := pdfTotal - w.total
	to := []io.Writer{w.packed}
	isText := !bytes.Contains(dictionary, []byte("/Image")) && !bytes.Contains(dictionary, []byte("/XRef"))
	if isText {
		to = append(to, &pdfStrings{to: w.strings})
	}
	guard := &pdfGuard{ctx: w.ctx}
	if guarded && w.refused == nil {
		to = append(to, guard)
	}
	n, err := io.Copy(io.MultiWriter(to...), io.LimitReader(from, min(left, pdfStream)+1))
	if errors.Is(err, errHostile) { // which is for the parser only
		w.refused = errHostile
		var more int64
		more, err = io.Copy(io.MultiWriter(to[:len(to)-1]...), io.LimitReader(from, max(0, min(left, pdfStream)+1-n)))
		n += more
	}
	w.packed.end()
	w.strings.end()
	w.total += n
	if n > min(left, pdfStream) {
		w.refuse(errHostile)
		w.sieve.miss()
	}
	if err != nil || isText && bytes.Contains(dictionary, []byte("/Predictor")) {
		w.sieve.miss() // it ends early, or tells differences only
	}
}

func (w *pdfStreams) refuse(err error) {
	if w.refused == nil {
		w.refused = err
	}
}

// inflated returns a reader for what from unpacks to, nil if it does not. Only the
// first of a stream's is used again: a later one may read from it, through others.
func (w *pdfStreams) inflated(from io.Reader, first bool) io.Reader {
	if first && w.inflate != nil {
		if err := w.inflate.(zlib.Resetter).Reset(from, nil); err != nil {
			return nil
		}
		return w.inflate
	}
	unpacked, err := zlib.NewReader(from)
	if err != nil {
		return nil
	}
	if first {
		w.inflate = unpacked
	}
	return unpacked
}

// isZlib reports whether data begins as zlib does.
func isZlib(data []byte) bool {
	return len(data) > 2 && data[0]&15 == 8 && (int(data[0])<<8|int(data[1]))%31 == 0
}

// pdfFilters are the names in which a dictionary says how its stream is packed,
// the outermost first.
func pdfFilters(dictionary []byte) (names []string) {
	_, rest, ok := bytes.Cut(dictionary, []byte("/Filter"))
	if !ok {
		return nil
	}
	const space = " \t\r\n\f\x00"
	rest = bytes.TrimLeft(rest, space)
	several := bytes.HasPrefix(rest, []byte("["))
	if several {
		rest = bytes.TrimLeft(rest[1:], space)
	}
	for len(rest) > 0 && rest[0] == '/' && len(names) < 8 {
		rest = rest[1:]
		end := bytes.IndexAny(rest, space+"/<>[]()%")
		if end < 0 {
			end = len(rest)
		}
		names = append(names, string(rest[:end]))
		if rest = bytes.TrimLeft(rest[end:], space); !several {
			break
		}
	}
	return names
}

// until reads up to a byte that ends what is written in ASCII. Dense leaves out
// what is between the letters.
type until struct {
	from  io.Reader
	end   byte
	dense bool
	ended bool
}

// Read implements [io.Reader].
func (u *until) Read(buffer []byte) (int, error) {
	if u.ended {
		return 0, io.EOF
	}
	n, err := u.from.Read(buffer)
	if at := bytes.IndexByte(buffer[:n], u.end); at >= 0 {
		n, err, u.ended = at, nil, true
	}
	if u.dense {
		kept := buffer[:0]
		for _, b := range buffer[:n] {
			if b > ' ' {
				kept = append(kept, b)
			}
		}
		n = len(kept)
	}
	return n, err
}
