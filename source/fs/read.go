package fs

import (
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"strconv"
	"strings"
)

// reading is what was read of a file: all of it, or its head and its tail.
type reading struct {
	head, tail []byte
	// size is that of the file when it was opened, or read if it had none.
	size int64
	// whole says that head is all there was.
	whole bool
	// shown and note say what went on meanwhile.
	shown, note string
}

// read reads a file that was just opened, at most limit bytes of it. It reads
// what was there when it was opened: a file that grows does not keep it.
func read(ctx context.Context, f *found, limit int) (reading, error) {
	size := f.info.Size()
	if size > int64(limit) {
		return readEnds(ctx, f.file, size, limit)
	}
	if size == 0 {
		return readUnsized(ctx, f.file, limit)
	}
	r := reading{size: size, whole: true, head: make([]byte, size)}
	n, err := fill(ctx, f.file, r.head)
	if err != nil {
		return reading{}, err
	}
	r.head = r.head[:n]
	after, err := f.file.Stat()
	switch {
	case err != nil:
	case int64(n) < size:
		r.size, r.note = int64(n), "it became shorter while it was read"
	case after.Size() > size:
		r.whole = false
		r.shown = fmt.Sprintf("the first %s bytes: it grew while it was read", thousands(size))
	case !after.ModTime().Equal(f.info.ModTime()):
		r.note = "it changed while it was read"
	}
	return r, nil
}

// readUnsized reads a file that says it is empty. The files in which a kernel
// tells about itself do, and are not.
func readUnsized(ctx context.Context, file io.Reader, limit int) (reading, error) {
	var r reading
	chunk := 4 << 10
	for {
		buffer := make([]byte, min(chunk, limit+1-len(r.head)))
		n, err := fill(ctx, file, buffer)
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
			r.shown = fmt.Sprintf("the first %s bytes", thousands(int64(limit)))
			return r, nil
		}
		chunk *= 2
	}
}

// readEnds reads the head and the tail of a file, three parts to one.
func readEnds(ctx context.Context, file iofs.File, size int64, limit int) (reading, error) {
	r := reading{size: size}
	tail := limit / 4
	r.head = make([]byte, limit-tail)
	r.tail = make([]byte, tail)
	n, err := fill(ctx, file, r.head)
	if err != nil {
		return reading{}, err
	}
	r.head = r.head[:n]
	if err := skipTo(ctx, file, int64(n), size-int64(tail)); err != nil {
		return reading{}, err
	}
	if n, err = fill(ctx, file, r.tail); err != nil {
		return reading{}, err
	}
	if r.tail = r.tail[:n]; n < tail {
		r.note = "it became shorter while it was read"
	}
	return r, nil
}

// skipTo moves a file that stands at from on to another position.
func skipTo(ctx context.Context, file iofs.File, from, to int64) error {
	if seeker, ok := file.(io.Seeker); ok {
		_, err := seeker.Seek(to, io.SeekStart)
		return err
	}
	buffer := make([]byte, 64<<10)
	for from < to {
		n, err := fill(ctx, file, buffer[:min(int64(len(buffer)), to-from)])
		if err != nil || n == 0 {
			return err
		}
		from += int64(n)
	}
	return nil
}

// fill reads until the buffer is full or the file ends, and looks up now and
// then whether anybody still waits for it.
func fill(ctx context.Context, file io.Reader, buffer []byte) (n int, err error) {
	const step = 1 << 20
	for n < len(buffer) {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		m, err := file.Read(buffer[n:min(n+step, len(buffer))])
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

// thousands writes a number as people read it: 5,204.
func thousands[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
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
