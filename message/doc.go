// Package message is what is said to a model and what it answers:
// REQUEST_ENVELOPE_V1, the same for every provider.
//
// A [Message] has a [Role] and [Content]; content is a list of parts. A [Part]
// is text, thinking, a tool call and so on, each a Go value of its own type. Two
// kinds of parts are Ampersat's: a [Ref] is a mention, standing in the text where
// it was written, and a [Context] is what a mention resolved to. Messages, tools
// and settings make a [Request]; a provider streams [Event] values and ends with
// a [Response], or an [*Error] that says whether to try again.
//
// # JSON
//
// Everything here is read and written without loss: what is written says the
// same, with members in an order of its own. Raw values, such as the input of a
// tool call or an unknown part, are written by [Encode] and its siblings byte for
// byte; json.Marshal, of either library, may change their spaces and escapes.
//
// The unions are open. A part of a type that is not known is an [Unknown] with
// its JSON; so is one that lacks what its type needs, which [Unknown.Err] and
// [Message.Validate] report. An old session never becomes unreadable because
// something in it is new, or odd.
//
// Extra, on every type, keeps as a JSON object what the fields cannot say:
// members that nobody here knows, and members whose spelling the field would
// not give back, such as null, an empty string, or 1e3 for a thousand. A field
// that is changed afterwards wins over what Extra says about it. To add a member
// of your own, put it there.
//
// JSON is UTF-8. A byte in a Go string that is not becomes U+FFFD when it is
// written; keep bytes that matter in a blob.
//
// [Decode] is strict about what the public schema says. Histories of others,
// with their other shapes of tool calls, are read by [ReadForeign].
//
// # Text
//
// [Cut] puts mentions in their places in a text, and [Flatten] gives back exactly
// what was written. [Context.Render] writes a block for the model, which no
// content can break out of. [Message.Rendered] does both for readers that know
// only the public envelope.
package message
