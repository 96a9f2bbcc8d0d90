//go:build !unix

package tool

import (
	"io/fs"
	"os"
)

// owner is of no use here: a file has that of the folder it is in.
type owner struct{}

func ownerOf(fs.FileInfo) (owner, int) { return owner{}, 1 }

func (owner) give(*os.File) error { return nil }
