package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
)

// The scenarios that mentions were made for, as people would go through them:
// a project on disk, a user's own folder, and texts that name what is in them.

// world is a project and a home with files in them.
type world struct {
	t                *testing.T
	project, ampHome string
}

func newWorld(t *testing.T, files map[string]string) world {
	base := t.TempDir()
	w := world{t, filepath.Join(base, "project"), filepath.Join(base, "home", ".ampersat")}
	t.Setenv("HOME", filepath.Join(base, "home"))
	t.Setenv("AMPERSAT_HOME", "")
	if err := os.MkdirAll(w.project, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(w.project, name)
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			path = filepath.Join(base, "home", rest)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w world) prepare(turn ampersat.Turn) ampersat.Stack {
	w.t.Helper()
	a, err := New(Options{Dir: w.project})
	if err != nil {
		w.t.Fatal(err)
	}
	stack, err := a.Pipeline.Prepare(context.Background(), turn)
	if err != nil {
		w.t.Fatal(err)
	}
	return stack
}

// reads checks the stack as the model reads it.
func (w world) reads(stack ampersat.Stack, want ...string) {
	w.t.Helper()
	var have []string
	for _, m := range stack.All() {
		for _, part := range m.Content.Rendered().Parts {
			have = append(have, string(m.Role)+": "+part.(message.Text).Text)
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		w.t.Errorf("-want +have\n%s", diff)
	}
}

func block(path, content string) string {
	return "<context_file paths=\"" + path + "\">\n" + content + "\n</context_file>"
}

func TestScenarioAskAboutAFile(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "Test everything."})
	w.reads(w.prepare(ampersat.Ask("What does @AGENTS.md say about testing?")),
		"developer: "+block("AGENTS.md", "Test everything."),
		"user: What does @AGENTS.md say about testing?")
}

func TestScenarioCompareFiles(t *testing.T) {
	w := newWorld(t, map[string]string{"docs/testing-guide.md": "X", "examples/test-example.md": "Y"})
	text := "Compare the testing approaches in @docs/testing-guide.md and @examples/test-example.md"
	w.reads(w.prepare(ampersat.Ask(text)),
		"developer: "+block("docs/testing-guide.md", "X"),
		"developer: "+block("examples/test-example.md", "Y"),
		"user: "+text)
}

func TestScenarioProfile(t *testing.T) {
	w := newWorld(t, map[string]string{
		"AGENTS.md": "agents", "DISCOVERIES.md": "discoveries", "ai_context/KERNEL_PHILOSOPHY.md": "philosophy",
	})
	body := "You are a development assistant.\n\nGuidelines:\n- @AGENTS.md\n- @DISCOVERIES.md\n- @ai_context/KERNEL_PHILOSOPHY.md\n\nWork efficiently."
	turn := ampersat.Turn{
		Message: message.Message{Role: message.System, Content: message.Say(body)},
		Asker:   access.Asker{Origin: access.FromProfile, Trusted: true, Tree: w.project},
		Base:    w.project, Place: ampersat.InSystem,
	}
	w.reads(w.prepare(turn),
		"system: "+block("AGENTS.md", "agents"), "system: "+block("DISCOVERIES.md", "discoveries"),
		"system: "+block("ai_context/KERNEL_PHILOSOPHY.md", "philosophy"), "system: "+body)
	// For those who want it, the contents stand before everything.
	turn.Place = ampersat.Top
	if stack := w.prepare(turn); len(stack.Top) != 1 || stack.Messages[0].Role != message.System {
		t.Errorf("%+v", stack)
	}
	// A body without mentions is still the system message.
	turn.Place, turn.Message.Content = ampersat.InSystem, message.Say("Be kind.")
	w.reads(w.prepare(turn), "system: Be kind.")
}

func TestScenarioSystemMessage(t *testing.T) {
	w := newWorld(t, map[string]string{"guidelines/coding-standards.md": "tabs", "guidelines/security-policy.md": "locks"})
	text := "Core guidelines:\n- @guidelines/coding-standards.md\n- @guidelines/security-policy.md"
	turn := ampersat.Turn{Message: message.Message{Role: message.System, Content: message.Say(text)}, Place: ampersat.InSystem}
	w.reads(w.prepare(turn),
		"system: "+block("guidelines/coding-standards.md", "tabs"), "system: "+block("guidelines/security-policy.md", "locks"), "system: "+text)
}

func TestScenarioAgentInstruction(t *testing.T) {
	w := newWorld(t, map[string]string{"docs/ARCHITECTURE.md": "layers", "docs/MODULE_DEVELOPMENT.md": "modules"})
	text := "Analyze the codebase structure.\n\nReference:\n- @docs/ARCHITECTURE.md\n- @docs/MODULE_DEVELOPMENT.md\n"
	w.reads(w.prepare(ampersat.Ask(text)),
		"developer: "+block("docs/ARCHITECTURE.md", "layers"), "developer: "+block("docs/MODULE_DEVELOPMENT.md", "modules"), "user: "+text)
}

func TestScenarioRecursiveLoadingWithoutRepetition(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.md": "see @sub/b.md", "sub/b.md": "see @c.md and @../a.md", "sub/c.md": "the end", "copy.md": "the end",
	})
	w.reads(w.prepare(ampersat.Ask("@a.md @copy.md")),
		"developer: "+block("a.md", "see @sub/b.md"), "developer: "+block("sub/b.md", "see @c.md and @../a.md"),
		"developer: "+block("sub/c.md, copy.md", "the end"), "user: @a.md @copy.md")
}

func TestScenarioSearchPath(t *testing.T) {
	w := newWorld(t, map[string]string{
		"here.md": "project", ".ampersat/context/here.md": "not this", ".ampersat/context/shared.md": "project context",
		"~/.ampersat/context/shared.md": "not this", "~/.ampersat/context/mine.md": "user context", "Makefile": "all:",
	})
	for text, want := range map[string]string{
		"@here.md": "project", "@shared.md": "project context", "@mine.md": "user context", "@Makefile": "all:",
	} {
		stack := w.prepare(ampersat.Ask(text))
		if len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Loaded ||
			stack.Messages[0].Content.Parts[0].(message.Context).Text != want {
			t.Errorf("%s: %+v", text, stack.Reports)
		}
	}
	// Nothing is skipped silently, and a space makes it no mention.
	r := w.prepare(ampersat.Ask("@nowhere.md")).Reports[0]
	if r.Outcome != ampersat.Missing || !strings.Contains(r.Reason, ".ampersat/context") {
		t.Errorf("%+v", r)
	}
	if stack := w.prepare(ampersat.Ask("@ here.md")); len(stack.Reports) != 0 {
		t.Errorf("%+v", stack.Reports)
	}
}

func TestScenarioCollections(t *testing.T) {
	w := newWorld(t, map[string]string{
		".ampersat/collections/foundation/context/AGENTS.md":            "project's own",
		"~/.ampersat/collections/foundation/context/AGENTS.md":          "not this",
		"~/.ampersat/collections/foundation/context/PHILOSOPHY.md":      "user's",
		"~/.ampersat/collections/my-company/standards/coding.md":        "company",
		"~/.ampersat/collections/my-company/standards/more/see-also.md": "more",
		"~/.ampersat/collections/my-company/standards/index.md":         "see @more/see-also.md",
		".ampersat/docs/API_STANDARDS.md":                               "project prefix",
		"~/.ampersat/notes.md":                                          "user prefix",
	})
	for text, want := range map[string]string{
		"@foundation:context/AGENTS.md": "project's own", "@foundation:context/PHILOSOPHY.md": "user's", "@my-company:standards/coding.md": "company",
		"@project:docs/API_STANDARDS.md": "project prefix", "@user:notes.md": "user prefix",
	} {
		stack := w.prepare(ampersat.Ask(text))
		if len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Loaded ||
			stack.Messages[0].Content.Parts[0].(message.Context).Text != want {
			t.Errorf("%s: %+v", text, stack.Reports)
		}
	}
	if stack := w.prepare(ampersat.Ask("@my-company:standards/index.md")); len(stack.Reports) != 2 || stack.Reports[1].Outcome != ampersat.Loaded {
		t.Errorf("%+v", stack.Reports)
	}
	if r := w.prepare(ampersat.Ask("@developer-expertise:python/best-practices.md")).Reports[0]; r.Outcome != ampersat.Missing || len(r.Reason) < 20 {
		t.Errorf("%+v", r)
	}
}
