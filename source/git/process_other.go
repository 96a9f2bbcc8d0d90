//go:build !unix

package git

const openNonblock = 0
