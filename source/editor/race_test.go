//go:build race

package editor_test

// floodedFiles is how many files a flood is about, each with a thousand
// diagnostics. The race detector makes reading them ten times slower.
const floodedFiles = 100
