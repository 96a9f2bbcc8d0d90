//go:build !race

package mention

const raceFactor = 1
