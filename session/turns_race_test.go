//go:build race

package session_test

// The race detector makes long sessions some ten times slower. `make long` runs
// them at their full length, also in CI.
const (
	scriptedTurns = 100
	randomTurns   = 5
)
