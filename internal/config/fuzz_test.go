package config

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// FuzzFile reads any bytes as a file. What comes out is a configuration or a
// list of mistakes, each in the file; what has keys twice, which the decoder of
// the library refuses, is never accepted; and each value that counts is, as it
// is shown, one that can be written.
func FuzzFile(f *testing.F) {
	example, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range yamlBlocks(string(example)) {
		f.Add(block.text)
	}
	for _, seed := range []string{
		"", everything, "a: &a [*a]\n", "budget: &b {turn: *b}\n", "\ufeff{}", "model: !!binary aGk=\n", "allow: {paths: [~, 1, {a: b}]}\n",
		"? [a]\n: b\n", "web: {limit: 9999999999GB}\n", "%YAML 1.2\n---\nmodel: x/y\n...\n---\n", "mcp:\r\n  a: {command: b}\r\n",
		"\"\\0\": 1\n", "profile: \"\\0\"\n", "providers: {a: {models: {\"\": {window: 1}}}}\n", "profile: |\n  a\n  b\n", "<<: [{a: b}]\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := Origin{Layer: UserFile, Name: "config.yaml"}
		d := decoder{file: file, place: place{"/home/me", "/home/me/.ampersat"}}
		if root := d.parse([]byte(text)); root != nil {
			d.decode(root, wholeShape(), nil)
		}
		for _, p := range d.problems {
			if p.Origin.Name != file.Name || p.Text == "" {
				t.Fatalf("%+v", p)
			}
		}
		if len(d.problems) > 0 {
			return
		}
		var judged map[string]any
		if err := yaml.Load([]byte(text), &judged, yaml.WithUniqueKeys()); err != nil && len(d.settings) > 0 && duplicate(err) {
			t.Fatalf("accepted, and %v", err)
		}
		l := &Loaded{options: Options{Lookup: func(string) (string, bool) { return "", false }}}
		l.merge(d.settings)
		problems := l.validate()
		for _, s := range l.Settings() {
			if s.Key == "" || s.From.Layer == UserFile && (s.From.Line < 1 || s.From.Column < 1) {
				t.Fatalf("%+v", s)
			}
		}
		if len(problems) == 0 && !reflect.DeepEqual(assemble(Defaults(), func(yield func(Setting) bool) {
			for _, s := range l.settings {
				if !yield(s) {
					return
				}
			}
		}), l.Config) {
			t.Fatal("put together twice, it is not the same")
		}
	})
}

func duplicate(err error) bool {
	var load *yaml.LoadError
	return errors.As(err, &load) && strings.Contains(load.Message, "already defined")
}
