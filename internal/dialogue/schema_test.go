package dialogue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// The rules of the APIs.
var (
	byAnthropic = SchemaRule{Refused: []string{"anyOf", "oneOf", "allOf"}, Names: NameRule{Longest: 64, Also: "."}}
	byOpenAI    = SchemaRule{Refused: []string{"anyOf", "oneOf", "allOf", "enum", "not"}, Items: true, Description: 1024}
	byGemini    = SchemaRule{Alone: true}
)

func TestSchemas(t *testing.T) {
	const long = "x123456789x123456789x123456789x123456789x123456789x123456789x123456789"
	const unsaid = "Not all parameters go together; a call with some that do not is told so."
	for _, c := range []struct {
		name       string
		rule       SchemaRule
		have, want string
		words      string // what is added to the description
		told       string
	}{
		{"what is fine stays, to the byte", byOpenAI, `{ "type": "object", "properties": {"a":{"type":"array","items":{}}, "b":{"anyOf":[{"type":"null"},{"type":"string"}]}} }`, "", "", ""},
		{"nothing but a type", byAnthropic, `{"type":"object"}`, "", "", ""},
		{"no type", SchemaRule{}, `{"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, "", ""},
		{"no type, but a reference", byAnthropic, `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object"}}}`, `{"type":"object","$ref":"#/$defs/N","$defs":{"N":{"type":"object"}}}`, "", ""},
		{"a reference that stands alone", byGemini, `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object"}}}`, "", "", ""},
		{"no type, and no reference", byGemini, `{"properties":{"a":{"$ref":"#/$defs/N"}},"$defs":{"N":{}}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"$defs":{"N":{}}}`, "", ""},
		{"a type that arguments are not", byAnthropic, `{"type":["object","null"],"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, "", ""},
		{"properties that are none", byAnthropic, `{"type":"object","properties":null}`, `{"type":"object"}`, "", ""},
		{"an empty list of properties", byAnthropic, `{"type":"object","properties":[],"required":[]}`, `{"type":"object","required":[]}`, "", ""},

		{"arrays of anything", byOpenAI,
			`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["array","null"]},"c":{"type":"object","properties":{"d":{"type":"array","items":{"type":"array"}}}},"e":{"anyOf":[{"type":"array"},{"type":"string"}]}},"$defs":{"f":{"type":"array"}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{"type":["array","null"],"items":{}},"c":{"type":"object","properties":{"d":{"type":"array","items":{"type":"array","items":{}}}}},"e":{"anyOf":[{"type":"array","items":{}},{"type":"string"}]}},"$defs":{"f":{"type":"array","items":{}}}}`, "", ""},
		{"values that look like arrays", byOpenAI, `{"type":"object","properties":{"type":{"default":{"type":"array"},"enum":[{"type":"array"}],"const":{"type":"array"}}},"default":{"type":"array"}}`, "", "", ""},
		{"arrays that nobody asks about", byAnthropic, `{"type":"object","properties":{"a":{"type":"array"}}}`, "", "", ""},

		{"a name that is not needed", byAnthropic, `{"type":"object","properties":{"filter[id]":{},"@type":{},"a.b-C_1":{}},"required":["a.b-C_1"]}`,
			`{"type":"object","properties":{"a.b-C_1":{}},"required":["a.b-C_1"]}`, "",
			`the parameters "filter[id]", "@type" of the tool "f" → left out: the API takes letters, digits, _, . and -, 64 at most`},
		{"a name that is needed", byAnthropic, `{"type":"object","properties":{"` + long + `":{}},"required":["` + long + `"]}`, "-", "",
			`the tool "f" → left out: it needs the parameter "` + long + `", and the API takes letters, digits, _, . and -, 64 at most`},
		{"a name within", byAnthropic, `{"type":"object","properties":{"a":{"properties":{"@b":{}},"required":["@b"]}}}`, "", "", ""},
		{"names that nobody asks about", byOpenAI, `{"type":"object","properties":{"filter[id]":{}},"required":["filter[id]"]}`, "", "", ""},

		{"one of two is required", byAnthropic, `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
			`The arguments must also match this JSON schema: {"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "anyOf"},
		{"variants", byOpenAI,
			`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"array"}},"required":["kind","x"],"additionalProperties":false},` +
				`{"type":"object","properties":{"kind":{"const":"b"},"y":{}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"c"},"y":{}},"required":["kind","y"]},{"type":"string"}]}`,
			`{"type":"object","properties":{"kind":{"anyOf":[{"const":"a"},{"const":"b"},{"const":"c"}]},"x":{"type":"array","items":{}},"y":{}},"required":["kind"]}`,
			`The arguments must also match this JSON schema: {"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"array"}},"required":["kind","x"],"additionalProperties":false},` +
				`{"type":"object","properties":{"kind":{"const":"b"},"y":{}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"c"},"y":{}},"required":["kind","y"]},{"type":"string"}]}`, "oneOf"},
		{"variants elsewhere", byAnthropic,
			`{"oneOf":[{"$ref":"#/$defs/A~1B"},{"$ref":"#/$defs/C"}],"$defs":{"A/B":{"type":"object","properties":{"a":{}},"required":["a","c"]},"C":{"allOf":[{"$ref":"#/$defs/D"}],"required":["c"]},"D":{"properties":{"c":{}}}}}`,
			`{"type":"object","$defs":{"A/B":{"type":"object","properties":{"a":{}},"required":["a","c"]},"C":{"allOf":[{"$ref":"#/$defs/D"}],"required":["c"]},"D":{"properties":{"c":{}}}},"properties":{"a":{},"c":{}},"required":["c"]}`,
			`The arguments must also match this JSON schema: {"oneOf":[{"$ref":"#/$defs/A~1B"},{"$ref":"#/$defs/C"}]}`, "oneOf"},
		{"a single variant says all", byAnthropic, `{"type":"object","anyOf":[{"type":"null"},{"type":"object","properties":{"a":{}},"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{}},"required":["a"]}`, "", ""},
		{"all at once", byAnthropic,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["b"],"allOf":[{"title":"t","properties":{"a":{"minLength":1},"b":{},"c":{}},"required":["c","b"],"minProperties":2},true]}`,
			`{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"minLength":1}]},"b":{},"c":{}},"required":["b","c"],"minProperties":2}`, "", ""},
		{"all at once, with something that cannot be said otherwise", byAnthropic, `{"type":"object","properties":{"a":{}},"allOf":[{"if":{"required":["a"]},"then":{"required":["b"]}},{"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{}},"required":["a"]}`,
			`The arguments must also match this JSON schema: {"allOf":[{"if":{"required":["a"]},"then":{"required":["b"]}},{"required":["a"]}]}`, "allOf"},
		{"all at once, of which one closes the door to the other", byAnthropic, `{"type":"object","allOf":[{"properties":{"a":{}}}],"additionalProperties":false}`,
			`{"type":"object","additionalProperties":false,"properties":{"a":{}}}`,
			`The arguments must also match this JSON schema: {"allOf":[{"properties":{"a":{}}}]}`, "allOf"},
		{"and the other to the one", byAnthropic, `{"type":"object","properties":{"a":{}},"allOf":[{"properties":{"b":{}},"additionalProperties":false}]}`,
			`{"type":"object","properties":{"a":{},"b":{}}}`,
			`The arguments must also match this JSON schema: {"allOf":[{"properties":{"b":{}},"additionalProperties":false}]}`, "allOf"},
		{"all at once, which nothing can be", byAnthropic, `{"type":"object","allOf":[{"type":"string"},{"required":["a"]}]}`, `{"type":"object","required":["a"]}`,
			`The arguments must also match this JSON schema: {"allOf":[{"type":"string"},{"required":["a"]}]}`, "allOf"},
		{"all at once, of which the one says more and stands first", byAnthropic, `{"type":"object","allOf":[{"minProperties":2,"maxProperties":3}],"minProperties":1}`, `{"type":"object","minProperties":1,"maxProperties":3}`,
			`The arguments must also match this JSON schema: {"allOf":[{"minProperties":2,"maxProperties":3}]}`, "allOf"},
		{"what stands at the root elsewhere", byAnthropic, `{"type":"object","not":{"required":["a"]},"enum":[{}]}`, "", "", ""},
		{"and not there", byOpenAI, `{"type":"object","not":{"required":["a"]},"enum":[{}],"properties":{}}`, `{"type":"object","properties":{}}`,
			`The arguments must also match this JSON schema: {"not":{"required":["a"]},"enum":[{}]}`, "not, enum"},
		{"a reference to what is gone", byAnthropic, `{"type":"object","properties":{"a":{"$ref":"#/anyOf/0"}},"anyOf":[{"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{}},"required":["a"]}`, `The arguments must also match this JSON schema: {"anyOf":[{"required":["a"]}]}`, "anyOf"},
		{"references without end", byAnthropic, `{"type":"object","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
			`{"type":"object","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `The arguments must also match this JSON schema: {"allOf":[{"$ref":"#/$defs/a"}]}`, "allOf"},
		{"what is no list", byAnthropic, `{"type":"object","anyOf":{"required":["a"]}}`, `{"type":"object"}`, `The arguments must also match this JSON schema: {"anyOf":{"required":["a"]}}`, "anyOf"},
		{"more than can be said in a few words", byAnthropic, `{"anyOf":[{"properties":{"a":{"description":"` + strings.Repeat("long ", 200) + `"}},"required":["a"]},{"properties":{"b":{},"c":{}},"required":["b","c"]}]}`,
			`{"type":"object","properties":{"a":{"description":"` + strings.Repeat("long ", 200) + `"},"b":{},"c":{}}}`, "One of these sets of parameters is needed: a; b, c.", "anyOf"},
		{"more than can be said in a few words, twice", byAnthropic, `{"type":"object","oneOf":[{"required":["a"],"title":"` + strings.Repeat("long ", 200) + `"},{"required":["b"]}],"anyOf":[{"required":["c"]},{"required":["d"]}]}`,
			`{"type":"object"}`, unsaid, "oneOf, anyOf"},
		{"and within one", byAnthropic, `{"type":"object","allOf":[{"oneOf":[{"required":["a"],"title":"` + strings.Repeat("long ", 200) + `"},{"required":["b"]}]},{"anyOf":[{"required":["c"]},{"required":["d"]}]}]}`,
			`{"type":"object"}`, unsaid, "allOf"},
		{"and beside something else", byOpenAI, `{"type":"object","properties":{},"not":{"title":"` + strings.Repeat("long ", 200) + `"},"anyOf":[{"required":["c"]},{"required":["d"]}]}`,
			`{"type":"object","properties":{}}`, unsaid, "not, anyOf"},
		{"and a variant that needs nothing", byAnthropic, `{"type":"object","oneOf":[{"title":"` + strings.Repeat("long ", 200) + `"},{"required":["b"]}]}`, `{"type":"object"}`, unsaid, "oneOf"},
		{"and variants that nothing can be", byAnthropic, `{"type":"object","oneOf":[{"type":"string","title":"` + strings.Repeat("long ", 200) + `"},false]}`, `{"type":"object"}`, unsaid, "oneOf"},
		{"and variants that need the same", byAnthropic, `{"type":"object","oneOf":[{"required":["k","a"],"title":"` + strings.Repeat("long ", 200) + `"},{"required":["a"]},{"required":["a","k"]}]}`,
			`{"type":"object","required":["a"]}`, unsaid, "oneOf"},
		{"more than can be said at all", byAnthropic, `{"type":"object","anyOf":[{"required":["` + strings.Repeat("long", 400) + `"]},{}]}`, `{"type":"object"}`,
			unsaid, "anyOf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var notes Notes
			have := jsontext.Value(c.have)
			tools := notes.Tools([]message.ToolSpec{{Name: "f", Description: "It does.", Parameters: have}}, NameRule{Longest: 64}, c.rule)
			if string(have) != c.have {
				t.Errorf("the schema itself was changed: %s", have)
			}
			if c.want == "" {
				c.want = c.have
			}
			if c.words != "" {
				c.told, c.words = `the parameters of the tool "f" → with `+c.told+" in words: the API does not take that at the root of a schema", "\n\n"+c.words
			}
			var told string
			for _, d := range notes.Degradations() {
				told += d.Requested + " → " + d.Actual + ": " + d.Reason
			}
			if told != c.told {
				t.Errorf("told %s\nwant %s", told, c.told)
			}
			if c.want == "-" {
				if len(tools) > 0 {
					t.Errorf("it is offered: %v", tools)
				}
				return
			}
			if len(tools) != 1 || string(tools[0].Parameters) != c.want || tools[0].Description != "It does."+c.words {
				t.Errorf("have %s, %q\nwant %s, %q", tools[0].Parameters, tools[0].Description, c.want, "It does."+c.words)
			}
		})
	}
}

// What a description says of a schema is as much as finds room in it.
func TestDescriptionsThatAreAsLongAsTheyCanBe(t *testing.T) {
	const schema = `{"type":"object","anyOf":[{"required":["a"],"title":"A"},{"required":["b"]}]}`
	all := `The arguments must also match this JSON schema: {"anyOf":[{"required":["a"],"title":"A"},{"required":["b"]}]}`
	const sets = "One of these sets of parameters is needed: a; b."
	for _, c := range []struct {
		name  string
		rule  SchemaRule
		have  string
		words string
	}{
		{"room for all", byOpenAI, strings.Repeat("é", 1024-2-len(all)), all},
		{"one character less", byOpenAI, strings.Repeat("é", 1024-2-len(all)+1), sets},
		{"room for the sets", byOpenAI, strings.Repeat("é", 1024-2-len(sets)), sets},
		{"no room", byOpenAI, strings.Repeat("é", 1024-2-len(sets)+1), ""},
		{"too long by itself", byOpenAI, strings.Repeat("é", 1025), ""},
		{"as long as one likes", byAnthropic, strings.Repeat("é", 2000), all},
		{"nothing else", byOpenAI, "", all},
	} {
		t.Run(c.name, func(t *testing.T) {
			var notes Notes
			tools := notes.Tools([]message.ToolSpec{{Name: "f", Description: c.have, Parameters: jsontext.Value(schema)}}, NameRule{Longest: 64}, c.rule)
			want, told := strings.TrimSpace(c.have+"\n\n"+c.words), "with anyOf in words"
			if c.words == "" {
				want, told = c.have, "without anyOf"
			}
			if tools[0].Description != want {
				t.Errorf("have %q\nwant %q", tools[0].Description, want)
			}
			if list := notes.Degradations(); len(list) != 1 || list[0].Actual != told {
				t.Errorf("told %v, want %s", list, told)
			}
		})
	}
}

// randomSchema is one of an object, with combinations of others.
func randomSchema(t *rapid.T, depth int, name string) string {
	var members []string
	add := func(format string, args ...any) { members = append(members, fmt.Sprintf(format, args...)) }
	if rapid.Bool().Draw(t, name+" has a type") {
		add(`"type":"object"`)
	}
	types := rapid.SampledFrom([]string{`{"type":"string"}`, `{"type":"number"}`, `{"const":"s"}`, `{}`, `{"type":["array","string"]}`})
	properties := rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c"}), types).Draw(t, name+" properties")
	var list []string
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		list = append(list, fmt.Sprintf("%q:%s", key, properties[key]))
	}
	if len(list) > 0 {
		add(`"properties":{%s}`, strings.Join(list, ","))
	}
	if required := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2, rapid.ID).Draw(t, name+" required"); len(required) > 0 {
		add(`"required":["%s"]`, strings.Join(required, `","`))
	}
	for _, other := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{`"additionalProperties":false`, `"maxProperties":2`, `"not":{"required":["c"]}`, `"if":{"required":["a"]},"then":{"required":["b"]}`, `"title":"t"`}), 0, 1, rapid.ID).Draw(t, name+" others") {
		add("%s", other)
	}
	if depth > 0 {
		for _, word := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"allOf", "anyOf", "oneOf"}), 0, 2, rapid.ID).Draw(t, name+" combinations") {
			var parts []string
			for i := range rapid.IntRange(1, 3).Draw(t, name+" parts") {
				parts = append(parts, rapid.SampledFrom([]string{randomSchema(t, depth-1, fmt.Sprint(name, " ", word, i)), `true`, `{"type":"string"}`, `{"$ref":"#/$defs/d"}`}).Draw(t, "part"))
			}
			add("%q:[%s]", word, strings.Join(parts, ","))
		}
	}
	if least := rapid.IntRange(0, 2).Draw(t, name+" least"); least > 0 {
		add(`"minProperties":%d`, least)
	}
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, name+" order"), ",") + "}"
}

var refusedAtRoot = regexp.MustCompile(`"(anyOf|oneOf|allOf|not)"`)

// What the API takes of a schema is what it said, if nobody is told otherwise; a
// validator that somebody else wrote is the judge. And what the API takes stays as
// it is.
func TestSchemasSayWhatTheySaid(t *testing.T) {
	compile := func(t *rapid.T, schema string) *jsonschema.Schema {
		parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("s.json", parsed); err != nil {
			t.Fatal(err)
		}
		compiled, err := compiler.Compile("s.json")
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		return compiled
	}
	rapid.Check(t, func(t *rapid.T) {
		schema := strings.TrimSuffix(randomSchema(t, 2, "root"), "}")
		if schema != "{" {
			schema += ","
		}
		schema += `"$defs":{"d":{"properties":{"c":{"type":"number"}},"required":["c"]}}}`
		rule := rapid.SampledFrom([]SchemaRule{byAnthropic, byOpenAI}).Draw(t, "rule")
		fit := func(schema string) (string, []message.Degradation) {
			var notes Notes
			tools := notes.Tools([]message.ToolSpec{{Name: "f", Parameters: jsontext.Value(schema)}}, NameRule{Longest: 64}, rule)
			return string(tools[0].Parameters), notes.Degradations()
		}
		sent, told := fit(schema)
		var root map[string]jsontext.Value
		if err := json.Unmarshal([]byte(sent), &root); err != nil {
			t.Fatalf("%s: %v", sent, err)
		}
		for _, name := range rule.Refused {
			if root[name] != nil {
				t.Fatalf("%s has %s", sent, name)
			}
		}
		if string(root["type"]) != `"object"` {
			t.Fatalf("%s is of no object", sent)
		}
		if again, told := fit(sent); again != sent || len(told) > 0 {
			t.Fatalf("%s becomes %s, %v", sent, again, told)
		}
		if len(told) > 0 {
			return
		}
		before, after := compile(t, schema), compile(t, sent)
		object := map[string]any{}
		var compare func(names ...string)
		compare = func(names ...string) {
			if len(names) == 0 {
				if was, is := before.Validate(object), after.Validate(object); (was == nil) != (is == nil) {
					t.Fatalf("%s\n%s\n%v: %v, now %v", schema, sent, object, was, is)
				}
				return
			}
			for _, value := range []any{"s", "t", 1.0, []any{}} {
				object[names[0]] = value
				compare(names[1:]...)
			}
			delete(object, names[0])
			compare(names[1:]...)
		}
		compare("a", "b", "c")
		object["d"] = "s"
		compare("a", "b", "c")
	})
}

// No server can make a request take long, or make it long.
func TestSchemasThatAreTooMuch(t *testing.T) {
	listed := func(many int, format string) string {
		list := make([]string, many)
		for i := range list {
			list[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(list, ",")
	}
	var defs, chain []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	for i := range 900 {
		chain = append(chain, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"}]}`, i, i+1))
	}
	const many = 100_000
	odd, names := listed(many, `"@#":{}`), listed(many, `"n#"`)
	for name, schema := range map[string]string{
		"references that double":      `{"allOf":[{"$ref":"#/$defs/d0"}],"$defs":{` + strings.Join(defs, ",") + `,"d40":{}}}`,
		"many properties":             `{"properties":{` + odd + `},"anyOf":[{"properties":{` + odd + `}},{"required":["a"]}]}`,
		"many properties, and others": `{"properties":{` + odd + `},"anyOf":[{"properties":{` + listed(1500, `"p#":{}`) + `}},{"required":["a"]}]}`,
		"deep":                        strings.Repeat(`{"allOf":[`, 4000) + "{}" + strings.Repeat("]}", 4000),
		"many required":               `{"anyOf":[{},{"required":["a"]}],"required":[` + names + `]}`,
		"many required by variants":   `{"anyOf":[{"required":[` + names + `]},{"required":[` + names + `]}]}`,
		"many required far away":      `{"allOf":[{"$ref":"#/$defs/d0"}],"$defs":{` + strings.Join(chain, ",") + `,"d900":{"required":[` + names + `]}}}`,
		"many required and odd":       `{"properties":{` + odd + `},"required":[` + names + `]}`,
		"many members":                `{"anyOf":[{},{"required":["a"]}],` + listed(many, `"x#":0`) + `}`,
		"many members of a circle":    `{"allOf":[{"$ref":"#/$defs/d"}],"$defs":{"d":{"$ref":"#/$defs/d",` + listed(many, `"x#":0`) + `}}}`,
		"many times a long text":      `{"anyOf":[` + listed(400, `{"allOf":[{"$ref":"~/$defs/A"},{"properties":{"k":{"const":#}}}]}`) + `],"$defs":{"A":{"properties":{"k":{"description":"` + strings.Repeat("long ", 10_000) + `"}}}}}`,
		"many times many members":     `{"allOf":[{"properties":{"k":{` + listed(20_000, `"x#":0`) + `}}},` + listed(1500, `{"properties":{"k":{"const":#}}}`) + `,{"if":{}}]}`,
	} {
		schema = strings.ReplaceAll(schema, "~/", "#/")
		var notes Notes
		begin := time.Now()
		tools := notes.Tools([]message.ToolSpec{{Name: "f", Parameters: jsontext.Value(schema)}}, NameRule{Longest: 64}, byAnthropic)
		if len(tools) != 1 || refusedAtRoot.Match(tools[0].Parameters[:20]) || len(notes.Degradations()) == 0 {
			t.Errorf("%s: %d tools, %v", name, len(tools), notes.Degradations())
			continue
		}
		if sent, most := len(tools[0].Parameters), len(schema)+2*mostFoldedBytes; sent > most {
			t.Errorf("%s: %d bytes become %d, more than %d", name, len(schema), sent, most)
		}
		if took := time.Since(begin); took > time.Minute { // what is squared takes some
			t.Errorf("%s: it took %v", name, took)
		}
	}
}

// Of variants that are too many, those that are not looked at may need something
// else, and may be something else.
func TestSchemasOfTooManyVariants(t *testing.T) {
	var variants []string
	for i := range mostFolded {
		variants = append(variants, fmt.Sprintf(`{"properties":{"kind":{"const":%d},"same":{"type":"string"}},"required":["kind","same"]}`, i))
	}
	var notes Notes
	tools := notes.Tools([]message.ToolSpec{{Name: "f", Parameters: jsontext.Value(`{"anyOf":[` + strings.Join(variants, ",") + `]}`)}}, NameRule{Longest: 64}, byAnthropic)
	if have, want := string(tools[0].Parameters), `{"type":"object","properties":{"kind":{},"same":{}}}`; have != want {
		t.Errorf("have %.1000s\nwant %s", have, want)
	}
	if have, want := tools[0].Description, "Not all parameters go together; a call with some that do not is told so."; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
