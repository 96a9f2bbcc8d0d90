//go:build !unix

package app

// isRunning reports true where it cannot be known.
func isRunning(int) bool { return true }
