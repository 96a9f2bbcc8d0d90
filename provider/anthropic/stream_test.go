package anthropic

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/message"
)

// What this package does not know is kept as it came.
func TestWhatIsNotKnownIsKept(t *testing.T) {
	search := `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`
	input := func(json string) string { return `{"type":"input_json_delta","partial_json":` + quote(json) + `}` }
	for _, c := range []struct {
		name, start string
		deltas      []string
		cut         bool
		want        string
	}{
		{"the input of a tool that the provider runs", search, []string{input(""), input(`{"query":"a`), input(`b"}`)}, false,
			`{"id":"s","input":{"query":"ab"},"name":"web_search","type":"server_tool_use"}`},
		{"an input that came at once", `{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"a"}}`, nil, false,
			`{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"a"}}`},
		{"an input with a character that was cut in two", search, []string{`{"type":"input_json_delta","partial_json":"{\"q\":\"\ud83d"}`, `{"type":"input_json_delta","partial_json":"\ude00\"}"}`}, false,
			`{"id":"s","input":{"q":"😀"},"name":"web_search","type":"server_tool_use"}`},
		{"an input that was cut", search, []string{input(`{"query":`)}, true,
			`{"id":"s","input":{},"name":"web_search","raw_arguments":"{\"query\":","type":"server_tool_use"}`},
		{"pieces of a kind that is not known", `{"type":"compaction","content":null}`, []string{`{"type":"compaction_delta","content":"sum"}`, `{"type":"other_delta","n":1}`}, false,
			`{"content":null,"deltas":[{"content":"sum","type":"compaction_delta"},{"n":1,"type":"other_delta"}],"type":"compaction"}`},
		{"what came at once", `{"type":"web_search_tool_result","tool_use_id":"s","content":[{"url":"u"}]}`, nil, false,
			`{"type":"web_search_tool_result","tool_use_id":"s","content":[{"url":"u"}]}`},
		{"what strict readers would not read", `{"type":"odd","a":"\ud83d"}`, nil, false, `{"a":"` + "\uFFFD" + `","type":"odd"}`},
		{"citations", `{"type":"text","text":"","citations":[{"type":"page","n":0}]}`, []string{
			`{"type":"text_delta","text":"So it "}`, `{"type":"citations_delta","citation":{"type":"char_location","n":1}}`,
			`{"type":"text_delta","text":"is."}`, `{"type":"citations_delta","citation":{"type":"char_location","n":2}}`, `{"type":"citations_delta"}`}, false,
			`{"type":"text","text":"So it is.","citations":[{"type":"page","n":0},{"type":"char_location","n":1},{"type":"char_location","n":2}]}`},
		{"citations that are no list", `{"type":"text","text":"a","citations":{"enabled":true}}`, nil, false, `{"type":"text","text":"a"}`},
		{"citations of a text that was cut", `{"type":"text","text":"a"}`, []string{`{"type":"citations_delta","citation":{"n":1}}`}, true,
			`{"type":"text","text":"a","citations":[{"n":1}]}`},
		{"no citations", `{"type":"text","text":"a","citations":null}`, nil, false, `{"type":"text","text":"a"}`},
		{"what nobody knows about a text is not said", `{"type":"text","text":"a"}`, []string{`{"type":"mood_delta","mood":"good"}`}, false, `{"type":"text","text":"a"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &decoder{model: "m"}
			read := func(format string, args ...any) {
				if _, err := d.Decode(sse.Event{Data: fmt.Appendf(nil, format, args...)}); err != nil && err != io.EOF {
					t.Fatal(err)
				}
			}
			read(`{"type":"content_block_start","index":0,"content_block":%s}`, c.start)
			for _, delta := range c.deltas {
				read(`{"type":"content_block_delta","index":0,"delta":%s}`, delta)
			}
			if !c.cut {
				read(`{"type":"content_block_stop","index":0}`)
				read(`{"type":"message_stop"}`)
			}
			end, complete, err := d.End()
			if err != nil || complete == c.cut {
				t.Errorf("complete %v, error %v", complete, err)
			}
			var have []string
			for _, part := range end.Content {
				raw, err := message.EncodePart(part)
				if err != nil {
					t.Fatal(err)
				}
				have = append(have, string(raw))
			}
			if strings.Join(have, "\n") != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}
