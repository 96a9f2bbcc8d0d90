// Package mention knows what an @ in a text names.
//
// [Find] reads a text and returns a [Ref] for every mention in it: where it
// stands, and which [Mention] it is. A Mention is a small comparable value,
// one Go type per kind: a [File], lines of a file ([Selection]), a [Symbol], a
// [URL], a [GitDiff] and so on. It says what is meant, never what is in it; no
// file is opened here, and nothing depends on what exists.
//
// Because nothing is opened, some readings stay open. A bare word such as
// @alice may be an agent, a file or no mention at all; the full stop in
// "@README.md." may end the sentence or the name. Find returns the reading
// that the grammar prefers, marks bare words ([Ref.Bare]) and keeps the other
// readings ([Ref.Alternatives]); whoever resolves the mention takes the one
// that exists.
//
// The grammar in short. A mention opens at an @ that follows white space, an
// opening bracket, a quote or similar, so that no e-mail address is one; it is
// not found in code spans and fenced blocks; \@ is a literal at-sign. It ends
// at white space and at punctuation that belongs to the sentence. Names with
// spaces are quoted, @"My Notes/a b.md", or escaped, @my\ notes.md. Lines
// follow as :10-20 or #L10-L20, symbols as #Name. docs/mentions.md has the
// whole of it.
//
// [Mention.String] is the inverse of Find for every mention that can be
// written; [Encode] and [Decode] are the JSON form, which keeps kinds and
// members that this version does not know.
package mention
