package process

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// maxTail is how much of the end is kept, and maxLine how much of a line is
// shown to people.
const (
	maxTail = 4 << 10
	maxLine = 300
)

// Tail keeps the end of what is written to it, however much that is. It is safe
// for concurrent use.
type Tail struct {
	mu  sync.Mutex
	end []byte
}

// Write implements [io.Writer]. It never fails.
func (t *Tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(text)
	text = text[max(0, n-maxTail):]
	if over := len(t.end) + len(text) - maxTail; over > 0 {
		t.end = t.end[:copy(t.end, t.end[over:])]
	}
	t.end = append(t.end, text...)
	return n, nil
}

// LastLine is the last line that has something in it, for people: what a
// terminal would obey is shown, and a long line is cut.
func (t *Tail) LastLine() string {
	t.mu.Lock()
	text := string(t.end)
	t.mu.Unlock()
	return Line(text)
}

// Line is the last line of a text that has something in it, for people.
func Line(text string) string {
	text = strings.TrimRightFunc(strings.ToValidUTF8(text, "\uFFFD"), unicode.IsSpace)
	text = strings.TrimSpace(text[strings.LastIndexAny(text, "\r\n")+1:])
	var b strings.Builder
	for _, r := range text {
		if b.Len() >= maxLine {
			b.WriteString("…")
			break
		}
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else if r == '\t' {
			b.WriteByte(' ')
		} else {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}
