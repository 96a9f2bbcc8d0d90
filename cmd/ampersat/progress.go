package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/ampersat/ampersat/internal/terminal"
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
				fmt.Fprint(s.err, "\r"+s.progressLine(what, after+time.Since(start)))
			}
		}
	})
	return func() {
		close(stop)
		wait.Wait()
	}
}

// progressLine is what has been going on for how long, on one line: a longer one
// could not be taken back, and each tick would begin another. The terminal may have
// become narrower meanwhile.
func (s streams) progressLine(what string, took time.Duration) string {
	end := fmt.Sprintf("… %.1f s", took.Seconds())
	columns := 0
	if s.errColumns != nil {
		columns = s.errColumns()
	}
	if columns <= 0 {
		return what + end
	}
	// In the last column some terminals are on the next line already.
	return cutTo(what, columns-1-width(end)) + cutTo(end, columns-1)
}

// cutTo returns as much of the start of a text as fits into so many columns.
func cutTo(text string, columns int) string {
	for i, r := range text {
		if columns -= terminal.RuneWidth(r); columns < 0 {
			return text[:i]
		}
	}
	return text
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
