// Package history resolves mentions of earlier sessions: @session:ID is what was
// said in it, as a transcript. Where that is longer than there is room for it is
// the summary that a compaction left, if there is one, and the last turns.
//
// The store is opened when the first such mention is resolved. What is in a
// transcript is not searched for mentions: it was said by a model, too.
package history
