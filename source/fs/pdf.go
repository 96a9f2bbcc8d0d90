package fs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ledongthuc/pdf"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
)

// document makes a content a document, for models that read pages, and its
// text, for those that do not.
func (a *asking) document(ctx context.Context, c *ampersat.Content, data []byte, limit int) error {
	if end := data[max(0, len(data)-2048):]; !bytes.Contains(end, []byte("%%EOF")) {
		c.Note = join(c.Note, "it is damaged: its end is missing")
		return nil
	}
	s := &sieve{name: cmp.Or(c.ID, c.Name)}
	text, err := pdfText(ctx, data, limit, a.r.limits.Time, s)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, pdf.ErrInvalidPassword):
		c.Note = join(c.Note, "it is encrypted")
		return nil
	case err != nil:
		c.Note = join(c.Note, "its text could not be extracted: "+err.Error())
		s.miss()
	case text.read < text.pages:
		c.Note = join(c.Note, fmt.Sprintf("text of %s of %s pages", wording.Number(text.read), wording.Number(text.pages)))
	case strings.TrimSpace(text.text) == "":
		c.Note = join(c.Note, "there is no text in it")
	}
	found, note := s.result()
	c.Secrets, c.Note = found, join(c.Note, note)
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

// pdfText extracts the text of a PDF, at most limit bytes of it, and looks for
// secrets in all of it. Whoever wrote the file may have meant harm: the work is
// stopped when its time is up, and panics of the parser are errors.
func pdfText(ctx context.Context, data []byte, limit int, within time.Duration, s *sieve) (pages, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if err := guardPDF(ctx, data, s); err != nil {
		if ctx.Err() != nil {
			err = errStopped
		}
		return pages{}, err
	}
	e := &extraction{data: data, limit: limit, rest: s.flow("the text that is not shown"), shown: make(chan pages, 1)}
	type result struct {
		pages
		err error
	}
	done := make(chan result, 1)
	go func() {
		err := e.run()
		e.rest.end()
		done <- result{e.extracted(), err}
	}()
	select {
	case r := <-done:
		if r.err != nil && e.full { // only the search was not over
			s.miss()
			r.err = nil
		}
		return r.pages, r.err
	case <-ctx.Done():
	}
	// Everything the parser does, it does with what it reads and reports: it
	// gets no further than its next step.
	e.stopped.Store(true)
	select {
	case shown := <-e.shown: // as above
		s.miss()
		return shown, nil
	default:
		return pages{}, errStopped
	}
}

// extraction is the work on one PDF.
type extraction struct {
	data    []byte
	limit   int
	stopped atomic.Bool

	text        strings.Builder
	done, pages int

	// rest takes the text for which there is no room, and shown the pages before
	// once there is any.
	rest  *flow
	shown chan pages
	full  bool
}

func (e *extraction) extracted() pages { return pages{e.text.String(), e.done, e.pages} }

// overflow says that no more text is shown. The rest is only looked at.
func (e *extraction) overflow() {
	if !e.full {
		e.full = true
		e.shown <- e.extracted()
	}
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
		if e.full || e.text.Len()+len(text) > e.limit {
			e.overflow()
			fmt.Fprintln(e.rest, text)
			continue
		}
		if e.pages > 1 {
			fmt.Fprintf(&e.text, "[page %d]\n", number)
		}
		e.text.WriteString(text)
		e.done++
	}
	return nil
}
