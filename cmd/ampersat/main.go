// Command ampersat shows and sends what mentions in a text name.
//
// See "ampersat help".
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// Most runs are over before collecting garbage pays; the first collection
	// comes at some 32 MB.
	debug.SetGCPercent(800)
	ctx, cancel := context.WithCancelCause(context.Background())
	// Whoever closes the window or ends the program wants what has come kept, too.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go obey(signals, cancel)
	// Whoever reads the output may stop before its end. The write that fails says
	// so, and not a signal that ends the program in the middle of a turn. The signal
	// is not ignored, since programs that are started here would ignore it too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], standardStreams()))
}
