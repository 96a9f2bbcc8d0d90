// Package web resolves mentions of addresses: a page becomes Markdown, anything
// else what a file of that content would become. It is an [ampersat.Resolver].
//
// # What may be fetched
//
// Only http and https, without a login in the address. Where a name leads is
// checked when the connection is made and not before, so that no answer of a
// name server between the two can change it: loopback, private, link-local and
// all other addresses that are not public are refused with a [*access.Denied],
// unless [access.Consent] allows the address as it is written. A redirect is
// asked about anew, and five are followed.
//
// A proxy of the environment makes the connection itself, and so nothing here
// could check it. An address that would go through one is therefore refused
// too, until it is allowed; then the proxy is used.
//
// # What it costs
//
// The time and the bytes of one mention are bounded, before and after
// unpacking, so that neither a server that never ends nor a small answer that
// unpacks to a large one is held for long. A text that is longer is cut, but not
// inside a secret, and says so.
//
// # What it becomes
//
// Of a page the part that people come for, with its tables and links, without
// scripts, menus, and what is not shown. Its title stands above it, the address
// it was at last is its name. With a fragment it is that section. The type is
// what the bytes say where that is plain, and what the server says otherwise.
// Nothing in it is expanded.
//
// # What is kept
//
// A page that the server can be asked about again (ETag, Last-Modified) is kept
// on disk. It is asked about each time: what is kept saves bytes, and is never
// older than what the server has.
package web
