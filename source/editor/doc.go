// Package editor resolves what a person has before them while they work: the
// output in their terminal, and what a language server says about their code.
//
// # Terminal
//
// [Terminal] is an [ampersat.Resolver] for [mention.Terminal]. The output comes
// from the first of these that there is: a file or pipe that the person named,
// a program that runs commands itself and remembers what they wrote, the tmux
// pane that the process runs in. What an editor sends along with a mention is
// read by the same rules.
//
// Output is what a terminal would show of it in the end ([Plain]): escape
// sequences are obeyed where they move or erase text and dropped otherwise,
// progress bars are in their last state, and what was on the alternate screen
// goes with it. The newest lines matter most, so that a long output loses its
// beginning. Secrets are looked for in the lines above as well: of a key that
// lost its first line the rest does not tell what it is.
//
// # Diagnostics
//
// [Diagnostics] is an [ampersat.Resolver] for [mention.Diagnostics]. It finds
// out which languages a project is written in, starts their servers when they
// are first asked for, and keeps them until it is closed. Files are opened
// with the server, what changed since is told, and the answer is awaited: by
// asking for it where the server can be asked, else until it has said
// something about each file and falls quiet.
//
// A language server runs code that the project controls, so that [Config.Trust]
// is asked before one is started. Everything about a server is bounded: how
// long it may take, how long a message and how many diagnostics are held. It
// has a process group of its own, which ends with it.
package editor
