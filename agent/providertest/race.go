//go:build race

package providertest

// slowness is how much longer everything may take with the race detector.
const slowness = 20
