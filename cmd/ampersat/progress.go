package main

import (
	"fmt"
	"sync"
	"time"
)

// progress says on stderr what is going on if it takes longer than a while. On
// a terminal the line goes away again. Call what it returns when it is done.
func (s streams) progress(what string, after time.Duration) (done func()) {
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		select {
		case <-stop:
			return
		case <-time.After(after):
		}
		if !s.errTerminal {
			fmt.Fprintf(s.err, "%s…\n", what)
			<-stop
			return
		}
		start := time.Now()
		ticks := time.NewTicker(100 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-stop:
				fmt.Fprint(s.err, "\r\x1b[K")
				return
			case <-ticks.C:
				fmt.Fprintf(s.err, "\r%s… %.1f s", what, (after + time.Since(start)).Seconds())
			}
		}
	})
	return func() {
		close(stop)
		wait.Wait()
	}
}

// waiting is a line of progress, at a terminal, that gives way to whatever is said
// there.
type waiting struct {
	io streams
	mu sync.Mutex
	// end ends the line that there is, or is to be; nil if there is none.
	end func()
}

// begin says what is waited for from now on, if it takes longer than a while.
func (w *waiting) begin(what string) {
	w.over()
	if !w.io.errTerminal {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = w.io.progress(what, time.Second)
}

// over takes the line back.
func (w *waiting) over() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.end != nil {
		w.end()
		w.end = nil
	}
}
