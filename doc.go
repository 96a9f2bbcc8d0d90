// Package ampersat makes @-mentions first-class context for AI agents.
//
// A person writes
//
//	Compare @docs/api.md with @internal/server.go:40-90 and @diff:main
//
// and each mention stays in the text, in place, as a reference to what it
// names. The packages below this one say what that means, from the bottom up:
//
//   - blob names bytes by their digest.
//   - mention finds mentions in a text and knows every kind of them.
//   - token tells how many tokens a text will cost.
//   - message is the conversation: roles, parts, requests, responses, events.
//   - access decides who may read what, and finds secrets.
//   - protocol/zed reads and writes mentions as the Zed editor spells them.
//   - session is the append-only log of a conversation.
//
// A package imports only what stands on a lower floor than its own. The floors
// are written down in floors_test.go, which fails for an import that climbs.
package ampersat
