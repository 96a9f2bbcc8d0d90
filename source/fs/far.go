package fs

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ampersat/ampersat/mention"
)

const (
	// maxScan is how far into a file lines are looked for.
	maxScan = 1 << 30
	// margin is how much is read on either side of lines, to tell whether they
	// are in the middle of a secret: more than any key is long.
	margin = 64 << 10
	// markApart is how many bytes there are at least from one mark to the next.
	markApart = 64 << 10
)

// selected is some lines of a text.
type selected struct {
	text string
	// within is what they were cut from, and at where they stand in it.
	within string
	at     int
	// lines is how many were read, ended whether the text has no more.
	lines int
	ended bool
	// cut says that the lines are longer than fits.
	cut bool
	// replaced is how much of the lines could not be read.
	replaced int
}

// farKey is a file that is too long to be read whole for its lines.
type farKey struct {
	by *Resolver
	at string
}

// far is where the lines of such a file begin, as far as it has been read in
// this turn: however many of its lines are mentioned, it is gone through once.
type far struct {
	mu    sync.Mutex
	marks []mark
	// lines is how many there are, once it is done: its end has been reached, or
	// what is looked through of it has ended.
	lines       int
	done, ended bool
	// err is why it cannot be read.
	err error
	// read is how many bytes were read of it.
	read int64
}

// mostPasses is how often a file may be gone through in a turn of which it is not
// known where lines begin.
const mostPasses = 16

// errPasses says that it was.
var errPasses = errors.New("its encoding does not tell where lines begin, and it has been gone through too often in this turn; mention fewer of its lines, or save it as UTF-8")

// mark is the beginning of a line, counted from one.
type mark struct {
	line   int
	offset int64
}

// pickFar finds lines in a file that is not read whole.
func (a *asking) pickFar(ctx context.Context, f *found, c codec, m mention.Selection) (selected, error) {
	value, err := a.q.Memory.Once(farKey{a.r, f.at.address()}, func() (any, int, error) {
		return &far{marks: []mark{{1, int64(c.mark)}}}, 0, nil
	})
	if err != nil {
		return selected{}, err
	}
	lines := value.(*far)
	lines.mu.Lock()
	defer lines.mu.Unlock()
	switch {
	case lines.err != nil:
		return selected{}, lines.err
	case lines.done && m.First > lines.lines:
		return selected{lines: lines.lines, ended: lines.ended}, nil
	}
	if !c.hasLines() && lines.read > mostPasses*cmp.Or(f.size(), maxScan) {
		return selected{}, errPasses
	}
	again, err := a.open(candidate{at: f.at})
	if err != nil {
		return selected{}, err
	}
	defer again.close()
	// What is left behind with its file must not change what others see.
	known := lines.marks[:len(lines.marks):len(lines.marks)]
	p, err := await(ctx, a.r, again, func() (picking, error) {
		p := picking{marks: known, isDecoded: c.of != nil}
		from := p.before(m.First)
		begin := max(int64(c.mark), from.offset-int64(margin*max(c.unit, 1)))
		if err := skipTo(ctx, again, 0, begin); err != nil {
			return picking{}, err
		}
		var in io.Reader = io.LimitReader(patient{ctx, again}, maxScan-begin)
		lead := make([]byte, from.offset-begin)
		if _, err := io.ReadFull(in, lead); err != nil {
			return picking{}, err
		}
		if c.of != nil {
			if begin > int64(c.mark) {
				lead = c.fromLine(lead, from.offset)
			}
			text, _ := c.decode(lead)
			lead = []byte(text)
			if c.hasLines() {
				in = &lineMarker{from: in, newline: c.newline(), at: from, mark: p.mark}
			}
			in = c.of.NewDecoder().Reader(in)
		}
		err := p.pick(in, from, lead, m, a.limit())
		return p, err
	})
	if err != nil {
		lines.err = err
		return selected{}, err
	}
	lines.read += again.heard.Load()
	s := p.selected
	if s.ended {
		s.ended = again.info.Size() <= maxScan
		lines.lines, lines.done, lines.ended = s.lines, true, s.ended
	}
	lines.marks = p.marks
	s.repair(c)
	return s, nil
}

// repair replaces what is not valid in the lines of a file in UTF-8, and counts
// what has been replaced in those of any other.
func (s *selected) repair(c codec) {
	if c.of != nil {
		s.replaced = strings.Count(s.text, string(utf8.RuneError))
		return
	}
	before, _ := validUTF8([]byte(s.within[:s.at]))
	after, _ := validUTF8([]byte(s.within[s.at+len(s.text):]))
	s.text, s.replaced = validUTF8([]byte(s.text))
	s.within, s.at = before+s.text+after, len(before)
}

// picking is the work of finding lines.
type picking struct {
	selected
	marks []mark
	// isDecoded says that what is read does not tell where a line begins among
	// the bytes of the file: marks come from elsewhere.
	isDecoded bool
}

// before is the last mark that is not behind a line.
func (p *picking) before(line int) mark {
	last := p.marks[0]
	for _, m := range p.marks {
		if m.line > line {
			break
		}
		last = m
	}
	return last
}

// pick reads the lines of a selection, and little further. What it reads begins
// at a mark, before which stands some text. Ends of lines are kept.
func (p *picking) pick(from io.Reader, at mark, before []byte, m mention.Selection, limit int) error {
	in := bufio.NewReaderSize(from, 64<<10)
	p.lines = at.line - 1
	var b strings.Builder
	inLine := false
	offset := at.offset
	for p.lines < m.Last || inLine {
		piece, err := in.ReadSlice('\n')
		if len(piece) > 0 {
			if !inLine {
				p.lines++
				if !p.isDecoded {
					p.mark(mark{p.lines, offset})
				}
			}
			offset += int64(len(piece))
			inLine = piece[len(piece)-1] != '\n'
			if p.lines < m.First {
				if before = append(before, piece...); len(before) > 4*margin {
					before = append(before[:0], before[len(before)-margin:]...)
				}
			} else if room := limit - b.Len(); len(piece) > room {
				b.Write(piece[:room])
				p.text, p.cut = beginning(b.String(), b.Len()), true
				return p.surround(before, b.String()[len(p.text):]+string(piece[room:]), in)
			} else {
				b.Write(piece)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			p.text, p.ended = b.String(), true
			return p.surround(before, "", in)
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
	p.text = b.String()
	return p.surround(before, "", in)
}

// mark remembers where a line begins, if no mark is near.
func (p *picking) mark(m mark) {
	if last := p.marks[len(p.marks)-1]; m.line > last.line && m.offset >= last.offset+markApart {
		p.marks = append(p.marks, m)
	}
}

// surround puts what is selected between what stands before it and after it.
func (p *picking) surround(before []byte, after string, more io.Reader) error {
	before = before[max(0, len(before)-margin):]
	behind, err := io.ReadAll(io.LimitReader(more, margin))
	if err != nil {
		return err
	}
	p.within, p.at = string(before)+p.text+after+string(behind), len(before)
	return nil
}

// patient reads until the context ends.
type patient struct {
	ctx  context.Context
	from *found
}

func (p patient) Read(buffer []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.from.file.Read(buffer)
	p.from.heard.Add(int64(n))
	return n, err
}
