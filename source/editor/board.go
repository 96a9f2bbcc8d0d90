package editor

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// mostFindings is how many diagnostics of one server are held, and
	// mostOfFile how many of one file. More are counted.
	mostFindings = 50_000
	mostOfFile   = 5_000
	// longestText is how many bytes of one message are held.
	longestText = 2_000
)

// finding is one diagnostic.
type finding struct {
	path         string // absolute
	line, column int    // counted from one
	severity     int
	text, source string
}

// The severities of the protocol.
const (
	isError   = 1
	isWarning = 2
	isHint    = 4
)

// board is what a server has said. It is safe for concurrent use.
type board struct {
	mu sync.Mutex
	// pushed is what the server published by itself, pulled what it answered: a
	// server may find some things one way and others the other.
	pushed, pulled map[string][]finding
	held           int
	// told counts how often the server was told of changes; after is how often
	// it had been when something was published, or answered. What was published
	// about a file before it was told something does not count beside what it
	// answered after.
	told        int
	pushedAfter map[string]int
	pulledAfter map[string]int
	// over is how many more there were of a file than are held.
	over map[string]int
	// gone are files that are no more; what is still said about them is late.
	gone map[string]bool
	// awaited are files that the server has yet to publish something about,
	// with the version that counts.
	awaited map[string]int
	working map[string]bool
	last    time.Time
	// changed has room for one signal.
	changed chan struct{}
}

func newBoard() *board {
	return &board{
		pushed: map[string][]finding{}, pulled: map[string][]finding{}, awaited: map[string]int{}, working: map[string]bool{}, over: map[string]int{},
		gone: map[string]bool{}, pushedAfter: map[string]int{}, pulledAfter: map[string]int{},
		last: time.Now(), changed: make(chan struct{}, 1),
	}
}

// heard notes that the server has said something.
func (b *board) heard() {
	b.mu.Lock()
	b.last = time.Now()
	b.mu.Unlock()
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// await says that the server will say something about a file, in place of what it
// said before.
func (b *board) await(path string, version int) {
	b.mu.Lock()
	b.awaited[path] = version
	b.hold(b.pushed, path, nil)
	b.hold(b.pulled, path, nil)
	delete(b.gone, path)
	b.mu.Unlock()
	b.tell()
}

// came says that a file is there.
func (b *board) came(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.gone, path)
}

// tell notes that the server is told of a change. From now on it is waited for.
func (b *board) tell() {
	b.mu.Lock()
	b.told++
	b.mu.Unlock()
	b.heard()
}

// answered takes back that a file is awaited, or all if the path is empty.
func (b *board) answered(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if delete(b.awaited, path); path == "" {
		clear(b.awaited)
	}
}

// publish is what the server says by itself.
func (b *board) publish(p publishParams) {
	path, ok := pathOf(p.URI)
	if !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone[path] {
		return
	}
	b.hold(b.pushed, path, p.Diagnostics)
	b.pushedAfter[path] = b.told
	if version, ok := b.awaited[path]; ok && (p.Version == nil || *p.Version >= version) {
		delete(b.awaited, path)
	}
}

// pull is what the server answered.
func (b *board) pull(path string, diagnostics jsontext.Value) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hold(b.pulled, path, diagnostics)
	b.pulledAfter[path] = b.told
}

// forget drops what was said about a file that is no more.
func (b *board) forget(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hold(b.pushed, path, nil)
	b.hold(b.pulled, path, nil)
	b.gone[path] = true
	delete(b.awaited, path)
	delete(b.pushedAfter, path)
	delete(b.pulledAfter, path)
}

// hold keeps what was said about a file, in place of what was said before.
func (b *board) hold(in map[string][]finding, path string, diagnostics jsontext.Value) {
	b.held -= len(in[path])
	delete(in, path)
	delete(b.over, path)
	found, over := readFindings(path, diagnostics, max(min(mostFindings-b.held, mostOfFile), 0))
	if over > 0 {
		b.over[path] = over
	}
	if len(found) > 0 {
		in[path] = found
		b.held += len(found)
	}
}

// readFindings reads as many diagnostics as there is room for, and counts the
// others.
func readFindings(path string, diagnostics jsontext.Value, room int) (found []finding, over int) {
	in := jsontext.NewDecoder(bytes.NewReader(diagnostics), lenient())
	if token, err := in.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, 0 // nothing, or no list
	}
	for in.PeekKind() != ']' {
		if len(found) == room {
			if in.SkipValue() != nil {
				break
			}
			over++
			continue
		}
		value, err := in.ReadValue()
		if err != nil {
			break
		}
		var d wireDiagnostic
		if json.Unmarshal(value, &d, lenient()) == nil {
			found = append(found, d.finding(path))
		}
	}
	return found, over
}

// progress notes when some work begins and ends.
func (b *board) progress(p progressParams) {
	const most = 1_000
	token := string(p.Token)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch p.Value.Kind {
	case "begin":
		if len(b.working) < most {
			b.working[token] = true
		}
	case "end":
		delete(b.working, token)
	}
}

// state tells whether the server works, for how many files it is awaited, and
// when it last said something.
func (b *board) state() (working bool, awaited int, last time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.working) > 0, len(b.awaited), b.last
}

// findings returns all that is held, and how many more there were.
func (b *board) findings() (all []finding, over int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for path, found := range b.pushed {
		if pulled, ok := b.pulledAfter[path]; !ok || b.pushedAfter[path] >= pulled {
			all = append(all, found...)
		}
	}
	for _, found := range b.pulled {
		all = append(all, found...)
	}
	for _, more := range b.over {
		over += more
	}
	return all, over
}

// finding reads a diagnostic as it is on the wire.
func (d wireDiagnostic) finding(path string) finding {
	var text string
	if json.Unmarshal(d.Message, &text, lenient()) != nil {
		var marked struct {
			Value string `json:"value"`
		}
		_ = json.Unmarshal(d.Message, &marked, lenient()) // what is neither says nothing
		text = marked.Value
	}
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	severity := d.Severity
	if severity < isError || severity > isHint {
		severity = isError // the client is to decide
	}
	return finding{
		path: path, line: max(d.Range.Start.Line, 0) + 1, column: max(d.Range.Start.Character, 0) + 1, severity: severity,
		text: strings.Clone(text), source: oneLine(d.Source, 100),
	}
}

// oneLine makes one short line of a text, with nothing in it that a terminal
// would obey.
func oneLine(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.Join(strings.Fields(Plain(text)), " ")
}
