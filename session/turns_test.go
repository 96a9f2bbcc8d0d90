//go:build !race

package session_test

// How long the sessions are that views are held to their rules in.
const (
	scriptedTurns = 500
	randomTurns   = 14
)
