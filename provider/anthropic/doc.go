// Package anthropic speaks Anthropic's Messages API.
//
// [Encode] is a pure function from a request to the body that is sent, byte for
// byte the same for the same request. What it takes care of, beyond spelling:
//
//   - The system text is a parameter. Everything else stays in its place; what
//     mentions resolved to is said by the user.
//   - All results of one answer's calls are in one message directly after it.
//   - Thinking goes back as it came, with its signature. Thinking without one, and
//     thinking of another model, is refused by the API and therefore left out.
//   - Up to four cache breakpoints: after the tools, after the system text, where
//     the request before this one ended, and at the end.
//
// [New] returns a provider that sends it and streams the answer.
package anthropic
