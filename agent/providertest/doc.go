// Package providertest is what every provider must do. A provider's test
// describes the provider once, as a [Subject], and calls [Run]:
//
//	func TestProvider(t *testing.T) { providertest.Run(t, subject()) }
//
// Run holds the encoder and the stream to the contracts of [agent.Provider]:
//
//   - the body of each of the [Scenarios] is the one in the golden file, byte for
//     byte, and its degradations are those beside it;
//   - over random sessions, what was sent is a prefix of what is sent next;
//   - an answer comes back whole: text, thinking, tool calls, usage;
//   - faults (refusals, cut, slow, malformed and oversized streams, cancelled
//     requests) end as the contract says, with what had come, and without the key
//     in any error.
//
// [RunMock] runs the provider against an independent server of the same API.
// [BenchmarkEncode] and [BenchmarkStream] measure.
package providertest
