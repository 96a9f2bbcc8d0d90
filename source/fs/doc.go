// Package fs resolves mentions of files: a file, some lines of one, a folder,
// the files that match a pattern. It is an [ampersat.Resolver] for the disk, and
// for any [io/fs.FS].
//
// # Where it looks
//
// A plain path is looked for in the folder of the text that mentions it, in the
// working directory, in .ampersat/context/, in the user's context/ and in the
// context that the program carries with it; the first that exists is meant.
// ~/x and absolute paths are what they say. The namespaces user: and project:
// are the user's own folder and the project's .ampersat/; any other is a
// collection, whose files are looked for one by one in the project's copy, the
// user's and the bundled one, so that a project can replace a single file. A copy
// is in a folder of the collection's name, or in one whose manifest gives it;
// manifests are read only where that matters, and at most every other second.
//
// # What may be read
//
// Everything on disk is opened through [access.Roots] as narrowed for the asker,
// so that no link and no .. leads out, and pipes and devices are refused without
// waiting. Their [*access.Denied] is returned as it is. A path outside is refused
// to a person only if there is something to refuse; to a file it is refused
// unseen. Who asks a resolver without a pipeline says for whom, in
// [ampersat.Query].Asker: for nobody nothing is read. What waits while it is read,
// as a file of the kernel's or of a server that is gone may, is waited for no
// longer than the context and [Limits.Silence] allow.
//
// # What it becomes
//
// Text of any encoding that can be told becomes UTF-8: by its byte order mark,
// or by what it declares where it is not valid UTF-8 already; else what is not
// valid is replaced, which is told to the model and in the note. An image becomes an image part no
// larger than models look at, a PDF a document part and the text in it. Anything
// else is described. A file on disk is as long as it says; one of another file
// system is read until it ends, whatever its Size says. No more is read than the caller can use: of a longer text
// the head and the tail, of a longer listing the upper levels. In one turn a file
// is read once, and what is mentioned of it is cut from that one text
// ([ampersat.Memory]); in one of more than 8 MB that is longer than the caller can
// use lines are looked for, and what stands around them is read too, to tell
// whether they are part of a secret.
//
// What is packed in an image or a PDF is sent with it, and so it is searched for
// secrets, which the content then has: see [ampersat.Content.Secrets]. What could
// not be unpacked is told in the note.
//
// The mentions in a text are followed where it is prose, by the name of the file:
// in source code and data an @ is something else.
//
// Files that ignore rules hide are not in folders and patterns. Who names one
// gets it, with a note.
package fs
