package app

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/rogpeppe/go-internal/txtar"
)

var updateExamples = flag.Bool("update-examples", false, "write what the examples give")

// TestExamples goes through examples of profiles, collections and prompts as
// people write them. Each archive begins with what it shows, has the files of a
// project that is trusted and of a home, and the turns of one conversation; it
// ends with what the model reads of them. What came with the program is named
// and not repeated.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("testdata/examples/*.txtar")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d examples, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			var run, want string
			for _, f := range archive.Files {
				text := string(f.Data)
				switch {
				case f.Name == "run":
					run = text
				case f.Name == "want":
					want = text
				case strings.HasPrefix(f.Name, "project/"):
					files[strings.TrimPrefix(f.Name, "project/")] = strings.TrimSuffix(text, "\n")
				case strings.HasPrefix(f.Name, "home/"):
					files["~/"+strings.TrimPrefix(f.Name, "home/")] = strings.TrimSuffix(text, "\n")
				default:
					t.Fatalf("%s is neither project/ nor home/", f.Name)
				}
			}
			have := goThrough(t, newWorld(t, files), run)
			if *updateExamples {
				var kept []txtar.File
				for _, f := range archive.Files {
					if f.Name != "want" {
						kept = append(kept, f)
					}
				}
				archive.Files = append(kept, txtar.File{Name: "want", Data: []byte(have)})
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if have != want {
				t.Errorf("have\n%s\nwant\n%s", have, want)
			}
		})
	}
}

// goThrough runs the turns of an example and returns what the model reads, and
// what is said of the mentions that it does not get.
func goThrough(t *testing.T, w world, run string) string {
	ctx := context.Background()
	a, err := New(Options{Dir: w.project, Trusted: func() bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	var view []message.Message
	for line := range strings.Lines(run) {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var stack ampersat.Stack
		var err error
		switch verb {
		case "profile":
			stack, _, err = a.System(ctx, rest)
		case "setting":
			m, profileErr := a.Library.Profile("small")
			if profileErr != nil {
				t.Fatal(profileErr)
			}
			fmt.Fprintf(&b, "%s: %v\n", rest, *m.Context.CompactThreshold)
			continue
		case "agent":
			stack, _, err = a.Agent(ctx, rest)
		case "delegate":
			agent, prompt, _ := strings.Cut(rest, " ")
			stack, err = a.Delegate(ctx, agent, prompt)
		case "prompt":
			turn := ampersat.Ask(rest)
			turn.View.Messages = view
			stack, err = a.Pipeline.Prepare(ctx, turn)
		default:
			t.Fatalf("there is no turn %q", verb)
		}
		if err != nil {
			t.Fatal(err)
		}
		view = append(view, stack.All()...)
		for _, m := range stack.All() {
			fmt.Fprintf(&b, "[%s]\n", m.Role)
			for _, part := range m.Rendered().Content.Parts {
				b.WriteString(short(part.(message.Text).Text) + "\n")
			}
		}
		for _, r := range stack.Bad() {
			fmt.Fprintf(&b, "(%s is %s)\n", r.Written, r.Outcome)
		}
	}
	return b.String()
}

// short leaves out the content of what came with the program.
func short(text string) string {
	head, rest, ok := strings.Cut(text, "\n")
	bundled := strings.HasPrefix(head, `<context_file paths="foundation:`) || strings.HasPrefix(head, `<context_file paths="IMPLEMENTATION_PHILOSOPHY.md"`)
	if !ok || !bundled || len(rest) < 200 {
		return text
	}
	return head + " … </context_file>"
}
