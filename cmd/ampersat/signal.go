package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ampersat/ampersat/internal/process"
)

// stopped is why the program ends before it is done: a signal told it to.
type stopped struct{ signal syscall.Signal }

func (s *stopped) Error() string { return fmt.Sprintf("the program was told to end: %s", s.signal) }

// Unwrap makes it what everything here takes the end of a context for.
func (s *stopped) Unwrap() error { return context.Canceled }

// exitCode is what shells expect of a program that a signal ended.
func (s *stopped) exitCode() int { return 128 + int(s.signal) }

// stopCode is the exit code of a run that was stopped.
func stopCode(ctx context.Context) int {
	var by *stopped
	if errors.As(context.Cause(ctx), &by) {
		return by.exitCode()
	}
	return exitInterrupted
}

// obey ends what is under way at the first signal, in order, and the program at
// the second. Quitting, which is Ctrl-\, is at once.
func obey(signals <-chan os.Signal, end context.CancelCauseFunc) {
	next, _ := (<-signals).(syscall.Signal)
	if next != syscall.SIGQUIT {
		end(&stopped{next})
		next, _ = (<-signals).(syscall.Signal)
	}
	// Nobody is left to end them in order.
	process.KillStarted()
	if next != syscall.SIGQUIT { // which would print where each part of the program is
		signal.Reset(next)
		if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(next) == nil {
			time.Sleep(time.Second) // it ends meanwhile, unless whoever started it had the signal ignored
		}
	}
	os.Exit((&stopped{next}).exitCode())
}
