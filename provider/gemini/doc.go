// Package gemini speaks the Gemini API: streamGenerateContent.
//
// [Encode] is a pure function from a request to the body that is sent, byte for
// byte the same for the same request. What it takes care of, beyond spelling:
//
//   - The system text is a parameter. Everything else stays in its place; what
//     mentions resolved to is said by the user.
//   - All results of one answer's calls are in one content directly after it, and
//     nothing else is in there. A call never follows an answer without something
//     of the user in between, which the API refuses.
//   - Thought signatures go back on the parts that they came with. What another
//     model thought is left out; a call that it made is sent with the word by which
//     the API passes over a missing signature.
//   - What models of an older generation refuse (pictures in results, a format
//     together with tools) is said otherwise, and reported.
//
// The API marks its parts with more than messages have fields for. A signature is
// kept as the Signature of a [message.Thinking], and in the Extra of every other
// part as "thought_signature"; beside it stand the "model" that it is of, and for
// a call the "call_id" that the API gave it, if it gave one. A signature that came
// with an empty text is a Thinking without text, in whose Extra is "said".
//
// [New] returns a provider that sends it and streams the answer.
package gemini
