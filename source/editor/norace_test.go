//go:build !race

package editor_test

// floodedFiles is how many files a flood is about, each with a thousand
// diagnostics.
const floodedFiles = 1000
