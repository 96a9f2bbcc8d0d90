//go:build !unix

package access

// doNotWait is empty where the file system holds no pipes.
const doNotWait = 0
