// Package export takes sessions out of a store and puts them into one.
//
// [Write] and [Read] are the two ends of JSON Lines, which keep everything:
// entries byte for byte, with their numbers and times, what is known about the
// session, and the contents that the entries name. A line says by its type what
// it is; see [Line]. What the salvage of a damaged store writes is the same, and
// can be read into a new one.
//
// [Markdown] is for people: what was said, mentions as they were written, what
// tools did folded away, and what was compacted when and why.
//
// The functions are safe for concurrent use. A session that goes on while it is
// exported is written as it was when its log began to be read.
package export
