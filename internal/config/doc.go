// Package config is what the user wrote, checked, and the trust in a project.
//
// [Load] reads the layers, each of which wins over those before it: what is
// built in, config.yaml in the user's own folder, .ampersat/config.yaml of the
// project, the environment, the flags. The result is a [Config], plain data for
// others to convert, together with where each value came from. Every mistake is
// a [Problem] with its place and, where a key was misspelled, what was probably
// meant; all of them are reported at once.
//
// The shape is the struct: what can be written is the fields of [Config] by
// their key tags (schema.go). The file is read into nodes and walked against
// that shape (decode.go), so that each value knows its line and an alias bomb
// meets a limit. Values from the environment and from flags go through the same
// words (value.go).
//
// Trust. A project comes from anywhere, so what in it runs something or widens
// what may be read is left out until the person agreed to it; fields tagged
// trust are such. [ProjectDigest] names the state of everything that counts. A
// [Project] knows whether the person agreed to that very state, by the
// [Records] in trust.json, and reads neither unless it matters. [Consent] is
// the access.Consent of a run: what was allowed in it, and what was remembered
// for the project.
//
// Keys are never in a file of configuration, but in the environment or in a
// file of their own, which [Secret.Read] opens when a provider is used.
package config
