package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
)

// confirm asks a person a question that is answered yes or no. Where nobody can
// be asked it is an error.
func (s streams) confirm(ctx context.Context, question string) (bool, error) {
	if !s.inTerminal {
		return false, errors.New("there is nobody to ask; use --yes")
	}
	fmt.Fprintf(s.err, "%s [y/N] ", question)
	answer, err := s.readLine(ctx)
	if err != nil {
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

// readLine reads a line that a person types. It returns when the context ends,
// although the terminal goes on waiting.
func (s streams) readLine(ctx context.Context) (string, error) {
	type result struct {
		line string
		err  error
	}
	read := make(chan result, 1)
	go func() {
		line, err := bufio.NewReader(s.in).ReadString('\n')
		read <- result{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-read:
		if r.err != nil && r.line == "" {
			return "", fmt.Errorf("read the answer: %w", r.err)
		}
		return r.line, nil
	}
}
