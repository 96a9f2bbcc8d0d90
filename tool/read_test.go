package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/tool"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func contains(t failer, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

func lacks(t failer, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in\n%s", part, text)
		}
	}
}

// What every tool tells the model about itself fits what it takes.
func TestEveryToolIsDescribed(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "alpha\n"})
	calls := map[string]args{
		"read_file": {"path": "a.md", "first": 1, "last": 1}, "list_files": {"path": "."},
		"search":    {"pattern": "a", "path": ".", "glob": "*.md", "ignore_case": true, "max": 5},
		"edit_file": {"path": "a.md", "old": "alpha", "new": "beta", "all": true}, "write_file": {"path": "b.md", "content": "x"},
		"shell": {"command": "echo ran", "timeout": 5, "dir": "."}, "fetch": {"url": "https://example.com/x"},
	}
	effects := map[string]agent.Effect{"list_files": agent.Lists, "edit_file": agent.Writes, "write_file": agent.Writes, "shell": agent.Runs, "fetch": agent.Fetches}
	if len(p.tools) != len(calls) {
		t.Errorf("%d tools, and %d are tested", len(p.tools), len(calls))
	}
	for _, each := range p.tools {
		spec := each.Spec()
		t.Run(spec.Name, func(t *testing.T) {
			if len(spec.Description) < 200 || strings.HasPrefix(spec.Description, "#") {
				t.Errorf("described as %q", spec.Description)
			}
			parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(spec.Parameters)))
			must(t, err)
			compiler := jsonschema.NewCompiler()
			must(t, compiler.AddResource("schema.json", parsed))
			schema, err := compiler.Compile("schema.json")
			must(t, err)
			input := encode(t, calls[spec.Name])
			call, err := jsonschema.UnmarshalJSON(strings.NewReader(string(input)))
			must(t, err)
			must(t, schema.Validate(call))
			properties := parsed.(map[string]any)["properties"].(map[string]any)
			for name := range properties {
				if _, given := calls[spec.Name][name]; !given {
					t.Errorf("the argument %s is described and not tried", name)
				}
				if name != "url" { // described in words of its own
					contains(t, spec.Description, "`"+name+"`")
				}
			}
			action, err := each.Plan(input)
			must(t, err)
			want := effects[spec.Name]
			if want == "" {
				want = agent.Reads
			}
			if action.Effect != want || action.Subject == "" || action.Summary == "" || strings.Contains(action.Summary, "\n") {
				t.Errorf("%+v", action)
			}
			for _, bad := range []string{`{}`, `[]`, `{"path":5,"pattern":5,"command":5,"url":5}`, `{"path":"a.md","pattern":"a","command":"true","url":"https://a.b","nonsense":1}`, `{"path":`, `null`} {
				if _, err := each.Plan([]byte(bad)); err == nil {
					t.Errorf("%s is taken", bad)
				}
				if _, err := each.Run(t.Context(), agent.Call{Input: []byte(bad)}); err == nil {
					t.Errorf("%s is run", bad)
				}
			}
		})
	}
}

// Lines that were read, and again after an edit and the whole file, are not those of
// the first time: where they stand is said.
func TestLinesThatWereReadInTheWholeFile(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	lines := args{"path": "a.txt", "first": 1, "last": 2}
	contains(t, p.ok(t, "read_file", lines), "one\ntwo\n")
	p.ok(t, "edit_file", args{"path": "a.txt", "old": "one", "new": "eins"})
	p.ok(t, "read_file", args{"path": "a.txt"})
	contains(t, p.ok(t, "read_file", lines), "shown there in the whole file]")
}

func TestReadFile(t *testing.T) {
	long := strings.Repeat("a line that stays as it is\n", 40)
	p := newPlace(t, map[string]string{
		"a.md": long, "sub/b.md": "one\ntwo\nthree\n", "c.md": "See @sub/b.md.\n",
		".ampersat/collections/base/d.md": "delta\n", "odd:name.md": "odd\n",
	})
	p.config.Pipeline.OnPrepared = func(ampersat.Stack) { t.Error("a call is seen as a turn") }
	p.tools = tool.New(p.config)
	contains(t, p.ok(t, "read_file", args{"path": "a.md"}), `<context_file paths="a.md">`, long)
	contains(t, p.ok(t, "read_file", args{"path": "sub/b.md", "first": 2, "last": 2}), `lines="2"`, "\ntwo\n")
	contains(t, p.ok(t, "read_file", args{"path": "sub/b.md", "first": 2}), `shown="lines 2-3 of 3"`, "two\nthree\n")
	contains(t, p.ok(t, "read_file", args{"path": "sub/b.md", "last": 2}), `lines="1-2"`, "one\ntwo\n")
	contains(t, p.ok(t, "read_file", args{"path": "odd:name.md"}), "odd\n")
	contains(t, p.ok(t, "read_file", args{"path": "base:d.md"}), "delta\n")

	// As a person would write it, and by its whole path: it is the same file.
	contains(t, p.ok(t, "read_file", args{"path": "@a.md"}), "[unchanged since turn")
	contains(t, p.ok(t, "read_file", args{"path": filepath.Join(p.dir, "a.md")}), "[the same as a.md, shown in turn")

	// What a file mentions is not read with it.
	lacks(t, p.ok(t, "read_file", args{"path": "c.md"}), "three")

	p.write(t, map[string]string{"a.md": long + "and one more\n"})
	changed := p.ok(t, "read_file", args{"path": "a.md"})
	contains(t, changed, "+and one more", "changed-since=")
	if len(changed) > len(long)/2 {
		t.Errorf("sent again:\n%s", changed)
	}
	contains(t, p.ok(t, "read_file", args{"path": "a.md"}), "[unchanged since turn")

	p.refused(t, "read_file", args{"path": "nothing.md"}, "read nothing.md: nothing there; looked in ")
	p.refused(t, "read_file", args{"path": "sub/b.md", "first": 9}, "the file has 3 lines")
	p.refused(t, "read_file", args{"path": "sub/b.md", "first": 3, "last": 2}, "line 2 comes before line 3")
	p.refused(t, "read_file", args{"path": "sub/b.md", "first": -1}, "counted from one")
	p.refused(t, "read_file", args{"path": ""}, "there is no path")
}

func TestListFiles(t *testing.T) {
	p := newPlace(t, map[string]string{"src/a.go": "", "src/deep/b.go": "", ".gitignore": "*.log\n", "src/x.log": ""})
	listing := p.ok(t, "list_files", args{"path": "src"})
	contains(t, listing, `kind="directory"`, "a.go", "deep/", "b.go")
	lacks(t, listing, "x.log")
	contains(t, p.ok(t, "list_files", args{"path": "."}), "src/")
	p.refused(t, "list_files", args{"path": "src/a.go"}, "it is a file; read it with read_file")
	outside := filepath.Join(t.TempDir(), "a.txt")
	must(t, os.WriteFile(outside, []byte("outside"), 0o600))
	p.refused(t, "list_files", args{"path": outside}, "it is a file; read it with read_file")
	p.refused(t, "list_files", args{"path": "other"}, "nothing there")
}

// A result is capped like any other content, and says so.
func TestReadingIsLimited(t *testing.T) {
	p := newPlace(t, map[string]string{"long.txt": strings.Repeat("one more line of text that goes on\n", 60_000)})
	text := p.ok(t, "read_file", args{"path": "long.txt"})
	contains(t, text[:200], `shown="the first `, "of 2,100,000 bytes")
	if len(text) > 300_000 {
		t.Errorf("%d bytes", len(text))
	}
}

func TestReadingAsksForTheSameThings(t *testing.T) {
	key := "ghp_" + "x7Gk2mQ9vB4nR8sT1wY6zA3cE5fH0jL7pD2u"
	p := newPlace(t, map[string]string{"conf.txt": "token = " + key + "\n", ".env": "A=b\n"})
	p.refused(t, "read_file", args{"path": "conf.txt"}, "it holds secrets: github")
	p.refused(t, "read_file", args{"path": ".env"}, "to allow it: --allow secret:")
	p.refused(t, "read_file", args{"path": "/etc/hostname"}, "to allow it: --allow /etc/hostname")
	p.refused(t, "read_file", args{"path": "~/x"}, "nothing there")
	must(t, p.consent.Allow(access.Secret{Name: filepath.Join(p.dir, "conf.txt")}))
	contains(t, p.ok(t, "read_file", args{"path": "conf.txt"}), key)
}

// A picture comes as one, with its bytes.
func TestReadAPicture(t *testing.T) {
	const gif = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
	p := newPlace(t, map[string]string{"dot.gif": gif})
	result, err := p.call(t, "read_file", args{"path": "dot.gif"})
	must(t, err)
	if c, ok := result.Parts[0].(message.Context); !ok || len(c.Parts) != 1 || len(result.Blobs) != 1 {
		t.Errorf("%+v", result)
	}
}

func TestFetchPlansByHost(t *testing.T) {
	p := newPlace(t, nil)
	action, err := p.tool("fetch").Plan(encode(t, args{"url": "https://Example.COM:8443/a?b"}))
	must(t, err)
	if action.Effect != agent.Fetches || action.Subject != "example.com:8443" || action.Summary != "fetch https://example.com:8443/a?b" {
		t.Errorf("%+v", action)
	}
	p.refused(t, "fetch", args{"url": "https://example.com/"}, "nothing here can read a url")
	for _, url := range []string{"file:///etc/hosts", "ftp://a.b/", "example.com", "https://", "https://me:pass@a.b/", "::", "http:///x"} {
		if _, err := p.tool("fetch").Plan(encode(t, args{"url": url})); err == nil || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// What the placement "tool" pretends are calls as a model makes them: the tools
// take them, and the model that makes one again is told that it has the result.
func TestWhatWasPlacedAsToolIsNotReadAgain(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "alpha\nbeta\n", "sub/b.md": "beta\n"})
	p.config.Pipeline.Tools = func(m mention.Mention, name string) (string, any, bool) {
		if m.Kind() == mention.KindDirectory {
			return tool.ListFilesSpec().Name, tool.ListFiles{Path: name}, true
		}
		return tool.ReadFileSpec().Name, tool.ReadFile{Path: name}, true
	}
	turn := ampersat.Ask("Explain @a.md and @sub/")
	turn.Place = ampersat.AsTool
	stack, err := p.config.Pipeline.Prepare(t.Context(), turn)
	must(t, err)
	p.view.Messages = stack.Messages
	again := 0
	for _, m := range stack.Messages {
		for _, part := range m.Content.Parts {
			call, ok := part.(message.ToolCall)
			if !ok {
				continue
			}
			if _, err := p.tool(call.Name).Plan(call.Input); err != nil {
				t.Error(err)
			}
			result, err := p.tool(call.Name).Run(t.Context(), agent.Call{Input: call.Input, View: p.view})
			must(t, err)
			contains(t, rendered(result), "[unchanged since turn 1, shown there]")
			again++
		}
	}
	if again != 2 {
		t.Errorf("%d calls", again)
	}
}

// A page is fetched by whatever resolves addresses, and not sent twice.
func TestFetch(t *testing.T) {
	p := newPlace(t, nil)
	p.config.Pipeline.Resolver.(*ampersat.Mux).Handle(ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		url := q.Mention.(mention.URL).URL
		if strings.HasSuffix(url, "/gone") {
			return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "the server says: 404 Not Found"}
		}
		text := "# A page\n\nSee @a.md.\n"
		return ampersat.Content{Name: url, ID: url, Text: text, Size: int64(len(text)), Source: blob.Of([]byte(text))}, nil
	}), mention.KindURL)
	contains(t, p.ok(t, "fetch", args{"url": "https://Go.dev/doc"}), `<context_file paths="https://go.dev/doc" kind="url">`, "# A page")
	contains(t, p.ok(t, "fetch", args{"url": "https://go.dev/doc"}), "[unchanged since turn")
	p.refused(t, "fetch", args{"url": "https://go.dev/gone"}, "fetch https://go.dev/gone: the server says: 404 Not Found")
}
