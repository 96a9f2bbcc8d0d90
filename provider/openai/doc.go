// Package openai speaks OpenAI's APIs, which many others speak too.
//
// There are three providers, and two wires:
//
//   - [New] is OpenAI itself, by the Responses API. [Encode] is its encoder.
//   - [NewAzure] is the same API at a resource of one's own, with a key or a token.
//   - [NewChat] is Chat Completions, for whatever server speaks it: Ollama, vLLM,
//     LM Studio, a gateway. [EncodeChat] is its encoder.
//
// The encoders are pure functions from a request to the body that is sent, byte
// for byte the same for the same request. What they take care of, beyond spelling:
//
//   - What mentions resolved to stays in its place and is said by the user. The
//     role developer, which would have more authority, is never used.
//   - Nothing is left with the provider: the whole conversation is sent each time,
//     nothing is stored, and no answer refers to one before it.
//   - Reasoning goes back to the Responses API encrypted, as it came, and not at
//     all when it is not encrypted or not of that model: both would be refused.
//     Chat Completions have no place for it; it is kept, and not sent.
//   - Every result stands directly after its call. Pictures in results, which Chat
//     Completions know only from the user, follow the results of that answer.
//   - Names of tools that the APIs would refuse are changed on the way out and
//     changed back on the way in.
package openai
