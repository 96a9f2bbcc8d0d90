// Package blob names bytes by what they are.
//
// A [Digest] is the SHA-256 of some content. Everything above refers to
// content by digest: a pasted image in a mention, the file a context block was
// cut from, the base a diff applies to. A [Store] keeps the bytes themselves,
// each content once, however often it is put.
package blob
