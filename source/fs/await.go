package fs

import (
	"context"
	"fmt"
	"time"
)

// answer is what came of work on a file.
type answer[T any] struct {
	value T
	err   error
}

// await does work that reads an open file, for as long as somebody waits for it
// and the file gives something. A read cannot be taken back: the files in which a
// kernel tells about itself may wait for what happens next, and those of a server
// that is gone wait for the server. So it is done in a goroutine of its own, which
// is left behind with the file if need be, and closes it when the read returns.
//
// A file on a disk of this machine is read at once: it is what most mentions
// name, and a goroutine for each takes its time.
func await[T any](ctx context.Context, r *Resolver, f *found, work func() (T, error)) (T, error) {
	if r.isLocal(f) {
		return work()
	}
	silence := r.limits.Silence
	done := make(chan answer[T], 1)
	go func() {
		var a answer[T]
		defer func() {
			if r := recover(); r != nil {
				a.err = fmt.Errorf("its file system panicked: %v", r)
			}
			done <- a
		}()
		a.value, a.err = work()
	}()
	patience := time.NewTimer(silence)
	defer patience.Stop()
	var err error
	for heard := int64(0); err == nil; {
		select {
		case a := <-done:
			return a.value, a.err
		case <-ctx.Done():
			err = ctx.Err()
		case <-patience.C:
			now := f.heard.Load()
			if now == heard {
				err = fmt.Errorf("it gives nothing, after %v still", silence)
			}
			heard = now
			patience.Reset(silence)
		}
	}
	f.left = true
	go func() {
		<-done
		f.file.Close()
	}()
	// What waits for an event, and not for a disk, need not wait any longer.
	if waiting, ok := f.file.(interface{ SetReadDeadline(time.Time) error }); ok {
		waiting.SetReadDeadline(time.Unix(1, 0)) // an error says that it cannot be woken
	}
	var none T
	return none, err
}

// close closes a file, unless that is left to a read that still waits.
func (f *found) close() {
	if !f.left {
		f.file.Close()
	}
}
