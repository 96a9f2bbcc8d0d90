package ampersat

import (
	"errors"
	"sync"
)

// Memory is what has been read in one turn. The pipeline hands it to resolvers
// with each [Query], so that a file of which a hundred parts are mentioned is
// read once, and all of them are parts of the same text. A nil Memory keeps
// nothing. It is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	held  int
	kept  map[any]*memo
	order []*memo // those that count, oldest first
}

// memoryRoom is how many bytes a turn holds on to: more than any one text that
// is read.
const memoryRoom = 128 << 20

var (
	// errPanicked is for those who wait for what somebody else failed to read.
	errPanicked = errors.New("what it is read from could not be read")
	errNoRead   = errors.New("memory: there is no function to read with")
)

// memo is one value. Whoever is first holds reading until it is there.
type memo struct {
	reading sync.Mutex

	key   any
	value any
	size  int
	err   error
}

// Once returns what read returned when it was called with this key before, in
// the same turn. Key is a comparable value of a type of the caller's own, so
// that no two callers mean different things by one. Size is about how many
// bytes the value takes; the oldest values are forgotten when all together take
// too many. An error is kept like a value. Read must not ask for its own key: it
// would wait for itself.
func (m *Memory) Once(key any, read func() (value any, size int, err error)) (any, error) {
	if read == nil { // nothing panics for want of an argument
		return nil, errNoRead
	}
	if m == nil {
		value, _, err := read()
		return value, err
	}
	one, isFirst := m.find(key)
	if !isFirst {
		one.reading.Lock()
		defer one.reading.Unlock()
		return one.value, one.err
	}
	defer m.keep(one)
	one.value, one.size, one.err = read()
	return one.value, one.err
}

// find returns the memo of a key. Whoever is first is to read it.
func (m *Memory) find(key any) (one *memo, isFirst bool) {
	m.mu.Lock()
	defer m.mu.Unlock() // a key that cannot be compared panics
	if one, ok := m.kept[key]; ok {
		return one, false
	}
	if m.kept == nil {
		m.kept = make(map[any]*memo)
	}
	one = &memo{key: key, err: errPanicked}
	one.reading.Lock()
	m.kept[key] = one
	return one, true
}

// keep hands out a value that was read, counts it, and makes room for it.
func (m *Memory) keep(one *memo) {
	one.reading.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held += one.size
	m.order = append(m.order, one)
	for m.held > memoryRoom && len(m.order) > 0 {
		m.held -= m.order[0].size
		delete(m.kept, m.order[0].key)
		m.order = m.order[1:]
	}
}
