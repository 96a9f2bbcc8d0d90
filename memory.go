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
	order []any // the keys that are held, oldest first
}

// memoryRoom is how many bytes a turn holds on to: more than any one text that
// is read.
const memoryRoom = 128 << 20

// errUnread is for those who wait for what somebody else failed to read.
var errUnread = errors.New("what it is read from could not be read")

type memo struct {
	once  sync.Once
	value any
	size  int
	err   error
}

// Once returns what read returned when it was called with this key before, in
// the same turn. Key is a comparable value of a type of the caller's own, so
// that no two callers mean different things by one. Size is about how many
// bytes the value takes; the oldest values are forgotten when all together take
// too many. An error is kept like a value.
func (m *Memory) Once(key any, read func() (value any, size int, err error)) (any, error) {
	if read == nil { // nothing panics for want of an argument
		return nil, errUnread
	}
	if m == nil {
		value, _, err := read()
		return value, err
	}
	m.mu.Lock()
	one, ok := m.kept[key]
	if !ok {
		if m.kept == nil {
			m.kept = make(map[any]*memo)
		}
		one = new(memo)
		m.kept[key] = one
	}
	m.mu.Unlock()
	one.once.Do(func() {
		defer func() { m.keep(key, one) }()
		one.err = errUnread // of a read that panics
		one.value, one.size, one.err = read()
	})
	return one.value, one.err
}

// keep counts a value, and makes room for it.
func (m *Memory) keep(key any, one *memo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held += one.size
	m.order = append(m.order, key)
	for m.held > memoryRoom && len(m.order) > 0 {
		m.held -= m.kept[m.order[0]].size
		delete(m.kept, m.order[0])
		m.order = m.order[1:]
	}
}
