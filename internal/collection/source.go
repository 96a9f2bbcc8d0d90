package collection

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// source is where a collection comes from.
type source struct {
	// kind decides how it is read, at what is read.
	kind sourceKind
	at   string
	// ref and subfolder are the version and the part of it that are meant.
	ref, subfolder string
	// called is what it is called if it does not say so itself.
	called string
}

type sourceKind int

const (
	fromIndex sourceKind = iota
	fromGit
	fromFolder
	fromArchive
)

// archiveSuffixes are those of the archives that are read.
var archiveSuffixes = [...]string{".zip", ".tar.gz", ".tgz", ".tar"}

// parse tells what a person means by a source. A name of the index goes before
// a folder of that name, which is written ./name.
func (l *Library) parse(text, ref, subfolder string) (source, error) {
	s := source{at: text, ref: ref, subfolder: strings.TrimSuffix(filepath.ToSlash(subfolder), "/")}
	fail := func(format string, args ...any) (source, error) {
		return source{}, fmt.Errorf(format, args...)
	}
	if s.subfolder != "" && checkName(s.subfolder) != nil {
		return fail("the subfolder %q does not lie in it", subfolder)
	}
	if err := checkRef(ref); err != nil {
		return fail("%v", err)
	}
	var err error
	switch {
	case text == "":
		return source{}, errors.New("there is no source; name a repository, a folder, an archive or a collection of the index")
	case l.inIndex(text):
		s.kind, s.called = fromIndex, text
	case isRemote(text):
		if err := checkRemote(text); err != nil {
			return fail("%v", err)
		}
		s.kind, s.called = fromGit, repositoryName(text)
	default:
		if s, err = l.parsePath(s); err != nil {
			return fail("%v", err)
		}
	}
	if s.subfolder != "" {
		s.called = path.Base(s.subfolder)
	}
	if ref != "" && s.kind != fromGit {
		return fail("only a repository has versions; leave out --ref")
	}
	return s, nil
}

// parsePath tells what is at a path.
func (l *Library) parsePath(s source) (source, error) {
	if !filepath.IsAbs(s.at) {
		s.at = filepath.Join(l.config.Dir, s.at)
	}
	s.at = filepath.Clean(s.at)
	info, err := os.Stat(s.at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint := ""
		if names := l.indexNames(); len(names) > 0 {
			hint = "; the index has " + strings.Join(names, ", ")
		}
		return source{}, fmt.Errorf("there is no such file or folder, and no collection of that name%s", hint)
	case err != nil:
		return source{}, err
	case info.IsDir():
		s.kind, s.called = fromFolder, filepath.Base(s.at)
		if s.ref != "" {
			// A version of a folder is one of the repository that it is.
			s.kind, s.at = fromGit, (&url.URL{Scheme: "file", Path: filepath.ToSlash(s.at)}).String()
		}
		return s, nil
	case !info.Mode().IsRegular():
		return source{}, errors.New("it is neither a file nor a folder")
	}
	for _, suffix := range archiveSuffixes {
		if name := filepath.Base(s.at); strings.HasSuffix(strings.ToLower(name), suffix) {
			s.kind, s.called = fromArchive, name[:len(name)-len(suffix)]
			return s, nil
		}
	}
	return source{}, fmt.Errorf("it is a file, and no archive that is read: %s", strings.Join(archiveSuffixes[:], ", "))
}

// checkRef refuses what is no name of a version, or would be taken for an
// option.
func checkRef(ref string) error {
	if strings.HasPrefix(ref, "-") || strings.ContainsAny(ref, " ~^:?*[\\+@{}") || strings.Contains(ref, "..") ||
		strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("%q is no branch, tag or commit", ref)
	}
	return nil
}

// isRemote reports whether a source is an address and not a path: it has a
// scheme, or is written host:path as for ssh.
func isRemote(text string) bool {
	if strings.Contains(text, "://") || strings.Contains(text, "::") {
		return true
	}
	host, _, ok := strings.Cut(text, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, `/\`)
}

// checkRemote refuses addresses that would run something, are not secure, or
// hold a password, which would be kept in the lock file.
func checkRemote(text string) error {
	if strings.HasPrefix(text, "-") || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return errors.New("it is not written as an address is")
	}
	if strings.Contains(text, "::") {
		return errors.New("addresses that name a program are not used")
	}
	if !strings.Contains(text, "://") {
		return nil // host:path
	}
	u, err := url.Parse(text)
	if err != nil {
		return errors.New("it is not written as an address is")
	}
	for _, suffix := range archiveSuffixes {
		if u.Scheme != "file" && strings.HasSuffix(strings.ToLower(u.Path), suffix) {
			return errors.New("archives are not fetched; save it and install the file")
		}
	}
	switch _, hasPassword := u.User.Password(); {
	case hasPassword || u.User != nil && u.Scheme != "ssh":
		return errors.New("there is a login in the address; leave it out and let git ask its credential helper")
	case u.Scheme == "file" && u.Host != "":
		return errors.New("a file address has three slashes")
	case u.Scheme == "https", u.Scheme == "ssh", u.Scheme == "file":
		return nil
	}
	return fmt.Errorf("%s is not used; use https, ssh or file", u.Scheme)
}

// redacted is a source as it may be shown.
func redacted(text string) string {
	if u, err := url.Parse(text); err == nil && u.User != nil {
		return u.Redacted()
	}
	return text
}

// repositoryName is the last part of an address.
func repositoryName(address string) string {
	address = strings.TrimRight(address, "/")
	if u, err := url.Parse(address); err == nil && u.Scheme != "" && strings.Contains(address, "://") {
		address = u.Path
	} else if _, rest, ok := strings.Cut(address, ":"); ok {
		address = rest
	}
	name := path.Base(strings.TrimSuffix(strings.TrimRight(address, "/"), ".git"))
	if name == "." || name == "/" {
		return ""
	}
	return name
}

// fetch puts what a source has into a staging folder, and returns the commit of
// a repository.
func (l *Library) fetch(ctx context.Context, s source, into *staging) (commit string, err error) {
	switch s.kind {
	case fromIndex:
		sub, err := fs.Sub(l.config.Index, s.at)
		if err != nil {
			return "", err
		}
		return "", copyFS(ctx, sub, into)
	case fromFolder:
		root, err := os.OpenRoot(s.at)
		if err != nil {
			return "", err
		}
		defer root.Close()
		return "", copyFS(ctx, root.FS(), into)
	case fromArchive:
		return "", l.unpack(ctx, s.at, into)
	}
	return l.clone(ctx, s, into)
}
