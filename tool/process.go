package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	programs "github.com/ampersat/ampersat/internal/process"
)

const (
	// patience is how long a process that is told to end may take, and then how
	// long it is waited for what it has said.
	patience = time.Second
	// gone is how long a process may take to end that was killed.
	gone = 10 * time.Second
)

// process is a command to run.
type process struct {
	program   string
	arguments []string
	dir       string
	env       []string
	time      time.Duration
	out       io.Writer
}

// ending is how a command ended.
type ending struct {
	code   int
	signal string
	// late says that its time was over, stopped that nobody waited any more.
	late, stopped bool
}

func (e ending) good() bool { return e == ending{} }

// tell says it to the model.
func (e ending) tell(seconds int) string {
	switch {
	case e.stopped:
		return "[stopped by the person before it ended]"
	case e.late:
		return fmt.Sprintf("[stopped: it did not end within %d seconds]", seconds)
	case e.signal != "":
		return fmt.Sprintf("[ended by a signal: %s]", e.signal)
	}
	return fmt.Sprintf("[exit code %d]", e.code)
}

// run runs a command to its end, or until its time is over or the context
// cancelled. When it returns, no process is left that the command has started
// and that can be found.
func run(ctx context.Context, p process) (ending, error) {
	if err := ctx.Err(); err != nil {
		return ending{stopped: true}, err
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return ending{}, err
	}
	defer reader.Close()
	mark := newMark()
	cmd := exec.Command(p.program, p.arguments...)
	cmd.Dir, cmd.Env = p.dir, append(p.env, mark.setting())
	// One pipe for both, so that the order stays. Input is nothing at all.
	cmd.Stdout, cmd.Stderr = writer, writer
	ownGroup(cmd)
	err = programs.Start(cmd)
	writer.Close()
	if err != nil {
		return ending{}, err
	}
	mark.since, _ = beganAt(cmd.Process.Pid)
	read := make(chan error, 1)
	go func() {
		_, err := io.Copy(p.out, reader)
		read <- err
	}()
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()

	end, err := wait(ctx, cmd, p.time, exited)
	// What it left in the background. Usually there is nothing, which is an error
	// of the call and none of ours.
	_ = endGroup(cmd, syscall.SIGKILL)
	mark.end()
	if err != nil {
		return end, err
	}
	// Nobody can write now, except who got away.
	select {
	case <-read:
	case <-time.After(patience):
		if err := reader.SetReadDeadline(time.Now()); err != nil {
			reader.Close()
		}
		<-read
	}
	return end, ctx.Err()
}

// wait waits for the end of a process, and brings it about if need be.
func wait(ctx context.Context, cmd *exec.Cmd, limit time.Duration, exited <-chan error) (ending, error) {
	var end ending
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-exited:
		return endingOf(cmd, err)
	case <-ctx.Done():
		end.stopped = true
	case <-timer.C:
		end.late = true
	}
	// That it has just ended is told by exited.
	_ = endGroup(cmd, syscall.SIGTERM)
	select {
	case <-exited:
		return end, nil
	case <-time.After(patience):
	}
	_ = endGroup(cmd, syscall.SIGKILL)
	select {
	case <-exited:
		return end, nil
	case <-time.After(gone):
		return end, fmt.Errorf("process %d was killed and does not end", cmd.Process.Pid)
	}
}

// endingOf reads what the system says about a process that has ended.
func endingOf(cmd *exec.Cmd, err error) (ending, error) {
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return ending{}, err
	}
	end := ending{code: cmd.ProcessState.ExitCode()}
	if end.code < 0 {
		end.signal = signalOf(cmd.ProcessState)
	}
	return end, nil
}
