package command_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/command"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var person = access.Asker{Origin: access.FromPerson}

// script writes a program for a shell and returns the words that run it.
func script(t testing.TB, text string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"sh", path}
}

func ask(t testing.TB, s command.Scheme, arg string) (ampersat.Content, error) {
	t.Helper()
	s.Name = "jira"
	return command.New(s).Resolve(t.Context(), ampersat.Query{Mention: mention.Custom{Scheme: "jira", Arg: arg}, Asker: person})
}

func load(t testing.TB, s command.Scheme, arg string) ampersat.Content {
	t.Helper()
	content, err := ask(t, s, arg)
	if err != nil {
		t.Fatal(err)
	}
	if content.Tree != "" || content.Folder != "" {
		t.Errorf("the text would be searched for mentions: tree %q, folder %q", content.Tree, content.Folder)
	}
	return content
}

func missed(t testing.TB, s command.Scheme, arg string, outcome ampersat.Outcome, reasons ...string) {
	t.Helper()
	content, err := ask(t, s, arg)
	miss := (*ampersat.Miss)(nil)
	if !errors.As(err, &miss) {
		t.Fatalf("content %+v, error %v", content, err)
	}
	if miss.Outcome != outcome {
		t.Errorf("it is %s (%s), want %s", miss.Outcome, miss.Detail(), outcome)
	}
	for _, reason := range reasons {
		if !strings.Contains(miss.Detail(), reason) {
			t.Errorf("no %q in: %s", reason, miss.Detail())
		}
	}
}
