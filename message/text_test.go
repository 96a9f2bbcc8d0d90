package message

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCutAndFlattenGiveTheTextBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }).Draw(t, "text")
		ref := rapid.Custom(func(t *rapid.T) mention.Ref {
			return mention.Ref{
				Mention: rapid.SampledFrom([]mention.Mention{nil, mention.File{Path: "a"}}).Draw(t, "mention"),
				Written: "not looked at",
				Start:   rapid.IntRange(-1, len(text)+1).Draw(t, "start"), End: rapid.IntRange(-1, len(text)+1).Draw(t, "end"),
			}
		})
		refs := rapid.SliceOf(ref).Draw(t, "refs")
		c := Cut(text, refs)
		if got := Flatten(c); got != text {
			t.Fatalf("have %q, want %q", got, text)
		}
		if rendered := Flatten(c.Rendered()); rendered != text {
			t.Fatalf("rendered: have %q, want %q", rendered, text)
		}
		for _, p := range c.Parts {
			if p, ok := p.(Text); ok && p.Text == "" && text != "" {
				t.Fatalf("an empty text in %#v", c)
			}
		}
	})
}

func TestCut(t *testing.T) {
	file := mention.File{Path: "a.md"}
	ref := Ref{Mention: file, Written: "@a.md"}
	for text, test := range map[string]struct {
		refs []mention.Ref
		want Content
	}{
		"no mention":  {nil, Say("no mention")},
		"":            {nil, Say("")},
		"@a.md":       {[]mention.Ref{{Mention: file, Start: 0, End: 5}}, Of(ref)},
		"@a.md@a.md":  {[]mention.Ref{{Mention: file, Start: 0, End: 5}, {Mention: file, Start: 5, End: 10}}, Of(ref, ref)},
		"see @a.md !": {[]mention.Ref{{Mention: file, Start: 4, End: 9}}, Of(Text{Text: "see "}, ref, Text{Text: " !"})},
		"see @a.md":   {[]mention.Ref{{Mention: file, Start: 4, End: 9}, {Mention: file, Start: 6, End: 9}}, Of(Text{Text: "see "}, ref)},
	} {
		if diff := cmp.Diff(test.want, Cut(text, test.refs)); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestRenderedIsForReadersOutside(t *testing.T) {
	image := Image{Source: AtURL("https://example.com/a.png")}
	m := Message{Role: User, Instructions: []Instruction{Intermediate{}, ReturnControl{}}, Content: Of(
		Thinking{Thinking: "hm"},
		Context{Names: []string{"a.md"}, Text: "x", Parts: []Part{image}},
		Text{Text: "see "}, Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"}, Text{Text: "!"},
		Text{Text: "inside", Visibility: Internal}, Text{Text: "."},
	)}
	want := Message{Role: User, Content: Of(
		Thinking{Thinking: "hm"},
		Text{Text: "<return-control>Returning to main agent</return-control>\n<context_file paths=\"a.md\">\nx\n</context_file>"}, image,
		Text{Text: "see @a.md!"}, Text{Text: "inside", Visibility: Internal}, Text{Text: "."},
	)}
	before := cmp.Diff(Message{}, m)
	if diff := cmp.Diff(want, m.Rendered()); diff != "" {
		t.Error(diff)
	}
	if cmp.Diff(Message{}, m) != before {
		t.Error("rendering changed the message")
	}

	plain := Message{Role: User, Content: Say("hi"), Instructions: []Instruction{ReturnControl{}}}
	if diff := cmp.Diff(Message{Role: User, Content: Say(ReturnControl{}.XMLLine() + "\nhi")}, plain.Rendered()); diff != "" {
		t.Error(diff)
	}
	if Flatten(plain.Content) != "hi" {
		t.Error("rendering changed the message")
	}
	silent := Message{Role: User, Content: Of(TextResult("1", "x"), image), Instructions: []Instruction{ReturnControl{}}}
	if diff := cmp.Diff(Of(TextResult("1", "x"), Text{Text: ReturnControl{}.XMLLine() + "\n"}, image), silent.Rendered().Content); diff != "" {
		t.Error(diff)
	}
}

func TestToolResultReadsAsParts(t *testing.T) {
	image := Image{Source: Inline("image/png", []byte("x"))}
	withImage, err := PartResult("1", Text{Text: "look"}, image)
	if err != nil {
		t.Fatal(err)
	}
	value, err := ValueResult("1", map[string]int{"b": 2, "a": 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		result ToolResult
		want   []Part
	}{
		"text":         {TextResult("1", "a\"b\xff"), []Part{Text{Text: "a\"b\uFFFD"}}},
		"parts":        {withImage, []Part{Text{Text: "look"}, image}},
		"value":        {value, []Part{Text{Text: `{"a":1,"b":2}`}}},
		"no output":    {ToolResult{}, nil},
		"null":         {ToolResult{Output: []byte("null")}, []Part{Text{Text: "null"}}},
		"list of none": {ToolResult{Output: []byte(`[1,2]`)}, []Part{Text{Text: `[1,2]`}}},
		"broken":       {ToolResult{Output: []byte(`"a`)}, []Part{Text{Text: `"a`}}},
	} {
		if diff := cmp.Diff(test.want, test.result.Parts()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if _, err := PartResult("1", nil); err == nil {
		t.Error("a nil part was accepted")
	}
}

func TestCallTakesObjects(t *testing.T) {
	c, err := Call("1", "read_file", struct {
		Path string `json:"path"`
	}{"a.md"})
	if err != nil || string(c.Input) != `{"path":"a.md"}` {
		t.Errorf("have %s, %v", c.Input, err)
	}
	if c, err := Call("1", "f", nil); err != nil || string(c.Input) != "{}" {
		t.Errorf("have %s, %v", c.Input, err)
	}
	if _, err := Call("1", "f", []int{1}); err == nil || !strings.Contains(err.Error(), "call f: the arguments must be an object, have a list") {
		t.Errorf("have %v", err)
	}
	if _, err := Call("1", "f", make(chan int)); err == nil {
		t.Error("a channel was accepted")
	}
}

func TestRenderedStringIsAString(t *testing.T) {
	c := Content{Plain: true, Parts: []Part{Text{Text: "Explain "}, Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"}}}
	got, err := c.Rendered().MarshalJSON()
	if err != nil || string(got) != `"Explain @a.md"` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestRenderedToolResultHasItsContextsAsText(t *testing.T) {
	result, err := PartResult("call_1", Context{Names: []string{"a.md"}, Text: "alpha"})
	if err != nil {
		t.Fatal(err)
	}
	parts := Of(result).Rendered().Parts[0].(ToolResult).Parts()
	if want := "<context_file paths=\"a.md\">\nalpha\n</context_file>"; len(parts) != 1 || parts[0].(Text).Text != want {
		t.Errorf("%v", parts)
	}
	plain := TextResult("call_2", "as it was")
	if got := Of(plain).Rendered().Parts[0].(ToolResult); string(got.Output) != string(plain.Output) {
		t.Errorf("%s", got.Output)
	}
}

// A message with very many parts is encoded and rendered by several goroutines,
// to the same bytes.
func TestManyPartsAreWrittenAsFewAre(t *testing.T) {
	var parts []Part
	var want strings.Builder
	for i := range 3*manyParts + 7 {
		c := Context{Names: []string{fmt.Sprintf("f%d.md", i)}, Text: strings.Repeat("x\"\n", i%50)}
		parts = append(parts, c)
		one, err := EncodePart(Text{Text: c.Render()})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			want.WriteByte(',')
		}
		want.Write(one)
	}
	have, err := Encode(Message{Role: Developer, Content: Of(parts...)}.Rendered())
	if err != nil || string(have) != `{"role":"developer","content":[`+want.String()+`]}` {
		t.Errorf("%.200s, %v", have, err)
	}
	parts[2*manyParts] = nil
	if _, err := Encode(Message{Role: Developer, Content: Of(parts...)}); err == nil || !strings.Contains(err.Error(), fmt.Sprint(2*manyParts)) {
		t.Errorf("a nil part: %v", err)
	}
}
