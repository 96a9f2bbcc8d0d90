package session_test

import (
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// counted has the model answer with a count of its own.
func (c *rehearsal) counted(answer string, tokens int) {
	c.Helper()
	at, _ := c.request()
	c.say(session.Said{
		Message: message.Message{Role: message.Assistant, Content: message.Say(answer)}, Prepared: at, Usage: &message.Usage{InputTokens: tokens, OutputTokens: 10},
	})
}

// within checks how many tokens the view takes.
func (c *rehearsal) within(what string, least, most int) {
	c.Helper()
	if n := c.view.Tokens(); n < least || n > most {
		c.Errorf("%s: %d tokens, want %d to %d", what, n, least, most)
	}
}

// What one model has counted, with the tools that it was sent, is no count for
// another: a short conversation goes on with a small one.
func TestACountIsThatOfItsModel(t *testing.T) {
	c := rehearse(t, session.NewPolicy(0))
	c.turnTo("large", 200_000, 1)
	for range 4 {
		c.text(message.User, "tell me more about it")
		c.counted("some answer", 50_000)
	}
	c.within("after four answers", 50_010, 50_010)

	c.turnTo("small", 32_768, 1)
	c.text(message.User, "and you?")
	c.within("for another model", 30, 200)
	c.compact(false)
	c.counted("well", 90)
	c.within("when that has answered", 100, 100)

	c.turnTo("large", 200_000, 1)
	c.within("for the first one again", 50_015, 50_060)
	policy := c.view.Policy()
	policy.Provider = "another"
	if err := c.view.SetPolicy(policy); err != nil {
		t.Fatal(err)
	}
	c.within("for one of the same name elsewhere", 30, 200)
	policy.Provider, policy.Model = "", ""
	if err := c.view.SetPolicy(policy); err != nil {
		t.Fatal(err)
	}
	c.within("for nobody in particular", 100, 100)
}

// Nor is what one has counted before a compaction.
func TestWhatIsLeftIsCountedForItsModel(t *testing.T) {
	for name, by := range map[string]string{"by its model": "large", "by nobody in particular": ""} {
		t.Run(name, func(t *testing.T) {
			c := rehearse(t, session.NewPolicy(0))
			c.turnTo("large", 200_000, 1)
			for i := range 20 {
				c.text(message.User, "tell me more about it")
				c.counted(words(300, i), 50_000+300*i)
			}
			if by == "" {
				policy := c.view.Policy()
				policy.Provider, policy.Model = "", ""
				if err := c.view.SetPolicy(policy); err != nil {
					t.Fatal(err)
				}
			}
			if !c.compact(true) {
				t.Fatal("nothing was compacted")
			}
			c.turnTo("large", 200_000, 1)
			c.within("what is left", 25_000, 56_000)
			left := estimate(c.view.Request())
			c.turnTo("small", 32_768, 1)
			c.within("what is left, for another model", left-50, left+50)
			c.checkFresh(encoded(t, c.view.Messages()))
			c.text(message.User, "and you?")
			c.compact(false)
			if c.epochs > 1 {
				t.Error("it was compacted again")
			}
		})
	}
}

// A picture costs what the pipeline has found that it does, and a document of many
// pages more than one; where nobody says, all are the same.
func TestPartsCostWhatIsSaidOfThem(t *testing.T) {
	icon, document := message.Image{Source: message.AtURL("x")}, message.Document{Source: message.AtURL("x")}
	for name, c := range map[string]struct {
		part        message.Part
		least, most int
	}{
		"an icon":                {message.Context{Names: []string{"a.png"}, Parts: []message.Part{icon}, PartTokens: 15}, 20, 60},
		"two icons":              {message.Context{Names: []string{"a.png"}, Parts: []message.Part{icon, icon}, PartTokens: 30}, 35, 75},
		"a document":             {message.Context{Names: []string{"a.pdf"}, Text: "page", Parts: []message.Part{document}, PartTokens: 96_000}, 96_010, 96_060},
		"of an older version":    {message.Context{Names: []string{"a.png"}, Parts: []message.Part{icon}}, 1610, 1660},
		"what was nonsense":      {message.Context{Names: []string{"a.png"}, Parts: []message.Part{icon}, PartTokens: -7}, 1610, 1660},
		"a cost without a part":  {message.Context{Names: []string{"a.png"}, PartTokens: 96_000}, 10, 60},
		"a picture of a tool's":  {icon, 1600, 1660},
		"an icon in a result":    {result(t, message.Context{Names: []string{"a.png"}, Parts: []message.Part{icon}, PartTokens: 15}), 20, 70},
		"a picture in a result":  {result(t, icon), 1600, 1660},
		"a document in a result": {result(t, document), 1600, 1660},
	} {
		view, err := session.Begin(&session.Memory{}, "s", session.NewPolicy(0))
		if err != nil {
			t.Fatal(err)
		}
		if err := view.Stage(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(c.part)}}); err != nil {
			t.Fatal(err)
		}
		if n := view.Tokens(); n < c.least || n > c.most {
			t.Errorf("%s: %d tokens, want %d to %d", name, n, c.least, c.most)
		}
	}
}

// What a provider counts for the pages of a document is believed, though it be a
// fraction of what they were said to cost.
func TestPagesAreNoReasonToDoubt(t *testing.T) {
	view, err := session.Begin(&session.Memory{}, "s", session.NewPolicy(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	scan := message.Context{Names: []string{"a.pdf"}, Parts: []message.Part{message.Document{Source: message.AtURL("x")}}, PartTokens: 310 * 1600}
	const counted = 80_000
	for _, said := range []session.Said{
		{Message: message.Message{Role: message.Developer, Content: message.Of(scan)}},
		{Message: message.Message{Role: message.User, Content: message.Say("what is it?")}},
		{Message: message.Message{Role: message.Assistant, Content: message.Say("a scan")}, Usage: &message.Usage{InputTokens: counted, OutputTokens: 3}},
	} {
		if err := view.Stage(said); err != nil {
			t.Fatal(err)
		}
	}
	if n := view.Tokens(); n < counted || n > counted+100 {
		t.Errorf("%d tokens, where %d were counted", n, counted)
	}
}

func result(t *testing.T, parts ...message.Part) message.Part {
	t.Helper()
	result, err := message.PartResult("call", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
