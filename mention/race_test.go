//go:build race

package mention

// raceFactor makes the largest texts smaller where every access is watched.
const raceFactor = 10
