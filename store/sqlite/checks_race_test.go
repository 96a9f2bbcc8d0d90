//go:build race

package sqlite

// The race detector makes SQLite, which is Go here, about ten times slower.
const (
	checks = "40"
	slower = 10
)
