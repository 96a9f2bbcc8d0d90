package profile

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// FuzzFile reads anything as a profile and as an agent. Whatever it is, it is
// read or refused with a place in the file; the body is text of the file; and
// what can be shown can be read again, as the same.
func FuzzFile(f *testing.F) {
	for _, text := range []string{
		everyKey, "Be kind.", "---\n---\n", "---", "\ufeff---\r\nprofile: {name: x}\r\n---\r\nx", "# a\n---\nprofile:\n  name: b\n---\n",
		"---\nmeta: {name: a}\ntools: [b]\nmodel: c/d\nbudget: {tokens: 1}\ncallers: [person]\n---\nx", "x\n---\nprofile: {}\n---\n",
		"---\ntools: &x [*x]\n---\n", "---\ntools: [{id: a, config: {b: {c: [1, 2.5, true, null, ~, 0x1f, !!str 1]}}}]\n---\nx",
		"---\nprofile: {extends: base, version: 1}\nagents: none\nexclude: {tools: all, agents: [x]}\n---\nx", "---\n? a\n: b\n---\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		plain := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n")
		lines := strings.Count(plain, "\n") + 2
		check := func(problems Problems) {
			for _, p := range problems {
				if !strings.HasPrefix(p.At.File, "bundled:c/") || p.At.Line < 0 || p.At.Line > lines || p.At.Line > 0 && p.At.Column < 1 || p.What == "" {
					t.Errorf("%d lines, %+v", lines, p)
				}
			}
		}
		file := fstest.MapFS{
			"collections/c/profiles/p.md": {Data: data}, "collections/c/agents/a.md": {Data: data},
			"collections/c/profiles/base.md": {Data: []byte("---\ntools: [one]\n---\nBase.")},
		}
		l := New(Config{Bundled: file})
		agents, _ := l.Agents()
		check(agents[0].Problems)
		profiles, _ := l.Profiles()
		at := 0
		if profiles[0].File != "bundled:c/profiles/p.md" {
			at = 1
		}
		check(profiles[at].Problems)
		m, err := l.Profile("c:profiles/p.md")
		if err != nil {
			check(err.(Problems))
			return
		}
		if !utf8.ValidString(m.Body) || !strings.Contains(plain, m.Body) || strings.TrimSpace(m.Body) == "" && m.Body != "" {
			t.Errorf("body %q", m.Body)
		}
		if begin := strings.Split(plain, "\n"); m.Body != "" && !strings.HasSuffix(begin[m.BodyLine-1], strings.Split(m.Body, "\n")[0]) &&
			!strings.HasPrefix(begin[m.BodyLine-1], strings.Split(m.Body, "\n")[0]) && !strings.HasPrefix(begin[m.BodyLine-1], "\ufeff") {
			t.Errorf("line %d is %q, body %q", m.BodyLine, begin[m.BodyLine-1], m.Body)
		}
		text, err := m.YAML()
		if err != nil {
			t.Fatal(err)
		}
		file["collections/c/profiles/p.md"] = &fstest.MapFile{Data: []byte("---\n" + text + "---\nBe kind.")}
		again, err := l.Profile("c:profiles/p.md")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		second, err := again.YAML()
		if err != nil || strip(second) != strip(text) {
			t.Errorf("%v\nfirst\n%s\nsecond\n%s", err, text, second)
		}
	})
}

// strip takes the comments off that say where a value was.
func strip(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		before, _, _ := strings.Cut(line, " # ")
		kept = append(kept, strings.TrimSpace(before))
	}
	return strings.Join(kept, "\n")
}
