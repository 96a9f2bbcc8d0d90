//go:build soak

package main

const turnsKilled = 60
