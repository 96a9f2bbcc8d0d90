package message

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// conversation is a session of n messages as they come: a question with a
// mention, its context, an answer that calls a tool, the result, and prose.
func conversation(n int) []Message {
	prose := strings.Repeat("The server closes its listeners first, then waits for \"open\" requests.\n", 6)
	code := strings.Repeat("\tif err := s.close(ctx); err != nil {\n\t\treturn fmt.Errorf(\"close: %w\", err)\n\t}\n", 12)
	var list []Message
	for i := range n {
		switch i % 5 {
		case 0:
			list = append(list, Message{Role: Developer, Content: Of(Context{Names: []string{"internal/server.go"}, Source: "sha256:00", Body: "sha256:01", Shown: "lines 1-80 of 200", Text: code})})
		case 1:
			list = append(list, Message{Role: User, Content: Of(Text{Text: "How does "}, Ref{Mention: mention.File{Path: "internal/server.go"}, Written: "@internal/server.go"}, Text{Text: " shut down?"})})
		case 2:
			call, _ := Call(fmt.Sprint("call_", i), "read_file", map[string]any{"path": "internal/server.go", "first": i})
			list = append(list, Message{Role: Assistant, Content: Of(Thinking{Thinking: prose, Signature: "c2lnbmF0dXJl"}, Text{Text: "Let me look."}, call)})
		case 3:
			list = append(list, Message{Role: Tool, Content: Of(TextResult(fmt.Sprint("call_", i-1), code))})
		default:
			list = append(list, Message{Role: Assistant, Content: Say(prose), Metadata: jsontext.Value(`{"model":"m","turn":7}`)})
		}
	}
	return list
}

// BenchmarkDecode10000 is the opening of a long session: each message from its
// own JSON. The figure per message is what counts.
func BenchmarkDecode10000(b *testing.B) {
	var lines []jsontext.Value
	size := 0
	for _, m := range conversation(10_000) {
		data, err := Encode(m)
		if err != nil {
			b.Fatal(err)
		}
		lines = append(lines, data)
		size += len(data)
	}
	for _, way := range []struct {
		name   string
		decode func(jsontext.Value) error
	}{
		// What any reader has to do: look whether it is JSON at all.
		{"floor", func(data jsontext.Value) error { return check(data) }},
		{"Decode", func(data jsontext.Value) error { _, err := Decode(data); return err }},
		// For a store that wrote the bytes itself and checks them by other means.
		{"UnmarshalJSON", func(data jsontext.Value) error { var m Message; return m.UnmarshalJSON(data) }},
		{"json.Unmarshal", func(data jsontext.Value) error { var m Message; return json.Unmarshal(data, &m) }},
		{"json.Unmarshal into any", func(data jsontext.Value) error { var v any; return json.Unmarshal(data, &v) }},
	} {
		decode := way.decode
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, data := range lines {
					if err := decode(data); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkEncode10000(b *testing.B) {
	list := conversation(10_000)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range list {
			if _, err := Encode(m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecodeRequest(b *testing.B) {
	data, err := EncodeRequest(Request{Messages: conversation(1000)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeRequest(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	for name, text := range map[string]string{
		"code": strings.Repeat("\tif a < b && c != nil {\n\t\treturn fmt.Errorf(\"close: %w\", err)\n\t}\n", 2000),
		"html": strings.Repeat("<li><a href=\"/x\">x &amp; y</a></li>\n", 4000),
	} {
		b.Run(name, func(b *testing.B) {
			c := Context{Names: []string{"a"}, Text: text}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Render()
			}
		})
	}
}
