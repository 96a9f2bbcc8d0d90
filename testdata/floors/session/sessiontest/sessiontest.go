// Package sessiontest has no fault: a suite is test code.
package sessiontest

import (
	_ "planted.example/module/token"

	_ "pgregory.net/rapid"
)
