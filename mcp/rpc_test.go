package mcp

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"pgregory.net/rapid"
)

// readAll returns the messages of a stream, what else was printed, and how it
// ended.
func readAll(from io.Reader, limit int) (all []envelope, other string, err error) {
	var printed strings.Builder
	for messages := newLines(from, limit, &printed); ; {
		e, err := messages.next()
		if err != nil {
			return all, printed.String(), err
		}
		all = append(all, e)
	}
}

func TestLines(t *testing.T) {
	long := `{"id":1,"result":"` + strings.Repeat("x", 200_000) + `"}`
	for _, c := range []struct {
		name, stream string
		want         []string // method or ID
		other        string
		broken       string
	}{
		{name: "nothing"},
		{name: "messages", stream: `{"jsonrpc":"2.0","method":"a"}` + "\n" + `{"id":7,"result":null}` + "\r\n", want: []string{"a", "7"}},
		{name: "the last line has no end", stream: `{"method":"a"}` + "\n" + `{"id":"x"}`, want: []string{"a", `"x"`}},
		{name: "the last message has no end", stream: `{"method":"a"}` + "\n" + `{"id":"x`, want: []string{"a"}},
		{name: "what people print", stream: "ready\n\n[1/3] {\n  " + `{"method":"a"}` + "\nbye", want: []string{"a"}, other: "ready\n\n[1/3] {\nbye"},
		{name: "a log in JSON", stream: `{"level":"info"}` + "\n" + `{"error":"no disk"}` + "\n" + `{"id":1}` + "\n", want: []string{"1"}, other: `{"level":"info"}` + "\n" + `{"error":"no disk"}` + "\n"},
		{name: "longer than the buffer", stream: strings.Repeat("y", 200_000) + "\n" + long + "\n", want: []string{"1"}, other: strings.Repeat("y", 200_000) + "\n"},
		{name: "longer than the limit", stream: `{"method":"a"}` + "\n" + `{"method":"` + strings.Repeat("x", 300_000) + `"}`, want: []string{"a"}, broken: "maximum line length"},
		{name: "nonsense", stream: `{"method":"a"}` + "\n{nonsense}\n" + `{"method":"b"}` + "\n", want: []string{"a"}, broken: "invalid character"},
		{name: "two in a line", stream: `{"method":"a"}{"method":"b"}` + "\n", broken: "after top-level value"},
		{name: "a number for a method", stream: `{"method":1}` + "\n", broken: "method"},
		{name: "too deep", stream: `{"id":` + strings.Repeat("[", 20_000) + "\n", broken: "depth"},
		{name: "bytes that are no text", stream: "{\"method\":\"\xff\"}\n", want: []string{"\uFFFD"}},
		{name: "said twice", stream: `{"method":"a","method":"b"}` + "\n", want: []string{"b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, from := range map[string]io.Reader{
				"at once":               strings.NewReader(c.stream),
				"in pieces":             iotest.HalfReader(strings.NewReader(c.stream)),
				"the end with the data": iotest.DataErrReader(strings.NewReader(c.stream)),
			} {
				all, other, err := readAll(from, 250_000)
				var have []string
				for _, e := range all {
					have = append(have, e.Method+string(e.ID))
				}
				if !reflect.DeepEqual(have, c.want) || other != c.other {
					t.Errorf("%s: %q, printed %.80q", name, have, other)
				}
				if c.broken == "" && err != io.EOF || c.broken != "" && !strings.Contains(err.Error(), c.broken) {
					t.Errorf("%s: it ends with %v", name, err)
				}
			}
		})
	}
	broken := errors.New("broken")
	all, _, err := readAll(io.MultiReader(strings.NewReader(`{"method":"a"}`+"\n"), iotest.ErrReader(broken)), 100)
	if len(all) != 1 || err != broken {
		t.Errorf("%d messages, %v", len(all), err)
	}
}

// What we write is one line, whatever is in it, and comes back.
func TestMessagesSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params{
			URI: rapid.String().Draw(t, "uri"), Cursor: rapid.String().Draw(t, "cursor"),
			Arguments: jsontext.Value(rapid.SampledFrom([]string{"{\n\t\"a\": [1,\r\n 2]\n}", `{"n":9007199254740993,"n":1.0}`, `{"t":"\u2028"}`, "{\"t\":\"\xff\"}"}).Draw(t, "arguments")),
		}
		sent, err := new(connection).compose(rapid.StringN(1, -1, -1).Draw(t, "method"), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		sent.ID = jsontext.Value("7")
		line, err := sent.seal()
		if err != nil || bytes.ContainsAny(line, "\r\n") {
			t.Fatalf("%q, error %v", line, err)
		}
		all, other, err := readAll(bytes.NewReader(append(line, '\n')), 1<<20)
		if err != io.EOF || other != "" || len(all) != 1 || all[0].Method != sent.Method || string(all[0].ID) != "7" {
			t.Fatalf("%q comes back as %+v, %q, %v", line, all, other, err)
		}
		var back params
		if err := decode(all[0].Params, &back); err != nil || back.URI != p.URI || back.Cursor != p.Cursor {
			t.Fatalf("%+v comes back as %+v, %v", p, back, err)
		}
	})
}

func TestBytesAsText(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"YQ=="`: "a", `"YQ"`: "a", `"YWJj\r\nZGVm\n"`: "abcdef", `"YWI=\n"`: "ab", `"?"`: "error", `7`: "error",
	} {
		var sent resourceContents
		err := decode([]byte(`{"blob":`+text+`}`), &sent)
		if want == "error" {
			if err == nil {
				t.Errorf("%s is %q", text, *sent.Blob)
			}
		} else if err != nil || sent.Blob == nil || string(*sent.Blob) != want {
			t.Errorf("%s is %q, error %v", text, sent.Blob, err)
		}
	}
}

func TestArgumentsInHeaders(t *testing.T) {
	schema := jsontext.Value(`{"properties":{
		"a":{"x-mcp-header":"A"},"b":{"x-mcp-header":"B"},"deep":{"properties":{"c":{"x-mcp-header":"C"}}},
		"odd":{"x-mcp-header":"X: Y\r\nZ"},"number":{"x-mcp-header":7},"list":{"properties":[]}}}`)
	for arguments, want := range map[string]map[string]string{
		`{}`:                          {},
		`{"a":"plain","b":true}`:      {"A": "plain", "B": "true"},
		`{"a":-12,"b":1e3}`:           {"A": "-12", "B": "1000"},
		`{"a":1.5,"b":1e300}`:         {},
		`{"a":null,"b":[1]}`:          {},
		`{"a":" x","b":"é"}`:          {"A": "=?base64?IHg=?=", "B": "=?base64?w6k=?="},
		`{"a":"=?base64?x?="}`:        {"A": "=?base64?PT9iYXNlNjQ/eD89?="},
		`{"a":"1\r\nB: 2"}`:           {"A": "=?base64?MQ0KQjogMg==?="},
		`{"deep":{"c":"x"}}`:          {"C": "x"},
		`{"deep":7,"list":{"a":"b"}}`: {},
		`{"odd":"x","number":"x"}`:    {},
	} {
		have := argumentHeaders(schema, jsontext.Value(arguments))
		for name, value := range want {
			if have["Mcp-Param-"+name] != value {
				t.Errorf("%s: %q, want %q", arguments, have, want)
			}
		}
		if len(have) != len(want) {
			t.Errorf("%s: %q, want %q", arguments, have, want)
		}
	}
}

// FuzzLines reads anything, with the official library as the judge: every line
// that is a message to it is the same message to us.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}` + "\n" + `{"jsonrpc":"2.0","id":"a","result":{"a":[1,null]}}`,
		"log\n" + `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}` + "\r\n{}\n",
		`{"jsonrpc":"2.0","method":"notifications/x"}` + "\n{nonsense",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		have, _, err := readAll(iotest.HalfReader(bytes.NewReader(stream)), len(stream)+1)
		for _, line := range bytes.Split(stream, []byte("\n")) {
			if !isMessage(line) || !stdjson.Valid(line) {
				continue // what it is then, only we know
			}
			want, bad := jsonrpc.DecodeMessage(line)
			if bad != nil {
				continue
			}
			if one, err := open(line); err != nil || !same(one, want) {
				t.Fatalf("%q is %+v to us, %v, and %+v to the judge", line, one, err, want)
			}
			for len(have) > 0 && !same(have[0], want) {
				have = have[1:]
			}
			if len(have) == 0 && err == io.EOF {
				t.Fatalf("%q: the message %q is lost", stream, line)
			}
			have = have[min(1, len(have)):]
		}
	})
}

func same(e envelope, want jsonrpc.Message) bool {
	switch want := want.(type) {
	case *jsonrpc.Request:
		return e.Method == want.Method && sameID(e.ID, want.ID) && sameValue(e.Params, want.Params)
	case *jsonrpc.Response:
		if want.Error != nil {
			return e.Method == "" && sameID(e.ID, want.ID) && e.into(nil) != nil
		}
		return e.Method == "" && sameID(e.ID, want.ID) && e.into(nil) == nil && sameValue(e.Result, want.Result)
	}
	return false
}

func sameID(have jsontext.Value, want jsonrpc.ID) bool {
	raw, err := stdjson.Marshal(want.Raw())
	if want.Raw() == nil {
		return err == nil && have == nil
	}
	return err == nil && sameValue(have, raw)
}

func sameValue(have jsontext.Value, want []byte) bool {
	var a, b any
	if len(have) == 0 || len(want) == 0 {
		return isNull(have) && (len(want) == 0 || string(want) == "null")
	}
	return stdjson.Unmarshal(have, &a) == nil && stdjson.Unmarshal(want, &b) == nil && reflect.DeepEqual(a, b)
}
