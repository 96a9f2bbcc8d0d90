package session

import (
	"context"
	"fmt"
	"path"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
)

// Strategy names a way to choose what the model no longer sees.
type Strategy string

// The strategies.
const (
	// Simple goes by age: the oldest goes first, what a tool returned before
	// what the model said, and that before what a person wrote.
	Simple Strategy = "simple"
	// Smart goes by importance: the kind of a message, whether later turns
	// refer to it, how recent it is, and the rules of the policy.
	Smart Strategy = "smart"
)

// Policy says how much of a session a model sees. [NewPolicy] has the usual
// one; a field that is zero means zero, not the usual.
type Policy struct {
	Strategy Strategy
	// Provider and Model are who the view is for, as in [Prepared]: what others have
	// reported is no count of it then. Empty means that every report is one.
	Provider, Model string
	// Window is how many tokens the model takes. Zero means that nobody knows:
	// nothing is compacted unless it is asked for.
	Window int
	// Threshold and Target are fractions of the window: beyond the first the
	// view is compacted, down to the second.
	Threshold, Target float64
	// Recent is the fraction of the window whose latest messages stay as long as
	// there is anything else to take out, and ToolResults how many of the latest
	// results of tools do.
	Recent      float64
	ToolResults int
	// Turns is how many of the latest turns stay like that, however long they are.
	Turns int
	// ToolResultBytes is how long one result of a tool may be; see [Policy.Cap].
	ToolResultBytes int
	// Pinned are entries that stay whole, like those that a note pins (see
	// [Pin]).
	Pinned []Seq
	// Rules say what is worth more or less, for [Smart]. They are asked in order
	// and all that match count.
	Rules []Rule
	// Summarize, if it is set, puts what is taken out into a few words. It is
	// given the messages, with the former summary first if there is one. If it
	// fails, the view is compacted without; the entry says why.
	Summarize func(ctx context.Context, gone []message.Message) (message.Message, error)
	// Overhead is about how many tokens every request has besides its messages:
	// the descriptions of tools.
	Overhead int
	// Counter estimates what the provider has not counted; nil means
	// [token.Estimator].
	Counter token.Counter
}

// NewPolicy returns the usual policy for a model that takes window tokens.
func NewPolicy(window int) Policy {
	return Policy{
		Strategy: Simple, Window: window, Threshold: 0.92, Target: 0.50,
		Recent: 0.30, ToolResults: 5, ToolResultBytes: 131_072,
	}
}

// Rule makes messages worth more or less. What is empty matches everything; the
// rest must all match.
type Rule struct {
	Role message.Role
	// Tool is the name of a tool that is called, or whose result it is.
	Tool string
	// Path is a pattern, as of [path.Match], for the names of contents and
	// mentions.
	Path string
	// Text is something that is said, in upper or lower case.
	Text string
	// Keep keeps the message until nothing else is left to take out.
	Keep bool
	// Weight multiplies the importance; zero means that it goes first.
	Weight float64
}

// Validate says what is wrong with the policy.
func (p Policy) Validate() error {
	if p.Strategy != Simple && p.Strategy != Smart {
		return fmt.Errorf("context policy: there is no strategy %q: want %s or %s", p.Strategy, Simple, Smart)
	}
	if p.Window < 0 {
		return fmt.Errorf("context policy: window: it must not be negative, have %d", p.Window)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"threshold", p.Threshold}, {"target", p.Target}, {"recent", p.Recent}} {
		if !(f.value >= 0 && f.value <= 1) { // nor not a number
			return fmt.Errorf("context policy: %s: want a fraction between 0 and 1, have %v", f.name, f.value)
		}
	}
	if p.Target >= p.Threshold {
		return fmt.Errorf("context policy: the target, %v, must be below the threshold, %v", p.Target, p.Threshold)
	}
	if p.ToolResults < 0 || p.ToolResultBytes < 0 {
		return fmt.Errorf("context policy: tool results: neither their number, %d, nor their length, %d, can be negative", p.ToolResults, p.ToolResultBytes)
	}
	if p.Turns < 0 {
		return fmt.Errorf("context policy: turns: their number must not be negative, have %d", p.Turns)
	}
	if p.Overhead < 0 {
		return fmt.Errorf("context policy: overhead: it must not be negative, have %d", p.Overhead)
	}
	for i, r := range p.Rules {
		if _, err := path.Match(r.Path, ""); err != nil {
			return fmt.Errorf("context policy: rule %d: path %q: %w", i+1, r.Path, err)
		}
		if !(r.Weight >= 0) {
			return fmt.Errorf("context policy: rule %d: weight: it must not be negative, have %v", i+1, r.Weight)
		}
	}
	return nil
}

// counter is what tokens are estimated by.
func (p Policy) counter() token.Counter {
	if p.Counter == nil {
		return token.Estimator{}
	}
	return p.Counter
}
