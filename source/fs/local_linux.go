package fs

import "syscall"

// isLocal reports whether a file lies on a disk of this machine, or in its memory:
// reading it ends soon. What the kernel makes up when it is read, and what some
// other program or machine must send, may wait. The system is asked once for each
// disk.
func (r *Resolver) isLocal(f *found) bool {
	if !f.at.onDisk() {
		return false
	}
	about, ok := f.info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	if local, known := r.disks.Load(about.Dev); known {
		return local.(bool)
	}
	var disk syscall.Statfs_t
	local := syscall.Statfs(f.at.path, &disk) == nil && localDisk(uint32(disk.Type))
	r.disks.Store(about.Dev, local)
	return local
}

// localDisk knows the magic numbers of statfs(2) for what is usual on disks.
func localDisk(magic uint32) bool {
	switch magic {
	case 0xEF53, // ext2, ext3, ext4
		0x9123683E, // btrfs
		0x58465342, // xfs
		0xF2F52010, // f2fs
		0x2FC12FC1, // zfs
		0xCA451A4E, // bcachefs
		0x01021994, // tmpfs
		0x794C7630: // overlayfs
		return true
	}
	return false
}
