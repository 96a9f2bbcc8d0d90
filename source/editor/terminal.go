package editor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/process"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
)

// TerminalConfig says where the output of a terminal is.
type TerminalConfig struct {
	// File is a file or a pipe that the person named, empty if they did not. It
	// is read when it is asked for, and once: a pipe has nothing more to say.
	File string
	// Output returns about the last lines, all if lines is zero, of what commands
	// wrote that were run here, and false if none was. Nil means that none ever
	// is. It is asked for more lines than are shown: those above tell what they
	// are part of.
	Output func(lines int) (text string, ok bool)
	// Lines is how many lines are shown for a mention that does not say how many.
	// Zero means all.
	Lines int
	// Timeout is how long it may take. Zero means ten seconds. A pipe is read
	// until it ends, however long that takes.
	Timeout time.Duration
}

// Terminal is an [ampersat.Resolver] for the output of a terminal. It is safe
// for concurrent use.
type Terminal struct {
	config TerminalConfig
	file   chan *captured // holds what was read of the file, nil before
}

// captured is some output, and whether it begins earlier than it was read.
type captured struct {
	text string
	cut  bool
	err  error
}

// ending is the end of an output.
func ending(text string) captured {
	if len(text) > mostOutput {
		return captured{text: text[len(text)-mostOutput:], cut: true}
	}
	return captured{text: text}
}

const (
	// mostOutput is how many bytes of an output are read, the last.
	mostOutput = 8 << 20
	// longestPipe is how much comes out of a pipe before it is given up.
	longestPipe = 1 << 30
	// margin is how much of what stands above the lines that are shown is looked
	// at, to tell whether they begin inside a secret, and linesAbove how many more
	// lines are asked for so that it is there.
	margin     = 64 << 10
	linesAbove = 1000
)

// NewTerminal returns a resolver. Nothing is read and nothing is started before
// it is asked.
func NewTerminal(c TerminalConfig) *Terminal {
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	t := &Terminal{config: c, file: make(chan *captured, 1)}
	t.file <- nil
	return t
}

// Resolve implements [ampersat.Resolver].
func (t *Terminal) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	m, err := t.allow(ctx, q)
	if err != nil {
		return ampersat.Content{}, err
	}
	asked := m.Lines
	if asked > 0 {
		asked = min(asked, math.MaxInt32-linesAbove) + linesAbove // tmux counts so far
	}
	var out captured
	switch {
	case t.config.File != "":
		out = t.readFile(ctx)
	default:
		text, ok := "", false
		if t.config.Output != nil {
			text, ok = t.config.Output(asked)
		}
		if out = ending(text); !ok {
			out = t.pane(ctx, asked)
		}
	}
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if out.err != nil {
		var miss *ampersat.Miss
		if errors.As(out.err, &miss) {
			miss.Mention = m
			return ampersat.Content{}, miss
		}
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Failed, Reason: out.err.Error(), Err: out.err}
	}
	return shown(m, out, q.Limit, t.config.Lines), nil
}

// Captured implements [ampersat.Capturer]: what an editor sent along with a
// mention is an output like any other.
func (t *Terminal) Captured(ctx context.Context, q ampersat.Query, data []byte) (ampersat.Content, error) {
	m, err := t.allow(ctx, q)
	if err != nil {
		return ampersat.Content{}, err
	}
	// How many lines the person selected is known; all of them are meant.
	m.Lines = 0
	c := shown(m, ending(string(data)), q.Limit, 0)
	c.ID = string(blob.Of(data)) // two selections are two things
	return c, nil
}

func (t *Terminal) allow(ctx context.Context, q ampersat.Query) (mention.Terminal, error) {
	m, ok := q.Mention.(mention.Terminal)
	if err := ctx.Err(); err != nil {
		return m, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return m, err
	}
	if !ok {
		return m, q.Unfit("is not a terminal")
	}
	return m, nil
}

// shown makes a content of an output: of its last lines, if it is long. Usual is
// how many lines are shown if the mention does not say, zero for all.
func shown(m mention.Terminal, out captured, limit, usual int) ampersat.Content {
	every, dropped := plainLines(out.text, 0)
	cut := out.cut || dropped > 0
	all := len(every)
	wanted := all
	if m.Lines > 0 && m.Lines < all {
		wanted, cut = m.Lines, false
	}
	lines := every[all-wanted:]
	most := wanted
	if m.Lines == 0 && usual > 0 {
		most = min(most, usual)
	}
	kept := most
	if limit > 0 {
		kept = 0
		for room := limit; kept < most; kept++ {
			if room -= len(lines[wanted-1-kept]) + 1; room < 0 {
				break
			}
		}
	}
	c := ampersat.Content{Name: "terminal"}
	if m.Lines > 0 {
		c.Name += ":" + strconv.Itoa(m.Lines)
	}
	size := 0
	for _, line := range lines {
		size += len(line) + 1
	}
	c.Size = int64(size)
	switch {
	case wanted == 0:
		c.Text = "[the terminal shows nothing]\n"
		c.Size = int64(len(c.Text))
	case kept == 0: // one line is longer than all there is room for
		last := lines[wanted-1]
		c.Text = strings.ToValidUTF8(last[len(last)-min(limit, len(last)):], "") + "\n"
		c.Shown = fmt.Sprintf("the end of the last of %s", wording.Count(wanted, "line"))
	default:
		c.Text = strings.Join(lines[wanted-kept:], "\n") + "\n"
		switch {
		case kept < wanted && cut:
			c.Shown = fmt.Sprintf("the last %s of more than %s lines", wording.Number(kept), wording.Number(wanted))
		case kept < wanted:
			c.Shown = fmt.Sprintf("the last %s of %s lines", wording.Number(kept), wording.Number(wanted))
		case cut:
			c.Shown = fmt.Sprintf("the last %s", wording.Count(kept, "line"))
		}
	}
	if c.Shown == "" {
		c.Source = blob.Of([]byte(c.Text))
	}
	if wanted > 0 {
		c.Within = within(every, c.Text)
		c.At = len(c.Within) - len(c.Text)
	}
	return c
}

// within returns the end of an output with what stands above it, as far as a
// secret reaches: of a key whose first line is not shown the others look like
// nothing.
func within(lines []string, end string) string {
	first, size := len(lines), 0
	for first > 0 && size < len(end)+margin {
		first--
		size += len(lines[first]) + 1
	}
	text := strings.Join(lines[first:], "\n") + "\n"
	return text[max(0, len(text)-len(end)-margin):]
}

// pane captures the tmux pane that this process runs in.
func (t *Terminal) pane(ctx context.Context, lines int) captured {
	pane := os.Getenv("TMUX_PANE")
	if os.Getenv("TMUX") == "" || !isPane(pane) {
		return captured{err: &ampersat.Miss{Outcome: ampersat.Missing,
			Reason: "there is no output to show: run this in tmux, or name a file with --terminal FILE"}}
	}
	program, err := exec.LookPath("tmux")
	if err != nil {
		return captured{err: errors.New("this is a tmux pane, and the program tmux is not found")}
	}
	limited, cancel := context.WithTimeout(ctx, t.config.Timeout)
	defer cancel()
	from := "-" // all that it remembers
	if lines > 0 {
		from = "-" + strconv.Itoa(lines)
	}
	cmd := exec.CommandContext(limited, program, "-u", "capture-pane", "-p", "-J", "-S", from, "-t", pane)
	cmd.WaitDelay = time.Second
	process.Alone(cmd)
	text, said := &tail{max: mostOutput}, &tail{max: maxSaid}
	cmd.Stdout, cmd.Stderr = text, said
	if err := cmd.Run(); err != nil {
		switch line := said.lastLine(); {
		case limited.Err() != nil:
			err = fmt.Errorf("tmux did not answer within %v", t.config.Timeout)
		case line != "":
			err = fmt.Errorf("tmux says: %s", line)
		default:
			err = fmt.Errorf("tmux: %w", err)
		}
		return captured{err: err}
	}
	return captured{text: text.String(), cut: text.cut}
}

// isPane reports whether a text is the name of a pane: % and a number.
func isPane(text string) bool {
	return len(text) > 1 && text[0] == '%' && strings.Trim(text[1:], "0123456789") == ""
}

// readFile reads the end of the file that the person named, the first time.
func (t *Terminal) readFile(ctx context.Context) captured {
	select {
	case <-ctx.Done():
		return captured{err: ctx.Err()}
	case before := <-t.file:
		if before == nil {
			read := readEnd(ctx, t.config.File)
			if ctx.Err() == nil {
				before = &read
			}
		}
		t.file <- before
		if before == nil {
			return captured{err: ctx.Err()}
		}
		return *before
	}
}

func readEnd(ctx context.Context, name string) captured {
	// Not blocking: a pipe that nobody writes to is empty.
	file, err := os.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return captured{err: fmt.Errorf("read %s: %w", name, cause(err))}
	}
	defer file.Close()
	stop := context.AfterFunc(ctx, func() { file.Close() })
	defer stop()
	end := &tail{max: mostOutput}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("it is a folder")
	}
	if err == nil && info.Mode().IsRegular() && info.Size() > mostOutput {
		end.cut = true
		_, err = file.Seek(-mostOutput, io.SeekEnd)
	}
	if err == nil {
		var n int64
		n, err = io.Copy(end, io.LimitReader(file, longestPipe))
		if n == longestPipe {
			err = fmt.Errorf("it does not end within %s bytes", wording.Number(longestPipe))
		}
	}
	if err != nil {
		return captured{err: fmt.Errorf("read %s: %w", name, cause(err))}
	}
	return captured{text: end.String(), cut: end.cut}
}

// cause is an error without the path in it.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
