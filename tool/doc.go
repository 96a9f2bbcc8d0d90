// Package tool is what a model can have done: read, list and search files, edit
// and write them, run a command, fetch a page. Each tool is an [agent.Tool] in a
// file of its own, with a description for the model beside it, in Markdown.
//
// # Reading
//
// read_file, list_files and fetch are mentions that a model makes. They go
// through the same [ampersat.Pipeline] as those a person types, so that roots,
// limits, the scan for secrets and the budget are the same, and so is what
// happens across turns: a file that the model can still see as it is comes as a
// short reference, one that has changed as a difference. Mentions in what a tool
// has read are not followed. What a path means is decided in one place, for who
// asks a person and for who reads, and a path is one of a file: no command is run
// for it.
//
// search looks at the files on the disk that a listing would show. Where ripgrep is
// installed it finds the files that matter; which lines of them match, and how
// they are written, is decided here either way, so that the answer is the same.
//
// # Writing
//
// edit_file and write_file write files of the project and nothing else: not what
// was allowed to be read besides, not the user's own folder, not the folders of
// version control, whose hooks are programs. A symbolic link is followed inside
// the project, and what it leads to is what is asked about and written. A file
// is not touched if it is read-only, or not what the model has seen. What it was
// is kept ([agent.Call.Changing]) before it is written. Then it is replaced whole
// or not at all, and keeps its permissions and its owner; where that cannot be
// had, and where it has several names, it is written in place. [Undo] puts back
// what was there, and takes away the folders that were made.
//
// # Running
//
// shell runs a command in a process group of its own, without input, for a
// limited time. When the command ends, whatever it started ends with it. Of what
// it says the head and the tail are kept, without escape codes. It does not see
// the variables of our environment that look like secrets, and secrets in what
// it says are withheld.
package tool
