package ampersat

import "testing"

// What an omission says of a file is read back whatever the file is called.
func TestAnOmissionIsReadBack(t *testing.T) {
	for _, name := range []string{"a.md", "a, b.md", "a]b.md", `"q".md`, "a: b.md"} {
		changed := &block{names: []string{name}, since: "turn 1", omitted: true}
		text := omission([]*block{changed, {names: []string{"e.md"}, omitted: true}}, 5).Text
		if !saysOutdated(text, name) || saysOutdated(text, "e.md") {
			t.Errorf("%q in %q", name, text)
		}
	}
}
