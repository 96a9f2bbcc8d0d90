//go:build !soak

package main

// turnsKilled is how often a turn is killed; more often in the soak test.
const turnsKilled = 3
