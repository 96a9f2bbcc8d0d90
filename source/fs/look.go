package fs

import (
	"context"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// look is what was read of a file, and what it says if it is text.
type look struct {
	reading
	kind   format
	text   text
	isText bool
	// digest is that of the text, if all of it was read.
	digest blob.Digest
	lines  ruler
	// raw is the bytes, where they tell what was replaced in the text.
	raw ruler
}

// lookKey is what decides what is read of a file in one turn.
type lookKey struct {
	by   *Resolver
	at   string
	most int
}

// look reads and decodes a file that was just opened, once in a turn: all that
// is mentioned of it is cut from the same text.
func (a *asking) look(ctx context.Context, f *found, limit int) (*look, error) {
	key := lookKey{a.r, f.at.address(), limit}
	if size := f.size(); size > 0 && size <= int64(limit) {
		key.most = 0 // all of it, whoever asks
	}
	l, err := a.lookOnce(ctx, key, f, limit)
	if err != nil || key.most > 0 || !l.longer || l.whole && l.size <= int64(limit) {
		return l, err
	}
	// What was read of it is what the first who asked could use.
	again, err := a.open(candidate{at: f.at, name: f.name})
	if err != nil {
		return nil, err
	}
	defer again.close()
	key.most = limit
	return a.lookOnce(ctx, key, again, limit)
}

func (a *asking) lookOnce(ctx context.Context, key lookKey, f *found, limit int) (*look, error) {
	value, err := a.q.Memory.Once(key, func() (any, int, error) {
		r, err := a.read(ctx, f, limit)
		if err != nil {
			return nil, 0, err
		}
		l := &look{reading: r, kind: formatOf(r.head)}
		if l.kind.mime == "" {
			l.text, l.isText = asText(r)
			l.kind = unknownFormat
		}
		size := len(r.head) + len(r.tail)
		if l.isText {
			l.lines.text = l.text.head
			if l.text.shown != "" && l.text.coding.of == nil {
				raw := r.head[l.text.coding.mark:]
				l.raw.text = unsafe.String(unsafe.SliceData(raw), len(raw)) // nobody changes what was read
			}
			if r.whole {
				l.digest = l.text.digest(r.head)
			}
			if !l.text.same {
				size += len(l.text.head) + len(l.text.tail)
			}
		}
		return l, size, nil
	})
	if err != nil {
		return nil, err
	}
	return value.(*look), nil
}

// replaced is how much of some lines could not be read.
func (l *look) replaced(s selected, m mention.Selection) (n int) {
	switch {
	case l.text.shown == "":
		return 0
	case l.text.coding.of != nil:
		return strings.Count(s.text, string(utf8.RuneError))
	}
	raw := l.raw.cut(m.First, m.Last, len(s.text)).text
	for decoded := 0; len(raw) > 0 && decoded < len(s.text); {
		r, size := utf8.DecodeRuneInString(raw)
		decoded += utf8.RuneLen(r)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		raw = raw[size:]
	}
	return n
}

// ruler finds lines in a text without counting them anew each time.
type ruler struct {
	text  string
	once  sync.Once
	marks []int // where every so many lines begin
	total int
}

// markEvery is how many lines there are from one mark to the next.
const markEvery = 256

func (r *ruler) measure() {
	r.marks = []int{0}
	for at := 0; at < len(r.text); {
		if r.total > 0 && r.total%markEvery == 0 {
			r.marks = append(r.marks, at)
		}
		r.total++
		end := strings.IndexByte(r.text[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
}

// start is where a line begins, counted from one; the end of the text for one
// that is not there.
func (r *ruler) start(line int) int {
	if line > r.total {
		return len(r.text)
	}
	at := r.marks[(line-1)/markEvery]
	for range (line - 1) % markEvery {
		at += strings.IndexByte(r.text[at:], '\n') + 1
	}
	return at
}

// cut returns lines first to last, or as many of their bytes as the limit
// allows. Ends of lines are kept.
func (r *ruler) cut(first, last, limit int) selected {
	r.once.Do(r.measure)
	s := selected{lines: min(last, r.total), ended: last > r.total, within: r.text}
	if first > r.total {
		return s
	}
	s.at = r.start(first)
	end := len(r.text)
	if last < r.total {
		end = r.start(last + 1)
	}
	s.text = r.text[s.at:end]
	if len(s.text) > limit {
		s.text, s.cut = beginning(s.text, limit), true
	}
	return s
}

// beginning is so many bytes of a text, without the part of a character that
// they may end in.
func beginning(text string, bytes int) string {
	end := []byte(text[max(0, bytes-utf8.UTFMax):bytes])
	return text[:bytes-incomplete(end)]
}
