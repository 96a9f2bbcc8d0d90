// Package collection installs collections: folders of profiles, agents and
// texts that mentions reach by a name, as in @my-company:standards/coding.md.
//
// # Where they come from
//
// From a repository (https, ssh, file), a folder, an archive (.zip, .tar,
// .tar.gz), or by name from the index that comes with the program. What is
// installed is a copy, in the user's folder or the project's, and what it was
// copied from stands in collections.lock beside it: the source, the commit, and
// a digest of the files, by which a change by hand is noticed.
//
// # What may be in one
//
// Files and folders. Nothing in a collection runs: git is asked for a
// repository's files without hooks, filters or submodules, and no file is
// executable afterwards. Symbolic links, devices, names that lead elsewhere or
// would be the same on another system, and archives that unpack to much more
// than they are, are refused, and then nothing of it is installed. A collection
// is put together aside and moved into place as a whole, so that a reader sees
// the old one or the new one.
//
// # What it is called
//
// What its collection.yaml says, or the front matter of its README.md, or else
// what its source is called. Two of one name do not fit into one folder; of
// several folders the project's goes before the user's and that before what is
// bundled.
package collection
