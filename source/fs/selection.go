package fs

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
)

// selection resolves some lines of a file: those, and never more.
func (a *asking) selection(ctx context.Context, m mention.Selection) (ampersat.Content, error) {
	switch {
	case m.Path == "":
		return ampersat.Content{}, a.miss(ampersat.Missing, "there is no path")
	case m.First < 1:
		return ampersat.Content{}, a.miss(ampersat.Missing, "lines are counted from one")
	case m.Last < m.First && m.Last != 0:
		return ampersat.Content{}, a.miss(ampersat.Missing, fmt.Sprintf("line %s comes before line %s", wording.Number(m.Last), wording.Number(m.First)))
	}
	toEnd := m.Last == 0
	if toEnd {
		m.Last = math.MaxInt
	}
	f, err := a.find(ctx, m.Namespace, m.Path)
	if err != nil {
		return ampersat.Content{}, err
	}
	defer f.close()
	if f.info.IsDir() {
		return ampersat.Content{}, a.miss(ampersat.Missing, "it is a folder, which has no lines")
	}
	// Lines may stand anywhere in a file, however little of it fits. Of one that is
	// longer than would be read of it by itself, some tells whether it is text.
	limit := min(max(a.limit(), shortText), a.r.limits.Text)
	if f.info.Size() > int64(limit) {
		limit = min(a.limit(), 1<<20)
	}
	l, err := a.look(ctx, f, limit)
	if err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	if !l.isText {
		return ampersat.Content{}, a.miss(ampersat.Failed, "it is a "+l.kind.name+", which has no lines")
	}
	c := ampersat.Content{
		Name: f.name, ID: f.at.address(), Size: l.size, Source: l.digest, Note: join(l.note, l.text.note, a.r.rules.note(ctx, f)),
	}
	a.mentions(&c, f, l.text.head)
	if m.Column > 0 {
		c.Note = join(c.Note, "column "+wording.Number(m.Column))
	}
	var s selected
	if l.whole {
		s = l.lines.cut(m.First, m.Last, a.limit())
		s.replaced = l.replaced(s, m)
	} else if s, err = a.pickFar(ctx, f, l.text.coding, m); err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	asked := called(m.First, m.Last)
	if toEnd {
		// What it turned out to be has a last line, the last that was read.
		asked, m.Last = "lines "+wording.Number(m.First)+" to the end", s.lines
		c.Mention = m
	}
	c.Text, c.Within, c.At, c.Lines = s.text, s.within, s.at, span(m.First, m.Last)
	switch {
	case s.lines < m.First && !s.ended:
		return ampersat.Content{}, a.miss(ampersat.Failed, fmt.Sprintf("line %s is further than %s bytes into the file", wording.Number(m.First), wording.Number(maxScan)))
	case s.lines < m.First && s.lines == 1:
		return ampersat.Content{}, a.miss(ampersat.Missing, "the file has 1 line")
	case s.lines < m.First:
		return ampersat.Content{}, a.miss(ampersat.Missing, fmt.Sprintf("the file has %s lines", wording.Number(s.lines)))
	case s.cut:
		c.Shown = fmt.Sprintf("the first %s bytes of %s", wording.Number(len(s.text)), asked)
	case s.lines < m.Last && s.ended:
		c.Shown = fmt.Sprintf("%s of %s", called(m.First, s.lines), wording.Number(s.lines))
	case s.lines < m.Last:
		c.Shown = called(m.First, s.lines)
	}
	c.Shown = join(c.Shown, l.text.coding.lossy(s.replaced))
	return c, nil
}

// shortText is how long a file is at the most that is read whole for a few of its
// lines, whatever is asked for: many such files may be read at a time.
const shortText = 8 << 20

func span(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

// called is lines as people call them.
func called(first, last int) string {
	if first == last {
		return "line " + wording.Number(first)
	}
	return "lines " + wording.Number(first) + "-" + wording.Number(last)
}
