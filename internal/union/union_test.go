package union

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestSplitTakesTheTagOut(t *testing.T) {
	for _, c := range []struct {
		rule, object, name, rest string
	}{
		{"first", `{"kind":"a","b":1,"c":2}`, "a", `{"b":1,"c":2}`},
		{"in the middle", `{"b":1,"kind":"a","c":2}`, "a", `{"b":1,"c":2}`},
		{"last", `{"b":1,"c":2,"kind":"a"}`, "a", `{"b":1,"c":2}`},
		{"alone", `{"kind":"a"}`, "a", `{}`},
		{"alone, with white space", " {\n\t\"kind\" :\r\"a\" } ", "a", " {} "},
		{"first, with white space", "{ \"kind\" : \"a\" , \"b\" : 1 }", "a", "{ \"b\" : 1 }"},
		{"in the middle, with white space", "{ \"b\" : 1 , \"kind\" : \"a\" , \"c\" : 2 }", "a", "{ \"b\" : 1, \"c\" : 2 }"},
		{"last, with white space", "{ \"b\" : 1 ,\n \"kind\" : \"a\"\n}", "a", "{ \"b\" : 1}"},
		{"nested objects have one too", `{"b":{"kind":"x"},"c":[{"kind":"y"}],"kind":"a","d":{"kind":"z"}}`, "a", `{"b":{"kind":"x"},"c":[{"kind":"y"}],"d":{"kind":"z"}}`},
		{"a value that is the tag", `{"b":"kind","kind":"kind"}`, "kind", `{"b":"kind"}`},
		{"a value that ends in a brace", `{"b":"{","kind":"a"}`, "a", `{"b":"{"}`},
		{"a value that looks like members", `{"b":",\"kind\":\"x\",","kind":"a"}`, "a", `{"b":",\"kind\":\"x\","}`},
		{"an escaped name", `{"\u006bind":"a","b":1}`, "a", `{"b":1}`},
		{"an escaped value", `{"kind":"\u0061\n\"","b":1}`, "a\n\"", `{"b":1}`},
		{"an empty value", `{"kind":"","b":1}`, "", `{"b":1}`},
		{"names differ in case", `{"Kind":"x","kind":"a"}`, "a", `{"Kind":"x"}`},
		{"the bytes of the rest stay", `{"kind":"a","b":1.50e+3,"c":"\u00e9\/"}`, "a", `{"b":1.50e+3,"c":"\u00e9\/"}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			before := strings.Clone(c.object)
			object := jsontext.Value(c.object)
			name, rest, err := Split(object, "kind")
			if err != nil {
				t.Fatal(err)
			}
			if name != c.name {
				t.Errorf("name is %q, want %q", name, c.name)
			}
			// White space is of no account; everything else is.
			if got, want := pack(t, rest), pack(t, jsontext.Value(c.rest)); got != want {
				t.Errorf("rest is %s, want %s", got, want)
			}
			if string(object) != before {
				t.Errorf("the object became %s", object)
			}
		})
	}
}

func pack(t *testing.T, value jsontext.Value) string {
	t.Helper()
	var packed bytes.Buffer
	if err := json.Compact(&packed, value); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return packed.String()
}

func TestSplitRefuses(t *testing.T) {
	for _, c := range []struct {
		rule, object, reason string
	}{
		{"nothing", ``, `want an object with a "kind", have nothing`},
		{"white space", " \n", `want an object with a "kind", have nothing`},
		{"null", `null`, "have null"},
		{"a string", `"kind"`, "have string"},
		{"an array", `[{"kind":"a"}]`, "have ["},
		{"no tag", `{"b":1}`, `an object without a "kind"`},
		{"an empty object", `{}`, `an object without a "kind"`},
		{"a tag that only a nested object has", `{"b":{"kind":"a"}}`, `an object without a "kind"`},
		{"a number as the tag", `{"kind":1}`, `"kind" must be a string, have number`},
		{"null as the tag", `{"kind":null,"b":1}`, `"kind" must be a string, have null`},
		{"an object as the tag", `{"kind":{"kind":"a"}}`, `"kind" must be a string, have {`},
		{"two tags", `{"kind":"a","kind":"b"}`, "duplicate"},
		{"two tags, one of them escaped", `{"kind":"a","b":1,"\u006bind":"a"}`, "duplicate"},
		{"a number and a string as the tag", `{"kind":1,"kind":"b"}`, "duplicate"},
		{"another name twice, after the tag", `{"kind":"a","b":1,"b":2}`, "duplicate"},
		{"an end that is missing", `{"kind":"a"`, "unexpected EOF"},
		{"an end that is wrong", `{"kind":"a"]`, "invalid character"},
		{"what is no JSON after the tag", `{"kind":"a",b}`, "invalid character"},
		{"a comma too many", `{"kind":"a",}`, "invalid character"},
		{"more after the end", `{"kind":"a"} {}`, "more follows"},
		{"a stray bracket after the end", `{"kind":"a"}}`, "invalid character"},
		{"bytes that are not UTF-8", "{\"kind\":\"\xff\"}", "UTF-8"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			name, rest, err := Split(jsontext.Value(c.object), "kind")
			if err == nil || name != "" || rest != nil {
				t.Fatalf("got %q, %s, %v; want an error and nothing else", name, rest, err)
			}
			if !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%q does not say %q", err, c.reason)
			}
		})
	}
}

func TestJoinPutsTheTagFirst(t *testing.T) {
	type file struct {
		Path string `json:"path,omitzero"`
	}
	for _, c := range []struct {
		rule      string
		tag, name string
		variant   any
		want      string
	}{
		{"members follow", "kind", "file", file{"a.md"}, `{"kind":"file","path":"a.md"}`},
		{"no members", "kind", "file", file{}, `{"kind":"file"}`},
		{"a pointer", "type", "file", &file{"a.md"}, `{"type":"file","path":"a.md"}`},
		{"maps in order", "kind", "m", map[string]int{"c": 3, "a": 1, "b": 2}, `{"kind":"m","a":1,"b":2,"c":3}`},
		{"raw JSON", "kind", "x", jsontext.Value(" { \"a\" : 1 } "), `{"kind":"x","a":1}`},
		{"raw JSON without members", "kind", "x", jsontext.Value("{ }"), `{"kind":"x"}`},
		{"quotes and line breaks", "k\"", "a\n\"", file{}, `{"k\"":"a\n\""}`},
		{"the tag as a value and in a nested object", "kind", "x", jsontext.Value(`{"a":"kind","b":{"kind":1}}`), `{"kind":"x","a":"kind","b":{"kind":1}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := Join(c.tag, c.name, c.variant)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestJoinRefuses(t *testing.T) {
	for _, c := range []struct {
		rule, name string
		variant    any
		reason     string
	}{
		{"what is not there", "file", nil, "must be an object, have null"},
		{"a number", "file", 1, "must be an object, have 1"},
		{"a list", "file", []int{}, "must be an object, have []"},
		{"what has no JSON", "file", make(chan int), "chan"},
		{"a name that is not UTF-8", "\xff", struct{}{}, "UTF-8"},
		{"a member that is the tag", "file", jsontext.Value(`{"kind":"x"}`), `a file has a member "kind" of its own`},
		{"an escaped member that is the tag", "file", jsontext.Value(`{"a":1,"\u006bind":{}}`), `a member "kind" of its own`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := Join("kind", c.name, c.variant)
			if err == nil || got != nil {
				t.Fatalf("got %s, %v; want an error", got, err)
			}
			if !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%q does not say %q", err, c.reason)
			}
		})
	}
}

// The judge is the JSON of the standard library. It is laxer in three ways: it
// takes names that stand twice, broken UTF-8 and half surrogate pairs.
func FuzzSplitJoin(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"a","b":1}`, `{"b":{"kind":1},"kind":"a"}`, " {\n\"b\" : [1.0e3, null] , \"\\u006bind\" : \"\\u00e9\" , \"c\":\"{\" } ",
		`{"kind":"a"}`, `{"kind":"a","kind":"b"}`, `{"kind":1}`, `[]`, `{"kind":"a"} x`, `{"kind":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		var want map[string]any
		judge := json.NewDecoder(bytes.NewReader(object))
		judge.UseNumber()
		valid := json.Valid(object) && judge.Decode(&want) == nil
		tag, tagged := want["kind"].(string)

		name, rest, err := Split(object, "kind")
		if err != nil {
			lax := strings.Contains(err.Error(), "duplicate") || strings.Contains(err.Error(), "UTF-8") || strings.Contains(err.Error(), "surrogate")
			if valid && tagged && !lax {
				t.Fatalf("%q is an object with a kind: %v", object, err)
			}
			return
		}
		if !valid || !tagged || name != tag {
			t.Fatalf("%q: got %q, want %q (valid %t, tagged %t)", object, name, tag, valid, tagged)
		}
		var without map[string]any
		restJudge := json.NewDecoder(bytes.NewReader(rest))
		restJudge.UseNumber()
		if err := restJudge.Decode(&without); err != nil || !json.Valid(rest) {
			t.Fatalf("%q: the rest %q is not JSON: %v", object, rest, err)
		}
		if _, still := without["kind"]; still {
			t.Fatalf("%q: the rest %q still has a kind", object, rest)
		}
		joined, err := Join("kind", name, rest)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		joinedJudge := json.NewDecoder(bytes.NewReader(joined))
		joinedJudge.UseNumber()
		if err := joinedJudge.Decode(&got); err != nil {
			t.Fatalf("%q: %q is not JSON: %v", object, joined, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q became %q (-want +got):\n%s", object, joined, diff)
		}
		if !bytes.HasPrefix(joined, []byte(`{"kind":`)) {
			t.Fatalf("%q does not begin with its kind", joined)
		}
	})
}
