//go:build !unix

package editor

const openNonblock = 0
