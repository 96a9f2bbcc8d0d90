package message

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzScan holds the scanner against the standard library: on any JSON both
// see the same members, and on anything else the scanner does not panic.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{`{"a":"b\\\"c","d":[1,{"e":"}"}],"f" : -1.5e3 }`, `[ "x" , {} , [] ,null]`, `{"\u0061":1}`, `{"a`, `{"a":}`, `[,]`, `"\\"`, `{"role":"u","content":[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		members, _, memberErr := appendMembers(nil, data)
		var elements [][]byte
		listErr := eachElement(data, func(_ int, value []byte) error {
			elements = append(elements, value)
			return nil
		})
		var m Message
		m.UnmarshalJSON(data)
		var c Content
		c.UnmarshalJSON(data)
		if !json.Valid(data) {
			return
		}
		var list []json.RawMessage
		if json.Unmarshal(data, &list) == nil && bytes.TrimSpace(data)[0] == '[' {
			if listErr != nil || len(list) != len(elements) {
				t.Fatalf("%v: %d elements, want %d", listErr, len(elements), len(list))
			}
			for i := range list {
				if !bytes.Equal(list[i], elements[i]) {
					t.Fatalf("have %s, want %s", elements[i], list[i])
				}
			}
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) == nil && object != nil {
			if memberErr != nil {
				t.Fatal(memberErr)
			}
			last := map[string][]byte{}
			for _, m := range members {
				var name string
				if err := json.Unmarshal(m.key, &name); err != nil {
					t.Fatal(err)
				}
				last[name] = m.value
			}
			if len(last) != len(object) {
				t.Fatalf("%d members, want %d", len(last), len(object))
			}
			for name, value := range object {
				if !bytes.Equal(last[name], value) {
					t.Fatalf("%q: have %s, want %s", name, last[name], value)
				}
			}
		}
	})
}
