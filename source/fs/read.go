package fs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// reading is what was read of a file: all of it, or its head and its tail.
type reading struct {
	head, tail []byte
	// lead is some of what stands before the tail, of which it may be a part.
	lead []byte
	// size is that of the file when it was opened, or read if it had none.
	size int64
	// whole says that head is all there was, longer that it was more than the
	// file said.
	whole, longer bool
	// shown and note say what went on meanwhile.
	shown, note string
}

// read reads a file that was just opened, at most limit bytes of it. It reads
// what was there when it was opened: a file that grows does not keep it.
func (a *asking) read(ctx context.Context, f *found, limit int) (reading, error) {
	return await(ctx, a.r, f, func() (reading, error) {
		size := f.size()
		switch {
		case size > int64(limit):
			return readEnds(ctx, f, limit)
		case size == 0:
			return readOn(ctx, f, nil, limit)
		}
		return readSized(ctx, f, limit)
	})
}

// size is how long a file says that it is, zero if it does not know.
func (f *found) size() int64 { return max(0, f.info.Size()) }

// readSized reads a file that is as long as it says. On a disk it is, or what it
// says afterwards tells; others are read until they end.
func readSized(ctx context.Context, f *found, limit int) (reading, error) {
	size := f.size()
	r := reading{size: size, whole: true, head: make([]byte, size)}
	n, err := fill(ctx, f, r.head)
	if err != nil {
		return reading{}, err
	}
	r.head = r.head[:n]
	after, err := f.file.Stat()
	if int64(n) < size {
		r.size = int64(n)
	}
	switch {
	case err != nil:
	case int64(n) < size && f.isAs(after):
		// It never was that long. The kernel says so of files that it makes
		// up when they are read.
	case int64(n) < size:
		r.note = "it became shorter while it was read"
	case after.Size() > size:
		r.whole = false
		r.shown = fmt.Sprintf("the first %s bytes: it grew while it was read", wording.Number(size))
	case f.at.onDisk() && !f.isAs(after):
		r.note = "it changed while it was read"
	case int64(n) == size && !f.at.onDisk():
		on, err := readOn(ctx, f, r.head, limit)
		on.longer = on.size > size || !on.whole
		return on, err
	}
	return r, nil
}

// isAs reports whether a file seems to be as it was when it was opened.
func (f *found) isAs(after iofs.FileInfo) bool {
	return after.Size() == f.info.Size() && after.ModTime().Equal(f.info.ModTime())
}

// readOn reads what follows the head of a file whose size says nothing. The
// files in which a kernel tells about itself say that they are empty, or that
// they are a page long, and are not; a file system of somebody's own may not know.
func readOn(ctx context.Context, f *found, head []byte, limit int) (reading, error) {
	r := reading{head: head}
	chunk := 4 << 10
	for {
		buffer := make([]byte, min(chunk, limit+1-len(r.head)))
		n, err := fill(ctx, f, buffer)
		r.head = append(r.head, buffer[:n]...)
		switch {
		case err != nil:
			return reading{}, err
		case n < len(buffer):
			r.size, r.whole = int64(len(r.head)), true
			return r, nil
		case len(r.head) > limit:
			r.head = r.head[:limit]
			r.size = int64(limit)
			r.shown = fmt.Sprintf("the first %s bytes", wording.Number(int64(limit)))
			return r, nil
		}
		chunk *= 2
	}
}

// readEnds reads the head and the tail of a file, three parts to one.
func readEnds(ctx context.Context, f *found, limit int) (reading, error) {
	size := f.size()
	r := reading{size: size}
	tail := limit / 4
	r.head = make([]byte, limit-tail)
	r.tail = make([]byte, tail)
	n, err := fill(ctx, f, r.head)
	if err != nil {
		return reading{}, err
	}
	r.head = r.head[:n]
	between := make([]byte, max(0, min(margin, size-int64(tail)-int64(n))))
	if err := skipTo(ctx, f, int64(n), size-int64(tail)-int64(len(between))); err != nil {
		return reading{}, err
	}
	if _, err = fill(ctx, f, between); err != nil {
		return reading{}, err
	}
	r.lead = append(bytes.Clone(r.head[max(0, n-margin+len(between)):]), between...)
	if n, err = fill(ctx, f, r.tail); err != nil {
		return reading{}, err
	}
	if r.tail = r.tail[:n]; n == tail {
		return r.isEnd(ctx, f)
	}
	if after, err := f.file.Stat(); err != nil || !f.isAs(after) {
		r.note = "it became shorter while it was read"
		return r, nil
	}
	// It never was that long.
	if seeker, ok := f.file.(io.Seeker); ok {
		if _, err := seeker.Seek(int64(len(r.head)), io.SeekStart); err != nil {
			return reading{}, err
		}
		return readOn(ctx, f, r.head, limit)
	}
	// What came after the head is gone.
	r.tail, r.size, r.whole = nil, int64(len(r.head)), len(r.head) < limit-tail
	if !r.whole {
		r.shown = fmt.Sprintf("the first %s bytes", wording.Number(r.size))
	}
	return r, nil
}

// isEnd returns what was read of a file without its tail if more comes after that:
// then it is not its end.
func (r reading) isEnd(ctx context.Context, f *found) (reading, error) {
	if f.at.onDisk() {
		return r, nil
	}
	n, err := fill(ctx, f, make([]byte, 1))
	switch after, _ := f.file.Stat(); {
	case err != nil:
		return reading{}, err
	case n == 0 || after != nil && after.Size() > r.size: // it grows
		return r, nil
	}
	r.tail, r.lead = nil, nil
	r.shown = fmt.Sprintf("the first %s bytes: it is longer than it says", wording.Number(len(r.head)))
	return r, nil
}

// skipTo moves a file that stands at from on to another position.
func skipTo(ctx context.Context, f *found, from, to int64) error {
	if seeker, ok := f.file.(io.Seeker); ok {
		_, err := seeker.Seek(to, io.SeekStart)
		return err
	}
	buffer := make([]byte, 64<<10)
	for from < to {
		n, err := fill(ctx, f, buffer[:min(int64(len(buffer)), to-from)])
		if err != nil || n == 0 {
			return err
		}
		from += int64(n)
	}
	return nil
}

// fill reads until the buffer is full or the file ends, and looks up now and
// then whether anybody still waits for it.
func fill(ctx context.Context, f *found, buffer []byte) (n int, err error) {
	const step = 1 << 20
	for n < len(buffer) {
		m, err := patient{ctx, f}.Read(buffer[n:min(n+step, len(buffer))])
		n += m
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// join puts remarks together.
func join(remarks ...string) string {
	var said []string
	for _, remark := range remarks {
		if remark != "" {
			said = append(said, remark)
		}
	}
	return strings.Join(said, "; ")
}
