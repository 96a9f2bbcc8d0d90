// Package ampersat makes @-mentions first-class context for AI agents.
//
// A person writes
//
//	Compare @docs/api.md with @internal/server.go:40-90 and @src/
//
// and a [Pipeline] turns that into what a model reads: it finds the mentions,
// asks a [Resolver] for what each names, follows the mentions in what it got,
// folds equal content into one block, sends a reference for what the model can
// still see and a diff for what has changed, keeps a [Budget], and places the
// blocks where a [Placement] says. The mentions stay in the text, in place.
//
//	p := &ampersat.Pipeline{Resolver: fs.New(fs.Config{Dir: dir, Roots: roots})}
//	stack, err := p.Prepare(ctx, ampersat.Ask("Explain @README.md"))
//
// The [Stack] has the messages, and a [Report] for each mention: loaded,
// partial, missing, blocked, and why. A mention that cannot be resolved never
// fails the turn.
//
// Package source/fs resolves files; a [Mux] hands other kinds, and words of
// one's own before a colon, to other resolvers. What a stack becomes for an
// API is in provider/…, what models can do and cost in model. Package message
// is the conversation, mention the grammar, access who may read what, session
// the log, token the counting, blob the bytes.
//
// To let a model answer, with tools, over many turns, use package agent: its
// Conversation has a pipeline, a provider and a log. Tools are in tool and mcp, a
// log in a file in store/sqlite.
//
// A package imports only what stands on a lower floor than its own. The floors
// are written down in floors_test.go, which fails for an import that climbs.
package ampersat
