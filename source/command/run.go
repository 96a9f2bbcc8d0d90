package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/ampersat/ampersat/internal/process"
)

// run runs the command with an argument.
func (s Scheme) run(ctx context.Context, arg string) (output, error) {
	words, err := s.words(arg)
	if err != nil {
		return output{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = s.Dir, append([]string{"NO_COLOR=1"}, process.Environment(s.Env)...)
	cmd.WaitDelay = time.Second
	process.Alone(cmd)
	var said process.Tail
	cmd.Stderr = &said
	// Not exec's own pipe: it would be read until all who hold it are gone, and a
	// program may leave others behind.
	reader, writer, err := os.Pipe()
	if err != nil {
		return output{}, err
	}
	defer reader.Close()
	cmd.Stdout = writer
	err = process.Start(cmd)
	writer.Close()
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return output{}, fmt.Errorf("%s is not installed, which %s runs", words[0], s.Name)
		}
		return output{}, fmt.Errorf("%s does not start: %w", s.Name, err)
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		// What it left behind holds its output open, and is ended with it. What
		// has got away from that is not waited for.
		_ = process.Kill(cmd)
		_ = reader.SetReadDeadline(time.Now().Add(time.Second))
		ended <- err
	}()
	out, readErr := read(reader, s.Limit)
	if out.cut || readErr != nil {
		cancel()
	}
	err = <-ended
	out.said = said.LastLine()
	switch {
	case readErr != nil:
		return out, fmt.Errorf("read what %s prints: %w", s.Name, readErr)
	case out.cut:
		return out, nil // we ended it
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // that it left others behind is no failure
		return out, fmt.Errorf("%s failed: %w%s", s.Name, err, complaint(out.said))
	}
	return out, nil
}

// read reads so much and no more.
func read(from io.Reader, limit int) (output, error) {
	var b bytes.Buffer
	_, err := io.Copy(&b, io.LimitReader(from, int64(limit)+1))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil // the program has ended
	}
	out := output{data: b.Bytes()}
	if len(out.data) > limit {
		out.data, out.cut = out.data[:limit], true
	}
	return out, err
}
