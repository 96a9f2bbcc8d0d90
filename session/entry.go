package session

import (
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Entry is one thing that happened in a session. It is one of [Said],
// [Prepared], [Compacted], [Delegated], [Returned], [Note] or [Unknown].
//
// Every variant is a value. Extra, where there is one, keeps the members that
// the variant has no field for, as one JSON object; nil if there are none.
type Entry interface {
	// Kind names the variant, as in JSON.
	Kind() Kind

	isEntry()
}

// Kind names a variant of [Entry].
type Kind string

// The kinds, in the order of the variants.
const (
	KindSaid      Kind = "said"
	KindPrepared  Kind = "prepared"
	KindCompacted Kind = "compacted"
	KindDelegated Kind = "delegated"
	KindReturned  Kind = "returned"
	KindNote      Kind = "note"
)

// Seq is the place of an entry in its log. The first is 1; zero is the place
// before it.
type Seq int64

// Said is a message of the conversation: what a person wrote, with its mentions
// in place; the content these resolved to; what the model answered; what a tool
// returned.
type Said struct {
	Message message.Message `json:"message"`
	// Prepared is the request that this answers, zero for what no model said.
	Prepared Seq `json:"prepared"`
	// Usage, Degradations and FinishReason are what the provider reported with
	// an answer.
	Usage        *message.Usage        `json:"usage"`
	Degradations []message.Degradation `json:"degradations"`
	FinishReason string                `json:"finish_reason"`
	// Interrupted says why the message ends before its end: the person
	// cancelled the turn, the connection broke. Empty means that it is whole.
	Interrupted string         `json:"interrupted"`
	Extra       jsontext.Value `json:",embed"`
}

// Prepared is a request that is about to be sent. It is appended before the
// request leaves. [Prepare] makes one, [Sent] reads the whole request back.
type Prepared struct {
	// Provider names the adapter that encodes the request.
	Provider string `json:"provider"`
	// Choice is who was chosen to answer, provider and model in the words of
	// whoever chose: "work/claude-sonnet-5". Whoever goes on with the session reads
	// it. Empty means that nobody chose, or that an older version did not say.
	Choice string `json:"choice"`
	// Options are settings of the adapter that change the bytes it sends and
	// are not part of the request, any JSON; nil if there are none.
	Options jsontext.Value `json:"options"`
	// Request has the final messages, with the ids of tool calls as they are
	// sent, the tools, the model and the parameters. Its Blobs are not kept
	// here: the store has them, under the digests in Blobs below.
	Request message.Request `json:"request"`
	// Base is an earlier Prepared entry of the same session that this one
	// continues, zero if it stands alone. The messages of the request are then
	// the first Kept of the whole earlier request, followed by those that are
	// in Request here; and its tools are the earlier ones if SameTools.
	Base      Seq  `json:"base"`
	Kept      int  `json:"kept"`
	SameTools bool `json:"same_tools"`
	// Links is how many other entries must be read to have the whole request.
	Links int `json:"links"`
	// Digest is that of the whole request as [message.EncodeRequest] writes it.
	Digest blob.Digest `json:"digest"`
	// Blobs are the contents that the whole request needs, sorted.
	Blobs []blob.Digest `json:"blobs"`
	// Through is the last entry that was looked at to compute the request, and
	// Epoch the number of the last compaction among these.
	Through Seq `json:"through"`
	Epoch   int `json:"epoch"`
	// Tokens is how large the request was estimated to be.
	Tokens int `json:"tokens"`
	// Report tells what became of each mention, any JSON; nil if there is none.
	Report jsontext.Value `json:"report"`
	Extra  jsontext.Value `json:",embed"`
}

// Compacted is a decision about what the model no longer sees. The log keeps
// what it is about. Decisions stand for good: a later one adds to them.
type Compacted struct {
	// Epoch counts the compactions of the session, from one.
	Epoch int `json:"epoch"`
	// Strategy is what decided; Reason is why it had to, for people.
	Strategy string `json:"strategy"`
	Reason   string `json:"reason"`
	// Through is the last entry that was looked at.
	Through   Seq        `json:"through"`
	Decisions []Decision `json:"decisions"`
	// Summary stands for what was evicted, before what is left; nil if nothing
	// does.
	Summary *message.Message `json:"summary"`
	// Notice tells the model that something is gone. It stands last, since
	// whatever changes further up spoils the provider's cache; or, if NoticeBefore
	// is not zero, before that entry: a message that waited for its answer. Once
	// made it stays in its place, since thinking is bound to what stands before it.
	Notice       string `json:"notice"`
	NoticeBefore Seq    `json:"notice_before"`
	// TokensBefore and TokensAfter are the size of the view, TokensTarget what
	// was aimed at.
	TokensBefore int `json:"tokens_before"`
	TokensAfter  int `json:"tokens_after"`
	TokensTarget int `json:"tokens_target"`
	// Provider and Model are those whose tokens these are, counted or estimated, as in
	// [Prepared]. Empty means that nobody knows, or that an older version did not say.
	Provider string `json:"provider"`
	Model    string `json:"model"`
	// Resume lets a reader begin here instead of at the start of the log; nil
	// if it has to begin there.
	Resume *Resume        `json:"resume"`
	Extra  jsontext.Value `json:",embed"`
}

// Resume is what a [View] must know of the log before a [Compacted] entry, so
// that a session of any length is opened by reading what the model sees of it.
type Resume struct {
	// Spans are the stretches of the log, in order, of which the model sees what
	// was said. What was said elsewhere up to Through it does not see.
	Spans []Span `json:"spans"`
	// Decisions are those of earlier compactions that are about what is in the
	// spans.
	Decisions []Decision `json:"decisions"`
	// Pinned are the entries that a person wants to keep.
	Pinned []Seq `json:"pinned"`
	// Turns is how many turns the conversation has had.
	Turns int            `json:"turns"`
	Extra jsontext.Value `json:",embed"`
}

// Span is the entries from First to Last. In JSON it is a list of the two.
type Span struct{ First, Last Seq }

// Decision is what happens to one entry, or to one part of its message.
type Decision struct {
	Seq Seq `json:"seq"`
	// Part counts the parts of the message from one; zero is all of it.
	Part   int    `json:"part"`
	Action Action `json:"action"`
	// Text stands in place of what a [Stub] replaces. It is kept, so that a
	// later version that would word it differently does not change what the
	// model has already read.
	Text   string         `json:"text"`
	Reason string         `json:"reason"`
	Extra  jsontext.Value `json:",embed"`
}

// Action is what a [Decision] does.
type Action string

// The actions.
const (
	Evict Action = "evict" // the model does not see it
	Stub  Action = "stub"  // the model sees a text in its place
)

// Delegated is work that was given to another agent.
type Delegated struct {
	// Child is the session in which the agent works, empty if it speaks in
	// this one.
	Child ID `json:"child"`
	// Agent is the name of the agent, empty for one that is nothing but its
	// prompt.
	Agent  string          `json:"agent"`
	Prompt message.Content `json:"prompt"`
	// Description is the work in a few words, for people.
	Description string `json:"description"`
	// Call is the id of the tool call that asked for it, empty if a mention did.
	Call  string         `json:"call"`
	Extra jsontext.Value `json:",embed"`
}

// Returned is how delegated work ended.
type Returned struct {
	// Delegated is the entry that this answers.
	Delegated Seq     `json:"delegated"`
	Child     ID      `json:"child"`
	Outcome   Outcome `json:"outcome"`
	// Reason says why the work was not done, for people.
	Reason string          `json:"reason"`
	Result message.Content `json:"result"`
	// Usage is what the work cost in all, nil if nobody counted.
	Usage *message.Usage `json:"usage"`
	Extra jsontext.Value `json:",embed"`
}

// Outcome is how delegated work ended. Others than these survive.
type Outcome string

// The outcomes.
const (
	Done      Outcome = "done"
	Failed    Outcome = "failed"
	Cancelled Outcome = "cancelled"
	Limited   Outcome = "limited" // it went too deep, too long or over budget
)

// Note is something that a front end wants to keep: that a turn was undone,
// what is pinned, a bookmark. Names are the front end's own.
type Note struct {
	Name string `json:"name"`
	// Value is any JSON, nil if there is none.
	Value jsontext.Value `json:"value"`
	Extra jsontext.Value `json:",embed"`
}

// Unknown is an entry of a kind that this version does not know, or one that
// lacks what its kind needs ([Unknown.Err] tells). It is kept as it came.
type Unknown struct {
	// Name is the kind.
	Name string
	// Raw is the whole JSON object, with its kind, byte for byte.
	Raw jsontext.Value
}

// Kind implements [Entry].
func (Said) Kind() Kind      { return KindSaid }
func (Prepared) Kind() Kind  { return KindPrepared }
func (Compacted) Kind() Kind { return KindCompacted }
func (Delegated) Kind() Kind { return KindDelegated }
func (Returned) Kind() Kind  { return KindReturned }
func (Note) Kind() Kind      { return KindNote }
func (u Unknown) Kind() Kind { return Kind(u.Name) }

func (Said) isEntry()      {}
func (Prepared) isEntry()  {}
func (Compacted) isEntry() {}
func (Delegated) isEntry() {}
func (Returned) isEntry()  {}
func (Note) isEntry()      {}
func (Unknown) isEntry()   {}
