package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// maxMentioned is how large a file may be to count because it is mentioned. A
// larger one is never sent whole.
const maxMentioned = 8 << 20

// maxDepth is how far mentions in mentioned files are followed, as far as they
// are when they are read.
const maxDepth = 5

// collector gathers the files of a snapshot, until something is wrong.
type collector struct {
	root  string
	roots access.Roots
	files []File
	bytes int64
	err   error
	// seen are the paths that were looked at, next those that were mentioned and
	// are yet to be.
	seen map[string]bool
	next []string
}

func (c *collector) abs(name string) string { return filepath.Join(c.root, filepath.FromSlash(name)) }

func (c *collector) isFolder(name string) bool {
	info, err := os.Lstat(c.abs(name))
	return err == nil && info.IsDir()
}

// add takes in a file, or a folder with everything in it. What is not there is
// not part of the project.
func (c *collector) add(name string) {
	if c.err != nil || c.seen[name] {
		return
	}
	c.seen[name] = true
	info, err := os.Lstat(c.abs(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		c.err = err
	case info.IsDir():
		c.addFolder(name)
	case len(c.files) == maxTrustedFiles:
		c.err = ErrTooMuch
	case info.Mode()&fs.ModeSymlink != 0:
		c.addLink(name)
	case info.Mode().IsRegular():
		c.addFile(name)
	default:
		c.err = fmt.Errorf("%s is neither a file nor a folder", name)
	}
}

func (c *collector) addFolder(name string) {
	if path.Base(name) == ".git" && path.Dir(path.Dir(name)) == folder+"/collections" {
		return // the history of a collection is no text of it
	}
	dir, err := os.Open(c.abs(name))
	if err != nil {
		c.err = err
		return
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxTrustedFiles + 1)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		c.err = err
	case len(names) > maxTrustedFiles:
		c.err = ErrTooMuch
	}
	for _, entry := range names {
		c.add(name + "/" + entry)
	}
}

func (c *collector) addLink(name string) {
	target, err := os.Readlink(c.abs(name))
	if err != nil {
		c.err = err
		return
	}
	c.files = append(c.files, File{Path: name, Digest: blob.Of([]byte(target)), Size: int64(len(target)), Link: target})
	if !filepath.IsAbs(target) {
		c.next = append(c.next, path.Join(path.Dir(name), filepath.ToSlash(target)))
	}
}

func (c *collector) addFile(name string) {
	file, info, err := c.roots.Open(c.abs(name))
	if err != nil {
		c.err = err
		return
	}
	defer file.Close()
	if info.IsDir() {
		c.err = fmt.Errorf("%s: it became a folder meanwhile", name)
		return
	}
	data, err := io.ReadAll(io.LimitReader(file, maxTrustedBytes-c.bytes+1))
	if err != nil {
		c.err = err
		return
	}
	if c.bytes += int64(len(data)); c.bytes > maxTrustedBytes {
		c.err = ErrTooMuch
		return
	}
	c.files = append(c.files, File{Path: name, Digest: blob.Of(data), Size: int64(len(data))})
	if name != folder+"/"+FileName && bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 {
		c.mentions(name, string(data))
	}
}

// mentions notes the files that a text mentions, wherever they would be looked
// for: those that are not there cost a look.
func (c *collector) mentions(name, text string) {
	for _, ref := range mention.Find(text) {
		c.mentioned(name, ref.Mention)
		for _, other := range ref.Alternatives {
			c.mentioned(name, other.Mention)
		}
	}
}

func (c *collector) mentioned(in string, m mention.Mention) {
	var namespace, file string
	switch m := m.(type) {
	case mention.File:
		namespace, file = m.Namespace, m.Path
	case mention.Selection:
		namespace, file = m.Namespace, m.Path
	case mention.Symbol:
		namespace, file = m.Namespace, m.Path
	}
	switch {
	case file == "" || strings.HasPrefix(file, "~") || strings.ContainsRune(file, 0):
	case namespace == "project":
		c.next = append(c.next, path.Join(folder, file))
	case namespace != "":
		// A collection of the project is looked at as a whole.
	case filepath.IsAbs(file):
		if rel, err := filepath.Rel(c.root, file); err == nil {
			c.next = append(c.next, filepath.ToSlash(rel))
		}
	default:
		c.next = append(c.next, path.Join(path.Dir(in), file), path.Clean(file), path.Join(folder, "context", file))
	}
}

// follow takes in the files that were mentioned, and what they mention in turn.
func (c *collector) follow() {
	for range maxDepth {
		names := c.next
		c.next = nil
		for _, name := range names {
			if fs.ValidPath(name) && !c.seen[name] && c.isOwnFile(name) {
				c.add(name)
			}
		}
	}
}

// isOwnFile reports whether something is a file of the project, or a link, to
// which no other link leads: what is behind a link is not ours to vouch for.
func (c *collector) isOwnFile(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := os.Lstat(c.abs(dir)); err != nil || !info.IsDir() {
			return false
		}
	}
	info, err := os.Lstat(c.abs(name))
	return err == nil && (info.Mode().IsRegular() && info.Size() <= maxMentioned || info.Mode()&fs.ModeSymlink != 0)
}
