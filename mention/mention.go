package mention

import "github.com/ampersat/ampersat/blob"

// Mention is what an @ names. It is one of [File], [Directory], [Glob],
// [Selection], [Symbol], [URL], [Image], [Resource], [Agent], [Subtask],
// [Diagnostics], [GitDiff], [Terminal], [Session], [Custom] or [Unknown].
//
// Every variant is a value that can be compared with == and used as a map key.
type Mention interface {
	// Kind names the variant.
	Kind() Kind

	// String returns the mention as a person would write it, with its @, so
	// that [Find] gives it back. It is empty for what cannot be written: an
	// Image, an Unknown, and a Selection without a path.
	String() string

	isMention()
}

// Kind names a variant of [Mention], as in JSON.
type Kind string

// The kinds, in the order of the variants.
const (
	KindFile        Kind = "file"
	KindDirectory   Kind = "directory"
	KindGlob        Kind = "glob"
	KindSelection   Kind = "selection"
	KindSymbol      Kind = "symbol"
	KindURL         Kind = "url"
	KindImage       Kind = "image"
	KindResource    Kind = "resource"
	KindAgent       Kind = "agent"
	KindSubtask     Kind = "subtask"
	KindDiagnostics Kind = "diagnostics"
	KindGitDiff     Kind = "git-diff"
	KindTerminal    Kind = "terminal"
	KindSession     Kind = "session"
	KindCustom      Kind = "custom"
)

// File is a file: @docs/api.md, @~/notes.md, @foundation:context/AGENTS.md.
type File struct {
	// Namespace is what stands before the colon in @foundation:a.md: a
	// collection, or "user" or "project". Whether it is one of these, a custom
	// scheme or an MCP server is decided when the mention is resolved.
	Namespace string `json:"namespace,omitzero"`
	// Path is as written, without quotes, escapes and a leading "./".
	Path string `json:"path"`
}

// Directory is a folder: @internal/, @folder:src.
type Directory struct {
	Namespace string `json:"namespace,omitzero"`
	// Path has no trailing slash, except for the root itself.
	Path string `json:"path"`
}

// Glob is the files that match a pattern: @src/**/*.go.
type Glob struct {
	Namespace string `json:"namespace,omitzero"`
	Pattern   string `json:"pattern"`
}

// Selection is some lines of a file: @f.go:10-20. An editor may also send
// lines of a buffer that has no path yet.
type Selection struct {
	Namespace string `json:"namespace,omitzero"`
	Path      string `json:"path,omitzero"`
	// First and Last are counted from one and included. Without a last line, as
	// in @f.go:10-, it goes to the end of the file.
	First int `json:"first"`
	Last  int `json:"last,omitzero"`
	// Column is counted from one, zero if none was given.
	Column int `json:"column,omitzero"`
}

// Symbol is a declaration or a section of a file: @f.go#Server.Close,
// @doc.md#"Getting started".
type Symbol struct {
	Namespace string `json:"namespace,omitzero"`
	Path      string `json:"path"`
	Name      string `json:"name"`
	// First and Last are where an editor said the symbol stands, zero if
	// nobody did. They are not part of the written form.
	First int `json:"first,omitzero"`
	Last  int `json:"last,omitzero"`
}

// URL is a page: @https://go.dev/doc.
type URL struct {
	URL string `json:"url"`
}

// Image is a picture that came with the message. Its bytes are a blob.
type Image struct {
	Digest blob.Digest `json:"digest"`
	MIME   string      `json:"mime"`
	Name   string      `json:"name,omitzero"`
}

// Resource is a resource of an MCP server: @docs:file:///guide.md.
type Resource struct {
	Server string `json:"server"`
	URI    string `json:"uri"`
}

// Agent is another agent: @agent:reviewer, or @reviewer where one exists.
type Agent struct {
	Name string `json:"name"`
}

// Subtask is work for another agent: @task:reviewer(check the error paths).
// Mentions inside the prompt belong to the subtask.
type Subtask struct {
	Agent  string `json:"agent"`
	Prompt string `json:"prompt"`
	// Description is for display; it is not part of the written form.
	Description string `json:"description,omitzero"`
}

// Diagnostics is what a language server reports: @diagnostics (errors),
// @diagnostics:all (warnings too), @diagnostics:src/ (below a path).
type Diagnostics struct {
	Errors   bool   `json:"errors"`
	Warnings bool   `json:"warnings"`
	Path     string `json:"path,omitzero"`
}

// GitDiff is a difference in the repository. The zero value, @diff, is the
// work tree against HEAD.
type GitDiff struct {
	// Base is the A of @diff:A, @diff:A..B and @diff:A...B.
	Base string `json:"base,omitzero"`
	// Head is the B of @diff:A..B and @diff:A...B.
	Head string `json:"head,omitzero"`
	// MergeBase tells A...B, which starts where the two parted, from A..B.
	MergeBase bool `json:"merge_base,omitzero"`
	// Staged is @diff:staged: the index against HEAD.
	Staged bool `json:"staged,omitzero"`
	// Commit is the REF of @commit:REF: what that commit changed.
	Commit string `json:"commit,omitzero"`
}

// Terminal is captured terminal output: @terminal, @terminal:200.
type Terminal struct {
	// Lines is how many lines from the end, zero for all there are.
	Lines int `json:"lines,omitzero"`
}

// Session is an earlier session: @session:ID.
type Session struct {
	ID string `json:"id"`
	// Name is for display; it is not part of the written form.
	Name string `json:"name,omitzero"`
}

// Custom is an entry of a scheme that the user configured: @jira:ABC-1.
// [Find] does not know the schemes and returns a namespaced [File], which
// becomes a Custom when it is resolved.
type Custom struct {
	Scheme string `json:"scheme"`
	Arg    string `json:"arg"`
}

// Unknown is a mention of a kind that this version does not know. It is kept
// as it came.
type Unknown struct {
	// Name is the kind.
	Name string
	// Raw is the whole JSON object, with its kind.
	Raw string
}

// Kind implements [Mention].
func (File) Kind() Kind        { return KindFile }
func (Directory) Kind() Kind   { return KindDirectory }
func (Glob) Kind() Kind        { return KindGlob }
func (Selection) Kind() Kind   { return KindSelection }
func (Symbol) Kind() Kind      { return KindSymbol }
func (URL) Kind() Kind         { return KindURL }
func (Image) Kind() Kind       { return KindImage }
func (Resource) Kind() Kind    { return KindResource }
func (Agent) Kind() Kind       { return KindAgent }
func (Subtask) Kind() Kind     { return KindSubtask }
func (Diagnostics) Kind() Kind { return KindDiagnostics }
func (GitDiff) Kind() Kind     { return KindGitDiff }
func (Terminal) Kind() Kind    { return KindTerminal }
func (Session) Kind() Kind     { return KindSession }
func (Custom) Kind() Kind      { return KindCustom }
func (u Unknown) Kind() Kind   { return Kind(u.Name) }

func (File) isMention()        {}
func (Directory) isMention()   {}
func (Glob) isMention()        {}
func (Selection) isMention()   {}
func (Symbol) isMention()      {}
func (URL) isMention()         {}
func (Image) isMention()       {}
func (Resource) isMention()    {}
func (Agent) isMention()       {}
func (Subtask) isMention()     {}
func (Diagnostics) isMention() {}
func (GitDiff) isMention()     {}
func (Terminal) isMention()    {}
func (Session) isMention()     {}
func (Custom) isMention()      {}
func (Unknown) isMention()     {}
