package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
)

// Project is a folder that is worked in, and what the person agreed to about
// it. Nothing is read before it is asked for, and then once. It is safe for
// concurrent use.
type Project struct {
	// Root is absolute and clean.
	Root string

	records  *Records
	identity func() string
	snapshot func() (Snapshot, error)

	mu sync.Mutex
	// read says that record, of which ok says whether there is one, was read.
	read, ok bool
	record   Record
}

// OpenProject returns the project at root, with the consents in records.
func OpenProject(root string, records *Records) *Project {
	p := &Project{Root: filepath.Clean(root), records: records}
	p.identity = sync.OnceValue(func() string {
		// A project is the same by whatever link it was entered.
		if real, err := filepath.EvalSymlinks(p.Root); err == nil {
			return real
		}
		return p.Root
	})
	p.snapshot = sync.OnceValues(func() (Snapshot, error) { return ProjectDigest(p.Root) })
	return p
}

// ConfigFile is where the project's file is, if it has one.
func (p *Project) ConfigFile() string { return filepath.Join(p.Root, folder, FileName) }

// Snapshot is the project as it was when it was first looked at.
func (p *Project) Snapshot() (Snapshot, error) { return p.snapshot() }

// Trust is what the person would agree to.
func (p *Project) Trust() (access.Trust, error) {
	snapshot, err := p.snapshot()
	return access.Trust{Project: p.identity(), Digest: snapshot.Digest}, err
}

// Record returns what the person agreed to before, and what was remembered,
// whatever became of the project since. [Record.Trusted] tells the two apart.
func (p *Project) Record() (Record, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.read {
		record, ok, err := p.records.find(p.identity)
		if err != nil {
			return Record{}, false, err
		}
		p.read, p.ok, p.record = true, ok, record
	}
	return p.record, p.ok, nil
}

// Agree records that the person agrees to the project in a state that they were
// shown.
func (p *Project) Agree(s Snapshot, at time.Time) error {
	return p.change(func(r *Record, _ bool) error {
		r.Digest, r.At, r.Files = s.Digest, at.UTC().Truncate(time.Second), s.Files
		return nil
	})
}

// Revoke takes back what was agreed to, and all that was remembered. It reports
// whether there was anything.
func (p *Project) Revoke() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, err := p.records.Revoke(p.identity())
	if err == nil {
		p.read, p.ok, p.record = true, false, Record{}
	}
	return found, err
}

// change changes the record of the project.
func (p *Project) change(with func(r *Record, held bool) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed, err := p.records.change(p.identity(), with)
	if err == nil {
		p.read, p.ok, p.record = true, true, changed
	}
	return err
}

// Trusted reports whether the person agreed to the project as it is. The
// project is looked at only if they agreed to it at some time.
func (p *Project) Trusted() (bool, error) {
	record, ok, err := p.Record()
	return err == nil && ok && record.Trusted() && p.is(record), err
}

// is reports whether the project is in the state of a record. What can't be
// looked at is not what was agreed to; "ampersat trust" says why it can't.
func (p *Project) is(r Record) bool {
	snapshot, err := p.snapshot()
	return err == nil && snapshot.Digest == r.Digest
}

// trustedWith is [Project.Trusted] for a file of configuration that was read: it
// must be the one that was agreed to, and not one that was there for a moment.
func (p *Project) trustedWith(config blob.Digest) (bool, error) {
	trusted, err := p.Trusted()
	if err != nil || !trusted {
		return false, err
	}
	snapshot, err := p.snapshot()
	return snapshot.Holds(folder+"/"+FileName, config), err
}

// readConfig reads the project's file.
func (p *Project) readConfig(home string) (layerFile, error) {
	from := Origin{Layer: ProjectFile, Name: filepath.Join(folder, FileName)}
	dir := filepath.Join(p.Root, folder)
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() && info.Mode()&fs.ModeSymlink == 0 {
		return layerFile{}, nil // most projects have none
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
			return layerFile{}, nil
		}
		return layerFile{problems: Problems{{Origin: from, Text: "its folder " + folder + " is a symbolic link; put a folder in its place"}}}, nil
	}
	return readFile(p.ConfigFile(), from, place{home, p.Root}, false)
}
