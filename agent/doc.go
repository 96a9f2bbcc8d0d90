// Package agent is where a conversation meets a model.
//
// A [Provider] sends a [message.Request] and streams what comes back as
// [message.Event] values; [Collect] makes a [message.Response] of them. Package
// agent/providertest is the suite that every provider must pass.
//
// A [Conversation] is a session that goes on. Its [Conversation.Turn] is the
// whole line: the message is prepared by the pipeline and written to the log,
// a request is put together from what the model can see, written to the log and
// sent, the [Tool] calls of the answer are run, and so on until the model has
// nothing more to call. Whoever watches is told of every [Event]; with nobody
// watching it is the same turn. [Permissions] decide what tools may do.
//
//	conversation, err := agent.Start(agent.Config{Provider: provider, Model: "claude-sonnet-4-5", Pipeline: pipeline}, session.Meta{})
//	answer, err := conversation.Turn(ctx, ampersat.Ask("Explain @README.md"), nil)
//
// The examples of [Conversation] have a provider and a tool of one's own and
// somebody who watches; package store/sqlite has one that goes on later, and
// source/fs one with mentions in it.
//
// Providers, tools, permissions and stores are safe for concurrent use, and so is
// a conversation, which runs one turn at a time; any number of conversations can
// run at once. Turns that two processes begin in one session are kept apart by
// its store.
//
// A turn can be stopped at any point: what had come is kept, every call has its
// result, and the next turn goes on from there.
package agent
