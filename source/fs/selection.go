package fs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
)

// maxScan is how far into a file lines are looked for.
const maxScan = 1 << 30

// selection resolves some lines of a file: those, and never more.
func (a *asking) selection(ctx context.Context, m mention.Selection) (ampersat.Content, error) {
	switch {
	case m.Path == "":
		return ampersat.Content{}, a.miss(ampersat.Missing, "there is no path")
	case m.First < 1:
		return ampersat.Content{}, a.miss(ampersat.Missing, "lines are counted from one")
	case m.Last < m.First:
		return ampersat.Content{}, a.miss(ampersat.Missing, fmt.Sprintf("line %s comes before line %s", thousands(m.Last), thousands(m.First)))
	}
	f, err := a.find(ctx, m.Namespace, m.Path)
	if err != nil {
		return ampersat.Content{}, err
	}
	defer f.close()
	if f.info.IsDir() {
		return ampersat.Content{}, a.miss(ampersat.Missing, "it is a folder, which has no lines")
	}
	r, err := a.read(ctx, f, a.limit())
	if err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	t, ok, coding := text{}, false, codecOf(r.head)
	kind := formatOf(r.head)
	if kind.mime == "" {
		t, ok = asText(r)
		kind = unknownFormat
	}
	if !ok {
		return ampersat.Content{}, a.miss(ampersat.Failed, "it is a "+kind.name+", which has no lines")
	}
	c := ampersat.Content{
		Name: f.name, ID: f.at.address(), Size: r.size, Note: join(r.note, t.note, a.r.rules.note(ctx, f)),
		Tree: a.tree(f.at).address(), Folder: f.at.parent().address(), Lines: span(m.First, m.Last),
	}
	if m.Column > 0 {
		c.Note = join(c.Note, "column "+thousands(m.Column))
	}
	var s selected
	if r.whole {
		c.Source = t.digest(r.head)
		var from io.Reader = strings.NewReader(t.head)
		if t.shown != "" && coding.of == nil {
			from = bytes.NewReader(r.head[coding.mark:]) // which tell what is replaced
		}
		if s, err = pick(from, m.First, m.Last, a.limit()); t.shown != "" {
			s.repair(coding)
		}
	} else {
		s, err = a.pickFar(ctx, f, coding, m)
	}
	if err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	c.Text = s.text
	switch {
	case s.lines < m.First && !s.ended:
		return ampersat.Content{}, a.miss(ampersat.Failed, fmt.Sprintf("line %s is further than %s bytes into the file", thousands(m.First), thousands(maxScan)))
	case s.lines < m.First && s.lines == 1:
		return ampersat.Content{}, a.miss(ampersat.Missing, "the file has 1 line")
	case s.lines < m.First:
		return ampersat.Content{}, a.miss(ampersat.Missing, fmt.Sprintf("the file has %s lines", thousands(s.lines)))
	case s.cut:
		c.Shown = fmt.Sprintf("the first %s bytes of %s", thousands(len(s.text)), called(m.First, m.Last))
	case s.lines < m.Last && s.ended:
		c.Shown = fmt.Sprintf("%s of %s", called(m.First, s.lines), thousands(s.lines))
	case s.lines < m.Last:
		c.Shown = called(m.First, s.lines)
	}
	c.Shown = join(c.Shown, coding.lossy(s.replaced))
	return c, nil
}

func span(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

// called is lines as people call them.
func called(first, last int) string {
	if first == last {
		return "line " + thousands(first)
	}
	return "lines " + thousands(first) + "-" + thousands(last)
}

// selected is some lines of a text.
type selected struct {
	text string
	// lines is how many were read, ended whether the text has no more.
	lines int
	ended bool
	// cut says that the lines are longer than fits.
	cut bool
	// replaced is how much of the lines could not be read.
	replaced int
}

// pick reads lines first to last, and no further. Ends of lines are kept.
func pick(from io.Reader, first, last, limit int) (selected, error) {
	var s selected
	var b strings.Builder
	in := bufio.NewReaderSize(from, 64<<10)
	inLine := false
	for s.lines < last || inLine {
		piece, err := in.ReadSlice('\n')
		if len(piece) > 0 {
			if !inLine {
				s.lines++
			}
			inLine = piece[len(piece)-1] != '\n'
			if s.lines >= first {
				if room := limit - b.Len(); len(piece) > room {
					b.Write(piece[:room])
					s.text, s.cut = b.String(), true
					end := s.text[max(0, len(s.text)-utf8.UTFMax):]
					s.text = s.text[:len(s.text)-incomplete([]byte(end))]
					return s, nil
				}
				b.Write(piece)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			s.text, s.ended = b.String(), true
			return s, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return selected{}, err
		}
	}
	s.text = b.String()
	return s, nil
}

// pickFar is pick for a file that is not read whole.
func (a *asking) pickFar(ctx context.Context, f *found, c codec, m mention.Selection) (selected, error) {
	again, err := a.open(candidate{at: f.at})
	if err != nil {
		return selected{}, err
	}
	defer again.close()
	s, err := await(ctx, a.r, again, func() (selected, error) {
		if _, err := fill(ctx, again, make([]byte, c.mark)); err != nil {
			return selected{}, err
		}
		var from io.Reader = io.LimitReader(patient{ctx, again}, maxScan)
		if c.of != nil {
			from = c.of.NewDecoder().Reader(from)
		}
		return pick(from, m.First, m.Last, a.limit())
	})
	if err != nil {
		return selected{}, err
	}
	s.ended = s.ended && again.info.Size() <= maxScan
	s.repair(c)
	return s, nil
}

// repair replaces what is not valid in the lines of a file in UTF-8, and counts
// what has been replaced in those of any other.
func (s *selected) repair(c codec) {
	if c.of == nil {
		s.text, s.replaced = validUTF8([]byte(s.text))
		return
	}
	s.replaced = strings.Count(s.text, string(utf8.RuneError))
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
