package fs

import (
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// pageText puts together the text of a page, lines as they are set.
type pageText struct {
	e *extraction
	strings.Builder
	// height is where the last line was, forms how many pieces of a page were
	// followed.
	height float64
	forms  int
}

// Pieces of a page may show others, and some files have them show themselves.
const (
	pdfForms     = 1000
	pdfFormDepth = 10
)

// page returns the text of a page.
func (e *extraction) page(page pdf.Page) string {
	if page.V.IsNull() || page.V.Key("Contents").IsNull() {
		return ""
	}
	p := &pageText{e: e, height: math.NaN()}
	p.interpret(page.V.Key("Contents"), page.Resources(), 0)
	p.newline()
	return p.String()
}

func (p *pageText) newline() {
	if s := p.String(); s != "" && !strings.HasSuffix(s, "\n") {
		p.WriteByte('\n')
	}
}

// show adds what a string says. What is too long to be shown is only looked at.
func (p *pageText) show(raw string, font *pdfFont) {
	if font != nil {
		raw = font.decode(raw)
	}
	text, _ := validUTF8([]byte(raw))
	p.WriteString(strings.ReplaceAll(text, "\x00", ""))
	if p.Len() > p.e.limit {
		p.e.overflow()
		p.e.rest.Write([]byte(p.String()))
		p.Reset()
	}
}

// interpret follows a stream of a page, or of a piece of it, with the fonts and
// pieces that it names.
func (p *pageText) interpret(stream, resources pdf.Value, depth int) {
	fonts := map[string]*pdfFont{}
	var font *pdfFont
	pdf.Interpret(stream, func(stack *pdf.Stack, operator string) {
		if p.e.stopped.Load() {
			panic(errStopped)
		}
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		switch {
		case operator == "T*" || operator == "ET":
			p.newline()
		case operator == "Tf" && len(args) == 2:
			name := args[0].Name()
			if _, ok := fonts[name]; !ok {
				fonts[name] = newPDFFont(resources.Key("Font").Key(name))
			}
			font = fonts[name]
		case (operator == "Td" || operator == "TD") && len(args) == 2:
			if args[1].Float64() != 0 {
				p.newline()
			} else {
				p.WriteByte(' ')
			}
		case operator == "Tm" && len(args) == 6:
			if at := args[5].Float64(); at != p.height {
				p.height = at
				p.newline()
			} else {
				p.WriteByte(' ')
			}
		case operator == "Tj" && len(args) == 1:
			p.show(args[0].RawString(), font)
		case operator == "'" && len(args) == 1, operator == "\"" && len(args) == 3:
			p.newline()
			p.show(args[len(args)-1].RawString(), font)
		case operator == "TJ" && len(args) == 1:
			for i := range args[0].Len() {
				switch part := args[0].Index(i); part.Kind() {
				case pdf.String:
					p.show(part.RawString(), font)
				case pdf.Integer, pdf.Real:
					// A gap this wide, in thousandths of a letter, is a space.
					if part.Float64() < -200 {
						p.WriteByte(' ')
					}
				}
			}
		case operator == "Do" && len(args) == 1:
			p.form(resources.Key("XObject").Key(args[0].Name()), resources, depth)
		}
	})
}

// form follows a piece of a page that is drawn where it is named.
func (p *pageText) form(form, resources pdf.Value, depth int) {
	if form.Kind() != pdf.Stream || form.Key("Subtype").Name() != "Form" {
		return
	}
	if p.forms++; p.forms > pdfForms || depth >= pdfFormDepth {
		p.e.rest.sieve.miss()
		return
	}
	if own := form.Key("Resources"); !own.IsNull() {
		resources = own
	}
	p.newline()
	p.interpret(form, resources, depth+1)
	p.newline()
}
