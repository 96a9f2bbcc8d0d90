package session_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// calling begins an exchange with so many calls, and returns a message with
// their results.
func calling(c *rehearsal, results ...string) message.Message {
	c.Helper()
	var calls, answers []message.Part
	for i, text := range results {
		id := fmt.Sprintf("call_%d_%d", len(c.log), i)
		calls = append(calls, message.ToolCall{ID: id, Name: "shell", Input: jsontext.Value(`{}`)})
		answers = append(answers, message.TextResult(id, text))
	}
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(calls...)}})
	return message.Message{Role: message.Tool, Content: message.Of(answers...)}
}

// resultTexts are the results that the model reads in the view.
func resultTexts(messages []message.Message) (texts []string) {
	for _, m := range messages {
		for _, part := range m.Content.Parts {
			if result, is := part.(message.ToolResult); is {
				texts = append(texts, message.Flatten(message.Of(result.Parts()...)))
			}
		}
	}
	return texts
}

func TestResultsFitTheWindow(t *testing.T) {
	long := "begin " + words(15_000, 1) + " end"
	for name, c := range map[string]struct {
		before, window int
		results        []string
		whole          []bool
	}{
		"all of them":            {0, 100_000, []string{long, "short"}, []bool{true, true}},
		"one that is long":       {0, 8_000, []string{long}, []bool{false}},
		"a short one is whole":   {0, 8_000, []string{"short", long, words(300, 3)}, []bool{true, false, true}},
		"two that are long":      {0, 8_000, []string{long, long}, []bool{false, false}},
		"in a full window":       {7_000, 8_000, []string{long}, []bool{false}},
		"in hardly any room":     {0, 1_500, []string{long, long}, []bool{false, false}},
		"in a window of nothing": {0, 0, []string{long}, []bool{true}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rehearse(t, session.NewPolicy(c.window))
			r.text(message.User, "one")
			for i := range c.before / 500 {
				r.text(message.Assistant, words(480, i))
			}
			r.text(message.User, "two")
			answers := calling(r, c.results...)
			fitted, cut := r.view.Fit(answers)
			if cut == !strings.Contains(fmt.Sprint(c.whole), "false") {
				t.Errorf("cut: %v", cut)
			}
			r.say(session.Said{Message: fitted})
			if r.compact(false); c.before == 0 && r.epochs > 0 {
				t.Error("it was compacted")
			}
			if tokens := r.view.Tokens(); c.window > 0 && tokens > c.window {
				t.Errorf("%d tokens in a window of %d", tokens, c.window)
			}
			for i, text := range resultTexts(r.view.Messages()) {
				if whole := text == c.results[i]; whole != c.whole[i] || !whole && (!strings.HasPrefix(text, "begin ") || !strings.HasSuffix(text, " end") || !strings.Contains(text, "\n[cut: ")) {
					t.Errorf("result %d: %.60q … %d bytes", i, text, len(text))
				}
			}
		})
	}
}

// Not even when the provider finds the request too long is a result taken out
// that the model has not seen: it is shortened.
func TestAResultThatWasNotSeenIsShortened(t *testing.T) {
	r := rehearse(t, session.NewPolicy(10_000))
	r.text(message.User, "go")
	long := "begin " + words(6_000, 1) + " end"
	r.say(session.Said{Message: calling(r, long, "short")})
	before := r.view.Tokens()
	if !r.compact(true) {
		t.Fatal("nothing was done")
	}
	texts := resultTexts(r.view.Messages())
	if len(texts) != 2 || texts[1] != "short" || !strings.HasPrefix(texts[0], "begin ") || !strings.HasSuffix(texts[0], " end") || len(texts[0]) >= len(long) || len(texts[0]) < 800 {
		t.Errorf("%.100q", texts)
	}
	if now := r.view.Tokens(); now > before*4/5 {
		t.Errorf("%d of %d tokens", now, before)
	}
	// And again.
	if before, was := r.view.Tokens(), len(texts[0]); !r.compact(true) || r.view.Tokens() >= before || len(resultTexts(r.view.Messages())[0]) >= was {
		t.Errorf("%d of %d tokens", r.view.Tokens(), before)
	}
	// When it has seen it, it goes like any other.
	r.text(message.Assistant, "I see.")
	r.text(message.User, "go on")
	for i := range 30 {
		r.text(message.Assistant, words(400, i))
		r.text(message.User, "go on")
		r.compact(false)
	}
	if texts := resultTexts(r.view.Messages()); len(texts) > 0 && strings.HasPrefix(texts[0], "begin") {
		t.Errorf("%.100q", texts)
	}
}

// A piece of a difference is not taken for one.
func TestADifferenceThatIsCutIsNone(t *testing.T) {
	r := rehearse(t, session.NewPolicy(4_000))
	r.text(message.User, "go")
	answers := calling(r, "")
	whole := contextOf("a.go", words(9_000, 2), "")
	whole.Base = whole.Source
	result, err := message.PartResult(answers.Content.Parts[0].(message.ToolResult).ToolCallID, whole)
	if err != nil {
		t.Fatal(err)
	}
	answers.Content.Parts[0] = result
	fitted, cut := r.view.Fit(answers)
	shown := fitted.Content.Parts[0].(message.ToolResult).Parts()[0].(message.Context)
	if !cut || shown.Base != "" || shown.Shown == "" || len(shown.Text) >= len(whole.Text) {
		t.Errorf("%v %q %q %d", cut, shown.Base, shown.Shown, len(shown.Text))
	}
}

// What is cut says how much of the whole is shown, also where a single result
// would have been cut already, and keeps what was said of the whole.
func TestWhatIsCutIsAPieceOfTheWhole(t *testing.T) {
	r := rehearse(t, session.NewPolicy(8_000))
	r.text(message.User, "go")
	answers := calling(r, strings.Repeat("a line\n", 25_000), "")
	const replaced = "12 bytes that are no text are replaced"
	content := contextOf("a.go", strings.Repeat("a line\n", 25_000), "")
	content.Shown = replaced
	result, err := message.PartResult(answers.Content.Parts[1].(message.ToolResult).ToolCallID, content)
	if err != nil {
		t.Fatal(err)
	}
	answers.Content.Parts[1] = result
	fitted, cut := r.view.Fit(answers)
	if texts := resultTexts([]message.Message{fitted}); !cut || strings.Count(texts[0], "[cut: ") != 1 || !strings.Contains(texts[0], " of 175000 bytes are not shown]") {
		t.Errorf("%v %.60q", cut, texts[0])
	}
	piece := fitted.Content.Parts[1].(message.ToolResult).Parts()[0].(message.Context)
	var left, all, missing int
	if _, err := fmt.Sscanf(piece.Shown, "%d of %d bytes; "+replaced, &left, &all); err != nil || all != 175_000 {
		t.Errorf("%q %v", piece.Shown, err)
	}
	if _, err := fmt.Sscanf(piece.Text[strings.Index(piece.Text, "[cut: "):], "[cut: %d of 175000 bytes", &missing); err != nil || left+missing != all {
		t.Errorf("%d and %d of %d bytes, %v", left, missing, all, err)
	}
}

// Of many short texts those stay for which there is room, and the last, which may
// be an error; how many do not is said once.
func TestManyShortTextsFit(t *testing.T) {
	r := rehearse(t, session.NewPolicy(8_000))
	r.text(message.User, "go")
	answers := calling(r, "")
	var parts []message.Part
	for i := range 3_000 {
		parts = append(parts, message.Text{Text: fmt.Sprintf("text %d of many. ", i)})
	}
	picture := message.Image{Source: message.AtURL("https://x")}
	parts = append(parts, picture, message.Text{Text: "error: there are more"})
	result, err := message.PartResult(answers.Content.Parts[0].(message.ToolResult).ToolCallID, parts...)
	if err != nil {
		t.Fatal(err)
	}
	answers.Content.Parts[0] = result
	fitted, cut := r.view.Fit(answers)
	r.say(session.Said{Message: fitted})
	if tokens := r.view.Tokens(); !cut || tokens > 8_000 {
		t.Fatalf("%v, %d tokens", cut, tokens)
	}
	shown := fitted.Content.Parts[0].(message.ToolResult).Parts()
	n := len(shown)
	if n < 100 || !reflect.DeepEqual(shown[:n-3], parts[:n-3]) || !reflect.DeepEqual(shown[n-3], message.Part(picture)) || !reflect.DeepEqual(shown[n-1], parts[len(parts)-1]) {
		t.Errorf("%d parts", n)
	}
	if text := shown[n-2].(message.Text).Text; text != fmt.Sprintf("\n[cut: %d more parts are not shown]\n", 3_000-(n-3)) {
		t.Errorf("%q of %d", text, n)
	}
}

// Nothing gets longer by being cut.
func TestNothingIsCutToMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []message.Part
		for range rapid.IntRange(1, 40).Draw(t, "parts") {
			text := strings.Repeat(rapid.SampledFrom([]string{"a", "é", "\n", "𝄞"}).Draw(t, "letter"), rapid.SampledFrom([]int{0, 1, 30, 70, 129, 300, 2_000}).Draw(t, "length"))
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				content := contextOf("a.go", text, "")
				content.Shown = rapid.SampledFrom([]string{"", "lines 1-10 of 20"}).Draw(t, "shown")
				parts = append(parts, content)
			case 1:
				parts = append(parts, message.Image{Source: message.AtURL("https://x")})
			default:
				parts = append(parts, message.Text{Text: text})
			}
		}
		result, err := message.PartResult("1", parts...)
		if err != nil {
			t.Fatal(err)
		}
		policy := session.NewPolicy(0)
		policy.ToolResultBytes = rapid.IntRange(1, 5_000).Draw(t, "room")
		capped, cut := policy.Cap(message.Message{Role: message.Tool, Content: message.Of(result)})
		now := capped.Content.Parts[0].(message.ToolResult)
		if len(now.Output) > len(result.Output) || cut != (len(now.Output) < len(result.Output)) {
			t.Fatalf("%d bytes of %d, %v", len(now.Output), len(result.Output), cut)
		}
		if n := strings.Count(message.Flatten(message.Of(now.Parts()...)), "not shown]"); n > 2 {
			t.Fatalf("it is said %d times that something is cut", n)
		}
	})
}

// Whatever there was before and whatever comes, the model gets something of each
// result, and what it gets is in the window.
func TestAnyResultsFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.IntRange(4_000, 20_000).Draw(t, "window")
		r := rehearse(t, session.NewPolicy(window))
		r.sparse = true
		r.text(message.System, words(rapid.IntRange(1, 600).Draw(t, "system"), 1))
		for turn := range rapid.IntRange(1, 3).Draw(t, "turns") {
			r.text(message.User, words(rapid.IntRange(1, 300).Draw(t, "asked"), turn))
			for range rapid.IntRange(1, 4).Draw(t, "steps") {
				r.request()
				var results []string
				for range rapid.IntRange(1, 4).Draw(t, "calls") {
					results = append(results, "begin "+words(rapid.SampledFrom([]int{1, 50, 700, 6_000}).Draw(t, "length"), turn)+" end")
				}
				answers := calling(r, results...)
				fitted, _ := r.view.Fit(answers)
				r.say(session.Said{Message: fitted})
				r.compact(rapid.Bool().Draw(t, "too long"))
				if tokens := r.view.Tokens(); tokens > window {
					t.Fatalf("%d tokens in a window of %d", tokens, window)
				}
				texts := resultTexts(r.view.Messages())
				for _, text := range texts[len(texts)-len(results):] {
					if !strings.HasPrefix(text, "begin ") || !strings.HasSuffix(text, " end") {
						t.Fatalf("%.80q", text)
					}
				}
			}
			r.text(message.Assistant, "done")
		}
	})
}

// What the model has read in the same turn makes room for what it reads next.
func TestResultsOfATurnShareTheWindow(t *testing.T) {
	r := rehearse(t, session.NewPolicy(8_000))
	r.text(message.User, "go")
	for i := range 4 {
		r.request()
		fitted, _ := r.view.Fit(calling(r, words(20_000, i)))
		if tokens := estimate([]message.Message{fitted}); tokens < 2_000 {
			t.Errorf("of result %d there are %d tokens", i+1, tokens)
		}
		r.say(session.Said{Message: fitted})
	}
}
