//go:build unix

package command_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/command"
)

// tell prints the arguments of a script, one in brackets each.
const tell = "printf '[%s]' \"$@\""

func TestTheArgumentHasItsPlace(t *testing.T) {
	for _, c := range []struct {
		words []string
		arg   string
		want  string
	}{
		{nil, "ABC-1", "[ABC-1]"},
		{[]string{"show"}, "ABC-1", "[show][ABC-1]"},
		{[]string{"show", "{}", "--plain"}, "ABC-1", "[show][ABC-1][--plain]"},
		{[]string{"--key={}", "x{}x"}, "ABC-1", "[--key=ABC-1][xABC-1x]"},
		{nil, "a b  c", "[a b  c]"},
		{nil, `$(touch ran); "*" ~ && $HOME`, `[$(touch ran); "*" ~ && $HOME]`},
		{[]string{"{}"}, "{}{}", "[{}{}]"},
		{[]string{"--", "{}"}, "-rf", "[--][-rf]"},
		{[]string{"--"}, "-rf", "[--][-rf]"},
		{[]string{"--key={}"}, "-rf", "[--key=-rf]"},
	} {
		s := command.Scheme{Command: append(script(t, tell), c.words...), Dir: t.TempDir()}
		if content := load(t, s, c.arg); content.Text != c.want || content.Name != "jira:"+c.arg {
			t.Errorf("%q with %q: name %q, text %q", c.words, c.arg, content.Name, content.Text)
		}
		if left, _ := os.ReadDir(s.Dir); len(left) > 0 {
			t.Errorf("%q with %q: %v was made", c.words, c.arg, left)
		}
	}
}

func TestAnArgumentIsNoOption(t *testing.T) {
	for _, words := range [][]string{nil, {"{}"}, {"show", "{}"}, {"{}.md"}, {"{}", "--"}} {
		for _, arg := range []string{"-x", "--help", "-"} {
			s := command.Scheme{Command: append(script(t, tell), words...)}
			missed(t, s, arg, ampersat.Failed, "begins with a hyphen", "put -- before {}")
		}
	}
	missed(t, command.Scheme{Command: []string{"{}"}}, "sh", ampersat.Failed, "cannot choose the program")
	missed(t, command.Scheme{Command: []string{"true"}}, "", ampersat.Failed, "names nothing")
	missed(t, command.Scheme{Command: []string{"true"}}, "a\x00b", ampersat.Failed, "control characters")
	missed(t, command.Scheme{Command: []string{"true"}}, "a\nb", ampersat.Failed, "control characters")
	missed(t, command.Scheme{Command: []string{"true"}}, strings.Repeat("a", 5000), ampersat.Failed, "longer than 4096 bytes")
	missed(t, command.Scheme{}, "a", ampersat.Failed, "neither a command nor a URL")
	missed(t, command.Scheme{Command: []string{"true"}, URL: "http://x/{}"}, "a", ampersat.Failed, "it can have one of them")
}

func TestWhatAProgramSees(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "a key that is nobody's business")
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	s := command.Scheme{Command: script(t, `env; echo "in $(pwd)"; cat; echo end`), Dir: dir, Env: map[string]string{"SITE": "example"}}
	text := load(t, s, "x").Text
	for _, want := range []string{"SITE=example\n", "HOME=", "PATH=", "NO_COLOR=1", "in " + dir + "\nend\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "nobody's business") {
		t.Errorf("it sees %s", text)
	}
}

func TestWhatProgramsPrint(t *testing.T) {
	for _, c := range []struct {
		name, script, mime string
		limit              int
		text, kind, shown  string
		note               string
	}{
		{name: "text", script: `echo hello`, text: "hello\n"},
		{name: "nothing", script: `true`},
		{name: "JSON", script: `printf ' {"a": [1]}\n'`, text: " {\"a\": [1]}\n", kind: "application/json"},
		{name: "no JSON", script: `echo '{"a": '`, text: "{\"a\": \n"},
		{name: "as configured", script: `echo '# Title'`, mime: "text/markdown", text: "# Title\n", kind: "text/markdown"},
		{name: "too much", script: `while true; do echo ä; done`, limit: 1000, text: strings.Repeat("ä\n", 333), shown: "the first 1000 bytes of more"},
		{name: "a picture", script: `printf '\211PNG\r\n\032\n\000\000'`, text: "[image/png, 10 bytes: not text]\n", kind: "image/png", shown: "described only"},
		{name: "Latin-1", script: `printf 'caf\351 au lait'`, text: "caf\uFFFD au lait", note: "what is not UTF-8 is replaced by \uFFFD"},
		{name: "complaints of a program that succeeds", script: `echo yes; echo careful >&2`, text: "yes\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := load(t, command.Scheme{Command: script(t, c.script), MIME: c.mime, Limit: c.limit}, "x")
			if content.Text != c.text || content.MIME != c.kind || content.Shown != c.shown || content.Note != c.note {
				t.Errorf("text %q, type %q, shown %q, note %q", content.Text, content.MIME, content.Shown, content.Note)
			}
			if whole := c.shown == "" && c.note == ""; whole && (content.Source != blob.Of([]byte(c.text)) || content.Size != int64(len(c.text))) {
				t.Errorf("digest %s, size %d", content.Source, content.Size)
			} else if !whole && c.kind == "" && content.Source != "" {
				t.Errorf("what is not whole has the digest %s", content.Source)
			}
		})
	}
}

func TestProgramsThatFail(t *testing.T) {
	missed(t, command.Scheme{Command: script(t, `echo reading >&2; echo "no such issue" >&2; exit 2`)}, "x", ampersat.Failed,
		"jira failed: exit status 2; it said: no such issue")
	missed(t, command.Scheme{Command: script(t, `exit 3`)}, "x", ampersat.Failed, "jira failed: exit status 3")
	missed(t, command.Scheme{Command: []string{"ampersat-no-such-program"}}, "x", ampersat.Failed, "ampersat-no-such-program is not installed, which jira runs")
	missed(t, command.Scheme{Command: []string{t.TempDir()}}, "x", ampersat.Failed, "jira does not start")
	missed(t, command.Scheme{Command: script(t, `i=0; while [ $i -lt 2000 ]; do echo "a long complaint, again and again and again and again" >&2; i=$((i+1)); done; echo last >&2; exit 1`)},
		"x", ampersat.Failed, "it said: last")
	missed(t, command.Scheme{Command: script(t, `echo "asking the server" >&2; sleep 600`), Timeout: 4 * time.Second}, "x", ampersat.Failed,
		"jira did not end within 4s; it said: asking the server")
}

// A program starts another, which holds its output, and ends or is ended.
func TestNothingIsLeftBehind(t *testing.T) {
	for _, c := range []struct {
		name, script string
		timeout      time.Duration
		limit        int
	}{
		{name: "it ends", script: `sleep 600 & echo $!`},
		{name: "its time is over", script: `sleep 600 & echo $! >pid; wait`, timeout: 4 * time.Second},
		{name: "it says too much", script: `sleep 600 & echo $! >pid; while true; do echo x; done`, limit: 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			content, err := ask(t, command.Scheme{Command: script(t, c.script), Dir: dir, Timeout: c.timeout, Limit: c.limit}, "x")
			if (err != nil) != (c.timeout != 0) {
				t.Errorf("error %v", err)
			}
			told := content.Text
			if file, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
				told = string(file)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(told))
			if err != nil {
				t.Fatal(err)
			}
			for begin := time.Now(); running(pid); time.Sleep(5 * time.Millisecond) {
				if time.Since(begin) > time.Minute {
					t.Fatal("what it started lives on")
				}
			}
		})
	}
}

func TestAMentionThatIsCancelledEnds(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	r := command.New(command.Scheme{Name: "jira", Command: script(t, `touch begun; sleep 600`), Dir: dir})
	done := make(chan error, 1)
	go func() {
		_, err := r.Resolve(ctx, ampersat.Query{Mention: mention.Custom{Scheme: "jira", Arg: "x"}, Asker: person})
		done <- err
	}()
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("it does not begin")
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestNothingRunsWithoutTrust(t *testing.T) {
	dir := t.TempDir()
	s := command.Scheme{Command: script(t, `touch ran`), Dir: dir, Trust: func() error {
		return access.CheckTrust(new(access.Memory), "the command of jira", access.Trust{Project: "/p"})
	}}
	_, err := ask(t, s, "x")
	if denied, ok := access.IsDenied(err); !ok || denied.Grant != "ampersat trust" {
		t.Errorf("error %v", err)
	}
	s.Trust = nil
	s.Name = "jira"
	_, err = command.New(s).Resolve(t.Context(), ampersat.Query{Mention: mention.Custom{Scheme: "jira", Arg: "x"}, Asker: access.Asker{Origin: access.FromFile, Tree: dir}})
	if _, ok := access.IsDenied(err); !ok {
		t.Errorf("a file may mention it: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("it ran")
	}
}

func TestOtherSchemes(t *testing.T) {
	r := command.New(command.Scheme{Name: "jira"}, command.Scheme{Name: "crm"})
	for m, want := range map[mention.Mention]string{
		mention.Custom{Scheme: "wiki", Arg: "x"}: `there is no custom scheme called "wiki"; configured: crm, jira`,
		mention.File{Path: "x"}:                  "a file is no custom mention",
	} {
		if _, err := r.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", m, err)
		}
	}
	if _, err := command.New().Resolve(t.Context(), ampersat.Query{Mention: mention.Custom{Scheme: "wiki", Arg: "x"}, Asker: person}); err == nil || !strings.Contains(err.Error(), "none is configured") {
		t.Errorf("error %v", err)
	}
}

// running tells whether a process does something: one that has ended and that
// nobody has asked about does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
