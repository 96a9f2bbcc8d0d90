//go:build race

package providertest

const raceDetector = true
