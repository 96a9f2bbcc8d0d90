// Package zed reads and writes the URIs by which the Zed editor spells
// mentions: file:///src/main.rs#L5:15, zed:///agent/thread/ID?name=N.
//
// [Parse] reads a URI as Zed itself would, [URI] writes one, and
// Parse(URI(m)) is m. [ParseLink] is for what others wrote, a link target in a
// model's answer for instance: /src/a%20b.rs:42, C:/src/main.rs(4,2), a path in
// backticks. In text a mention is a Markdown link, [@main.rs](file:///main.rs):
// [Link] writes it and [FindLinks] finds it. Nothing here opens a file.
//
// Whether a path is a POSIX or a Windows path cannot be told from the URI, and
// the editor may run on another machine than we do, so every function takes a
// [Style].
//
// # The kinds
//
//	Zed                      here
//	File, Directory          mention.File, mention.Directory, absolute
//	Symbol                   mention.Symbol
//	Selection                mention.Selection, without a path for an untitled buffer
//	Fetch                    mention.URL
//	PastedImage              mention.Image with a name only
//	Thread                   mention.Session with its name
//	Diagnostics              mention.Diagnostics
//	TerminalSelection        mention.Terminal
//	GitDiff                  mention.GitDiff with a base
//	Rule, Skill,             mention.Unknown, named zed-rule, zed-skill,
//	MergeConflict            zed-merge-conflict
//
// The last three have no kind of ours. Their Raw holds the URI as it came,
// {"kind":"zed-rule","uri":"zed:///agent/rule/…"}, so that it survives being
// stored and URI gives it back byte for byte.
//
// A pasted image has no digest in its URI: the bytes travel beside it. Parse
// returns an Image with its name alone, and URI writes the name of any Image.
// That, and a trailing separator on a Directory, is all that URI drops.
// Everything else that a URI cannot say, such as an agent, a relative path, a
// diff of two commits, is an error that wraps [ErrNoURI].
//
// # Where this is not what Zed does
//
// Zed writes a % in a file name as it is and so reads a%20b.rs back as "a b.rs".
// URI writes %25. A path that a file URI cannot hold (a UNC path, a path with
// dot segments or a doubled leading slash) goes into the query of
// zed:///agent/file, which Zed reads too. A symbol whose lines are not known is
// written without them; Zed then shows the file.
//
// Zed guesses when a fragment is no line range (it takes line 2), or when a
// column or a line count is no number. Parse returns an error; ParseLink takes
// the file without its fragment. Lines in the wrong order are put in order. A
// path that ends in a separator is a directory, however it was written.
package zed
