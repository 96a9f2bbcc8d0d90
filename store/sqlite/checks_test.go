//go:build !race

package sqlite

const (
	// checks is how many random histories are compared with the model, unless
	// -rapid.checks says otherwise.
	checks = "100"
	// slower is by how much everything takes longer than usual.
	slower = 1
)
