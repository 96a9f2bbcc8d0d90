// Package agent is where a conversation meets a model.
//
// A [Provider] sends a [message.Request] and streams what comes back as
// [message.Event] values; [Collect] makes a [message.Response] of them. Package
// agent/providertest is the suite that every provider must pass.
package agent
