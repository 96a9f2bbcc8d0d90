package sessiontest

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// Property tests fail here on purpose: nobody wants the smallest example,
	// nor a file to repeat it from, and which fault is found is not left to luck.
	for name, value := range map[string]string{"rapid.shrinktime": "1ms", "rapid.nofailfile": "true", "rapid.seed": "1"} {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

// recorder is a test that may fail without anybody failing with it.
type recorder struct {
	testing.TB // nil: what the suite uses is below

	mu       sync.Mutex
	failures []string
	cleanups []func()
}

// failures runs a check on a store and returns what it reported.
func failures(c check, open Open) []string {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, clean := range r.cleanups {
				clean()
			}
		}()
		k := start(r, open)
		k.patience = 200 * time.Millisecond
		c.run(k)
	}()
	<-done
	return r.failures
}

func (r *recorder) record(message string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, message)
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return "recorder" }
func (r *recorder) Log(...any)                {}
func (r *recorder) Logf(string, ...any)       {}
func (r *recorder) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Fail()                     { r.record("failed") }
func (r *recorder) Error(args ...any)         { r.record(fmt.Sprint(args...)) }
func (r *recorder) Errorf(f string, a ...any) { r.record(fmt.Sprintf(f, a...)) }
func (r *recorder) Fatal(args ...any)         { r.record(fmt.Sprint(args...)); runtime.Goexit() }
func (r *recorder) Fatalf(f string, a ...any) { r.record(fmt.Sprintf(f, a...)); runtime.Goexit() }
func (r *recorder) FailNow()                  { r.record("failed"); runtime.Goexit() }
func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}
