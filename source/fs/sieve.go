package fs

import (
	"sync"

	"github.com/ampersat/ampersat/access"
)

// sieve looks for secrets in what is packed in a picture or a document: it goes
// out with it, and nobody sees it in the file. It is safe for concurrent use.
type sieve struct {
	// name is that of the content.
	name string

	mu     sync.Mutex
	found  []access.Finding
	missed bool
}

// unsearched is what people are told of a content that was not searched to the
// end. A document without text is most often a scan, and none is refused for it.
const unsearched = "a part of it could not be searched for secrets"

// miss says that there is something that could not be looked at.
func (s *sieve) miss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = true
}

// result returns what was found so far, and what is to be told.
func (s *sieve) result() (found []access.Finding, note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missed {
		note = unsearched
	}
	return s.found, note
}

// scan looks through data, which stands where in says. What ends within the
// first bytes was looked at before.
func (s *sieve) scan(data []byte, in string, before int) {
	for _, f := range access.Scan(s.name, data) {
		if f.Line == 0 || f.End <= before {
			continue // the name alone tells that, and the pipeline sees it
		}
		f.Line, f.Start, f.End, f.In = 0, 0, 0, in
		s.mu.Lock()
		s.found = append(s.found, f)
		s.mu.Unlock()
	}
}

// flow returns a writer for what is too much to be held: it is looked at piece
// by piece, each with the end of the one before.
func (s *sieve) flow(in string) *flow { return &flow{sieve: s, in: in} }

type flow struct {
	sieve *sieve
	in    string
	held  []byte
	// again is how many bytes of what is held were looked at before.
	again int
}

const (
	// flowPiece is what is looked at at once.
	flowPiece = 256 << 10
	// flowAgain is what is looked at again: more than the longest key takes.
	flowAgain = 16 << 10
)

// Write implements [io.Writer]. It does not fail.
func (f *flow) Write(data []byte) (int, error) {
	n := len(data)
	for len(data) > 0 {
		if f.held == nil {
			f.held = make([]byte, 0, flowPiece)
		}
		take := min(len(data), flowPiece-len(f.held))
		f.held = append(f.held, data[:take]...)
		data = data[take:]
		if len(f.held) == flowPiece {
			f.sieve.scan(f.held, f.in, f.again)
			f.again = copy(f.held, f.held[flowPiece-flowAgain:])
			f.held = f.held[:f.again]
		}
	}
	return n, nil
}

// end looks at what is left, and makes the flow ready for something else.
func (f *flow) end() {
	if len(f.held) > f.again {
		f.sieve.scan(f.held, f.in, f.again)
	}
	f.held, f.again = f.held[:0], 0
}
