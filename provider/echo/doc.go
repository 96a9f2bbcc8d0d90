// Package echo is a provider that needs no key, no network and no model: it
// answers with an exact account of what it received.
//
// With it everything in front of a provider can be tried and tested on a fresh
// machine, and a person can see what a model would have been sent: which messages
// in which order, which mentions, which content with which digests, how many
// tokens. The same request has the same answer, byte for byte; it is streamed in
// pieces as a model's would be.
package echo
