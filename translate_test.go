package ampersat_test

import (
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
)

// What the model does not take is described, and costs and is reported as that; a
// document leaves its text. It is not taken for seen because another model was shown it.
func TestWhatTheModelDoesNotTakeIsDescribed(t *testing.T) {
	picture := ampersat.Content{Name: "shot.png", MIME: "image/png", Size: 48_211, Parts: []message.Part{message.Image{Source: message.AtURL("x")}}}
	document := ampersat.Content{
		Name: "ok.pdf", MIME: "application/pdf", Size: 552, Text: "[page 1]\nhello\n",
		Parts: []message.Part{message.Document{Source: message.AtURL("x")}}, PartTokens: 1600,
	}
	for _, c := range []struct {
		name        string
		content     ampersat.Content
		shown, text string
	}{
		{"shot.png", picture, "described only: the model takes no images", "\n[picture (image/png), 48,211 bytes]\n"},
		{"ok.pdf", document, "described, with its text: the model takes no documents", "\n[document (application/pdf), 552 bytes]\n[page 1]\nhello\n"},
	} {
		p := fixed(c.content)
		taken := prepare(t, p, ampersat.Ask("@"+c.name))
		if r := taken.Reports[0]; r.Outcome != ampersat.Loaded || r.Tokens < 1600 {
			t.Errorf("%s, taken: %+v", c.name, r)
		}
		turn := ampersat.Ask("@" + c.name)
		turn.NoImages, turn.NoDocuments = true, true
		for _, view := range [][]message.Message{nil, taken.Messages} {
			turn.View.Messages = view
			stack := prepare(t, p, turn)
			if r := stack.Reports[0]; r.Outcome != ampersat.Partial || r.Shown != c.shown || r.Tokens > 60 {
				t.Errorf("%s after %d messages: %+v", c.name, len(view), r)
			}
			if got := rendered(stack.Messages); !strings.Contains(got, c.text) {
				t.Errorf("%s after %d messages: %s", c.name, len(view), got)
			}
			for _, m := range stack.Messages {
				for _, part := range m.Content.Parts {
					if ctx, is := part.(message.Context); is && len(ctx.Parts) > 0 {
						t.Errorf("%s is sent as it is", c.name)
					}
				}
			}
		}
	}
}

// What a picture or a document costs goes with it, for whoever counts what the model
// sees, and with nothing that stands in its place.
func TestWhatPartsCostGoesWithThem(t *testing.T) {
	p := fixed(ampersat.Content{
		Name: "icon.png", MIME: "image/png", Size: 48_211, Parts: []message.Part{message.Image{Source: message.AtURL("x")}}, PartTokens: 230,
	})
	sent := prepare(t, p, ampersat.Ask("@icon.png"))
	again, small, blind := ampersat.Ask("@icon.png"), ampersat.Ask("@icon.png"), ampersat.Ask("@icon.png")
	again.View.Messages, small.Budget.Turn, blind.NoImages = sent.Messages, 100, true
	for name, c := range map[string]struct {
		stack ampersat.Stack
		want  int
	}{
		"sent":          {sent, 230},
		"unchanged":     {prepare(t, p, again), 0},
		"too dear":      {prepare(t, p, small), 0},
		"not looked at": {prepare(t, p, blind), 0},
	} {
		context := c.stack.Messages[0].Content.Parts[0].(message.Context)
		if context.PartTokens != c.want || len(context.Parts) > 0 != (c.want > 0) {
			t.Errorf("%s: %d tokens for %d parts, want %d", name, context.PartTokens, len(context.Parts), c.want)
		}
	}
}
