package process_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/internal/process"
)

func TestEnvironmentHoldsNoKeys(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	t.Setenv("LC_ALL", "C")
	t.Setenv("ANTHROPIC_API_KEY", "key-of-the-person")
	t.Setenv("AMPERSAT_HOME", "/elsewhere")
	env := process.Environment(map[string]string{"TOKEN": "for this one", "LC_ALL": "de_DE"})
	for _, want := range []string{"HOME=/home/ada", "LC_ALL=de_DE", "TOKEN=for this one"} {
		if !slices.Contains(env, want) {
			t.Errorf("no %s in %q", want, env)
		}
	}
	for _, setting := range env {
		if strings.HasPrefix(setting, "ANTHROPIC") || strings.HasPrefix(setting, "AMPERSAT") || setting == "LC_ALL=C" {
			t.Errorf("it gets %s", setting)
		}
	}
}

func TestTailKeepsTheLastLine(t *testing.T) {
	for _, c := range []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, ""},
		{"blank", []string{"\n \n\r\n"}, ""},
		{"one line", []string{"out of paper"}, "out of paper"},
		{"the last of several", []string{"one\ntwo\n", "thr", "ee\n\n"}, "three"},
		{"lines that end as on Windows", []string{"one\r\ntwo\r\n"}, "two"},
		{"a progress bar", []string{"10 %\r50 %\r100 %"}, "100 %"},
		{"escapes are shown", []string{"\x1b[31mred\x1b[0m\tend"}, `\x1b[31mred\x1b[0m end`},
		{"what is not UTF-8", []string{"a\xffb"}, "a\uFFFDb"},
		{"a long line", []string{strings.Repeat("é", 2000)}, strings.Repeat("é", 150) + "…"},
		{"ten megabytes", append(slices.Repeat([]string{strings.Repeat("x", 1<<16) + "\n"}, 160), "the end\n"), "the end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tail process.Tail
			for _, text := range c.writes {
				if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
					t.Fatalf("wrote %d of %d: %v", n, len(text), err)
				}
			}
			if have := tail.LastLine(); have != c.want {
				t.Errorf("have %q, want %q", have, c.want)
			}
		})
	}
}

func TestGitEnvironment(t *testing.T) {
	have := process.GitEnvironment([]string{"GIT_DIR=x", "git_dir=x", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=de", "HOME=h"})
	want := []string{"GIT_CONFIG_NOSYSTEM=1", "HOME=h", "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}
	if !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
}
