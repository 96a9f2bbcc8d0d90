package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/wording"
)

const (
	// blockSize is how much of a file is held at a time, and knownSize how much
	// of what stood before it is looked at for secrets that go on in it.
	blockSize, knownSize = 1 << 20, 16 << 10
	// shownLine is how much of a long line is shown.
	shownLine = 300
)

// scan holds files against a pattern.
type scan struct {
	*kit
	roots   access.Roots
	base    string
	pattern pattern
	max     int

	lines []string
	// full says that there are more lines than were asked for.
	full bool
	// unread counts the files that are there and could not be read.
	unread atomic.Int64
	// withheld says what was not shown for the secrets in it.
	withheld string
}

// page is what one file has.
type page struct {
	lines    []string
	withheld *access.Denied
}

// all goes through the files in their order, some at a time, until there are
// enough lines.
func (s *scan) all(ctx context.Context, files []string) error {
	const most = 4_000
	program, err := s.LookPath("rg")
	if err != nil || runtime.GOOS == "windows" || s.pattern.foreign == "" {
		program = "" // then every file is looked at here
	}
	for len(files) > 0 && !s.full {
		batch := files[:min(most, batchSize(files))]
		files = files[len(batch):]
		if program != "" {
			if batch, err = s.candidates(ctx, program, batch); err != nil {
				return err
			}
		}
		for len(batch) > 0 && !s.full {
			now := batch[:min(len(batch), 64)]
			batch = batch[len(now):]
			if err := s.some(ctx, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// some looks at files at the same time, and adds what they have in order.
func (s *scan) some(ctx context.Context, files []string) error {
	pages := make([]page, len(files))
	var taken atomic.Int64
	var wait sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(taken.Add(1)) - 1
				if i >= len(files) {
					return
				}
				pages[i] = s.file(ctx, files[i])
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	for _, p := range pages {
		if p.withheld != nil && s.withheld == "" {
			s.withheld = "withheld: " + p.withheld.Detail + "; to allow it: " + p.withheld.Grant
		}
		for _, line := range p.lines {
			if len(s.lines) == s.max {
				s.full = true
				return nil
			}
			s.lines = append(s.lines, line)
		}
	}
	return nil
}

// file returns the lines of one file, a few more than are asked for at most.
// What is not text has none.
func (s *scan) file(ctx context.Context, name string) page {
	path := filepath.Join(s.base, filepath.FromSlash(name))
	file, info, err := s.roots.Open(path)
	if err != nil || info.IsDir() {
		if err == nil {
			file.Close()
		} else if _, denied := access.IsDenied(err); !denied && !isGone(err) {
			s.unread.Add(1)
		}
		return page{}
	}
	defer file.Close()
	r := &reader{scan: s, ctx: ctx, path: path, called: called(s.name(path))}
	if err := r.read(file); err != nil && ctx.Err() == nil {
		s.unread.Add(1)
	}
	return r.page
}

// called is a name that stands on one line.
func called(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) >= 0 || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// reader goes through one file, block by block.
type reader struct {
	*scan
	ctx    context.Context
	path   string
	called string
	page   page
	// number is that of the last line before the block, before the end of the
	// text there.
	number int
	before string
}

func (r *reader) read(file io.Reader) error {
	buffer, filled, first := make([]byte, 64<<10), 0, true
	for {
		n, err := io.ReadFull(file, buffer[filled:])
		filled += n
		atEnd := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case err != nil && !atEnd:
			return err
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case bytes.IndexByte(buffer[:filled], 0) >= 0:
			if first {
				r.page = page{}
			}
			return nil
		}
		whole := filled
		if !atEnd {
			whole = bytes.LastIndexByte(buffer[:filled], '\n') + 1
		}
		if first {
			buffer, filled, whole = unmarked(buffer, filled, whole)
		}
		if whole > 0 || atEnd {
			r.block(string(buffer[:whole]))
			filled = copy(buffer, buffer[whole:filled])
			first = false
		}
		switch {
		case atEnd || len(r.page.lines) > r.max:
			return nil
		case len(buffer) < blockSize:
			buffer = append(buffer, make([]byte, blockSize-len(buffer))...)
		case filled == len(buffer) && len(buffer) >= maxFile:
			return errors.New("a line of it is too long")
		case filled == len(buffer):
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
	}
}

// unmarked takes the byte order mark away.
func unmarked(buffer []byte, filled, whole int) ([]byte, int, int) {
	if mark := len(byteOrderMark); bytes.HasPrefix(buffer[:filled], []byte(byteOrderMark)) {
		copy(buffer, buffer[mark:filled])
		return buffer, filled - mark, max(whole-mark, 0)
	}
	return buffer, filled, whole
}

// block adds the lines of a text that match.
func (r *reader) block(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var secret secrets
	scanned := false
	at, line := 0, r.number+1
	for at < len(text) && len(r.page.lines) <= r.max && r.ctx.Err() == nil {
		end := pieceEnd(text, at)
		found := r.pattern.expression.FindStringIndex(text[at:end])
		if found == nil || at+found[0] == end && text[end-1] == '\n' {
			line += strings.Count(text[at:end], "\n")
			at = end
			continue
		}
		start := at + found[0]
		line += strings.Count(text[at:start], "\n")
		from := strings.LastIndexByte(text[:start], '\n') + 1
		to, next := end, end
		if stop := strings.IndexByte(text[start:end], '\n'); stop >= 0 {
			to, next = start+stop, start+stop+1
		}
		if !scanned {
			secret, scanned = r.secrets(text), true
		}
		shown := fmt.Sprintf("%s:%d: %s", r.called, line, excerpt(text[from:to], start-from))
		if rule, held := secret.in(from, to); held {
			shown = fmt.Sprintf("%s:%d: [withheld: %s]", r.called, line, rule)
		}
		r.page.lines = append(r.page.lines, shown)
		at, line = next, line+1
	}
	r.number += strings.Count(text, "\n")
	r.before = text[max(0, len(text)-knownSize):]
}

// pieceEnd is where the lines from a position on end that are looked at in one
// go: matching cannot be interrupted.
func pieceEnd(text string, at int) int {
	const size = 64 << 10
	if len(text)-at <= size {
		return len(text)
	}
	if end := strings.IndexByte(text[at+size:], '\n'); end >= 0 {
		return at + size + end + 1
	}
	return len(text)
}

// excerpt is the part of a line around what matched.
func excerpt(line string, match int) string {
	if len(line) > shownLine {
		from := max(0, min(match-shownLine/4, len(line)-shownLine))
		to := from + shownLine
		for from > 0 && from < to && !utf8.RuneStart(line[from]) {
			from++
		}
		for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
			to--
		}
		whole := len(line)
		cut := line[from:to]
		if from > 0 {
			cut = "…" + cut
		}
		if to < whole {
			cut += "…"
		}
		line = fmt.Sprintf("%s [of %s bytes]", cut, wording.Number(whole))
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}

// secrets are the places of a text that must not be shown.
type secrets []access.Finding

// secrets looks for what must not be shown, also for what began before this
// block.
func (r *reader) secrets(text string) secrets {
	found := access.ScanString(r.path, r.before+text)
	var denied *access.Denied
	if !errors.As(access.CheckSecrets(r.Consent, r.path, found), &denied) {
		return nil
	}
	r.page.withheld = denied
	left := slices.Clone(denied.Findings)
	for i := range left {
		left[i].Start -= len(r.before)
		left[i].End -= len(r.before)
	}
	return left
}

// in tells which secret a part of the text is in. One that the name alone tells
// is in all of it.
func (s secrets) in(from, to int) (rule string, held bool) {
	for _, f := range s {
		if f.Line == 0 || f.Start < to && f.End > from {
			return f.Rule, true
		}
	}
	return "", false
}
