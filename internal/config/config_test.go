package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// world is a home, a project, and an environment.
type world struct {
	t             *testing.T
	home, project string
	env           map[string]string
	flags         []Flag
}

// newWorld writes files; those that begin with ~/ are the user's, the others
// are the project's.
func newWorld(t testing.TB, files map[string]string) *world {
	t.Helper()
	base := t.TempDir()
	w := &world{home: filepath.Join(base, "home"), project: filepath.Join(base, "project"), env: map[string]string{}}
	w.t, _ = t.(*testing.T)
	for _, dir := range []string{w.home, w.project} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		w.write(t, name, text)
	}
	return w
}

func (w *world) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(w.home, rest)
	}
	return filepath.Join(w.project, name)
}

func (w *world) write(t testing.TB, name, text string) {
	t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *world) records() *Records { return RecordsIn(filepath.Join(w.home, ".ampersat")) }

// open looks at the project anew, as a new process would.
func (w *world) open() *Project { return OpenProject(w.project, w.records()) }

func (w *world) options() Options {
	return Options{
		Home: w.home, UserDir: filepath.Join(w.home, ".ampersat"), Project: w.open(), Flags: w.flags,
		Lookup: func(name string) (string, bool) { value, ok := w.env[name]; return value, ok },
	}
}

func (w *world) load() *Loaded {
	w.t.Helper()
	l, err := Load(w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// problems are what is wrong, one per line; empty if nothing is.
func (w *world) problems() []string {
	w.t.Helper()
	_, err := Load(w.options())
	var problems Problems
	if err != nil && !errors.As(err, &problems) {
		w.t.Fatalf("%T: %v", err, err)
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Error())
	}
	return lines
}

const (
	userConfig    = "~/.ampersat/config.yaml"
	projectConfig = ".ampersat/config.yaml"
)

func TestWithoutAnyFileItIsWhatIsBuiltIn(t *testing.T) {
	l := newWorld(t, nil).load()
	if diff := cmp.Diff(Defaults(), l.Config); diff != "" {
		t.Error(diff)
	}
	if provider, model := l.Selected(); provider+"/"+model != DefaultModel {
		t.Errorf("selected %s %s", provider, model)
	}
}

// TestLaterLayersWin goes from the lowest layer to the highest and takes a value
// of each.
func TestLaterLayersWin(t *testing.T) {
	w := newWorld(t, map[string]string{
		userConfig:    "profile: of-user\nmodel: openai/u\nplace: top\nbudget:\n  turn: 1\n  item: 11\n",
		projectConfig: "profile: of-project\nplace: system\nbudget: {turn: 2}\n",
	})
	w.env["AMPERSAT_PLACE"] = "tool"
	w.env["AMPERSAT_BUDGET"] = "3"
	w.env["AMPERSAT_MODEL"] = " " // as good as unset
	w.flags = []Flag{{"--budget", "budget.turn", "4"}}
	l := w.load()
	want := map[string]string{
		"model": "openai/u ~/.ampersat/config.yaml:2", "profile": "of-project .ampersat/config.yaml:1",
		"place": "tool $AMPERSAT_PLACE", "budget.turn": "4 --budget", "budget.item": "11 ~/.ampersat/config.yaml:6",
		"web.cache": "true built in",
	}
	have := map[string]string{}
	var overridden []string
	for _, s := range l.Settings() {
		if _, ok := want[s.Key]; ok {
			have[s.Key] = s.Value + " " + s.From.String()
		}
		if s.Key == "budget.turn" {
			for _, o := range s.Overridden {
				overridden = append(overridden, o.Value+" "+o.From.String())
			}
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"3 $AMPERSAT_BUDGET", "2 .ampersat/config.yaml:3", "1 ~/.ampersat/config.yaml:5"}, overridden); diff != "" {
		t.Error(diff)
	}
	if l.Budget != (Budget{4, 11}) || l.Place != "tool" || l.Profile != "of-project" {
		t.Errorf("%+v", l.Config)
	}
}

// TestLayersByAModel draws what each layer sets, and compares with the plainest
// way to say that later ones win.
func TestLayersByAModel(t *testing.T) {
	keys := []string{"profile", "budget.turn", "budget.item", "context.retention.tool_results", "terminal.lines"}
	home := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]string{}
		layers := make([][]Setting, 4)
		for i := range layers {
			for _, key := range keys {
				if rapid.Bool().Draw(t, "set") {
					value := strconv.Itoa(rapid.IntRange(1, 9).Draw(t, key))
					s, problem := assigned(key, value, Origin{Layer: Layer(i + 1), Name: "x"}, home)
					if problem != nil {
						t.Fatal(problem)
					}
					layers[i] = append(layers[i], s)
					want[key] = value + " " + Layer(i+1).String()
				}
			}
		}
		l := &Loaded{options: Options{Lookup: os.LookupEnv}}
		l.merge(layers...)
		have := map[string]string{}
		for _, s := range l.Settings() {
			if slices.Contains(keys, s.Key) && s.From.Layer != BuiltIn {
				have[s.Key] = s.Value + " " + s.From.Layer.String()
			}
			for i, o := range s.Overridden {
				if o.From.Layer >= s.From.Layer || i > 0 && o.From.Layer >= s.Overridden[i-1].From.Layer {
					t.Fatalf("%s: %v over %v", s.Key, s.From, s.Overridden)
				}
			}
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestMistakes has one mistake each, with its place and what to do.
func TestMistakes(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown key", "modle: x\n", "1:1: modle: there is no such key; did you mean model?"},
		{"unknown inner key", "budget:\n  turns: 3\n", "2:3: budget.turns: there is no such key; did you mean turn?"},
		{"dashes", "language-servers: {}\n", "1:1: language-servers: there is no such key; did you mean language_servers?"},
		{"far from all", "budget:\n  zzzzzzzz: 3\n", "2:3: budget.zzzzzzzz: there is no such key; use one of turn, item"},
		{"number", "budget: {turn: many}\n", `1:16: budget.turn: "many" is not a number of tokens; write it like 2000 or 32k`},
		{"too large", "budget: {turn: 99999999999}\n", `1:16: budget.turn: "99999999999" is more tokens than there can be`},
		{"negative", "budget: {turn: -4}\n", `1:16: budget.turn: "-4" leaves no token; write 1 or more, or leave it out for what is usual`},
		{"no tokens", "budget: {item: 0}\n", `1:16: budget.item: "0" leaves no token; write 1 or more, or leave it out for what is usual`},
		{"whole number", "terminal: {lines: few}\n", `1:19: terminal.lines: "few" is not a whole number`},
		{"too large a number", "terminal: {lines: 99999999999}\n", `1:19: terminal.lines: "99999999999" is too large or too small`},
		{"negative number", "terminal: {lines: -4}\n", "1:19: terminal.lines: -4 is less than nothing"},
		{"list for a value", "model: [a]\n", "1:8: model: it is a list, where a single value belongs"},
		{"keys for a value", "model: {a: b}\n", "1:8: model: it has keys of its own, where a single value belongs"},
		{"value for keys", "budget: 5\n", "1:9: budget: it is a number, where keys with values belong"},
		{"value for a list", "allow: {paths: x}\n", "1:16: allow.paths: it is a single value, where a list belongs; write [a, b]"},
		{"truth for text", "profile: true\n", "1:10: profile: it is true or false (put it in quotes if it is text), where text belongs"},
		{"text for truth", "web: {cache: yes please}\n", "1:14: web.cache: it is a single value, where true or false belongs"},
		{"no value", "model:\n", "1:7: model: it has no value; give it one or leave the key out"},
		{"time", "web: {timeout: 30}\n", `1:16: web.timeout: "30" is not a time; write it like 30s or 5m`},
		{"size", "web: {limit: big}\n", `1:14: web.limit: "big" is not a size; write it like 512KB or 10MB`},
		{"part", "context: {compact_threshold: 92}\n", `1:30: context.compact_threshold: "92" is not a part; write a number from 0 to 1`},
		{"not a number at all", "context: {compact_threshold: .nan}\n", `1:30: context.compact_threshold: ".nan" is not a part; write a number from 0 to 1`},
		{"a threshold that nothing is below", "context:\n  compact_threshold: 0\n", "2:22: context.compact_threshold: nothing is below the threshold 0; write a part that may be full, such as 0.92"},
		{"a slip of a provider, though another is chosen", "provider: ollama\nmodel: anthropc/claude-sonnet-5-5\n",
			`2:8: model: there is no provider "anthropc"; did you mean anthropic? If ollama has a model that is called that, write ollama/anthropc/claude-sonnet-5-5`},
		{"a slip of a provider of one's own", "provider: echo\nmodel: Workplce/m\nproviders: {workplace: {base_url: 'http://lab'}}\n",
			`2:8: model: there is no provider "Workplce"; did you mean workplace? If echo has a model that is called that, write echo/Workplce/m`},
		{"target", "context:\n  compact_target: 0.95\n", "2:19: context.compact_target: the target 0.95 is not below the threshold 0.92, so compaction would gain nothing"},
		{"choice", "place: befor\n", `1:8: place: "befor" is none of system, before, top, tool; did you mean before?`},
		{"mode", "permissions: {mode: yolo}\n", `1:21: permissions.mode: "yolo" is none of ask, auto-read, all`},
		{"provider", "provider: antropic\n", `1:11: provider: there is no provider "antropic"; did you mean anthropic?`},
		{"model's provider", "model: opnai/gpt\n", `1:8: model: there is no provider "opnai"; did you mean openai?`},
		{"a model of another provider", "provider: ollama\nmodel: openai/a\n", `2:8: model: "openai/a" is a model of openai, and ~/.ampersat/config.yaml:1 says the provider is ollama; leave one of them out, or write ollama/openai/a if it is called that there`},
		{"a server without anything", "mcp: {docs: {}}\n", "1:13: mcp.docs: there is nothing in it; write its keys, or leave it out"},
		{"a scheme without anything", "custom:\n  jira:\nplace: top\n", "2:8: custom.jira: there is nothing in it; write its keys, or leave it out"},
		{"a provider without anything", "providers: {lab: {}}\n", "1:18: providers.lab: there is nothing in it; write its keys, or leave it out"},
		{"half of a server", "mcp: {docs: {comand: npx}}\n", "1:14: mcp.docs.comand: there is no such key; did you mean command?"},
		{"model without a provider", "model: gpt\n", `1:8: model: "gpt" does not say whose model it is; write it provider/model, or set provider`},
		{"server without an address", "providers: {lab: {key: {env: LAB}}}\n", "1:24: providers.lab: nothing says where it is: set base_url, or its API if it is not an OpenAI-compatible server"},
		{"wrong API", "providers: {openai: {deployment: x}}\n", "1:34: providers.openai.deployment: it is for the API azure, and this is openai"},
		{"address", "providers: {lab: {base_url: 'lab:8080'}}\n", `1:29: providers.lab.base_url: "lab:8080" is not an address; write it with http:// or https://`},
		{"half a price", "providers: {openai: {models: {x: {price: {input: 1}}}}}\n", "1:50: providers.openai.models.x.price: a price needs both input and output"},
		{"price", "providers: {openai: {models: {x: {price: {input: 1e9, output: 1}}}}}\n", `1:50: providers.openai.models.x.price.input: "1e9" is not a price; write a number like 2.50`},
		{"a name with a dot", "providers: {openai: {models: {'x.1': {window: z}}}}\n", `1:47: providers.openai.models."x.1".window: "z" is not a number of tokens; write it like 2000 or 32k`},
		{"server of nothing", "mcp: {docs: {timeout: 5s}}\n", "1:23: mcp.docs: it needs either command, a program to start, or url"},
		{"server of both", "mcp: {docs: {command: a, url: 'https://b.example'}}\n", "1:23: mcp.docs: it needs either command, a program to start, or url"},
		{"headers for a program", "mcp: {docs: {command: a, headers: {X-A: b}}}\n", "1:41: mcp.docs.headers: headers are for a server with a url"},
		{"a reserved name", "mcp: {diff: {command: a}}\n", "1:23: mcp.diff: @diff: would not name it; use another word, of letters, digits and dashes"},
		{"the name of a place for files", "mcp: {user: {command: a}}\n", "1:23: mcp.user: @user: would not name it; use another word, of letters, digits and dashes"},
		{"custom of nothing", "custom: {jira: {command: []}}\n", "1:26: custom.jira: it needs either command, a list of words, or url"},
		{"an address without a place", "custom: {rfc: {url: 'https://rfc.example/'}}\n", "1:21: custom.rfc.url: nothing says where the rest of the mention goes; write {} in its place"},
		{"command in one word", "custom: {jira: {command: 'a b'}}\n", "1:26: custom.jira.command: it is a single value, where a list belongs; write [a, b]"},
		{"no program", "language_servers: {go: {root_markers: [go.mod]}}\n", "1:39: language_servers.go: there is no command; write it as a list of words"},
		{"allowed address", "allow: {urls: [ftp://x.example]}\n", `1:15: allow.urls: "ftp://x.example" is not an address; write it with http:// or https://`},
		{"item", "allow: {paths: [a, [b]]}\n", "1:16: allow.paths: item 2: it is a list, where a single value belongs"},
		{"twice", "model: openai/a\nmodel: openai/b\n", "2:1: model: it is there twice, first in line 1"},
		{"merging", "web: &w {cache: true}\nterminal:\n  <<: *w\n", "3:3: terminal: merging with << is not read; write the keys out"},
		{"a key that is a list", "[a]: b\n", "1:1: the file: a key that is no word"},
		{"a list for a file", "- a\n", "1:1: the file: it is a list, where keys with values belong"},
		{"a word for a file", "hello\n", "1:1: the file: it is a single value, where keys with values belong"},
		{"a tag", "model: !secret x\n", `1:8: model: the tag "!secret" means nothing here`},
		{"tab", "budget:\n\tturn: 3\n", "2:1: a tab at the beginning of a line; YAML takes spaces alone"},
		{"zero byte", "model: openai/a\nprofile: a\x00b\n", "2:11: a zero byte; the file must be text in UTF-8"},
		{"not UTF-8", "profile: \xe9\n", "1:10: a byte that is not UTF-8"},
		{"two documents", "model: openai/a\n---\nmodel: openai/b\n", "2:1: a second document begins; a file of configuration has one"},
		{"unclosed", "model: \"x\n", "2:1: found unexpected end of stream"},
		{"unknown alias", "model: *nothing\n", "1:8: unknown anchor 'nothing' referenced"},
		{"a cycle", "budget: &b\n  turn: *b\n", "2:9: budget.turn: it has keys of its own, where a single value belongs"},
		{"a literal key", "providers: {openai: {key: sk-abc}}\n", "1:27: providers.openai.key: " + errLiteral.Error()},
		{"a literal key with keys", "providers: {openai: {key: {value: sk-abc}}}\n", `1:27: providers.openai.key: there is no such key as "value" here; use one of env, file`},
		{"a key of both", "providers: {openai: {key: {env: A, file: b}}}\n", "1:27: providers.openai.key: it needs either env, the name of a variable, or file, a path"},
		{"a key of one twice", "providers: {openai: {key: {env: A, env: B}}}\n", `1:27: providers.openai.key: the key "env" is there twice`},
		{"no variable", "providers: {openai: {key: {env: sk-live-1}}}\n", "1:27: providers.openai.key: env: that is not the name of a variable"},
		{"a literal token", "mcp: {docs: {url: 'https://d.example', headers: {Authorization: Bearer abcdefgh}}}\n", "1:65: mcp.docs.headers.Authorization: " + errLiteral.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{userConfig: test.text})
			want := []string{"~/.ampersat/config.yaml:" + test.want}
			if diff := cmp.Diff(want, w.problems()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSecretsInMistakesAreNotRepeated: an error goes to terminals and logs.
func TestSecretsInMistakesAreNotRepeated(t *testing.T) {
	key := "ghp_" + "k3Jx9QmZ2vTb7RwL5nHs8YdC4fGa6PeU1oWi" // the shape of a token, and none
	for _, text := range []string{
		"providers: {anthropic: {key: " + key + "}}\n",
		"providers: {anthropic: {key: [" + key + "]}}\n",
		"providers: {anthropic: {key: {env: " + key + "}}}\n",
		"providers: {anthropic: {base_url: 'https://me:" + key + "@a.example'}}\n",
		"mcp: {docs: {command: a, env: {API_KEY: " + key + "}}}\n",
		"mcp: {docs: {command: a, env: {HARMLESS: " + key + "}}}\n",
		"mcp: {docs: {url: 'https://d.example', headers: {Cookie: " + key + "}}}\n",
	} {
		have := newWorld(t, map[string]string{userConfig: text}).problems()
		if len(have) == 0 || strings.Contains(strings.Join(have, "\n"), key) {
			t.Errorf("%s: %q", text, have)
		}
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	w := newWorld(t, map[string]string{userConfig: "modle: x\nbudget: {turn: z}\n", projectConfig: "plaze: x\n"})
	w.env["AMPERSAT_BUDGET"] = "lots"
	w.flags = []Flag{{"--budget", "budget.turn", "-1"}}
	want := []string{
		"~/.ampersat/config.yaml:1:1: modle: there is no such key; did you mean model?",
		`~/.ampersat/config.yaml:2:16: budget.turn: "z" is not a number of tokens; write it like 2000 or 32k`,
		".ampersat/config.yaml:1:1: plaze: there is no such key; did you mean place?",
		`$AMPERSAT_BUDGET: budget.turn: "lots" is not a number of tokens; write it like 2000 or 32k`,
		`--budget: budget.turn: "-1" leaves no token; write 1 or more, or leave it out for what is usual`,
	}
	if diff := cmp.Diff(want, w.problems()); diff != "" {
		t.Error(diff)
	}
}

// TestAMistakeDoesNotHideOthers: of spelling, of type and of sense, in one file.
// What only looks wrong because of another mistake is not told.
func TestAMistakeDoesNotHideOthers(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"place: nowhere\nmodle: x\nprovider: nope\npermissions: {mode: foo}\n", []string{
			`1:8: place: "nowhere" is none of system, before, top, tool`,
			"2:1: modle: there is no such key; did you mean model?",
			`3:11: provider: there is no provider "nope"`,
			`4:21: permissions.mode: "foo" is none of ask, auto-read, all`,
		}},
		{"budget: {turn: -5, item: abc}\nplace: nowhere\n", []string{
			`1:16: budget.turn: "-5" leaves no token; write 1 or more, or leave it out for what is usual`,
			`1:26: budget.item: "abc" is not a number of tokens; write it like 2000 or 32k`,
			`2:8: place: "nowhere" is none of system, before, top, tool`,
		}},
		{"mcp: {docs: {}, wiki: {timeout: 5s}}\ncustom: {jira: {comand: [a]}}\n", []string{
			"1:13: mcp.docs: there is nothing in it; write its keys, or leave it out",
			"1:33: mcp.wiki: it needs either command, a program to start, or url",
			"2:17: custom.jira.comand: there is no such key; did you mean command?",
		}},
		{"context: {compact_threshold: 98, compact_target: 0.95}\n", []string{
			`1:30: context.compact_threshold: "98" is not a part; write a number from 0 to 1`,
		}},
		{"provider: lab\nproviders: {lab: {base_ulr: 'http://lab'}}\n", []string{
			"2:19: providers.lab.base_ulr: there is no such key; did you mean base_url?",
		}},
	} {
		var want []string
		for _, line := range test.want {
			want = append(want, "~/.ampersat/config.yaml:"+line)
		}
		if diff := cmp.Diff(want, newWorld(t, map[string]string{userConfig: test.text}).problems()); diff != "" {
			t.Errorf("%s%s", test.text, diff)
		}
	}
}

// TestALinkToNothing is no file that is not there.
func TestALinkToNothing(t *testing.T) {
	w := newWorld(t, nil)
	if err := os.MkdirAll(filepath.Join(w.home, ".ampersat"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(w.home, "dotfiles", "ampersat.yaml"), filepath.Join(w.home, ".ampersat", FileName)); err != nil {
		t.Fatal(err)
	}
	want := []string{"~/.ampersat/config.yaml: it is a symbolic link to something that is not there; mend the link, or remove it"}
	if diff := cmp.Diff(want, w.problems()); diff != "" {
		t.Error(diff)
	}
}

// TestPathsAreRelative to what the file is about.
func TestPathsAreRelative(t *testing.T) {
	w := newWorld(t, map[string]string{userConfig: "allow: {paths: [notes, ~/a, '~', /b/../c]}\nproviders: {openai: {key: {file: k}}}\n"})
	l := w.load()
	want := []Path{Path(w.path("~/.ampersat/notes")), Path(w.path("~/a")), Path(w.home), "/c"}
	if diff := cmp.Diff(want, l.Allow.Paths); diff != "" {
		t.Error(diff)
	}
	if l.Providers["openai"].Key.File != Path(w.path("~/.ampersat/k")) {
		t.Errorf("%+v", l.Providers)
	}
}

func TestListsOfGrantsAddUp(t *testing.T) {
	w := newWorld(t, map[string]string{
		userConfig:    "allow: {paths: [~/notes, /srv/x], urls: ['https://a.example']}\npermissions: {allow: [search]}\n",
		projectConfig: "allow: {paths: [../lib, /srv/x], urls: ['https://b.example']}\npermissions: {allow: [fetch]}\n",
	})
	w.trust()
	l := w.load()
	want := []Path{Path(filepath.Join(w.home, "notes")), "/srv/x", Path(filepath.Join(filepath.Dir(w.project), "lib"))}
	if diff := cmp.Diff(want, l.Allow.Paths); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"search", "fetch"}, l.Permissions.Allow); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"https://a.example", "https://b.example"}, l.Allow.URLs); diff != "" {
		t.Error(diff)
	}
	for _, s := range l.Settings() {
		if s.Key == "allow.paths" && (s.From.Layer != ProjectFile || len(s.Also) != 1 || s.Also[0].Layer != UserFile || len(s.Overridden) > 0) {
			t.Errorf("%+v", s)
		}
	}
}

// TestAnEntryIsReplacedWhole: half of one server and half of another make none.
func TestAnEntryIsReplacedWhole(t *testing.T) {
	w := newWorld(t, map[string]string{
		userConfig:    "mcp:\n  docs: {command: mine, args: [a], env: {A: b}}\n  other: {command: other}\nproviders: {openai: {attempts: 3, organization: us}}\n",
		projectConfig: "mcp:\n  docs: {url: 'https://docs.example'}\nproviders: {openai: {attempts: 4}}\n",
	})
	w.trust()
	l := w.load()
	want := map[string]MCPServer{"docs": {URL: "https://docs.example"}, "other": {Command: "other"}}
	if diff := cmp.Diff(want, l.MCP); diff != "" {
		t.Error(diff)
	}
	if p := l.Providers["openai"]; p.Attempts != 4 || p.Organization != "us" {
		t.Errorf("%+v", p)
	}
	for _, s := range l.Settings() {
		if s.Key == "mcp.docs.url" && len(s.Overridden) != 3 {
			t.Errorf("overridden: %+v", s.Overridden)
		}
	}
}

// TestAThresholdBringsItsTarget: who wants compaction early need not know where it
// would end. A target that somebody wrote stays, and is told with the threshold.
func TestAThresholdBringsItsTarget(t *testing.T) {
	for _, c := range []struct {
		user, project string
		target        float64
		problem       string
	}{
		{user: "context: {compact_threshold: 0.4}", target: 0.2},
		{user: "context: {compact_threshold: 0.5}", target: 0.25},
		{user: "context: {compact_threshold: 0.6}", target: 0.5},
		{user: "context: {compact_target: 0.3}", project: "context: {compact_threshold: 0.4}", target: 0.3},
		{user: "context: {compact_threshold: 0.4}", project: "context: {compact_target: 0.45}",
			problem: "context.compact_target: the target 0.45 is not below the threshold 0.4"},
		{user: "context: {compact_target: 0.5}", project: "context: {compact_threshold: 0.4}",
			problem: "context.compact_threshold: the threshold 0.4 is not above the target 0.5 (~/.ampersat/config.yaml:1"},
	} {
		w := newWorld(t, map[string]string{userConfig: c.user, projectConfig: c.project})
		l, err := Load(w.options())
		switch {
		case c.problem == "" && (err != nil || l.Context.CompactTarget != c.target):
			t.Errorf("%s | %s: %+v, %v", c.user, c.project, l, err)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), "/config.yaml:1:") || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s | %s: %v", c.user, c.project, err)
		}
	}
}
