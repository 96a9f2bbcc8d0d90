//go:build unix

package tool

import (
	"io/fs"
	"os"
	"syscall"
)

// owner is whose a file is.
type owner struct{ user, group int }

// ownerOf tells whose a file is, and how many names it has.
func ownerOf(info fs.FileInfo) (owner, int) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return owner{int(stat.Uid), int(stat.Gid)}, int(stat.Nlink)
	}
	return owner{os.Geteuid(), os.Getegid()}, 1
}

// give gives a file to the owner, if it is not theirs.
func (o owner) give(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if has, _ := ownerOf(info); has == o {
		return nil
	}
	return file.Chown(o.user, o.group)
}
