package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// confirm asks a person a question that is answered yes or no. Where nobody can
// be asked it is an error.
func (s streams) confirm(ctx context.Context, question string) (bool, error) {
	if !s.inTerminal {
		return false, errors.New("there is nobody to ask; use --yes")
	}
	if file, ok := s.in.(*os.File); ok {
		forgetTyped(file)
	}
	fmt.Fprintf(s.err, "%s [y/N] ", question)
	answer, err := s.readLine(ctx, s.in)
	if err != nil && !errors.Is(err, io.EOF) { // Ctrl-D is a no
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

// hasKeyboard reports whether there may be somebody to answer who reads questions
// on err. Only [streams.keyboard] knows.
func (s streams) hasKeyboard() bool {
	return s.errTerminal && (s.inTerminal || s.openKeyboard != nil)
}

// keyboard returns where a person can answer now, nil if nobody can: what the
// program reads from, or the terminal it was started from where that is a pipe.
// Who is in the background has none: it would be stopped if it read. What was
// typed before is forgotten: whoever has not read a question has not answered it.
// Close it.
func (s streams) keyboard() io.ReadCloser {
	switch {
	case !s.hasKeyboard():
		return nil
	case s.inTerminal:
		if file, ok := s.in.(*os.File); ok {
			if inBackground(file) {
				return nil
			}
			forgetTyped(file)
		}
		return io.NopCloser(s.in)
	}
	keyboard, err := s.openKeyboard()
	if err != nil {
		return nil // then there is none
	}
	return keyboard
}

// openTerminal opens the terminal that the program was started from, if it is in
// the foreground there.
func openTerminal() (io.ReadCloser, error) {
	terminal, err := os.Open(keyboardDevice())
	if err != nil {
		return nil, err
	}
	if inBackground(terminal) {
		return nil, errors.Join(errors.New("open the terminal: the program is in the background"), terminal.Close())
	}
	forgetTyped(terminal)
	return terminal, nil
}

// keyboardDevice is the terminal that a program was started from.
func keyboardDevice() string {
	if runtime.GOOS == "windows" {
		return "CONIN$"
	}
	return "/dev/tty"
}

// readLine reads a line that a person types. It returns when the context ends,
// although the terminal goes on waiting.
func (s streams) readLine(ctx context.Context, keyboard io.Reader) (string, error) {
	type result struct {
		line string
		err  error
	}
	read := make(chan result, 1)
	go func() {
		line, err := bufio.NewReader(keyboard).ReadString('\n')
		read <- result{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-read:
		if r.err != nil && r.line == "" {
			fmt.Fprintln(s.err) // no line end came from the keyboard
			return "", fmt.Errorf("read the answer: %w", r.err)
		}
		return r.line, nil
	}
}
