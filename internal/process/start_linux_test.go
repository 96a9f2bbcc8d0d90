package process_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ampersat/ampersat/internal/process"
)

// keeper makes the test binary start a program, say which, and wait.
const keeper = "AMPERSAT_TEST_KEEPER"

func TestMain(m *testing.M) {
	if os.Getenv(keeper) == "" {
		os.Exit(m.Run())
	}
	cmd := exec.CommandContext(context.Background(), "sleep", "600")
	process.Alone(cmd)
	if err := process.Start(cmd); err != nil {
		panic(err)
	}
	fmt.Println(cmd.Process.Pid)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// A program that was started ends with us, although we are killed and can do
// nothing about it.
func TestAProgramDoesNotOutliveUs(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), keeper+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || !running(t, child) {
		t.Fatalf("process %d does not run: %v", child, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for begin := time.Now(); running(t, child); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("it lives on")
		}
	}
}

// The thread of whoever started a program may end before the program.
func TestAProgramOutlivesTheThreadThatAskedForIt(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	thread, started := make(chan int, 1), make(chan error, 1)
	var ask func()
	ask = func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this
		if syscall.Gettid() == os.Getpid() {
			// The main thread never ends; while this one holds it the next is
			// another.
			done := make(chan struct{})
			go func() { defer close(done); ask() }()
			<-done
			return
		}
		thread <- syscall.Gettid()
		started <- process.Start(cmd)
	}
	go ask()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	path := "/proc/self/task/" + strconv.Itoa(<-thread)
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); os.IsNotExist(err) {
			break
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatal("the thread does not end")
		}
	}
	if _, err := io.WriteString(in, "still here\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "still here\n" {
		t.Errorf("%q, %v", line, err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// What cannot be started says so.
func TestStartFails(t *testing.T) {
	if err := process.Start(exec.Command("/nowhere/to/be/found")); err == nil {
		t.Error("it started")
	}
}
