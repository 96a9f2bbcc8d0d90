// Package mcp is the client for servers of the Model Context Protocol: what
// they have can be mentioned, completed, and called by a model.
//
//	@docs:file:///guide.md     a resource, by its URI
//	@docs:guide                a resource, by the name that the server gives it
//
// A [Client] is an [ampersat.Resolver] for [mention.Resource]; its
// [Client.Namespaces] make @docs:guide one. [Client.Complete] finishes what is
// being typed, and [Client.Tools] are the servers' tools as [agent.Tool] values.
//
// # Servers
//
// A server is a program that speaks on its standard input and output, or an
// address that speaks streamable HTTP. It is started or reached when it is first
// needed, once, and kept until [Client.Close], which leaves no process behind. One
// that ended meanwhile is started again.
//
// # The protocol
//
// What is sent and read is in protocol.go, the messages around it in rpc.go. A
// session (session.go) is the same over both transports: calls, of which many can
// be under way; notices that a list has changed or how a call is getting on; and
// the server's own calls, of which a ping is answered and all others are refused.
// A call that nobody waits for any more is cancelled. Over HTTP an answer may come
// in a stream, which is taken up again where it broke off, and a session that the
// server has forgotten is begun anew.
//
// All versions from 2024-11-05 to 2026-07-28 are spoken; the newest, which has
// neither handshake nor session, to servers that refuse the others.
//
// # Who may start what
//
// [Server.Trust] is asked before anything is started or sent. A program sees a
// small part of the environment, in which no keys are, and what was configured for
// it. What a server says about the harmlessness of its tools counts only if the
// person configured it ([Server.Vouched]). Nothing that a server sends is searched
// for mentions.
//
// # Servers that misbehave
//
// A server may fail to start, hang, end in the middle of an answer, answer with
// nonsense, list things without end, or write to its standard error without end. All
// of that is an [*ampersat.Miss] within the server's time, with the last line of
// what it complained about. A line that it prints and that does not begin with a
// brace is passed over, as other clients do, and so is an object that is no
// message. What begins with a brace and cannot be read ends the connection: an
// answer may be lost with it.
package mcp
