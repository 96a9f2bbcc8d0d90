package fs

import iofs "io/fs"

// lasting is a file system that is not asked for anything more once somebody has
// stopped waiting. To open a file may take its time, and to list a folder takes the
// opening of many: each folder's own, and those of the rules in it.
type lasting struct {
	fsys  iofs.FS
	ended func() error
}

func (l lasting) Open(name string) (iofs.File, error) {
	if err := l.ended(); err != nil {
		return nil, err
	}
	return l.fsys.Open(name)
}

// Stat implements [iofs.StatFS].
func (l lasting) Stat(name string) (iofs.FileInfo, error) {
	if err := l.ended(); err != nil {
		return nil, err
	}
	return iofs.Stat(l.fsys, name)
}

// ReadDir implements [iofs.ReadDirFS].
func (l lasting) ReadDir(name string) ([]iofs.DirEntry, error) {
	if err := l.ended(); err != nil {
		return nil, err
	}
	return iofs.ReadDir(l.fsys, name)
}

// Lstat implements [iofs.ReadLinkFS].
func (l lasting) Lstat(name string) (iofs.FileInfo, error) {
	if err := l.ended(); err != nil {
		return nil, err
	}
	return iofs.Lstat(l.fsys, name)
}

// ReadLink implements [iofs.ReadLinkFS].
func (l lasting) ReadLink(name string) (string, error) {
	if err := l.ended(); err != nil {
		return "", err
	}
	return iofs.ReadLink(l.fsys, name)
}
