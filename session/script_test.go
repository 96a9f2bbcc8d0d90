package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// A session of 500 turns, as people work: files are mentioned and change, tools
// read and run, models think; the window has room for a small part of it.
func TestFiveHundredTurns(t *testing.T) {
	for _, strategy := range []session.Strategy{session.Simple, session.Smart} {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			policy := session.NewPolicy(32_000)
			policy.Strategy = strategy
			c := rehearse(t, policy)
			c.overhead, c.every, c.sparse = 2000, 211, true
			c.text(message.System, "You are a careful engineer. "+words(600, 1))
			largest := 0
			for turn := range scriptedTurns {
				name := fmt.Sprintf("src/file%d.go", turn*7%23)
				text := fmt.Sprintf("package file // version %d\n%s", turn/40, words(300+turn%5*200, turn%23))
				c.say(session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(c.content(name, text))}})
				c.text(message.User, fmt.Sprintf("Turn %d: what is wrong with @%s? %s", turn, name, words(20+turn%60, turn)))
				for step := range turn % 3 {
					at, usage := c.request()
					largest = max(largest, c.view.Tokens())
					c.exchange(turn%3, turn%2 == 0, usage, at, words(50+(turn*31+step*17)%900, turn), "ok")
				}
				at, usage := c.request()
				largest = max(largest, c.view.Tokens())
				c.say(session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(
					message.Thinking{Thinking: words(60, turn), Signature: "c2ln"}, message.Text{Text: words(40+turn%100, turn+1)},
				)}, Usage: usage, Prepared: at})
			}
			c.checkLog()
			if limit := int(policy.Threshold * float64(policy.Window)); largest > limit {
				t.Errorf("a request had %d tokens, and the limit is %d", largest, limit)
			}
			// A turn has about two thousand tokens and a compaction makes room for
			// twelve: an epoch lasts for half a dozen turns.
			if c.epochs < scriptedTurns/16 || c.epochs > scriptedTurns/4 {
				t.Errorf("it was compacted %d times", c.epochs)
			}
			if first := c.view.FirstTurn(); first < max(2, scriptedTurns-110) || first > scriptedTurns {
				t.Errorf("the first turn in the view is %d", first)
			}
			t.Logf("%d entries, %d epochs", len(c.log), c.epochs)
		})
	}
}

// One message that fills most of the window is not compacted away turn by turn.
func TestOneLargeMessageIsNoStorm(t *testing.T) {
	for what, say := range map[string]func(c *rehearsal, text string){
		"a message of a person": func(c *rehearsal, text string) { c.text(message.User, text) },
		"a system message": func(c *rehearsal, text string) {
			c.text(message.System, text)
			c.text(message.User, "go on")
		},
		"a pinned message": func(c *rehearsal, text string) {
			c.text(message.Assistant, text)
			c.pinned[c.view.Head()] = true
			c.append(session.Pin(c.view.Head()))
			c.text(message.User, "go on")
		},
	} {
		t.Run(what, func(t *testing.T) {
			c := rehearse(t, session.NewPolicy(10_000))
			say(c, words(6000, 3))
			epochs := 0
			const turns = 60
			for turn := range turns {
				at, usage := c.request()
				c.exchange(0, false, usage, at, words(40, turn))
			}
			epochs = c.epochs
			if epochs == 0 || epochs > turns/8 {
				t.Errorf("in %d turns it was compacted %d times", turns, epochs)
			}
			if tokens := c.view.Tokens(); tokens > 10_000 {
				t.Errorf("it has %d tokens", tokens)
			}
		})
	}
}

// A large result that is protected for being recent goes when it must.
func TestALargeRecentResultGoes(t *testing.T) {
	c := rehearse(t, session.NewPolicy(10_000))
	c.text(message.User, "read it all")
	for i := range 30 {
		at, usage := c.request()
		c.exchange(0, false, usage, at, words(3000, i), words(3000, i))
	}
	if c.epochs == 0 || c.epochs > 30 {
		t.Errorf("it was compacted %d times", c.epochs)
	}
}

func TestATargetThatCannotBeMetIsNotChased(t *testing.T) {
	c := rehearse(t, session.NewPolicy(10_000))
	c.text(message.System, words(5600, 1))
	c.text(message.User, "one")
	for i := range 12 {
		c.text(message.Assistant, words(300, i))
		c.text(message.User, "go on")
	}
	done, ok, err := c.view.Compact(c.ctx, "", true)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if done.TokensTarget <= 5000 || done.TokensAfter < 6500 || !strings.Contains(done.Reason, "what must stay needs") {
		t.Errorf("%d of %d tokens: %s", done.TokensAfter, done.TokensTarget, done.Reason)
	}

	c.text(message.User, words(9000, 2))
	_, ok, err = c.view.Compact(c.ctx, "", false)
	if _, is := err.(*session.TooLargeError); ok || !is || !strings.Contains(err.Error(), "the window has 10000") {
		t.Errorf("have %v, %v", ok, err)
	}
}
