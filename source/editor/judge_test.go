package editor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// tmux is a server of its own, with one pane of 80 by 24.
type tmux struct {
	t      testing.TB
	socket string
	dir    string
}

func newTmux(t testing.TB) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is missing: there is no terminal to compare with")
	}
	// A socket's path is short, and that of a test's folder may not be.
	dir, err := os.MkdirTemp("", "tmux")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &tmux{t: t, socket: filepath.Join(dir, "s"), dir: t.TempDir()}
	for _, name := range []string{"TMUX", "TMUX_PANE"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "screen-256color")
	t.Setenv("LC_ALL", "C.UTF-8")
	s.run("-f", os.DevNull, "new-session", "-d", "-x", "80", "-y", "24", "-s", "judge", "exec cat")
	t.Cleanup(func() { s.run("kill-server") })
	s.run("set", "-g", "remain-on-exit", "on")
	return s
}

func (s *tmux) run(args ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-S", s.socket}, args...)...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// show writes an output to a fresh pane and waits until it was read, which is
// when the terminal has answered the question that follows it.
func (s *tmux) show(output string) {
	s.t.Helper()
	file := filepath.Join(s.dir, "output")
	if err := os.WriteFile(file, []byte(output), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.run("respawn-pane", "-k", "-t", "judge", "tmux -S '"+s.socket+"' clear-history; stty -echo -icanon min 1; cat '"+file+"'; printf '\\033[6n'; head -c 1 >'"+file+".answer'; tmux -S '"+s.socket+"' wait-for -S shown; exec sleep 1000")
	s.run("wait-for", "shown")
}

// captured is what the pane shows, without white space at the ends.
func (s *tmux) captured() string {
	return trimmed(s.run("capture-pane", "-p", "-J", "-S", "-", "-t", "judge"))
}

func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// expanded writes tabs as spaces, as they are in a terminal.
func expanded(text string) string {
	var b strings.Builder
	col := 0
	for _, r := range text {
		switch r {
		case '\t':
			n := tabStop - col%tabStop
			b.WriteString(strings.Repeat(" ", n))
			col += n
		case '\n':
			b.WriteRune(r)
			col = 0
		default:
			b.WriteRune(r)
			col += columns(r)
		}
	}
	return b.String()
}

// TestPlainIsWhatTmuxShows has a real terminal as the judge. It is not asked
// about three things that it does in its own way: erasing from the top left
// corner on, line drawing (captured as letters), half of a wide character.
func TestPlainIsWhatTmuxShows(t *testing.T) {
	judge := newTmux(t)
	check := func(t interface {
		Helper()
		Errorf(string, ...any)
	}, output string) {
		t.Helper()
		judge.show(output)
		lines, _ := plainLines(output, 24)
		have, want := trimmed(expanded(strings.Join(lines, "\n"))), judge.captured()
		if have != want {
			t.Errorf("of %q\nhave %q\nwant %q", output, have, want)
		}
	}
	for _, output := range []string{
		"one\ntwo\n", "\x1b[1;31mred\x1b[0m\n", "\tx\rab\n", "abc\b\b\bxy\n", " 10%\r 50%\r100%\ndone\n", "downloading\r\x1b[Kdone\n",
		"a 1\nb 1\n\x1b[2Aa 2\nb 2\n", "abc\x1b[2GX\x1b[6GY\n", "abcdef\r\x1b[2@\x1b[4G\x1b[P\x1b[X\n", "ab\x1b7cd\x1b8X\n",
		"before\n\x1b[H\x1b[2J\x1b[3Jafter\n", "日本語\r\x1b[2Cx\n", "e\u0301a\r\x1b[Cb\n",
		"$ vi\n\x1b[?1049h\x1b[H\x1b[2J~\n~\n\x1b[?1049l$ ls\n", "\x1b]8;;https://go.dev\x1b\\Go\x1b]8;;\x1b\\!\n", "a\nb\nc\x1b[H\x1b[L\x1b[3;1H\x1b[M\n",
		strings.Repeat("scrolls\n", 40) + "\x1b[Hhome\x1b[24;1Hend\n", strings.Repeat("x\n", 30) + "\x1b[99Atop\x1b[99Bend\n",
	} {
		check(t, output)
	}
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "word ", " ", "日", "\t", "\r", "\n", "\r\n", "\b", "\x1b7", "\x1b8", "\x1b[m"}),
		rapid.Custom(func(t *rapid.T) string {
			return "\x1b[" + rapid.SampledFrom([]string{"", "1", "2", "3", "5;7", "30;2"}).Draw(t, "numbers") +
				rapid.StringOfN(rapid.RuneFrom([]rune("ABCDEFGHKLMPX@df")), 1, 1, -1).Draw(t, "final")
		}),
	)
	for seed := range 60 {
		check(t, strings.Join(rapid.SliceOfN(piece, 1, 25).Example(seed), ""))
	}
}
