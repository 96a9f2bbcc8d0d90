// Package access decides who may read what.
//
// It is policy without a pipeline: resolvers ask it before they read, and after
// they have read. Every refusal is a [*Denied] that says what was refused, why,
// and what the person can type to grant it.
//
// Who asks. An [Asker] is the text a mention stands in: what a person typed,
// the text of a profile, a file that was itself mentioned, an editor's message.
// A person may mention anything. A file may only mention files, directories,
// selections and symbols, and only inside the tree that contains it, so that
// the README of somebody else's project cannot fetch an address or read the
// keys in your home directory. Text that came from tools and models has no
// origin at all, since it is never expanded.
//
// What may be read. [Roots] is the set of trees: the project, the user's own
// folder, collections, and what was allowed with --allow. [Roots.Check] is pure;
// [Roots.Open] opens through [os.Root], or has the kernel refuse links, so that
// none leads out, and refuses devices, pipes and sockets without waiting for
// them.
//
// What was allowed. A [Consent] knows each [Grant] a person gave: paths, folders
// that may be listed, addresses, secrets, and trust in a project as it was when they looked at it.
// [Memory] keeps them for as long as the process runs.
//
// What must not leave. [Scan] finds secrets in content, by the name of the file
// and by what it holds. A [Finding] says where the secret is and never what.
// The rules are of four sorts: tokens with a prefix of their own (prefix.go),
// tokens of several parts (pattern.go), what has structure, such as private
// keys (structure.go, block.go), and values that only a name nearby gives away
// (assignment.go, service.go), short passwords among them where a file is one of
// settings (setting.go). [Redact] takes them out of what is logged.
package access
