package fs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ledongthuc/pdf"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
)

// document makes a content a document, for models that read pages, and its
// text, for those that do not.
func (a *asking) document(ctx context.Context, c *ampersat.Content, data []byte, limit int) error {
	if end := data[max(0, len(data)-2048):]; !bytes.Contains(end, []byte("%%EOF")) {
		c.Note = join(c.Note, "it is damaged: its end is missing")
		return nil
	}
	text, err := pdfText(ctx, data, limit, a.r.limits.Time)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, pdf.ErrInvalidPassword):
		c.Note = join(c.Note, "it is encrypted")
		return nil
	case err != nil:
		c.Note = join(c.Note, "its text could not be extracted: "+err.Error())
	case text.read < text.pages:
		c.Note = join(c.Note, fmt.Sprintf("text of %s of %s pages", thousands(text.read), thousands(text.pages)))
	case strings.TrimSpace(text.text) == "":
		c.Note = join(c.Note, "there is no text in it")
	}
	c.Text, c.Shown = text.text, ""
	c.Parts = []message.Part{message.Document{Source: message.InBlob(c.MIME, c.Source), Title: c.Name}}
	c.Blobs = map[blob.Digest][]byte{c.Source: data}
	c.PartTokens = text.pages * pageTokens
	return nil
}

// pageTokens is what a model that looks at pages pays for one, about.
const pageTokens = 1600

// pages is the text of a PDF, of as many pages as were read.
type pages struct {
	text        string
	read, pages int
}

// errStopped ends the work on a PDF that takes too long.
var errStopped = errors.New("it takes too long")

// pdfText extracts the text of a PDF, at most limit bytes of it. Whoever wrote
// the file may have meant harm: the work is stopped when its time is up, and
// panics of the parser are errors.
func pdfText(ctx context.Context, data []byte, limit int, within time.Duration) (pages, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := guardPDF(ctx, data); err != nil {
		if ctx.Err() != nil {
			err = errStopped
		}
		return pages{}, err
	}
	e := &extraction{data: data, limit: limit}
	type result struct {
		pages
		err error
	}
	done := make(chan result, 1)
	go func() {
		err := e.run()
		done <- result{pages{e.text.String(), e.done, e.pages}, err}
	}()
	select {
	case r := <-done:
		return r.pages, r.err
	case <-ctx.Done():
	}
	// Everything the parser does, it does with what it reads and reports: it
	// gets no further than its next step.
	e.stopped.Store(true)
	return pages{}, errStopped
}

// extraction is the work on one PDF.
type extraction struct {
	data    []byte
	limit   int
	stopped atomic.Bool

	text        strings.Builder
	done, pages int
}

// ReadAt implements [io.ReaderAt] for the parser.
func (e *extraction) ReadAt(buffer []byte, at int64) (int, error) {
	if e.stopped.Load() {
		return 0, errStopped
	}
	return bytes.NewReader(e.data).ReadAt(buffer, at)
}

func (e *extraction) run() (err error) {
	defer func() {
		if p := recover(); p != nil {
			if stopped, ok := p.(error); ok && errors.Is(stopped, errStopped) {
				err = errStopped
				return
			}
			err = fmt.Errorf("its structure is not understood: %v", p)
		}
	}()
	reader, err := pdf.NewReader(e, int64(len(e.data)))
	if err != nil {
		return err
	}
	e.pages = reader.NumPage()
	for number := 1; number <= e.pages; number++ {
		if e.stopped.Load() {
			return errStopped
		}
		text := e.page(reader.Page(number))
		if e.text.Len()+len(text) > e.limit {
			return nil
		}
		if e.pages > 1 {
			fmt.Fprintf(&e.text, "[page %d]\n", number)
		}
		e.text.WriteString(text)
		e.done++
	}
	return nil
}

// page returns the text of a page, lines as they are set.
func (e *extraction) page(page pdf.Page) string {
	if page.V.IsNull() || page.V.Key("Contents").IsNull() {
		return ""
	}
	var b strings.Builder
	newline := func() {
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
	}
	fonts := map[string]*pdfFont{}
	var font *pdfFont
	show := func(raw string) {
		if font != nil {
			raw = font.decode(raw)
		}
		text, _ := validUTF8([]byte(raw))
		b.WriteString(strings.ReplaceAll(text, "\x00", ""))
	}
	height := math.NaN()
	pdf.Interpret(page.V.Key("Contents"), func(stack *pdf.Stack, operator string) {
		if e.stopped.Load() {
			panic(errStopped)
		}
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		if b.Len() > e.limit {
			return
		}
		switch {
		case operator == "T*" || operator == "ET":
			newline()
		case operator == "Tf" && len(args) == 2:
			name := args[0].Name()
			if _, ok := fonts[name]; !ok {
				fonts[name] = newPDFFont(page.Font(name).V)
			}
			font = fonts[name]
		case (operator == "Td" || operator == "TD") && len(args) == 2:
			if args[1].Float64() != 0 {
				newline()
			} else {
				b.WriteByte(' ')
			}
		case operator == "Tm" && len(args) == 6:
			if at := args[5].Float64(); at != height {
				height = at
				newline()
			} else {
				b.WriteByte(' ')
			}
		case operator == "Tj" && len(args) == 1:
			show(args[0].RawString())
		case operator == "'" && len(args) == 1, operator == "\"" && len(args) == 3:
			newline()
			show(args[len(args)-1].RawString())
		case operator == "TJ" && len(args) == 1:
			for i := range args[0].Len() {
				switch part := args[0].Index(i); part.Kind() {
				case pdf.String:
					show(part.RawString())
				case pdf.Integer, pdf.Real:
					// A gap this wide, in thousandths of a letter, is a space.
					if part.Float64() < -200 {
						b.WriteByte(' ')
					}
				}
			}
		}
	})
	newline()
	return b.String()
}
