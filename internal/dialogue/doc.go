// Package dialogue is a request in the plain terms that all providers share, and
// an answer while it is being put together.
//
// [Of] reads a request for an encoder. What is ours becomes what everybody
// knows: mentions are text again, contexts are their blocks, the lines of
// instructions stand before the text. What APIs demand holds: every tool call is
// followed at once by one turn with the results of all calls before it, no text
// is empty, and the ids of calls are unique. What had to be changed for that is
// reported. An encoder then only spells. [Notes.Tools] does the same for tools: one
// with a name or a schema that an API does not take, and it would refuse them all.
//
// A dialogue grows at its end. Whatever is decided about a message depends on
// those before it and, for the results of its calls, on those up to the next
// answer of the model; never on what comes later. Hence the turns of a request
// are a prefix of the turns of the next one, and a provider's cache holds.
//
// [Answer] is the other direction: the pieces that a provider streams, as events
// and as the parts of the whole.
package dialogue
