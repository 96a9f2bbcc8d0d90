package editor

import (
	"bytes"
	"strings"
	"sync"
)

// maxSaid is how much of what a program complains about is kept.
const maxSaid = 16 << 10

// tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	max int

	mu   sync.Mutex
	kept bytes.Buffer
	cut  bool
}

// Write implements [io.Writer].
func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept.Write(text)
	if t.kept.Len() > 2*t.max {
		t.cut = true
		t.kept.Next(t.kept.Len() - t.max)
	}
	return len(text), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.kept.Bytes()
	if len(text) > t.max {
		t.cut = true
		text = text[len(text)-t.max:]
	}
	return string(text)
}

// lastLine is the last line that says something.
func (t *tail) lastLine() string {
	lines := strings.Split(strings.TrimSpace(Plain(t.String())), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
