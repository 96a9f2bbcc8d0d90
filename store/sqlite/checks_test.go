//go:build !race

package sqlite

// checks is how many random histories are compared with the model, unless
// -rapid.checks says otherwise.
const checks = "100"
