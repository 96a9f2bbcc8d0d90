// Package union reads and writes JSON objects whose variant is told by one
// string member: {"kind":"file","path":"a.md"}, {"type":"text","text":"hi"}.
//
// The packages above keep a table from names to variants. This package does
// what they would otherwise each do again: find the tag wherever it stands,
// take it out, and put it back first.
package union
