package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// FuzzFile reads any bytes as a file. What comes out is a configuration or a
// list of mistakes, each in the file; what has keys twice, which the decoder of
// the library refuses, is never accepted; and what was read, written by the
// library and read again, is the same.
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
		l.validate(nil)
		for _, s := range l.Settings() {
			if s.Key == "" || s.From.Layer == UserFile && (s.From.Line < 1 || s.From.Column < 1) {
				t.Fatalf("%+v", s)
			}
		}
		written, err := yaml.Dump(tree(d.settings))
		if err != nil {
			t.Fatal(err)
		}
		again := decoder{file: file, place: d.place}
		if root := again.parse(written); root != nil {
			again.decode(root, wholeShape(), nil)
		}
		if have, want := assemble(Config{}, slices.Values(again.settings)), assemble(Config{}, slices.Values(d.settings)); !reflect.DeepEqual(have, want) {
			t.Fatalf("written:\n%s\n%v\nhave %+v\nwant %+v", written, again.problems, have, want)
		}
	})
}

// tree writes settings as YAML has them.
func tree(settings []Setting) map[string]any {
	root := map[string]any{}
	for _, s := range settings {
		at := root
		for _, name := range s.path[:len(s.path)-1] {
			if at[name] == nil {
				at[name] = map[string]any{}
			}
			at = at[name].(map[string]any)
		}
		at[s.path[len(s.path)-1]] = plain(s.value)
	}
	return root
}

func plain(value any) any {
	switch value := value.(type) {
	case Duration, Size:
		return fmt.Sprint(value)
	case Path:
		return string(value)
	case Decimal:
		return string(value)
	case []Path:
		list := []string{}
		for _, path := range value {
			list = append(list, string(path))
		}
		return list
	case Secret:
		if value.Env != "" {
			return map[string]string{"env": value.Env}
		}
		return map[string]string{"file": string(value.File)}
	case Text:
		if value.Secret.IsZero() {
			return value.Value
		}
		reference := plain(value.Secret).(map[string]string)
		reference["prefix"] = value.Prefix
		return reference
	}
	return value
}

func duplicate(err error) bool {
	var load *yaml.LoadError
	return errors.As(err, &load) && strings.Contains(load.Message, "already defined")
}
