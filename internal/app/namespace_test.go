package app

import (
	"context"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
)

// TestWhoseNameItIs goes through who may claim the word before a colon. What a
// project says that nobody agreed to takes no name from anything.
func TestWhoseNameItIs(t *testing.T) {
	const (
		yours    = "~/.ampersat/config.yaml"
		theirs   = ".ampersat/config.yaml"
		agents   = "@foundation:context/AGENTS.md"
		echo     = "command: [echo, ran]"
		blocked  = "ampersat trust"
		contract = "collections/house/contract.md"
	)
	for _, test := range []struct {
		name    string
		files   map[string]string
		trusted bool
		text    string
		outcome ampersat.Outcome
		reason  string // a piece of it
	}{
		{name: "a scheme of the project's and a bundled collection", files: map[string]string{theirs: "custom: {foundation: {" + echo + "}}"},
			text: agents, outcome: ampersat.Loaded},
		{name: "a server of the project's and a bundled collection", files: map[string]string{theirs: "mcp: {foundation: {command: echo}}"},
			text: agents, outcome: ampersat.Loaded},
		{name: "a scheme of the project's and a collection of yours", files: map[string]string{theirs: "custom: {house: {" + echo + "}}", "~/.ampersat/" + contract: "rent"},
			text: "@house:contract.md", outcome: ampersat.Loaded},
		{name: "a scheme of the project's and its collection", files: map[string]string{theirs: "custom: {house: {" + echo + "}}", ".ampersat/" + contract: "rent"},
			text: "@house:contract.md", outcome: ampersat.Loaded},
		{name: "a server of the project's and a scheme of yours", files: map[string]string{theirs: "mcp: {jira: {command: echo}}", yours: "custom: {jira: {" + echo + "}}"},
			text: "@jira:ABC-1", outcome: ampersat.Loaded},
		{name: "a scheme of the project's and a scheme of yours", files: map[string]string{theirs: "custom: {jira: {command: [cat]}}", yours: "custom: {jira: {" + echo + "}}"},
			text: "@jira:ABC-1", outcome: ampersat.Loaded},
		{name: "a scheme of the project's alone", files: map[string]string{theirs: "custom: {jira: {" + echo + "}}"},
			text: "@jira:ABC-1", outcome: ampersat.Blocked, reason: blocked},
		{name: "a scheme and a server of the project's", files: map[string]string{theirs: "custom: {jira: {" + echo + "}}\nmcp: {jira: {command: echo}}"},
			text: "@jira:ABC-1", outcome: ampersat.Blocked, reason: blocked},
		{name: "a collection of the project's and a scheme of yours", files: map[string]string{".ampersat/" + contract: "rent", yours: "custom: {house: {" + echo + "}}"},
			text: "@house:contract.md", outcome: ampersat.Loaded},
		{name: "the same, and the project is trusted", files: map[string]string{".ampersat/" + contract: "rent", yours: "custom: {house: {" + echo + "}}"}, trusted: true,
			text: "@house:contract.md", outcome: ampersat.Failed, reason: "house is several things: a collection (@project:collections/house), a custom scheme (~/.ampersat/config.yaml:1); rename one of them"},
		{name: "a scheme of yours and a bundled collection", files: map[string]string{yours: "custom:\n  foundation: {" + echo + "}"},
			text: agents, outcome: ampersat.Failed, reason: "foundation is several things: a collection (bundled), a custom scheme (~/.ampersat/config.yaml:2); rename one of them"},
		{name: "a scheme and a server of yours", files: map[string]string{yours: "custom: {jira: {" + echo + "}}\nmcp: {jira: {url: 'http://127.0.0.1:1'}}"},
			text: "@jira:ABC-1", outcome: ampersat.Failed, reason: "jira is several things: a custom scheme (~/.ampersat/config.yaml:1), an MCP server (~/.ampersat/config.yaml:2); rename one of them"},
		{name: "a collection of yours by its manifest, and a scheme of yours", files: map[string]string{"~/.ampersat/collections/other/collection.yaml": "name: house",
			yours: "custom: {house: {" + echo + "}}"},
			text: "@house:contract.md", outcome: ampersat.Failed, reason: "house is several things: a collection (@user:collections/other), a custom scheme (~/.ampersat/config.yaml:1); rename one of them"},
		{name: "a collection of the project's by its manifest, and a scheme of yours", files: map[string]string{".ampersat/collections/other/collection.yaml": "name: house",
			yours: "custom: {house: {" + echo + "}}"},
			text: "@house:contract.md", outcome: ampersat.Loaded},
		{name: "a folder with a dot is no collection, whatever its manifest says", files: map[string]string{"~/.ampersat/collections/.old/collection.yaml": "name: house",
			yours: "custom: {house: {" + echo + "}}"},
			text: "@house:contract.md", outcome: ampersat.Loaded},
		{name: "a file that can mean nothing but a file", files: map[string]string{yours: "custom: {house: {" + echo + "}}", "~/.ampersat/" + contract: "see @house:annex.md",
			"~/.ampersat/collections/house/annex.md": "keys"}, text: "@user:" + contract, outcome: ampersat.Loaded},
		{name: "an address is the server's", files: map[string]string{yours: "mcp: {house: {command: ampersat-no-such-program}}", "~/.ampersat/" + contract: "rent"},
			text: "@house:file:///contract.md", outcome: ampersat.Failed, reason: "ampersat-no-such-program"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.files)
			options := Options{Dir: w.project}
			if test.trusted {
				options.Trusted = func() bool { return true }
			}
			a, err := New(options)
			if err != nil {
				t.Fatal(err)
			}
			stack, err := a.Pipeline.Prepare(context.Background(), ampersat.Ask(test.text))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range stack.Reports {
				if r.Outcome != test.outcome || !strings.Contains(r.Reason, test.reason) {
					t.Errorf("%s is %s: %s", r.Written, r.Outcome, r.Reason)
				}
			}
			if len(stack.Reports) == 0 {
				t.Error("nothing is reported")
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAnUntrustedProjectTakesNothingOutOfTheSystemMessage by configuring a scheme
// of the name that the profile's own collection has.
func TestAnUntrustedProjectTakesNothingOutOfTheSystemMessage(t *testing.T) {
	system := func(config string) string {
		w := newWorld(t, map[string]string{".ampersat/config.yaml": config})
		a, err := New(Options{Dir: w.project})
		if err != nil {
			t.Fatal(err)
		}
		stack, _, err := a.System(context.Background(), DefaultProfile)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, m := range stack.All() {
			for _, part := range m.Content.Rendered().Parts {
				text.WriteString(part.(message.Text).Text)
			}
		}
		return text.String()
	}
	want := system("place: before\n")
	for _, config := range []string{"custom: {foundation: {command: [echo, ran]}}\n", "mcp: {foundation: {command: echo}}\n"} {
		if have := system(config); have != want {
			t.Errorf("%s: %d bytes, want %d", config, len(have), len(want))
		}
	}
	if !strings.Contains(want, "<context_file") {
		t.Error("the profile mentions nothing")
	}
}
