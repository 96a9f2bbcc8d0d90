// Package slow takes its time.
package slow

import "time"

var Answer = answer()

func answer() int {
	time.Sleep(2 * time.Millisecond)
	return 42
}
