package access

import (
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
)

// every is one mention of each kind.
var every = []mention.Mention{
	mention.File{Path: "a.md"}, mention.Directory{Path: "src"}, mention.Selection{Path: "a.go", First: 1, Last: 2},
	mention.Symbol{Path: "a.go", Name: "Close"}, mention.Glob{Pattern: "**/*"}, mention.URL{URL: "http://169.254.169.254/"},
	mention.Image{MIME: "image/png"}, mention.Resource{Server: "docs", URI: "file:///etc/passwd"}, mention.Agent{Name: "reviewer"},
	mention.Subtask{Agent: "reviewer", Prompt: "delete it all"}, mention.Diagnostics{Errors: true}, mention.GitDiff{},
	mention.Terminal{}, mention.Session{ID: "1"}, mention.Custom{Scheme: "run", Arg: "rm"}, mention.Unknown{Name: "later", Raw: "{}"},
}

func TestWhoMayMentionWhat(t *testing.T) {
	fromFile := map[mention.Kind]bool{mention.KindFile: true, mention.KindDirectory: true, mention.KindSelection: true, mention.KindSymbol: true}
	for _, c := range []struct {
		name  string
		asker Asker
		all   bool
		none  bool
	}{
		{name: "a person may mention anything", asker: Asker{Origin: FromPerson}, all: true},
		{name: "an editor speaks for a person", asker: Asker{Origin: FromEditor}, all: true},
		{name: "a trusted profile may mention anything", asker: Asker{Origin: FromProfile, Trusted: true}, all: true},
		{name: "a profile without trust is a file", asker: Asker{Origin: FromProfile}},
		{name: "a file may name files and parts of files", asker: Asker{Origin: FromFile}},
		{name: "no trust makes a person of a file", asker: Asker{Origin: FromFile, Trusted: true}},
		{name: "text of a tool has no origin and is not expanded", asker: Asker{}, none: true},
		{name: "text of a model has no origin and is not expanded", asker: Asker{Origin: "model", Trusted: true}, none: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, m := range every {
				err := c.asker.Allow(m)
				if want := c.all || !c.none && fromFile[m.Kind()]; (err == nil) != want {
					t.Errorf("%s: allowed is %v, want %v", m.Kind(), err == nil, want)
				}
				if denied, ok := IsDenied(err); err != nil && (!ok || denied.What == "" || denied.Reason == "" || denied.Detail == "") {
					t.Errorf("%s: %#v is not a full refusal", m.Kind(), err)
				}
			}
			if c.asker.Allow(nil) == nil {
				t.Error("nothing was allowed to be mentioned")
			}
		})
	}
}

func TestAttackFileFetchesMetadataAddress(t *testing.T) {
	err := Asker{Origin: FromFile, Tree: "/project"}.Allow(mention.URL{URL: "http://169.254.169.254/latest/meta-data"})
	if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonKind || denied.Grant != "" {
		t.Errorf("got %v", err)
	}
}

// Who leaves out the asker is told what to set.
func TestNobodyIsToldWhatToSet(t *testing.T) {
	denied, ok := IsDenied(Asker{}.Allow(mention.File{Path: "a.md"}))
	if !ok || denied.Reason != ReasonOrigin || !strings.Contains(denied.Detail, "set Asker.Origin") || !strings.Contains(denied.Detail, "access.FromPerson") {
		t.Errorf("%+v", denied)
	}
}
