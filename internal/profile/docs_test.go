package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the manual shows can be used, and it tells every key there is.
func TestManual(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "profiles.md"))
	if err != nil {
		t.Fatal(err)
	}
	manual := string(data)
	shown := 0
	for i, piece := range strings.Split(manual, "```") {
		kind, text, _ := strings.Cut(piece, "\n")
		if i%2 == 0 || kind != "markdown" && kind != "yaml" {
			continue
		}
		if kind == "yaml" {
			text = "---\n" + text + "---\nBe kind."
		}
		doc, err := parse("docs/profiles.md", []byte(text))
		if err != nil {
			t.Error(err)
			continue
		}
		_, problems := readLayer("docs/profiles.md", doc)
		if strings.Contains(text, "meta:") {
			_, problems = readAgent("docs/profiles.md", doc)
		}
		if len(problems) > 0 || doc.body == "" {
			t.Errorf("%v in\n%s", problems, text)
		}
		shown++
	}
	if shown < 4 {
		t.Errorf("only %d examples", shown)
	}
	doc, err := parse("all.md", []byte(everyKey))
	if err != nil {
		t.Fatal(err)
	}
	var keys func(prefix string, node map[string]any)
	keys = func(prefix string, node map[string]any) {
		for key, value := range node {
			if below, ok := value.(map[string]any); ok && key != "exclude" {
				keys(prefix+key+".", below)
			} else if !strings.Contains(manual, "`"+prefix+key+"`") {
				t.Errorf("the manual does not tell of %s%s", prefix, key)
			}
		}
	}
	f := newFields("all.md", doc)
	keys("", f.value(doc.front, 0).(map[string]any))
}
