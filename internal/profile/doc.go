// Package profile reads who the assistant is: profiles, and the agents that work
// can be handed to.
//
// Both are Markdown files with YAML front matter. The front matter says which
// model, tools and settings, the body is the instruction that the model reads,
// and mentions in it are loaded like those of any other text: not here, but by
// the pipeline, with the file's folder as their base.
//
// # Where they are
//
// A [Library] looks in the project's .ampersat/profiles/ and .ampersat/agents/, in the
// same folders of the user's, and in collections: folders of a project, of the user or
// of the program, which have profiles/ and agents/ of their own. A collection is the
// union of its copies, file by file, so that a project can replace a single
// file of one that came with the program. Whatever is on disk is opened through
// [access.Roots]; no link leads out.
//
// # What they become
//
// A profile may extend one other. [Library.Profile] reads the whole chain, merges
// it from the eldest down and checks the result, so that a [Merged] is right as a
// whole. Settings are inherited, the body is not: text is shared by mentioning it. All
// that is wrong is told at once, as [Problems], each with its file, line and
// column, and the chain that led there.
//
// # Whom to believe
//
// Text that came with a project is somebody's, until the person trusts the project.
// Of an untrusted profile only those settings count that can do no harm; the others
// are named in [Merged.Withheld]. Where its body goes is decided by who
// prepares it, by [Merged.Trusted]. A profile of the user's, or of the program, does
// not extend one of an untrusted project.
package profile
