// Package bundled is the text that comes with the program: collections that are
// always there, and an index of collections that can be installed.
//
// It is embedded in the binary and read when somebody asks, so that it costs a
// start nothing. Nothing in it runs.
package bundled
