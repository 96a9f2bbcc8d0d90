// Package lockfile lets one process at a time change something: who holds the
// lock of a folder is the only one that does. Where the system can, a process
// that dies lets go of it.
package lockfile
