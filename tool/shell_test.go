//go:build unix

package tool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/tool"
)

func TestShell(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/": "", "a.txt": "alpha\n"})
	for _, c := range []struct {
		call   args
		want   string
		failed bool
	}{
		{args{"command": "cat a.txt"}, "alpha\n[exit code 0]", false},
		{args{"command": "echo out; echo err >&2; echo out"}, "out\nerr\nout\n[exit code 0]", false},
		{args{"command": "printf x; exit 3"}, "x\n[exit code 3]", true},
		{args{"command": "true"}, "[exit code 0]", false},
		{args{"command": "pwd", "dir": "sub"}, filepath.Join(p.dir, "sub") + "\n[exit code 0]", false},
		{args{"command": "printf '\\033[31mred\\033[0m\\r\\nbar 10%%\\rbar 99%%\\n'"}, "red\nbar 99%\n[exit code 0]", false},
		{args{"command": "no-such-program-anywhere"}, "[exit code 127]", true},
		{args{"command": "kill -TERM $$"}, "[ended by a signal: terminated]", true},
	} {
		result, err := p.call(t, "shell", c.call)
		must(t, err)
		if have := rendered(result); !strings.HasSuffix(have, c.want) || result.Failed != c.failed {
			t.Errorf("%v: have %q, failed %v", c.call, have, result.Failed)
		}
	}
	for _, bad := range []args{{"command": " "}, {"command": "a\x00b"}, {"command": "true", "timeout": 601}, {"command": "true", "timeout": -1}} {
		if _, err := p.tool("shell").Plan(encode(t, bad)); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	p.refused(t, "shell", args{"command": "true", "dir": "a.txt"}, "it is not a folder")
	p.refused(t, "shell", args{"command": "true", "dir": "nowhere"}, "there is no such folder; name another in dir")
	p.config.LookPath = withoutPrograms
	p.tools = tool.New(p.config)
	p.refused(t, "shell", args{"command": "true"}, "there is no sh here")
}

func TestShellIsPlanned(t *testing.T) {
	p := newPlace(t, map[string]string{"it's/": ""})
	for _, c := range []struct {
		call            args
		subject, shorts string
	}{
		{args{"command": "go test ./...\n"}, "go test ./...\n", "run go test ./..."},
		{args{"command": "make", "dir": "it's"}, "cd '" + p.dir + `/it'\''s' && make`, "run cd "},
		{args{"command": strings.Repeat("x ", 500)}, strings.Repeat("x ", 500), "…"},
	} {
		action, err := p.tool("shell").Plan(encode(t, c.call))
		must(t, err)
		if action.Effect != agent.Runs || action.Subject != c.subject || action.Detail != c.subject || !strings.Contains(action.Summary, c.shorts) || len(action.Summary) > 200 {
			t.Errorf("%+v", action)
		}
	}
	// A command says where it is run, unless that is the project's own folder.
	p.config.Dir = filepath.Join(p.dir, "it's")
	p.tools = tool.New(p.config)
	for dir, subject := range map[string]string{"": "cd '" + p.dir + `/it'\''s' && make`, "..": "make", p.dir: "make", "../it's": "cd '" + p.dir + `/it'\''s' && make`} {
		action, err := p.tool("shell").Plan(encode(t, args{"command": "make", "dir": dir}))
		must(t, err)
		if action.Subject != subject {
			t.Errorf("%q: %s", dir, action.Subject)
		}
	}
}

// Input is nothing, and not what the person types.
func TestAttackShellThatWaitsForInput(t *testing.T) {
	p := newPlace(t, nil)
	contains(t, p.ok(t, "shell", args{"command": "read x; echo \"read $? $x\"; cat; echo done"}), "read 1 \ndone\n")
}

func TestAttackShellFlood(t *testing.T) {
	p := newPlace(t, nil)
	// A million lines, then an end that matters.
	text := p.ok(t, "shell", args{"command": "echo first; yes 'and one more line of no use' | head -n 400000; echo last"})
	if len(text) > 131_072 {
		t.Errorf("%d bytes", len(text))
	}
	contains(t, text[:30], "first\nand one more")
	contains(t, text, " bytes left out]\nand one")
	contains(t, text[len(text)-30:], "use\nlast\n[exit code 0]")
	// Without any line, and without an end: stopped by the time.
	result, err := p.call(t, "shell", args{"command": "yes | tr -d '\\n'", "timeout": 1})
	must(t, err)
	if text := rendered(result); len(text) > 131_072 || !result.Failed || !strings.HasSuffix(text, "\n[stopped: it did not end within 1 seconds]") {
		t.Errorf("%d bytes, %s", len(text), text[max(0, len(text)-100):])
	}
}

// alive tells whether a process runs: one that has ended and is not yet reaped
// does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// ended waits until the processes have ended whose numbers stand in a file.
func ended(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	pids := strings.Fields(string(data))
	if len(pids) == 0 {
		t.Fatal("nothing was started")
	}
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		must(t, err)
		for deadline := time.Now().Add(time.Minute); alive(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d is still there", pid)
			}
		}
	}
}

// Whatever a command leaves behind ends with it, and nobody waits for it.
func TestAttackShellThatLeavesSomethingBehind(t *testing.T) {
	for name, command := range map[string]string{
		"in the background, holding the output": `sleep 1000 & echo $! >pids`,
		"two levels down":                       `sh -c 'sh -c "sleep 1000 & echo \$! >>pids" & wait'`,
		"deaf to signals":                       `sh -c 'trap "" TERM HUP INT; echo $$ >pids; while :; do sleep 1; done' & while ! test -s pids; do :; done`,
		"without an environment":                `env -i sleep 1000 & echo $! >pids`,
		"a daemon in a session of its own":      `setsid sh -c 'echo $$ >pids; exec sleep 1000' </dev/null >/dev/null 2>&1 & while ! test -s pids; do :; done`,
		"a daemon that holds the output":        `setsid sh -c 'echo $$ >pids; exec sleep 1000' & while ! test -s pids; do :; done`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, nil)
			began := time.Now()
			contains(t, p.ok(t, "shell", args{"command": command}), "[exit code 0]")
			if took := time.Since(began); took > 60*time.Second {
				t.Errorf("it was waited for: %v", took)
			}
			ended(t, filepath.Join(p.dir, "pids"))
		})
	}
}

// Who hides from everybody gets away, and is not waited for.
func TestAttackShellThatStartsWhatCannotBeFound(t *testing.T) {
	p := newPlace(t, nil)
	contains(t, p.ok(t, "shell", args{"command": `setsid env -i sh -c 'echo $$ >pids; exec sleep 60' & while ! test -s pids; do :; done; echo began`}), "began\n[exit code 0]")
	pid, err := strconv.Atoi(strings.TrimSpace(p.content(t, "pids")))
	must(t, err)
	if !alive(pid) {
		t.Fatal("it was waited for, or found after all")
	}
	must(t, syscall.Kill(pid, syscall.SIGKILL))
}

// A command whose time is over, or that nobody waits for, ends, with its
// children, whether it wants to or not.
func TestAttackShellThatDoesNotEnd(t *testing.T) {
	for name, command := range map[string]string{
		"willing":         `echo $$ >pids; echo began; sleep 1000`,
		"deaf to signals": `trap '' TERM; echo $$ >pids; echo began; while :; do sleep 1; done`,
		"with children":   `sleep 1000 & echo $! >pids; setsid sleep 1000 & echo $! >>pids; echo began; wait`,
	} {
		t.Run(name+", in time", func(t *testing.T) {
			t.Parallel()
			// A second may be over before a busy machine has begun it.
			for _, seconds := range []int{1, 5, 60} {
				p := newPlace(t, nil)
				result, err := p.call(t, "shell", args{"command": command, "timeout": seconds})
				must(t, err)
				text, stopped := strings.CutSuffix(rendered(result), fmt.Sprintf("[stopped: it did not end within %d seconds]", seconds))
				if !stopped || !result.Failed {
					t.Fatalf("%q", rendered(result))
				}
				if text == "began\n" {
					ended(t, filepath.Join(p.dir, "pids"))
					return
				}
			}
			t.Error("it does not begin")
		})
		t.Run(name+", cancelled", func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			result, err := p.tool("shell").Run(ctx, agent.Call{Input: encode(t, args{"command": command}), Output: func(text string) {
				if text != "began\n" {
					t.Errorf("%q", text)
				}
				cancel()
			}})
			if text := rendered(result); err == nil || text != "began\n[stopped by the person before it ended]" || !result.Failed {
				t.Errorf("%q, %v", text, err)
			}
			ended(t, filepath.Join(p.dir, "pids"))
		})
	}
}

func TestAttackShellThatSeesSecrets(t *testing.T) {
	key := "ghp_" + "x7Gk2mQ9vB4nR8sT1wY6zA3cE5fH0jL7pD2u"
	p := newPlace(t, map[string]string{"conf.txt": "first\n" + key + "\nlast\n"})
	p.config.Environ = func() []string {
		return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "ANTHROPIC_API_KEY=not-to-be-seen-1", "my_token=not-to-be-seen-2", "DB_PASS=not-to-be-seen-3",
			"PLAIN=" + key, "MAX_TOKENS=kept-1", "SSH_AUTH_SOCK=kept-2", "PWD=/", "KEYBOARD=kept-3", "AWS_SECRET_ACCESS_KEY=not-to-be-seen-4", "KEY=kept-4"}
	}
	p.tools = tool.New(p.config)
	text := p.ok(t, "shell", args{"command": "env"})
	lacks(t, text, "not-to-be-seen", key)
	contains(t, text, "kept-1", "kept-2", "kept-3", "kept-4", "TERM=dumb")

	var shown strings.Builder
	result, err := p.tool("shell").Run(t.Context(), agent.Call{Input: encode(t, args{"command": "cat conf.txt"}), Output: func(text string) { shown.WriteString(text) }})
	must(t, err)
	text = rendered(result)
	lacks(t, text+shown.String(), key)
	contains(t, text, "first\n[withheld: github", "]\nlast\n[it holds secrets: ", "to allow it: --allow secret:", "\n[exit code 0]")
	contains(t, shown.String(), "first\n[withheld: ", "last\n")

	_, id, _ := strings.Cut(text, "--allow secret:")
	id, _, _ = strings.Cut(id, "]")
	must(t, p.consent.Allow(access.Secret{ID: id}))
	contains(t, p.ok(t, "shell", args{"command": "cat conf.txt"}), key)
}
