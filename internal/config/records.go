package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Records are what the person agreed to, project by project, in trust.json of
// their own folder. Several processes may use it at once. Members that this
// version does not know stay as they are.
type Records struct {
	path string
}

// Record is what the person agreed to about one project.
type Record struct {
	// Project is its absolute path, without symbolic links.
	Project string `json:"-"`
	// At is when they last agreed to it, as it was in the state Digest, made of
	// Files. A project that has nothing to trust, and is here for what was
	// remembered, has no At.
	At     time.Time   `json:"at,omitzero"`
	Digest blob.Digest `json:"digest,omitzero"`
	Files  []File      `json:"files,omitzero"`
	// Allow are the paths and addresses, Permissions the tools that the person
	// allowed for this project, for good. They count as long as Digest is that of
	// the project.
	Allow       []string `json:"allow,omitzero"`
	Permissions []string `json:"permissions,omitzero"`

	Extra jsontext.Value `json:",embed"`
}

// Trusted reports whether the person agreed to the project, and did not only
// allow something while working in it.
func (r Record) Trusted() bool { return !r.At.IsZero() }

// State says what became of the project: it is trusted, it changed since it was
// agreed to, it is there for what was remembered alone, or it is gone.
func (r Record) State() string {
	if info, err := os.Stat(r.Project); err != nil || !info.IsDir() {
		return "gone"
	}
	if !r.Trusted() {
		return "remembered"
	}
	if snapshot, err := ProjectDigest(r.Project); err != nil || snapshot.Digest != r.Digest {
		return "changed"
	}
	return "trusted"
}

// trustFile is the file. The projects stay undecoded until they are needed.
type trustFile struct {
	Version  int                       `json:"version"`
	Projects map[string]jsontext.Value `json:"projects"`
	Extra    jsontext.Value            `json:",embed"`
}

// trustVersion is the form of the file that this version writes.
const trustVersion = 1

// maxTrustFile is far above what thousands of projects need.
const maxTrustFile = 64 << 20

// RecordsIn returns the records in the user's own folder. Nothing is read yet.
// Without a folder there are none, and nothing can be recorded.
func RecordsIn(userDir string) *Records {
	if userDir == "" {
		return &Records{}
	}
	return &Records{filepath.Join(userDir, "trust.json")}
}

// List returns all records, by project.
func (r *Records) List() ([]Record, error) {
	file, err := r.read()
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, project := range slices.Sorted(maps.Keys(file.Projects)) {
		record, err := r.decode(file, project)
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}

// find returns the record of a project. Who it is matters only if there are any.
func (r *Records) find(project func() string) (Record, bool, error) {
	file, err := r.read()
	if err != nil || len(file.Projects) == 0 {
		return Record{}, false, err
	}
	name := project()
	if _, ok := file.Projects[name]; !ok {
		return Record{}, false, nil
	}
	record, err := r.decode(file, name)
	return record, err == nil, err
}

func (r *Records) decode(file trustFile, project string) (Record, error) {
	record := Record{Project: project}
	if err := json.Unmarshal(file.Projects[project], &record); err != nil {
		return Record{}, r.corrupt(fmt.Errorf("project %s: %w", project, err))
	}
	return record, nil
}

func (r *Records) corrupt(err error) error {
	return fmt.Errorf("read %s: %w; mend the file, or move it away to be asked again", r.path, err)
}

// read returns the file as it is. One that is not there has nothing in it; one
// that can't be understood is an error and stays as it is.
func (r *Records) read() (trustFile, error) {
	empty := trustFile{Version: trustVersion}
	if r.path == "" {
		return empty, nil
	}
	info, err := os.Stat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return empty, nil
	case err != nil:
		return empty, fmt.Errorf("read what was trusted: %w", err)
	case !info.Mode().IsRegular() || info.Size() > maxTrustFile:
		return empty, r.corrupt(errors.New("it is not a file, or far too large"))
	}
	data, err := os.ReadFile(r.path)
	if err != nil {
		return empty, fmt.Errorf("read what was trusted: %w", err)
	}
	var file trustFile
	if err := json.Unmarshal(data, &file); err != nil {
		return empty, r.corrupt(err)
	}
	if file.Version != trustVersion {
		return empty, r.corrupt(fmt.Errorf("its version is %d, and this program knows %d", file.Version, trustVersion))
	}
	return file, nil
}

// Revoke takes back what was agreed to about a project, and all that was
// remembered for it. It reports whether there was anything.
func (r *Records) Revoke(project string) (bool, error) {
	found := false
	err := r.update(func(file *trustFile) error {
		_, found = file.Projects[project]
		delete(file.Projects, project)
		return nil
	})
	return found, err
}

// change changes the record of one project, and returns it.
func (r *Records) change(project string, with func(record *Record, held bool) error) (Record, error) {
	record := Record{Project: project}
	err := r.update(func(file *trustFile) error {
		_, held := file.Projects[project]
		if held {
			var err error
			if record, err = r.decode(*file, project); err != nil {
				return err
			}
		}
		if err := with(&record, held); err != nil {
			return err
		}
		data, err := json.Marshal(record)
		if err != nil {
			return fmt.Errorf("record trust: %w", err)
		}
		if file.Projects == nil {
			file.Projects = map[string]jsontext.Value{}
		}
		file.Projects[project] = data
		return nil
	})
	return record, err
}

// update changes the file while no other process does.
func (r *Records) update(with func(*trustFile) error) error {
	if r.path == "" {
		return errors.New("record trust: there is no folder to keep it in; set HOME or AMPERSAT_HOME")
	}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	unlock, err := lock(r.path + ".lock")
	if err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	defer unlock()
	file, err := r.read()
	if err != nil {
		return err
	}
	if err := with(&file); err != nil {
		return err
	}
	var data bytes.Buffer
	if err := json.MarshalWrite(&data, file, json.Deterministic(true), jsontext.WithIndent("  ")); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	data.WriteByte('\n')
	if err := replace(r.path, data.Bytes()); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return nil
}

// replace writes a file so that at every moment it is there whole, old or new.
func replace(path string, data []byte) (err error) {
	if real, linked := filepath.EvalSymlinks(path); linked == nil {
		path = real
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // only its owner may read it
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	if _, err = file.Write(data); err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err
}
