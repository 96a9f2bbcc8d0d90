package mcp

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTemplate(t *testing.T) {
	for _, c := range []struct {
		template, text string
		want           string // head|name=value|after
		more           bool
		none           bool
	}{
		{template: "a://b/{id}", text: "", want: "a://b/||", more: true},
		{template: "a://b/{id}", text: "a:/", want: "a://b/||", more: true},
		{template: "a://b/{id}", text: "a://b/", want: "a://b/|id=|"},
		{template: "a://b/{id}", text: "a://b/4", want: "a://b/|id=4|"},
		{template: "a://b/{id}", text: "a://b/4%20x", want: "a://b/|id=4 x|"},
		{template: "a://b/{id}", text: "a://c", none: true},
		{template: "a://b/{id}", text: "a://b/4/5", none: true},
		{template: "a://{owner}/x/{name}.md", text: "a://", want: "a://|owner=|/x/", more: true},
		{template: "a://{owner}/x/{name}.md", text: "a://me/x", want: "a://me/x/||", more: true},
		{template: "a://{owner}/x/{name}.md", text: "a://me/y", none: true},
		{template: "a://{owner}/x/{name}.md", text: "a://me/x/n", want: "a://me/x/|name=n|.md"},
		{template: "a://{owner}/x/{name}.md", text: "a://me/x/n.md", want: "a://me/x/n.md||"},
		{template: "a://{owner}/x/{name}.md", text: "a://me/x/n.md.", none: true},
		{template: "file://{+path}", text: "file:///a/b", want: "file://|path=/a/b|"},
		{template: "a://b{?q,page}", text: "a:", want: "a://b||"},
		{template: "a://b{/list*}", text: "a://b", want: "a://b||"},
		{template: "a://b/{unclosed", text: "a://b/", want: "a://b/||"},
		{template: "", text: "", want: "||"},
		{template: "", text: "x", none: true},
	} {
		at, ok := parseTemplate(c.template).match(c.text)
		if ok == c.none {
			t.Errorf("%s, typed %q: fits is %t", c.template, c.text, ok)
			continue
		}
		have := at.head + "|"
		if at.name != "" {
			have += at.name + "=" + at.value + "|" + at.after
		} else {
			have += "|"
		}
		if ok && (have != c.want || at.more != c.more) {
			t.Errorf("%s, typed %q: have %s, more is %t; want %s", c.template, c.text, have, at.more, c.want)
		}
	}
}

// Every beginning of a URI that fits a template fits it too, and what is offered
// goes on where it ends.
func TestTemplateFitsWhatIsTyped(t *testing.T) {
	word := rapid.StringMatching(`[a-z0-9äé ]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var template, uri strings.Builder
		template.WriteString("x://")
		uri.WriteString("x://")
		for range rapid.IntRange(0, 3).Draw(t, "holes") {
			template.WriteString("{v}/")
			uri.WriteString(word.Draw(t, "value") + "/")
		}
		template.WriteString("end")
		uri.WriteString("end")
		parsed := parseTemplate(template.String())
		for end := range uri.Len() + 1 {
			text := uri.String()[:end]
			at, ok := parsed.match(text)
			if !ok {
				t.Fatalf("%s does not take %q", &template, text)
			}
			if at.name == "" && !strings.HasPrefix(at.head, text) || at.name != "" && !strings.HasPrefix(text, at.head) {
				t.Fatalf("%q goes on as %q", text, at.head)
			}
		}
	})
}

func TestToolNamesAreSayableAndDifferent(t *testing.T) {
	name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ab_.]{0,4}`), rapid.StringMatching(`[a-z]{50,90}`))
	type key struct{ server, tool string }
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) key {
			return key{name.Draw(t, "server"), name.Draw(t, "tool")}
		}), func(k key) key { return k }).Draw(t, "tools")
		var tools []*tool
		for _, k := range keys {
			tools = append(tools, namedTool(k.server, k.tool))
		}
		toolNames(tools)
		seen := map[string]bool{}
		for i, one := range tools {
			if len(one.name) == 0 || len(one.name) > maxName || sayable(one.name) != one.name || seen[one.name] {
				t.Fatalf("%q is called %q", keys[i], one.name)
			}
			seen[one.name] = true
			alone := []*tool{namedTool(keys[i].server, keys[i].tool)}
			if toolNames(alone); sayable(keys[i].server+"__"+keys[i].tool) != keys[i].server+"__"+keys[i].tool && alone[0].name != one.name {
				t.Fatalf("%q is called %q among others and %q alone", keys[i], one.name, alone[0].name)
			}
		}
	})
}

func namedTool(of, name string) *tool {
	return &tool{server: &server{config: Server{Name: of}}, spec: &toolSpec{Name: name}}
}
