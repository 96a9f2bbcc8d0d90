package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
)

// cache keeps answers in a folder, one file each, for several processes at
// once: a file is written aside and put in place by renaming it, and what is
// read says its own length and digest. What does not fit that is passed over
// and replaced by the next answer.
type cache struct {
	dir          string
	total, entry int64
}

// entry is an answer that is kept: one line of JSON, and the body.
type entry struct {
	Version  int         `json:"version"`
	Address  string      `json:"address"`
	Type     string      `json:"type,omitzero"`
	Tag      string      `json:"etag,omitzero"`
	Modified string      `json:"last_modified,omitzero"`
	Digest   blob.Digest `json:"digest"`

	body []byte
}

const entryVersion = 1

const (
	suffix = ".page"
	// unfinished ends the name of a file that is being written. One that is
	// left over from a process that died is removed after an hour.
	unfinished = ".new"
)

// entryFor is what is kept of an answer. It is not ok for one that the server
// wants forgotten, or could not be asked about again.
func entryFor(address string, header http.Header, a answer) (entry, bool) {
	e := entry{
		Version: entryVersion, Address: address, Type: a.kind,
		Tag: header.Get("ETag"), Modified: header.Get("Last-Modified"), body: a.data,
	}
	for _, line := range header.Values("Cache-Control") {
		for word := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(word), "no-store") {
				return entry{}, false
			}
		}
	}
	if a.cut || e.Tag == "" && e.Modified == "" || slices.Contains(header.Values("Vary"), "*") {
		return entry{}, false
	}
	e.Digest = blob.Of(a.data)
	return e, true
}

// conditions asks the server for the page only if it is another by now.
func (e entry) conditions(header http.Header) {
	if e.Tag != "" {
		header.Set("If-None-Match", e.Tag)
	}
	if e.Modified != "" {
		header.Set("If-Modified-Since", e.Modified)
	}
}

func fileName(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:]) + suffix
}

// open opens the folder. A link in it that leads out of it is not followed.
func (c cache) open() (*os.Root, error) {
	if c.dir == "" {
		return nil, fs.ErrNotExist
	}
	return os.OpenRoot(c.dir)
}

// get returns what is kept of an address. Whatever is wrong with it, it is as
// if there were nothing.
func (c cache) get(address string) (entry, bool) {
	root, err := c.open()
	if err != nil {
		return entry{}, false
	}
	defer root.Close()
	name := fileName(address)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > 2*c.entry {
		return entry{}, false
	}
	file, err := root.Open(name)
	if err != nil {
		return entry{}, false
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 2*c.entry))
	if err != nil {
		return entry{}, false
	}
	line, body, _ := bytes.Cut(data, []byte("\n"))
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return entry{}, false
	}
	e.body = body
	ok := e.Version == entryVersion && e.Address == address && e.Digest == blob.Of(body)
	return e, ok && (e.Tag != "" || e.Modified != "")
}

// put keeps an answer. It returns a note if it cannot.
func (c cache) put(e entry) string {
	if c.dir == "" {
		return ""
	}
	if int64(len(e.body)) > c.entry {
		return c.forget(e.Address)
	}
	if err := c.write(e); err != nil {
		return noteKept(err)
	}
	return ""
}

func noteKept(err error) string { return fmt.Sprintf("it could not be kept for later: %v", err) }

func (c cache) write(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	root, err := c.open()
	if err != nil {
		return err
	}
	defer root.Close()
	name := uuid.NewString() + unfinished
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(slices.Concat(line, []byte("\n"), e.body))
	if err = errors.Join(err, file.Close()); err == nil {
		err = root.Rename(name, fileName(e.Address))
	}
	if err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return c.sweep(root)
}

// used says that an entry was of use, so that it is among the last to go.
func (c cache) used(address string) string {
	root, err := c.open()
	if err != nil {
		return noteKept(err)
	}
	defer root.Close()
	now := time.Now()
	if err := root.Chtimes(fileName(address), now, now); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return noteKept(err)
	}
	return ""
}

// forget removes what is kept of an address. It returns a note if it cannot.
func (c cache) forget(address string) string {
	root, err := c.open()
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err == nil {
		defer root.Close()
		err = root.Remove(fileName(address))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("what was kept of it could not be removed: %v", err)
	}
	return ""
}

// sweep removes what was not used for the longest time, until the rest fits.
// Another process may do the same meanwhile.
func (c cache) sweep(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	all, err := dir.ReadDir(-1)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	var total int64
	for _, e := range all {
		info, err := e.Info()
		switch {
		case err != nil: // it is gone
		case strings.HasSuffix(e.Name(), unfinished) && time.Since(info.ModTime()) > time.Hour:
			err = root.Remove(e.Name())
		case strings.HasSuffix(e.Name(), suffix) && info.Mode().IsRegular():
			kept = append(kept, info)
			total += info.Size()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range kept {
		if total <= c.total {
			break
		}
		if err := root.Remove(info.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= info.Size()
	}
	return nil
}
