//go:build race

package session_test

// The race detector makes long sessions some ten times slower.
const (
	scriptedTurns = 100
	randomTurns   = 5
)
