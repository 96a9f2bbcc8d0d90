//go:build never

package message

import "C"
