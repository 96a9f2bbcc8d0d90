// Package transport carries a request to a provider and its answer back: what
// all providers that speak HTTP have in common.
//
// A provider encodes a request, and knows how to read the events of its own
// stream: it has a [Decoder]. [Client.Stream] does the rest, the same way for
// all: it sends the body, tries again with growing pauses where that makes sense,
// reads server-sent events with a limit on their size and on silence, closes the
// connection when the context is cancelled or the reader stops, keeps what came
// when an answer breaks off, adds up the cost, and turns whatever goes wrong into
// one [message.Error] of one line, without the key in it.
package transport
