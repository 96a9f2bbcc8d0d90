package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"pgregory.net/rapid"
)

// words is text of about n tokens that names something now and then.
func words(n, seed int) string {
	var b strings.Builder
	for i := range n {
		if i%20 == 7 {
			fmt.Fprintf(&b, "src/file%d.go ", (seed+i)%9)
			continue
		}
		b.WriteString([]string{"the ", "server ", "waits ", "for ", "a ", "connection ", "and ", "closes "}[(seed+i*i)%8])
	}
	return b.String()
}

var anySize = rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 40), rapid.IntRange(50, 200), rapid.IntRange(50, 1500))

// Random sessions, with everything that can go wrong in them, are held to every
// rule after every entry.
func TestViewsOfRandomSessions(t *testing.T) {
	t.Parallel()
	epochs := 0
	rapid.Check(t, func(t *rapid.T) {
		c := rehearse(t, anyPolicy(t))
		c.factor = rapid.SampledFrom([]float64{1, 1, 0.5, 2}).Draw(t, "factor")
		c.overhead = rapid.SampledFrom([]int{0, 0, 300}).Draw(t, "overhead")
		if rapid.Bool().Draw(t, "system") {
			c.text(message.System, words(rapid.IntRange(1, 300).Draw(t, "system size"), 0))
		}
		for range rapid.IntRange(1, randomTurns).Draw(t, "turns") {
			anyTurn(t, c)
		}
		c.checkLog()
		epochs += c.epochs
	})
	if epochs == 0 {
		t.Error("nothing was ever compacted")
	}
}

func anyPolicy(t *rapid.T) session.Policy {
	p := session.NewPolicy(rapid.SampledFrom([]int{1000, 2000, 4000, 8000}).Draw(t, "window"))
	p.Strategy = rapid.SampledFrom([]session.Strategy{session.Simple, session.Smart}).Draw(t, "strategy")
	p.Recent = rapid.SampledFrom([]float64{0, 0.3, 0.9}).Draw(t, "recent")
	p.ToolResults = rapid.SampledFrom([]int{0, 1, 5}).Draw(t, "tool results")
	if rapid.Bool().Draw(t, "rules") {
		p.Rules = []session.Rule{{Text: "CLOSES", Weight: 0.1}, {Path: "src/file1.go", Keep: true}, {Tool: "read_file", Weight: 0}}
	}
	switch rapid.IntRange(0, 3).Draw(t, "summary") {
	case 0:
		p.Summarize = func(_ context.Context, gone []message.Message) (message.Message, error) {
			return message.Message{Role: message.Assistant, Content: message.Say(fmt.Sprintf("%d messages before. %s", len(gone), words(3000, 1)))}, nil
		}
	case 1:
		p.Summarize = func(context.Context, []message.Message) (message.Message, error) {
			return message.Message{}, errors.New("no model")
		}
	}
	return p
}

func anyTurn(t *rapid.T, c *rehearsal) {
	seed := rapid.IntRange(0, 1000).Draw(t, "seed")
	switch rapid.IntRange(0, 15).Draw(t, "before") {
	case 0:
		c.append(session.Note{Name: "bookmark"})
	case 1:
		c.pinSome(t)
	case 2:
		c.undoSome(t)
	case 3:
		c.text(message.System, "You are somebody else now.")
	case 4:
		// Results that nobody asked for, as of a log that was forked badly.
		c.say(session.Said{Message: message.Message{Role: message.Tool, Content: message.Of(message.TextResult("nobody", "42"))}})
	case 5:
		c.compact(true)
	case 6:
		// As older versions placed contents in a session without a system message.
		text := words(30, seed%3)
		old := message.Context{Names: []string{"src/old.go"}, Source: blob.Of([]byte(text)), Body: blob.Of([]byte(text)), Text: text}
		c.say(session.Said{Message: message.Message{Role: message.System, Content: message.Of(old)}})
	case 7:
		model := rapid.IntRange(0, 2).Draw(t, "model")
		c.turnTo(fmt.Sprint("model ", model), []int{1000, 4000, 8000}[model], []float64{1, 0.5, 3}[model])
	}
	var contexts []message.Part
	mentioned := map[string]bool{}
	for range rapid.IntRange(0, 3).Draw(t, "contents") {
		name := fmt.Sprintf("src/file%d.go", rapid.IntRange(0, 5).Draw(t, "file"))
		size := anySize.Draw(t, "content size")
		if !mentioned[name] {
			mentioned[name] = true
			text := fmt.Sprint(name, " version ", seed%3, " ", words(size, seed%3))
			if rapid.IntRange(0, 3).Draw(t, "part") == 0 {
				contexts = append(contexts, message.Context{Names: []string{name}, Source: blob.Of([]byte(text)), Body: blob.Of([]byte(text[:1])), Lines: "1-2", Text: text[:1]})
			} else {
				contexts = append(contexts, c.content(name, text))
			}
		}
	}
	if len(contexts) > 0 {
		place := rapid.SampledFrom([]func(message.Message) message.Message{nil, session.InSystem, session.AtTop}).Draw(t, "place")
		m := message.Message{Role: message.Developer, Content: message.Of(contexts...)}
		if place != nil {
			m = place(m)
		}
		c.say(session.Said{Message: m})
	}
	c.text(message.User, words(anySize.Draw(t, "ask size"), seed))
	for range rapid.IntRange(0, 4).Draw(t, "exchanges") {
		var outputs []string
		for range rapid.IntRange(1, 3).Draw(t, "calls") {
			outputs = append(outputs, rapid.SampledFrom([]string{"ok", words(anySize.Draw(t, "result size"), seed), words(30, seed), ""}).Draw(t, "output"))
		}
		at, usage := c.request()
		c.exchange(rapid.IntRange(0, 5).Draw(t, "shape"), rapid.Bool().Draw(t, "thinking"), usage, at, outputs...)
	}
	if rapid.IntRange(0, 5).Draw(t, "answered") == 0 {
		return // the turn was cancelled
	}
	at, usage := c.request()
	if rapid.IntRange(0, 3).Draw(t, "uncounted") == 0 {
		usage = nil
	}
	c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(
		message.Thinking{Thinking: words(rapid.IntRange(1, 100).Draw(t, "thinking size"), seed), Signature: "c2lnbmVk"}, message.Text{Text: words(anySize.Draw(t, "answer size"), seed+1)},
	)}, Usage: usage, Prepared: at})
}

func (c *rehearsal) pinSome(t *rapid.T) {
	seq := session.Seq(rapid.IntRange(1, len(c.log)+1).Draw(t, "pinned"))
	if rapid.Bool().Draw(t, "unpin") {
		delete(c.pinned, seq)
		c.append(session.Unpin(seq))
		return
	}
	c.pinned[seq] = true
	c.append(session.Pin(seq))
}

func (c *rehearsal) undoSome(t *rapid.T) {
	c.undo(session.Seq(rapid.IntRange(max(0, len(c.log)-12), len(c.log)).Draw(t, "undo through")))
}

// undo takes back what was said after an entry.
func (c *rehearsal) undo(through session.Seq) {
	c.Helper()
	first := true
	for i, e := range c.log {
		said, is := e.(session.Said)
		if !is || c.undone[session.Seq(i+1)] {
			continue
		}
		if first && said.Message.Role == message.System && said.Message.Content.Parts[0].Type() != message.TypeContext {
			first = false
			continue // what an agent is stays
		}
		if session.Seq(i+1) > through {
			c.undone[session.Seq(i+1)] = true
		}
	}
	c.append(session.Undo(through))
}
