package agent

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// planless is a tool whose plan panics.
type planless struct{ probe }

func (planless) Plan(jsontext.Value) (Action, error) { panic("no plan") }

// A tool that panics takes neither the program nor its turn with it.
func TestAToolThatPanics(t *testing.T) {
	var nothing []int
	for name, c := range map[string]struct {
		tool Tool
		want string
	}{
		"in Run": {probe{name: "break", effect: Reads, run: func(context.Context, Call) (Result, error) { panic("broken glass") }}, "error: break: it panicked: broken glass"},
		"by a mistake": {probe{name: "break", effect: Writes, run: func(context.Context, Call) (Result, error) { return Result{}, errors.New(string(rune(nothing[3]))) }},
			"error: break: it panicked: runtime error: index out of range [3] with length 0"},
		"in Plan":       {planless{probe{name: "break"}}, "error: break: it panicked: no plan"},
		"by leaving":    {probe{name: "break", effect: Reads, run: func(context.Context, Call) (Result, error) { runtime.Goexit(); return Result{}, nil }}, "error: break: it ended without a result"},
		"with an error": {probe{name: "break", effect: Reads, run: func(context.Context, Call) (Result, error) { panic(context.Canceled) }}, "error: break: it panicked: context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, &scripted{steps: []step{call("break", `{}`, "look", `{}`)}}, func(conf *Config) { conf.Tools = append(conf.Tools, c.tool) })
			w.ask("go")
			if want := "tool: =" + c.want + " =look{}"; !slices.Contains(w.log(), want) {
				t.Errorf("the model is told %q, want %q", w.log(), want)
			}
			ended := endOf(t, w.events, "break")
			panicked, ok := errors.AsType[*PanicError](ended.Err)
			if name == "by leaving" {
				if ok || ended.Err == nil {
					t.Errorf("%v", ended.Err)
				}
				return
			}
			if !ok || panicked.Tool != "break" || !strings.Contains(string(panicked.Stack), "panic_test.go") {
				t.Errorf("%v %s", ended.Err, panicked.Stack)
			}
		})
	}
}

// Whoever watches and panics does so in the goroutine of the turn, where it can
// be recovered, and leaves a session that goes on.
func TestAWatcherThatPanics(t *testing.T) {
	for _, at := range []string{TypeResolved, TypeRequested, TypeToolStarted, TypeToolOutput, TypeToolEnded} {
		t.Run(at, func(t *testing.T) {
			w := newWorld(t, &scripted{steps: []step{call("look", `{}`, "look", `{}`)}}, nil)
			func() {
				defer func() {
					if recover() == nil && at != TypeToolOutput { // that one is the tool's to pass on
						t.Error("nobody is told")
					}
				}()
				_, _ = w.Turn(t.Context(), ampersat.Ask("hello"), func(e Event) {
					if e.Type() == at {
						panic("the screen is gone")
					}
				})
			}()
			w.ask("and now")
			paired(t, w.provider.seen[len(w.provider.seen)-1].Messages)
		})
	}
}

// A message whose turn panicked was not said.
func TestAMessageWhoseTurnPanickedIsNotSaidLater(t *testing.T) {
	broken := true
	w := newWorld(t, &scripted{}, func(c *Config) {
		c.Policy = session.NewPolicy(4000)
		c.Policy.Summarize = func(context.Context, []message.Message) (message.Message, error) {
			if broken {
				panic("no words")
			}
			return message.Message{Role: message.User, Content: message.Say("much was said")}, nil
		}
	})
	turn := func(text string) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		if _, err := w.Turn(t.Context(), ampersat.Ask(text), nil); err != nil {
			t.Fatal(err)
		}
		return false
	}
	said := ""
	for i := 0; !turn("the message " + strings.Repeat("x", i) + " of " + strings.Repeat("many words ", 300)); i++ {
		if said = "the message " + strings.Repeat("x", i+1) + " of"; i > 50 {
			t.Fatal("nothing was ever summarized")
		}
	}
	broken = false
	w.ask("hello again")
	if last := render(w.provider.seen[len(w.provider.seen)-1]); strings.Contains(last, said) {
		t.Errorf("the model is told what was not said")
	}
	for _, line := range w.log() {
		if strings.Contains(line, said) {
			t.Errorf("it is in the log: %.80s", line)
		}
	}
}

// What went wrong stands on a line of its own behind what a tool says, and not
// behind one that has been stopped and says so.
func TestAnErrorBehindWhatAToolSays(t *testing.T) {
	for name, c := range map[string]struct {
		said string
		err  func(context.Context) error
		want string
	}{
		"after a line":          {"half of it", func(context.Context) error { return errors.New("the disk is full") }, "half of it\nerror: the disk is full"},
		"after a line's end":    {"half of it\n", func(context.Context) error { return errors.New("the disk is full") }, "half of it\nerror: the disk is full"},
		"stopped, and says so":  {"[stopped]", context.Context.Err, "[stopped]"},
		"stopped, says nothing": {"", context.Context.Err, "error: context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tool := probe{name: "half", effect: Reads, run: func(ctx context.Context, _ Call) (Result, error) {
				cancel()
				result := Result{}
				if c.said != "" {
					result.Parts = []message.Part{message.Text{Text: c.said}}
				}
				return result, c.err(ctx)
			}}
			w := newWorld(t, &scripted{steps: []step{call("half", `{}`)}}, func(conf *Config) { conf.Tools = append(conf.Tools, tool) })
			if _, err := w.Turn(ctx, ampersat.Ask("go"), w.watch); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			ended := endOf(t, w.events, "half")
			text := ""
			for _, part := range ended.Result.Parts() {
				text += part.(message.Text).Text
			}
			if text != c.want {
				t.Errorf("%q, want %q", text, c.want)
			}
		})
	}
}
