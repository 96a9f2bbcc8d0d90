package ampersat

import (
	"context"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Resolver fetches what a mention names.
//
// In a turn it is called at most once for each query, from several goroutines at
// once. One thing may be asked for by several: as it is written in several ways, or
// by files in several folders; with a larger Limit where the model has seen more
// of it than fits; and by its name, though nobody mentions it, while the model can
// see something of it, to tell whether it has changed.
//
// What cannot be had is a [*Miss]; any other error is taken for one that
// failed, and so is a panic. A resolver reads nothing before it is called, and
// returns soon after its context is cancelled.
//
// A [Content] with Name and Text is enough: what is mentioned again is then sent
// as a reference, and what has changed as a diff.
type Resolver interface {
	Resolve(ctx context.Context, q Query) (Content, error)
}

// ResolverFunc is a function that is a [Resolver].
type ResolverFunc func(ctx context.Context, q Query) (Content, error)

// Resolve implements [Resolver].
func (f ResolverFunc) Resolve(ctx context.Context, q Query) (Content, error) {
	if f == nil {
		return Content{}, q.Unfit("cannot be read here")
	}
	return f(ctx, q)
}

// Unfit returns the miss of a resolver that is asked for something which it does
// not resolve. What goes on from its kind: "is not a file".
func (q Query) Unfit(what string) *Miss {
	kind := "mention of nothing"
	if q.Mention != nil {
		kind = string(q.Mention.Kind())
	}
	return &Miss{Mention: q.Mention, Outcome: Failed, Reason: "a " + kind + " " + what}
}

// Capturer is a [Resolver] that also makes something of content that came with
// a mention, as it would of what it fetches: it cleans a terminal's output, it
// scales a picture. What comes with other mentions is sent as it came.
type Capturer interface {
	Captured(ctx context.Context, q Query, data []byte) (Content, error)
}

// Query asks a [Resolver] for one mention.
type Query struct {
	Mention mention.Mention
	// Base is the folder of the text that the mention stands in, where that
	// text is a file or a profile. Relative paths are looked for there first.
	Base string
	// Asker is who mentions it, and decides what may be read. The zero value is
	// nobody, who may read nothing: a program that asks a resolver itself, on
	// behalf of a person, sets access.Asker{Origin: access.FromPerson}. A
	// [Pipeline] sets it.
	Asker access.Asker
	// Limit is how many bytes of text the caller can use at the most, zero if
	// there is no limit. What is longer need not be read whole; see
	// [Content.Tail].
	Limit int
	// Named says that the path of the mention is the [Content.Name] of a file that
	// the model has seen, and not what somebody wrote: there is one file of that
	// name, wherever else one would look for it. A resolver whose names are paths
	// as they are mentioned need not care.
	Named bool
	// Memory is what was read in this turn already; nil means that nothing is
	// kept.
	Memory *Memory

	// written is the mention as it stands in the text, while nobody has looked
	// whether it is in a namespace; followed says that the mentions in what it names
	// are of use.
	written  string
	followed bool
}

// Content is what a mention resolved to.
type Content struct {
	// Mention is what the mention turned out to be, where that is not what was
	// asked: a folder in place of a file. Nil means it is as asked.
	Mention mention.Mention
	// Name is what the content is called, to the model and to people. Across
	// turns a thing is known by its kind and its name, so different things need
	// different names, and a thing the same one every time. Of two in one turn
	// that are called the same, the later is called as it is mentioned; so is, in
	// any turn, a [mention.Custom] whose name the model knows as another's. Empty
	// means as it is mentioned, without the @.
	Name string
	// ID is where it really is, such as an absolute path. Two mentions with
	// the same ID are the same thing. It is also the name under which secrets
	// in it are allowed. Empty means that nobody knows: then a [mention.Custom] is
	// the same thing as another if it is the same mention, anything else if it has
	// the same name and content.
	ID string

	// Text is the content, or its beginning.
	Text string
	// Tail is its end, where what is between was not read for want of room.
	Tail string
	// Within is the text that Text is a part of, where it is one, and At is where
	// Text stands in it. Secrets are looked for there: of a key whose first line is
	// not shown, the others look like nothing. It need not be all of the source,
	// but it must reach some way around Text. It is not sent.
	Within string
	At     int
	// Judged says that the resolver has looked for secrets in all of the text
	// itself, and that the person has allowed what is left of them: it can tell, as
	// of a diff of several files, what they belong to.
	Judged bool
	// Size is the length of the whole source in bytes, zero if it is that of the
	// text.
	Size int64
	// Source is the digest of the whole source, empty if it was not all read.
	// For text it is the digest of the text as it is decoded, [blob.Of]; of the
	// bytes where some had to be replaced, since others would read the same. It is what
	// makes content known again, and equal content one block. Where it is empty and
	// nothing (Tail, Size, Lines, Symbol, Shown, Parts) says that there is more than
	// Text, it is computed. Anything but a digest, such as an ETag, is a mistake.
	Source blob.Digest
	// MIME is the type of the source, empty for plain text.
	MIME string
	// Parts are what cannot be said in text: an image, a document. Blobs holds
	// their bytes by digest; what is in [Pipeline.Blobs] may be left out.
	Parts []message.Part
	Blobs map[blob.Digest][]byte
	// Secrets are those that a resolver found in the parts where only it can look,
	// such as what is packed in a document. They count like those in the text. The
	// bytes of the parts as they are need no looking at.
	Secrets []access.Finding
	// PartTokens is about what the parts cost, zero if that is not known.
	PartTokens int

	// Lines and Symbol are the part of the source that this is, as asked.
	Lines, Symbol string
	// Shown says what a resolver left out itself: "40 of 312 entries".
	Shown string
	// Note is something that people should know: "ignored by .gitignore:3".
	Note string

	// Tree is the directory tree that the content belongs to, and Folder the
	// folder in it where the mentions in the text are looked for first. Where
	// Tree is empty, the text is not searched for mentions.
	Tree, Folder string

	// Files are the contents of a mention that names several, such as a glob. The
	// Mention of each is what it is, the same as asked if it is nil.
	Files []Content

	// tokens is what the text costs, and found are the mentions in it, looked for
	// where it is read, by several at once; denied is why one of several files may
	// not be sent.
	tokens int
	found  foundIn
	denied error
}

// isWhole reports whether the content is all of its source, and text.
func (c *Content) isWhole() bool { return c.isUncut() && len(c.Parts) == 0 }

// isUncut reports whether the content is all of its source, be it a text or a picture.
func (c *Content) isUncut() bool {
	return c.Source != "" && c.Tail == "" && c.Lines == "" && c.Symbol == "" && c.Shown == ""
}

// Miss is the error for a mention that did not resolve. It does not end the
// turn: it is the mention's [Outcome].
type Miss struct {
	Mention mention.Mention
	// Outcome is [Missing], [Blocked] or [Failed].
	Outcome Outcome
	// Reason is for people: one clause, lower case.
	Reason string
	// Looked is where it was looked for, in order.
	Looked []string
	// Meant says that something was meant beyond doubt, though it may look like
	// plain text: it is in a namespace that is known, or names no lines of a file
	// that is there. It is reported, and said where another reading is taken.
	Meant bool
	// Err is the cause, if there is one.
	Err error

	// unread says that nobody reads files here, so that nobody can tell whether
	// this is one.
	unread bool
}

// Error implements error.
func (m *Miss) Error() string {
	if m == nil {
		return "resolve: a miss of nothing"
	}
	name := "mention"
	if m.Mention != nil {
		name = m.Mention.String()
		if name == "" {
			name = string(m.Mention.Kind())
		}
	}
	return fmt.Sprintf("resolve %s: %s", name, m.Detail())
}

// Detail is the reason, and where it was looked for.
func (m *Miss) Detail() string {
	if m == nil {
		return ""
	}
	if len(m.Looked) == 0 {
		return m.Reason
	}
	return m.Reason + "; looked in " + strings.Join(m.Looked, ", ")
}

// Unwrap returns the cause.
func (m *Miss) Unwrap() error {
	if m == nil {
		return nil
	}
	return m.Err
}
