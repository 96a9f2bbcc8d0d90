package web

import (
	"strings"
)

// join puts remarks together.
func join(remarks ...string) string {
	var said []string
	for _, remark := range remarks {
		if remark != "" {
			said = append(said, remark)
		}
	}
	return strings.Join(said, "; ")
}
