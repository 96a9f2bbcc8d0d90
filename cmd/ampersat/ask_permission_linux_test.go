package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// editor is a model that edits notes.md twice in a turn, and what it was told
// became of its edits in the last turn.
type editor struct {
	mu   sync.Mutex
	told string
}

func (e *editor) answer(out http.ResponseWriter, _ *http.Request, body string) {
	_, turn, _ := strings.Cut(body, "change @notes.md")
	switch n := strings.Count(turn, `"tool_call_id"`); n {
	case 0, 1:
		// The second goes on from whatever the first made of it.
		was := []string{"a note", "changed once"}[n]
		if strings.Contains(turn, "said no") {
			was = "a note"
		}
		callsNumbered(out, n+1, "edit_file", fmt.Sprintf(`{"path":"notes.md","old":%q,"new":"changed %s"}`, was, []string{"once", "twice"}[n]))
	default:
		e.mu.Lock()
		e.told = turn
		e.mu.Unlock()
		piece(out, "Finished.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	}
}

// question is how the terminal is asked; what can be answered follows.
const question = "edit notes.md"

// A person at a terminal is asked before a file is changed, with the change before
// their eyes, and what they answer is what is done.
func TestPermissionIsAskedAtTheTerminal(t *testing.T) {
	model := &editor{}
	server := chatServer(t, model.answer)
	for name, test := range map[string]struct {
		answers []string
		want    string
	}{
		"yes, and yes":           {[]string{"y\n", "y\n"}, "changed twice\n"},
		"yes in full":            {[]string{"YES\n", " yes \n"}, "changed twice\n"},
		"yes, and no":            {[]string{"y\n", "n\n"}, "changed once\n"},
		"no, and yes":            {[]string{"n\n", "y\n"}, "changed twice\n"},
		"enter is no":            {[]string{"\n", "no\n"}, "a note\n"},
		"what is neither":        {[]string{"maybe\n", "perhaps\n", "y\n", "n\n"}, "changed once\n"},
		"for the session":        {[]string{"s\n"}, "changed twice\n"},
		"for the session, later": {[]string{"n\n", "session\n"}, "changed twice\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, screen := newPerson(t, server.URL), newPty(t)
			asking := screen.sits(p.command("ask", "--profile", "dev", "change @notes.md"))
			for i, answer := range test.answers {
				screen.waits(asking, i+1, "y, n or s: ")
				screen.types(answer)
			}
			code, shown := screen.ends(asking)
			if asked := strings.Count(shown, "y, n or s: "); code != exitDone || asked != len(test.answers) {
				t.Errorf("exit %d, asked %d times: %s", code, asked, shown)
			}
			for _, want := range []string{question, "-a note", "+changed", "y  yes, this once", "write files in " + p.dir + ", in this session", "Finished."} {
				if !strings.Contains(shown, want) {
					t.Errorf("no %q in:\n%s", want, shown)
				}
			}
			if strings.Contains(shown, "in this project") {
				t.Errorf("something can be remembered for a project that is not trusted:\n%s", shown)
			}
			p.has(test.want)
			model.mu.Lock()
			defer model.mu.Unlock()
			if refused := strings.Contains(model.told, "the person said no"); refused != (test.want != "changed twice\n" || strings.HasPrefix(test.answers[0], "n")) {
				t.Errorf("the model is told: %s", model.told)
			}
		})
	}
}

// has checks what notes.md says.
func (p *person) has(want string) {
	p.t.Helper()
	if have, err := os.ReadFile(filepath.Join(p.dir, "notes.md")); err != nil || string(have) != want {
		p.t.Errorf("notes.md says %q, want %q; %v", have, want, err)
	}
}

// A yes for the project holds in later sessions, until the project is no longer
// trusted.
func TestPermissionForAProject(t *testing.T) {
	server := chatServer(t, new(editor).answer)
	p := newPerson(t, server.URL)
	if err := os.WriteFile(filepath.Join(p.dir, "AGENTS.md"), []byte("be kind\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.run("trust", "--yes")
	ask := func(answers ...string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(p.dir, "notes.md"), []byte("a note\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		screen := newPty(t)
		asking := screen.sits(p.command("ask", "--profile", "dev", "change @notes.md"))
		for i, answer := range answers {
			screen.waits(asking, i+1, "y, n, s or p: ")
			screen.types(answer)
		}
		code, shown := screen.ends(asking)
		if asked := strings.Count(shown, "y, n, s or p: "); code != exitDone || asked != len(answers) {
			t.Errorf("exit %d, asked %d times, want %d: %s", code, asked, len(answers), shown)
		}
		p.has("changed twice\n")
	}
	ask("s\n")
	ask("y\n", "p\n") // that of the session is over
	ask()
	p.run("trust", "--revoke")
	p.run("trust", "--yes")
	ask("y\n", "y\n")
}

// A line that was typed while the model thinks is no answer to a question that
// nobody has read.
func TestWhatIsTypedBeforeTheQuestionDoesNotAnswerIt(t *testing.T) {
	model, typed := new(editor), make(chan struct{})
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, body string) {
		<-typed
		model.answer(out, request, body)
	})
	p, screen := newPerson(t, server.URL), newPty(t)
	asking := screen.sits(p.command("ask", "--profile", "dev", "change @notes.md"))
	screen.types("y\ny\ns\n")
	screen.waits(asking, 1, "y\ny\ns\n") // the terminal has it, and shows it
	close(typed)
	for i := range 2 {
		screen.waits(asking, i+1, "y, n or s: ")
		screen.types("n\n")
	}
	if code, shown := screen.ends(asking); code != exitDone || strings.Count(shown, "y, n or s: ") != 2 {
		t.Errorf("exit %d: %s", code, shown)
	}
	p.has("a note\n")
}
