package zed_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
)

// Lines to the end of a file have a name, and no URI until their last is known.
func TestLinesToTheEnd(t *testing.T) {
	m := mention.Selection{Path: "/a.go", First: 10}
	if name := zed.Name(m, zed.Posix, 1); name != "a.go (10:)" {
		t.Error(name)
	}
	if _, err := zed.URI(m, zed.Posix); !errors.Is(err, zed.ErrNoURI) || !strings.Contains(err.Error(), "to the end") {
		t.Error(err)
	}
}
