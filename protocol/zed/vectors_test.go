package zed_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
	"github.com/google/go-cmp/cmp"
)

// testdata/mention_vectors.json was taken from the unit tests of Zed. Its
// lines and columns count from zero, as in Zed's memory; ours and those in
// URIs count from one.
type vectors struct {
	Parse []struct {
		Test        string
		Fn          string
		Input       string
		PathStyle   string  `json:"path_style"`
		Expect      *theirs `json:"expect"`
		ToURIEquals *string `json:"to_uri_equals"`
	} `json:"parse_vectors_from_unit_tests"`
	ToURI []struct {
		Mention theirs
		URI     string
	} `json:"to_uri_vectors_from_unit_tests"`
	Name []struct {
		URI     string
		Mention *theirs
		Detail  int
		Name    string
	} `json:"name_vectors_from_unit_tests"`
	Serde []struct {
		JSONIn struct {
			Rule struct {
				ID   struct{ User struct{ UUID string } }
				Name string
			}
		} `json:"json_in"`
		UUID string `json:"reserialized_id_uuid"`
	} `json:"serde_vectors_from_unit_tests"`
	NameRules map[string]string `json:"name_rules_from_code"`
	Positions struct {
		Vectors []struct {
			Input, Path string
			Row, Column *int
		}
	} `json:"path_with_position_doc_vectors"`
	Links struct {
		Vectors []struct {
			Input string
			Kinds []string
		}
	} `json:"parse_mention_links_from_unit_tests"`
}

// theirs is a mention in Zed's memory, or the error that parsing gave.
type theirs struct {
	Kind            string
	AbsPath         string `json:"abs_path"`
	Name            string
	LineRange       []int `json:"line_range"`
	Column          *int
	ID              any
	URL             string
	IncludeErrors   bool   `json:"include_errors"`
	IncludeWarnings bool   `json:"include_warnings"`
	Source          string `json:"source"`
	SkillFilePath   string `json:"skill_file_path"`
	Error           bool
}

// ours returns the mention of ours that t is.
func (t theirs) ours(test *testing.T, style zed.Style) mention.Mention {
	test.Helper()
	switch t.Kind {
	case "File":
		return mention.File{Path: t.AbsPath}
	case "Directory":
		return mention.Directory{Path: strings.TrimRight(t.AbsPath, `/\`)}
	case "Symbol":
		return mention.Symbol{Path: t.AbsPath, Name: t.Name, First: t.LineRange[0] + 1, Last: t.LineRange[1] + 1}
	case "Selection":
		m := mention.Selection{Path: t.AbsPath, First: t.LineRange[0] + 1, Last: t.LineRange[1] + 1}
		if t.Column != nil {
			m.Column = *t.Column + 1
		}
		return m
	case "Thread":
		return mention.Session{ID: t.ID.(string), Name: t.Name}
	case "Fetch":
		return mention.URL{URL: t.URL}
	case "Diagnostics":
		return mention.Diagnostics{Errors: t.IncludeErrors, Warnings: t.IncludeWarnings}
	case "Rule":
		uuid := t.ID.(map[string]any)["User"].(map[string]any)["uuid"].(string)
		return foreign(test, "zed:///agent/rule/"+uuid+"?name="+strings.ReplaceAll(t.Name, " ", "+"), style)
	case "Skill":
		uri := fmt.Sprintf("zed:///agent/skill?name=%s&source=%s&path=%s", t.Name, t.Source, t.SkillFilePath)
		return foreign(test, uri, style)
	}
	test.Fatalf("the vectors have a kind that this test does not know: %q", t.Kind)
	return nil
}

func foreign(t *testing.T, uri string, style zed.Style) mention.Mention {
	t.Helper()
	m, err := zed.Parse(uri, style)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.(mention.Unknown); !ok {
		t.Fatalf("%s is a %T, want an Unknown", uri, m)
	}
	return m
}

func readVectors(t *testing.T) (v vectors, sections map[string]json.RawMessage) {
	t.Helper()
	data, err := os.ReadFile("testdata/mention_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &sections); err != nil {
		t.Fatal(err)
	}
	return v, sections
}

func styleOf(name string) zed.Style {
	if name == "windows" {
		return zed.Windows
	}
	return zed.Posix
}

// A section that is added to the vectors must be decided on: run here, or
// named below with the reason why it is not.
func TestVectorSectionsAreAllDecidedOn(t *testing.T) {
	run := []string{
		"parse_vectors_from_unit_tests", "to_uri_vectors_from_unit_tests", "name_vectors_from_unit_tests",
		"serde_vectors_from_unit_tests", "name_rules_from_code", "path_with_position_doc_vectors",
		"parse_mention_links_from_unit_tests",
	}
	notOurs := map[string]string{
		"source":                       "prose",
		"conventions":                  "prose",
		"acp_encoding_from_unit_tests": "blocks of the Agent Client Protocol, which this package does not know",
		"mention_completion_try_parse_from_unit_tests": "when an editor offers completions while one types",
	}
	_, sections := readVectors(t)
	for _, name := range run {
		if len(sections[name]) < 3 {
			t.Errorf("section %s is missing or empty", name)
		}
	}
	for name := range sections {
		if _, known := notOurs[name]; !known && !slices.Contains(run, name) {
			t.Errorf("section %s is new: run it or say why not", name)
		}
	}
}

func TestVectorsParse(t *testing.T) {
	v, _ := readVectors(t)
	if len(v.Parse) < 44 {
		t.Fatalf("only %d vectors", len(v.Parse))
	}
	for _, c := range v.Parse {
		t.Run(c.Fn+" "+c.PathStyle+" "+c.Input, func(t *testing.T) {
			style := styleOf(c.PathStyle)
			var got mention.Mention
			var err error
			switch c.Fn {
			case "parse":
				got, err = zed.Parse(c.Input, style)
			case "parse_hyperlink":
				got, err = zed.ParseLink(c.Input, style)
			case "parse_hyperlink_literal":
				var ok bool
				if got, ok = zed.ParseLinkLiteral(c.Input, style); ok != (got != nil) {
					t.Errorf("ok is %t with mention %v", ok, got)
				}
			default:
				t.Fatalf("unknown function %q", c.Fn)
			}
			switch {
			case c.Expect == nil:
				if got != nil || err != nil {
					t.Errorf("got %#v, %v; want nothing", got, err)
				}
				return
			case c.Expect.Error:
				if err == nil {
					t.Errorf("got %#v, want an error", got)
				}
				return
			case err != nil:
				t.Fatal(err)
			}
			want := c.Expect.ours(t, style)
			if got != want {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
			uri, err := zed.URI(got, style)
			if err != nil {
				t.Fatal(err)
			}
			if c.ToURIEquals != nil && uri != *c.ToURIEquals {
				t.Errorf("URI gives %s\nwant      %s", uri, *c.ToURIEquals)
			}
			if again, err := zed.Parse(uri, style); err != nil || again != got {
				t.Errorf("%s reads as %#v, %v", uri, again, err)
			}
		})
	}
}

func TestVectorsToURI(t *testing.T) {
	v, _ := readVectors(t)
	for _, c := range v.ToURI {
		if got, err := zed.URI(c.Mention.ours(t, zed.Posix), zed.Posix); got != c.URI || err != nil {
			t.Errorf("%+v: got %s, %v; want %s", c.Mention, got, err, c.URI)
		}
		withSlash := mention.Directory{Path: c.Mention.AbsPath + "/"}
		if got, err := zed.URI(withSlash, zed.Posix); got != c.URI || err != nil {
			t.Errorf("%+v: got %s, %v; want %s", withSlash, got, err, c.URI)
		}
	}
}

func TestVectorsName(t *testing.T) {
	v, _ := readVectors(t)
	for _, c := range v.Name {
		var m mention.Mention
		if c.Mention != nil {
			m = c.Mention.ours(t, zed.Posix)
		} else {
			var err error
			if m, err = zed.Parse(c.URI, zed.Posix); err != nil {
				t.Fatal(err)
			}
		}
		if got := zed.Name(m, zed.Posix, c.Detail); got != c.Name {
			t.Errorf("%#v at detail %d: got %q, want %q", m, c.Detail, got, c.Name)
		}
	}
}

// The rules are templates such as "Branch Diff (<base_ref>)".
func TestVectorsNameRules(t *testing.T) {
	fill := strings.NewReplacer(
		"<base_ref>", "main", "<basename>", "a.rs", "<basename or Untitled>", "a.rs",
		"<start1>", "5", "<end1>", "15", "<url>", "https://go.dev/", "<name>", "a.rs", "<uri>", "file:///src/a.rs",
	)
	mentions := map[string]mention.Mention{
		"Diagnostics":   mention.Diagnostics{Errors: true},
		"GitDiff":       mention.GitDiff{Base: "main"},
		"MergeConflict": foreign(t, "zed:///agent/merge-conflict?path=src%2Fa.rs", zed.Posix),
		"Selection":     mention.Selection{Path: "/src/a.rs", First: 5, Last: 15},
		"Fetch":         mention.URL{URL: "https://go.dev/"},
		"link_display":  mention.File{Path: "/src/a.rs"},
	}
	v, _ := readVectors(t)
	for kind, rule := range v.NameRules {
		m, known := mentions[kind]
		if !known {
			t.Errorf("there is a rule for %s, which this test does not know", kind)
			continue
		}
		got := zed.Name(m, zed.Posix, 0)
		if kind == "link_display" {
			got, _ = zed.Link(m, zed.Posix)
		}
		if want := fill.Replace(rule); got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
	}
	untitled := mention.Selection{First: 5, Last: 15}
	if got, want := zed.Name(untitled, zed.Posix, 0), "Untitled (5:15)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Zed stores mentions as JSON of its own, which is not read here. What its
// tests guard is that the id of an old rule survives a load and a save; so it
// does here, in our JSON.
func TestVectorsRuleSurvivesBeingStored(t *testing.T) {
	v, _ := readVectors(t)
	for _, c := range v.Serde {
		rule := c.JSONIn.Rule
		if rule.ID.User.UUID != c.UUID {
			t.Fatalf("the vector has id %q and expects %q", rule.ID.User.UUID, c.UUID)
		}
		uri := "zed:///agent/rule/" + rule.ID.User.UUID + "?name=" + strings.ReplaceAll(rule.Name, " ", "+")
		m := foreign(t, uri, zed.Posix)
		object, err := mention.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		loaded, _, err := mention.Decode(object)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := zed.URI(loaded, zed.Posix); got != uri || err != nil {
			t.Errorf("got %s, %v; want %s", got, err, uri)
		}
		if got := zed.Name(loaded, zed.Posix, 0); got != rule.Name {
			t.Errorf("name is %q, want %q", got, rule.Name)
		}
	}
}

// The vectors have relative paths, a mention has an absolute one.
func TestVectorsPathWithPosition(t *testing.T) {
	v, _ := readVectors(t)
	for _, c := range v.Positions.Vectors {
		for style, folder := range map[zed.Style]string{zed.Posix: "/src/", zed.Windows: `C:\src\`} {
			got, err := zed.Parse(folder+c.Input, style)
			if err != nil {
				t.Errorf("%s: %v", c.Input, err)
				continue
			}
			var want mention.Mention = mention.File{Path: folder + c.Path}
			if c.Row != nil {
				selection := mention.Selection{Path: folder + c.Path, First: *c.Row, Last: *c.Row}
				if c.Column != nil {
					selection.Column = *c.Column
				}
				want = selection
			}
			if got != want {
				t.Errorf("%s %s:\ngot  %#v\nwant %#v", style, c.Input, got, want)
			}
		}
	}
}

func TestVectorsFindLinks(t *testing.T) {
	ours := map[string]mention.Kind{
		"File": mention.KindFile, "Directory": mention.KindDirectory, "Fetch": mention.KindURL,
	}
	v, _ := readVectors(t)
	for _, c := range v.Links.Vectors {
		got, want := []mention.Kind{}, []mention.Kind{}
		for _, ref := range zed.FindLinks(c.Input, zed.Posix) {
			got = append(got, ref.Mention.Kind())
			if c.Input[ref.Start:ref.End] != ref.Written {
				t.Errorf("%s: %q is not at %d to %d", c.Input, ref.Written, ref.Start, ref.End)
			}
		}
		for _, kind := range c.Kinds {
			want = append(want, ours[kind])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Input, diff)
		}
	}
}
