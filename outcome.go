package ampersat

import (
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// Outcome is what became of a mention. Each has exactly one.
type Outcome string

const (
	// Loaded: all of it is in the stack.
	Loaded Outcome = "loaded"
	// Partial: some of it is: it was cut, or described, or the range was longer
	// than the file.
	Partial Outcome = "partial"
	// Unchanged: the model can still see it as it is, and gets a reference.
	Unchanged Outcome = "unchanged"
	// Changed: the model has seen it otherwise, and gets what is new.
	Changed Outcome = "changed"
	// Duplicate: it is in the stack under another mention. Also a cycle.
	Duplicate Outcome = "duplicate"
	// Delegated: it is work for another agent. Nothing is sent for it.
	Delegated Outcome = "delegated"
	// Missing: there is nothing of that name.
	Missing Outcome = "missing"
	// Blocked: it may not be read.
	Blocked Outcome = "blocked"
	// Failed: it is there, or may be, and could not be read.
	Failed Outcome = "failed"
)

// Bad reports whether the model does not get what was mentioned.
func (o Outcome) Bad() bool { return o == Missing || o == Blocked || o == Failed }

// Report says what became of one mention.
type Report struct {
	// Mention is what it turned out to be.
	Mention mention.Mention
	// Written, Start and End are where it stands in the text it was found in.
	Written    string
	Start, End int
	Outcome    Outcome
	// Reason is for people, empty if there is nothing to say.
	Reason string
	// Err is why the model does not get it, for programs: a [*Miss], an
	// *access.Denied, whose findings a person may be asked about, or what the
	// resolver returned. It is nil if the outcome is not [Outcome.Bad].
	Err error
	// Shown says which part the model gets, empty for all of it.
	Shown string
	// Name is what its block is called, and ID where it really is; see
	// [Content.ID]. It decides whether a text is one that a person trusts.
	Name, ID string
	// Bytes and Tokens are what is sent for it.
	Bytes, Tokens int
	// Digest names the whole source; see [Content.Source].
	Digest blob.Digest
	// Parent is the index of the report of the mention whose content this one
	// stands in, -1 for what stands in the message itself.
	Parent int
}
