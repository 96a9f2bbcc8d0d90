// Package session keeps what happened in a conversation.
//
// A session is a log of entries that only grows. An [Entry] is what somebody
// [Said], a request as it was [Prepared] for a provider, a decision about what
// the model no longer sees ([Compacted]), work given to another agent and its
// result ([Delegated], [Returned]), or a [Note] of a front end. Nothing is
// rewritten and nothing is taken out: what a model sees is computed from the
// log, and undo, fork, resume and export read nothing else.
//
// A [Store] keeps sessions. It numbers entries from one, without gaps.
// Appending is atomic and conditional: the writer says after which entry its
// own belong, and is told by an [ErrConflict] when somebody else was there
// first. A turn, which appends several times over minutes, holds a [Lease]
// meanwhile ([Hold]), so that a second writer learns at once who is at work, and may
// fork the session instead of waiting. [Memory] is the store that lives as long
// as the process, and the reference for every other; the suite that a store
// must pass is in session/sessiontest.
//
// A request is appended before it leaves, with everything that is needed to
// send it again ([Prepare], [Sent]), so that a crash loses nothing and a replay
// is exact. Each request of a conversation repeats the one before it; an entry
// holds only what is new ([Prepared.Since]).
//
// # What the model sees
//
// A [View] is computed from the log: [Open] reads what a model sees of a session,
// and the view then follows what is appended. When the window is nearly full,
// [View.Compact] decides what goes, by a [Policy], straight to a target; its
// decision is an entry like any other, stands for good, and says where the next
// reader can begin, so that a long session costs what a short one does. Between
// compactions a view only grows at its end. What was put in front of a conversation
// stands in the view with its turn, and in front where it is sent ([View.Request]). [Undo] and [Pin] are notes that a
// view understands; [Turns] tells what was said in which turn, [Fates] what became of each entry; [Search]
// looks through what was said. Package session/export takes sessions out of a
// store and puts them into one.
//
// # Stored form
//
// [Encode] writes an entry as one flat JSON object that names its kind:
//
//	{"kind":"said","message":{"role":"user","content":"hi"}}
//
// Kinds and members that this version does not know are kept and written back,
// so that an older program can carry on a session that a newer one began. What
// is kept is kept byte for byte, within messages as well.
//
// JSON is UTF-8 and has no way to say anything else. In text, each byte that is
// not becomes U+FFFD when the entry is appended; raw JSON with such bytes is
// refused. Bytes that must survive are a blob.
package session
