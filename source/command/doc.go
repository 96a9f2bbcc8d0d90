// Package command resolves mentions of the user's own kinds: @jira:ABC-1 runs a
// configured command, or fetches a configured address, with ABC-1 in it. It is an
// [ampersat.Resolver] for [mention.Custom]; [Resolver.Namespaces] make @jira:ABC-1
// one.
//
// # What is mentioned is an argument
//
// A command is a list of words, and no shell reads it. What was mentioned takes the
// place of {} in the words after the first, or is added as the last word.
// Where it would stand at the beginning of a word and begins with a hyphen, a program
// would take it for an option, and it is refused, unless -- stands before it in the
// configuration. In an address it is escaped; it can become neither a host, nor a
// further folder, nor a way up.
//
// # Who may run what
//
// [Scheme.Trust] is asked before anything is started or sent. A program sees a
// small part of the environment, in which no keys are, and what was configured for
// it; its standard input is empty.
//
// # Bounds
//
// Output is read as it comes, up to a limit, and then the program is ended. It is
// also ended, with whatever it started, when its time is over or nobody waits any
// more. A program that fails is an [*ampersat.Miss] with the last line that it
// complained.
package command
