// Package module is no program: it is what floors_test.go looks for faults in.
// Each package has those its comment names, and no others.
package module

import (
	_ "net/http" // the standard library is on no floor

	_ "planted.example/module/blob" // downwards, past a floor, is right
)
