package agent

import (
	"context"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Tool is something that a model can have done. Implementations are safe for
// concurrent use, and open nothing before they are run.
type Tool interface {
	// Spec describes the tool to the model.
	Spec() message.ToolSpec

	// Plan says what a call with these arguments would do, without doing any of
	// it, so that a person can be asked first. An error says what is wrong with
	// the arguments, in words for the model.
	Plan(input jsontext.Value) (Action, error)

	// Run does what Plan said, and is not called when that was refused. An error
	// is told to the model as the result of its call: it says what is wrong and
	// what to do instead. Run returns soon after its context is cancelled, with
	// what it has by then, and leaves no process behind. If it panics, the call
	// has failed, with a [*PanicError].
	Run(ctx context.Context, call Call) (Result, error)
}

// Call is one call of a [Tool].
type Call struct {
	// ID is that of the call in the conversation.
	ID string
	// Input is the arguments, a JSON object.
	Input jsontext.Value
	// View is what the model can see, so that it is not sent twice. To a call that
	// reads or fetches belongs what the calls before it in the same message have
	// shown; to one that writes or runs a program only what the model had seen when
	// it called. Calls that run at the same time share it: do not change what is in
	// it.
	View ampersat.View
	// Output, if set, is told what a tool has to show while it runs. It is safe
	// for concurrent use; once Run has returned it does nothing.
	Output func(text string)
	// Changing, if set, keeps what it takes to undo some changes: a tool calls it
	// before it writes, with the bytes that the changes name, and does not write if
	// it fails. [Result.Changes] say afterwards what has really been written. It is
	// safe for concurrent use; once Run has returned it fails.
	Changing func(ctx context.Context, changes []Change, blobs map[blob.Digest][]byte) error
}

// Action is what a call would do.
type Action struct {
	Effect Effect
	// Subject is what is done to: the absolute path of a file, or of a folder with
	// a slash at its end; a host; a command line; or a name of the tool's own. What
	// a person allows for good is an effect on a subject.
	//
	// It is empty where nothing is at stake that has a name: a tool that reads a
	// database which the program opened for it, or tells the time. A tool that
	// reads files for the model must name them here.
	Subject string
	// Summary says it to a person in one line: "edit internal/app/app.go".
	Summary string
	// Detail shows it in full where a line is not enough: a diff, a command.
	Detail string
	// Undoable says that Run writes files and does nothing else that lasts, and
	// tells [Call.Changing] of each before it does. Of other calls that write or run
	// something it is noted that they begin, so that whoever undoes a turn can say
	// what was not taken back.
	Undoable bool
}

// Effect is what a call does to the world.
type Effect string

// The effects, from the harmless to what cannot be foreseen.
const (
	Lists   Effect = "list"  // the names in a folder, and nothing of what is in its files
	Reads   Effect = "read"  // files, or what the program knows
	Fetches Effect = "fetch" // something from the network
	Writes  Effect = "write" // files, or what the program keeps
	Runs    Effect = "run"   // a program
)

// Result is what a call came to.
type Result struct {
	// Parts are for the model: texts, contexts, pictures.
	Parts []message.Part
	// Blobs holds the bytes that the parts name, each under its digest. A part
	// whose bytes are neither here nor in the store is left out, and the call has
	// failed.
	Blobs map[blob.Digest][]byte
	// Failed says that the call did not do what it was for, and the parts say
	// why: a command that exited with 1.
	Failed bool
	// Changes are the files that were written, so that it can be undone.
	Changes []Change
}

// Change is a file that a tool wrote. Blobs of the result hold what Before and
// After name.
type Change struct {
	// Path is absolute.
	Path string `json:"path"`
	// Before and After name the whole content, empty where there was no file.
	Before blob.Digest `json:"before,omitzero"`
	After  blob.Digest `json:"after,omitzero"`
	// Mode is the file's permissions before, zero where there was none.
	Mode uint32 `json:"mode,omitzero"`
	// Folders is how many of the folders that it is in were made for it, from the
	// innermost outwards.
	Folders int `json:"folders,omitzero"`
	// Beside is the name, in the same folder, of what is written first and then
	// takes the place of the file. It is set until it has.
	Beside string `json:"beside,omitzero"`
}
