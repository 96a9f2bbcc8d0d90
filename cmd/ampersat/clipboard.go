package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// copyToClipboard puts text on the clipboard of the person. On the machine
// they sit at, a program of the desktop does it; over ssh, or where there is
// none, the terminal is asked to (OSC 52), which reaches the right machine.
func (s streams) copyToClipboard(ctx context.Context, text string) error {
	if os.Getenv("SSH_CONNECTION") == "" && os.Getenv("SSH_TTY") == "" {
		for _, program := range clipboardPrograms() {
			path, err := exec.LookPath(program[0])
			if err != nil {
				continue
			}
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			command := exec.CommandContext(ctx, path, program[1:]...)
			command.Stdin = strings.NewReader(text)
			if err := command.Run(); err == nil {
				return nil
			}
		}
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		if !s.styled {
			return errors.New("copy: there is neither a clipboard program (wl-copy, xclip, xsel, pbcopy) nor a terminal")
		}
		return writeOSC52(s.out, text)
	}
	defer terminal.Close()
	return writeOSC52(terminal, text)
}

func clipboardPrograms() [][]string {
	var programs [][]string
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		programs = append(programs, []string{"wl-copy"})
	}
	if os.Getenv("DISPLAY") != "" {
		programs = append(programs, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	return append(programs, []string{"pbcopy"}, []string{"clip.exe"})
}

// maxOSC52 is what terminals commonly take.
const maxOSC52 = 1 << 20

func writeOSC52(out io.Writer, text string) error {
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	if len(encoded) > maxOSC52 {
		return fmt.Errorf("copy: %d bytes are more than a terminal takes; use --json or a pipe", len(text))
	}
	_, err := fmt.Fprintf(out, "\x1b]52;c;%s\x07", encoded)
	return err
}
