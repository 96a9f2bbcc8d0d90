package dialogue

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// The rules of the APIs, and what each takes in the API's own words.
var apis = map[NameRule]*regexp.Regexp{
	{Longest: 64}:                           regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
	{Longest: 128}:                          regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`),
	{Longest: 64, Also: ".:", Letter: true}: regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`),
}

// Names that are sent are taken, those that were good stay, no two become the same,
// and each is found again.
func TestNamesStayApart(t *testing.T) {
	name := rapid.OneOf(rapid.StringMatching(`[a-z0-9_-]{1,40}`), rapid.String(), rapid.StringMatching(`[a-c.:0]{60,70}`), rapid.StringMatching(`[a-c.]{120,135}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		for rule, good := range apis {
			sent := rule.Fit(a)
			if !good.MatchString(sent) {
				t.Fatalf("%+v: %q is sent as %q", rule, a, sent)
			}
			if good.MatchString(a) && sent != a {
				t.Fatalf("%+v: %q was good and is sent as %q", rule, a, sent)
			}
			if a != b && sent == rule.Fit(b) {
				t.Fatalf("%+v: %q and %q are both sent as %q", rule, a, b, sent)
			}
			real, changed := rule.Real([]message.ToolSpec{{Name: b}, {Name: a}})[sent]
			if changed != (sent != a) || changed && real != a {
				t.Fatalf("%+v: %q is sent as %q and comes back as %q", rule, a, sent, real)
			}
		}
	})
	// Of two tools that would be sent under one name the first is sent, and called.
	rule := NameRule{Longest: 64}
	if real := rule.Real([]message.ToolSpec{{Name: rule.Fit("a.b")}, {Name: "a.b"}}); len(real) > 0 {
		t.Errorf("the tool that is sent comes back as %v", real)
	}
	if (NameRule{}).Fit("any thing") != "any thing" {
		t.Error("no rule changes a name")
	}
}

func TestTools(t *testing.T) {
	var notes Notes
	tools := notes.Tools([]message.ToolSpec{
		{Name: "a", Parameters: jsontext.Value(`{"type":"object","type":"object"}`)},
		{Name: "a.b", Parameters: jsontext.Value(`true`)},
		{Name: "a", Description: "another"},
		{Name: "c", Parameters: jsontext.Value(`{"type":`)},
	}, NameRule{Longest: 64}, SchemaRule{})
	var have strings.Builder
	for _, tool := range tools {
		have.WriteString(tool.Name + string(tool.Parameters) + "\n")
	}
	for _, d := range notes.Degradations() {
		have.WriteString(d.Requested + " → " + d.Actual + ": " + d.Reason + "\n")
	}
	sent := "a_b_" + Digest("a.b")[:8]
	want := `a{"type":"object","type":"object"}` + "\n" + sent + "\nc\n" +
		`the name "a.b" of a tool → ` + sent + ": the API takes letters, digits, _ and -, 64 at most\n" +
		`the parameters of the tool "a.b" → none: they are not a JSON object` + "\n" +
		`the tool "a" → left out: a tool before it has the same name` + "\n" +
		`the parameters of the tool "c" → none: they are not a JSON object` + "\n"
	if have.String() != want {
		t.Errorf("have:\n%s\nwant:\n%s", have.String(), want)
	}
	if name, is := Offered(tools, "a.b", NameRule{Longest: 64}); name != sent || !is {
		t.Errorf("%q %v", name, is)
	}
	if _, is := Offered(tools, "b", NameRule{Longest: 64}); is {
		t.Error("b was not offered")
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		asked, most, want int
		reason            string
	}{
		{0, 100, 0, ""}, {100, 100, 100, ""}, {100, 0, 100, ""},
		{101, 100, 100, "101 tokens of output → 100: the model cannot say more"},
		{-5, 100, 0, "-5 tokens of output → as many as the model says: a limit is more than zero"},
	} {
		var notes Notes
		have, said := notes.Limit(c.asked, c.most), ""
		for _, d := range notes.Degradations() {
			said += d.Requested + " → " + d.Actual + ": " + d.Reason
		}
		if have != c.want || said != c.reason {
			t.Errorf("%d of %d: %d, %q", c.asked, c.most, have, said)
		}
	}
}
