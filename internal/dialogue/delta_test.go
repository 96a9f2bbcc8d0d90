package dialogue

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// However a text of UTF-16 is cut and quoted, it is put together as one that was
// never cut. Only half a character at the very end is not said.
func TestDeltasArePutTogether(t *testing.T) {
	unit := rapid.OneOf(rapid.Uint16Range(0, 0x7f), rapid.Uint16Range(0xd800, 0xdbff), rapid.Uint16Range(0xdc00, 0xdfff), rapid.Uint16(),
		rapid.SampledFrom([]uint16{'\\', '"', 'u', 0xd83d, 0xde00, 0xd7ff, 0xe000}))
	rapid.Check(t, func(t *rapid.T) {
		var answer Answer
		answer.Call("call", "c", "f", nil)
		var all []uint16
		var said, thought, arguments strings.Builder
		for _, units := range rapid.SliceOf(rapid.SliceOfN(unit, 0, 4)).Draw(t, "pieces") {
			all = append(all, units...)
			var piece struct {
				Text Delta `json:"text"`
			}
			raw := `{"text":` + quoteUnits(units) + `}`
			if err := json.Unmarshal([]byte(raw), &piece, jsontext.AllowInvalidUTF8(true)); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			if want := string(utf16.Decode(units)); piece.Text.Whole() != want {
				t.Fatalf("%s alone says %q, want %q", raw, piece.Text.Whole(), want)
			}
			for _, event := range answer.Text("text", piece.Text) {
				said.WriteString(event.(message.TextDelta).Text)
			}
			for _, event := range answer.Think("thought", piece.Text) {
				thought.WriteString(event.(message.ThinkingDelta).Text)
			}
			for _, event := range answer.Arguments("call", piece.Text) {
				arguments.WriteString(event.(message.ToolCallDelta).ArgumentsFragment)
			}
		}
		if n := len(all); n > 0 && isHigh(rune(all[n-1])) {
			all = all[:n-1]
		}
		want := string(utf16.Decode(all))
		if said.String() != want || thought.String() != want || arguments.String() != want {
			t.Fatalf("said %q, thought %q, arguments %q, want %q", said.String(), thought.String(), arguments.String(), want)
		}
		for _, part := range answer.Parts() {
			if text, is := part.(message.Text); is && text.Text != want {
				t.Fatalf("kept %q, want %q", text.Text, want)
			}
		}
	})
}

// quoteUnits writes JSON as JavaScript does: what is no character is an escape.
func quoteUnits(units []uint16) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range units {
		switch {
		case u == '"' || u == '\\':
			b.WriteString(`\` + string(rune(u)))
		case u < ' ' || utf16.IsSurrogate(rune(u)):
			fmt.Fprintf(&b, `\u%04x`, u)
		default:
			b.WriteRune(rune(u))
		}
	}
	return b.String() + `"`
}

func TestDeltasOfOtherKinds(t *testing.T) {
	lenient := jsontext.AllowInvalidUTF8(true)
	for raw, want := range map[string]Delta{`null`: "", `"a"`: "a", "\"\xff\"": "\uFFFD", `"\\ud83d"`: `\ud83d`, `"\/"`: "/", `""`: ""} {
		have := Delta("before")
		if err := json.Unmarshal([]byte(raw), &have, lenient); err != nil || have != want {
			t.Errorf("%s: %q, %v", raw, have, err)
		}
	}
	for _, raw := range []string{`1`, `{}`, `[]`, `true`, `"`} {
		var have Delta
		if err := json.Unmarshal([]byte(raw), &have, lenient); err == nil {
			t.Errorf("%s: %q", raw, have)
		}
	}
	if Unquote(jsontext.Value(`7`)) != "" || Unquote(nil) != "" {
		t.Error("only strings say something")
	}
}
