package session_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAnyEntryComesBackEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := sessiontest.AnyEntry().Draw(t, "entry")
		data, err := session.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(data) {
			t.Fatalf("not JSON: %s", data)
		}
		back, err := session.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, back); diff != "" {
			t.Fatalf("%s (-want +have):\n%s", data, diff)
		}
		if back.Kind() != e.Kind() {
			t.Fatalf("a %q became a %q", e.Kind(), back.Kind())
		}
	})
}

func TestDecodeReads(t *testing.T) {
	said := session.Said{Message: message.Message{Role: "user", Content: message.Say("hi")}}
	for _, c := range []struct {
		rule, data string
		want       session.Entry
	}{
		{"the kind wherever it stands", ` { "message":{"role":"user","content":"hi"}, "kind" : "said" } `, said},
		{"an escaped kind", `{"\u006bind":"sai\u0064","message":{"role":"user","content":"hi"}}`, said},
		{"members that say nothing", `{"kind":"said","message":{"role":"user","content":"hi"},"prepared":0,"usage":null,"finish_reason":"","degradations":[]}`,
			session.Said{Message: said.Message, Degradations: []message.Degradation{}}},
		{"a note called kind", `{"kind":"note","name":"kind","value":{"kind":"said"}}`, session.Note{Name: "kind", Value: jsontext.Value(`{"kind":"said"}`)}},
		{"a kind that is not known, byte for byte", ` {"kind":"hologram" } `, session.Unknown{Name: "hologram", Raw: jsontext.Value(` {"kind":"hologram" } `)}},
		{"a kind without a name", `{"kind":""}`, session.Unknown{Raw: jsontext.Value(`{"kind":""}`)}},
		{"a name in another case is another name", `{"kind":"note","Name":"n"}`, session.Unknown{Name: "note", Raw: jsontext.Value(`{"kind":"note","Name":"n"}`)}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			have, err := session.Decode([]byte(c.data))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, have); diff != "" {
				t.Errorf("(-want +have):\n%s", diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ rule, data, reason string }{
		{"nothing", ``, "nothing"},
		{"a list", `[]`, "want an object"},
		{"no kind", `{"message":{}}`, `without a "kind"`},
		{"a kind that is no string", `{"kind":1}`, "must be a string"},
		{"two kinds", `{"kind":"note","name":"n","kind":"said"}`, "duplicate"},
		{"two kinds, one escaped", `{"kind":"note","name":"n","\u006bind":"note"}`, "duplicate"},
		{"a member that stands twice", `{"kind":"note","name":"n","name":"m"}`, "duplicate"},
		{"the beginning of an entry", `{"kind":"note","name":"n`, "unexpected EOF"},
		{"more than an entry", `{"kind":"note","name":"n"} {}`, "more follows"},
		{"bytes that are not UTF-8", "{\"kind\":\"note\",\"name\":\"\xff\"}", "UTF-8"},
		{"a kind of a kind that is not known", `{"kind":"x","kind":"y"}`, "duplicate"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e, err := session.Decode([]byte(c.data))
			if err == nil || e != nil {
				t.Fatalf("have %+v, %v; want an error", e, err)
			}
			if !strings.HasPrefix(err.Error(), "decode entry: ") || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%q does not say %q", err, c.reason)
			}
		})
	}
}

// One bad entry must not make a session unreadable. It says what is wrong.
func TestEntryThatLacksWhatItNeedsIsUnknown(t *testing.T) {
	digest := `"digest":"sha256:` + strings.Repeat("0", 64) + `"`
	for _, c := range []struct{ data, reason string }{
		{`{"kind":"said"}`, "no role"},
		{`{"kind":"said","message":null}`, "decode message"},
		{`{"kind":"said","message":{"role":"","content":""}}`, "no role"},
		{`{"kind":"said","message":{"role":"user","content":5}}`, "content"},
		{`{"kind":"said","message":{"role":"user","content":""},"prepared":-1}`, "prepared"},
		{`{"kind":"said","message":{"role":"user","content":""},"prepared":1.5}`, "1.5"},
		{`{"kind":"prepared","request":{"messages":[]},` + digest + `}`, "provider"},
		{`{"kind":"prepared","provider":"p","request":{"messages":[]}}`, "digest"},
		{`{"kind":"prepared","provider":"p","asked":{"messages":[]},` + digest + `}`, "request"},
		{`{"kind":"prepared","provider":"p","request":{"messages":[]},` + digest + `,"blobs":["x"]}`, "blob 0"},
		{`{"kind":"prepared","provider":"p","request":{"messages":[]},` + digest + `,"kept":1}`, "base"},
		{`{"kind":"prepared","provider":"p","request":{"messages":[],"tools":[]},` + digest + `,"base":1,"same_tools":true}`, "same_tools"},
		{`{"kind":"prepared","provider":"p","request":{"messages":[]},` + digest + `,"tokens":-1}`, "tokens"},
		{`{"kind":"compacted"}`, "epoch"},
		{`{"kind":"compacted","epoch":1,"decisions":[{"seq":0,"action":"evict"}]}`, "decision 0: seq"},
		{`{"kind":"compacted","epoch":1,"decisions":[{"seq":1}]}`, "decision 0: action"},
		{`{"kind":"compacted","epoch":1,"decisions":[{"seq":1,"action":"evict","part":-1}]}`, "part"},
		{`{"kind":"compacted","epoch":1,"notice_before":-1}`, "notice_before"},
		{`{"kind":"compacted","epoch":1,"summary":{"role":"","content":""}}`, "summary"},
		{`{"kind":"delegated"}`, "agent"},
		{`{"kind":"returned"}`, "outcome"},
		{`{"kind":"note"}`, "name"},
		{`{"kind":"note","name":["n"]}`, "name"},
	} {
		e, err := session.Decode([]byte(c.data))
		if err != nil {
			t.Errorf("%s: %v", c.data, err)
			continue
		}
		u, is := e.(session.Unknown)
		if !is || string(u.Raw) != c.data {
			t.Errorf("%s was read as %+v", c.data, e)
			continue
		}
		if err := u.Err(); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v does not say %q", c.data, err, c.reason)
		}
		if again, err := session.Encode(u); err != nil || string(again) != c.data {
			t.Errorf("%s was written as %s, %v", c.data, again, err)
		}
	}
	if err := (session.Unknown{Name: "hologram", Raw: jsontext.Value(`{"kind":"hologram"}`)}).Err(); err != nil {
		t.Errorf("a kind that is not known is wrong: %v", err)
	}
	if err := (session.Unknown{Name: "note", Raw: jsontext.Value(`{"kind":"said"}`)}).Err(); err == nil {
		t.Error("an entry that says it is another is not wrong")
	}
}

func TestEncodeRefuses(t *testing.T) {
	user := message.Message{Role: "user", Content: message.Say("")}
	for _, c := range []struct {
		rule   string
		entry  session.Entry
		reason string
	}{
		{"nothing", nil, "there is none"},
		{"a pointer", &session.Note{Name: "n"}, "*session.Note"},
		{"a nil pointer", (*session.Unknown)(nil), "*session.Unknown"},
		{"what would be read as unknown", session.Note{}, "name"},
		{"a nil part", session.Said{Message: message.Message{Role: "user", Content: message.Of(nil)}}, "message"},
		{"a value that is not JSON", session.Note{Name: "n", Value: jsontext.Value("nope")}, "value: not JSON"},
		{"two values", session.Note{Name: "n", Value: jsontext.Value("1 2")}, "value: not JSON"},
		{"an empty value", session.Note{Name: "n", Value: jsontext.Value("")}, "value: not JSON"},
		{"extra that is not JSON", session.Note{Name: "n", Extra: jsontext.Value("{")}, "extra: not JSON"},
		{"extra that is no object", session.Note{Name: "n", Extra: jsontext.Value("[]")}, "extra: want an object"},
		{"extra with a field", session.Said{Message: user, Extra: jsontext.Value(`{"x":1,"prepared":2}`)}, `"prepared"`},
		{"extra with a field, escaped", session.Note{Name: "n", Extra: jsontext.Value(`{"\u0076alue":2}`)}, `"value"`},
		{"extra with a kind", session.Note{Name: "n", Extra: jsontext.Value(`{"kind":2}`)}, `"kind"`},
		{"a decision whose extra has a field", session.Compacted{Epoch: 1, Decisions: []session.Decision{{Seq: 1, Action: "a", Extra: jsontext.Value(`{"text":1}`)}}}, `"text"`},
		{"an unknown entry that is none", session.Unknown{Name: "x"}, "nothing"},
		{"an unknown entry of another name", session.Unknown{Name: "x", Raw: jsontext.Value(`{"kind":"y"}`)}, `"y"`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			data, err := session.Encode(c.entry)
			if err == nil || data != nil {
				t.Fatalf("have %s, %v; want an error", data, err)
			}
			if !strings.HasPrefix(err.Error(), "encode ") || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("%q does not say %q", err, c.reason)
			}
		})
	}
	if data, err := session.Encode(session.Note{Name: "n", Extra: jsontext.Value(" { } ")}); err != nil || string(data) != `{"kind":"note","name":"n"}` {
		t.Errorf("an extra without members: %s, %v", data, err)
	}
}

// The judge is the JSON of the standard library: whatever it reads in an
// object, it reads in what is written back, but for members that say nothing.
func FuzzDecode(f *testing.F) {
	for _, e := range sessiontest.Entries() {
		data, err := session.Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(data))
	}
	f.Add([]byte(`{"kind":"note","name":"n","kind":"said"}`))
	f.Add([]byte(`{"kind":"prepared","provider":"p","asked":{"messages":[]},"digest":"sha256:1f58b9145b24d108d7ac38887338b3ea3229833b9c1e418250343f907bfd1047"}`))
	f.Add([]byte(`{"kind":"compacted","epoch":1,"decisions":[{"seq":1,"action":"x","part":-0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		original := bytes.Clone(data)
		want, tagged := judge(data)
		e, err := session.Decode(data)
		if err != nil {
			lax := strings.Contains(err.Error(), "duplicate") || strings.Contains(err.Error(), "UTF-8") || strings.Contains(err.Error(), "surrogate")
			if tagged && !lax {
				t.Fatalf("%q is an object with a kind: %v", data, err)
			}
			return
		}
		if !tagged || string(e.Kind()) != want["kind"] {
			t.Fatalf("%q was read as a %q", data, e.Kind())
		}
		written, err := session.Encode(e)
		if err != nil {
			t.Fatalf("%q was read and cannot be written: %v", data, err)
		}
		if u, is := e.(session.Unknown); is && (!bytes.Equal(written, original) || !bytes.Equal(u.Raw, original)) {
			t.Fatalf("%q was kept as %q", original, written)
		}
		have, _ := judge(written)
		if diff := cmp.Diff(terse(want), terse(have)); diff != "" {
			t.Fatalf("%q became %q (-want +have):\n%s", data, written, diff)
		}
		clear(data)
		again, err := session.Encode(e)
		if err != nil || !bytes.Equal(again, written) {
			t.Fatalf("what was read shares memory with %q", original)
		}
	})
}

func judge(data []byte) (object map[string]any, tagged bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if !json.Valid(data) || d.Decode(&object) != nil {
		return nil, false
	}
	_, tagged = object["kind"].(string)
	return object, tagged
}

// terse drops members that say nothing, from an entry, its decisions and its
// usage, where a count that is absent is zero.
func terse(object map[string]any) map[string]any {
	for name, value := range object {
		switch v := value.(type) {
		case nil:
			delete(object, name)
		case string:
			if v == "" && name != "kind" {
				delete(object, name)
			}
		case bool:
			if !v {
				delete(object, name)
			}
		case json.Number:
			if n, err := v.Int64(); err == nil && n == 0 {
				delete(object, name)
			}
		case map[string]any:
			if name == "usage" {
				terse(v)
			}
		case []any:
			if len(v) == 0 {
				delete(object, name)
			}
			for _, element := range v {
				if inner, is := element.(map[string]any); is && name == "decisions" {
					terse(inner)
				}
			}
		}
	}
	return object
}
