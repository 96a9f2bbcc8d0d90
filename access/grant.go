package access

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/ampersat/ampersat/blob"
)

// Grant is something a person allowed. It is one of [Path], [Listing], [URL],
// [Secret] or [Trust]. Every variant is a value that can be compared with ==.
type Grant interface {
	// String returns the grant as [ParseGrant] reads it, for a [Path], a [URL]
	// and a [Secret]; a [Listing] and a [Trust] are described.
	String() string

	isGrant()
}

// Path allows a file, or a directory with everything in it, to be read.
type Path struct {
	// Path is absolute and clean.
	Path string
}

// Listing allows a directory to be listed, with all below it: what there is, and
// nothing of what is in the files. A [Consent] that knows of some has a method
// Listings() []string, as [Memory] does; nobody needs one.
type Listing struct {
	// Path is absolute and clean, and has no links in it.
	Path string
}

// URL allows an address: everything on a host, or below a path on it, though it
// be a private or local host. Scheme, host and port must be the same.
type URL struct {
	// Prefix is in normal form: lower case scheme and host, no default port, a
	// clean path.
	Prefix string
}

// Secret allows secrets to be sent: one by its ID, or all in a file or an
// address by its name. Secrets are never allowed for longer than the process
// runs; whatever keeps grants must leave these out.
type Secret struct {
	// ID is a [Finding.ID]. If it is empty, Name is set.
	ID string
	// Name is an absolute path or an address, or the name of something that is not
	// on the disk, as [Denied.What] gives it: a slash path without dots in it, such
	// as that of a file in an [io/fs.FS]. No file on the disk has such a name, so
	// that a relative path allows nothing there.
	Name string
	// Once ends the grant with the first content that it let pass.
	Once bool
}

// Trust allows what runs or widens in a project (its commands, servers, paths,
// hosts, and its text in the system message), as it was: if what the digest was
// taken of changes, the person is asked again.
type Trust struct {
	// Project is an absolute, clean path.
	Project string
	// Digest names the content that was shown and agreed to.
	Digest blob.Digest
}

func (Path) isGrant()    {}
func (Listing) isGrant() {}
func (URL) isGrant()     {}
func (Secret) isGrant()  {}
func (Trust) isGrant()   {}

const secretPrefix = "secret:"

// String implements [Grant].
func (p Path) String() string    { return p.Path }
func (l Listing) String() string { return "the names in " + l.Path }
func (u URL) String() string     { return u.Prefix }
func (s Secret) String() string {
	if s.ID != "" {
		return secretPrefix + s.ID
	}
	return secretPrefix + s.Name
}
func (t Trust) String() string {
	return fmt.Sprintf("trust in %s as of %s", t.Project, t.Digest.Short())
}

// ParseGrant reads the argument of --allow: an address that begins http:// or
// https://, "secret:" with the ID of a finding or with a path or address, or a
// path. Paths may be relative to dir and may begin with ~/, which is home.
func ParseGrant(arg, dir, home string) (Grant, error) {
	rest, secret := strings.CutPrefix(arg, secretPrefix)
	switch {
	case rest == "":
		return nil, fmt.Errorf("allow %q: it names nothing", arg)
	case secret && isID(rest):
		return Secret{ID: rest}, nil
	case isAddress(rest):
		prefix, err := normalURL(rest)
		if err != nil {
			return nil, fmt.Errorf("allow %q: %w", arg, err)
		}
		if secret {
			return Secret{Name: rest}, nil
		}
		return URL{prefix}, nil
	}
	full := rest
	if rest == "~" || strings.HasPrefix(rest, "~/") {
		full = filepath.Join(home, rest[1:])
	} else if !filepath.IsAbs(rest) {
		full = filepath.Join(dir, rest)
	}
	full, err := absolute(full)
	if err != nil {
		return nil, fmt.Errorf("allow %q: %w", arg, err)
	}
	if secret {
		return Secret{Name: full}, nil
	}
	return Path{full}, nil
}

// isID reports whether text is a [Finding.ID]. A file of such a name is written
// ./name.
func isID(text string) bool {
	return len(text) == 12 && strings.Trim(text, "0123456789abcdef") == ""
}

func isAddress(text string) bool {
	return hasFold(text, "http://") || hasFold(text, "https://")
}

// normalURL brings an address that is a grant into the form it is compared in.
func normalURL(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", err
	case u.User != nil:
		return "", fmt.Errorf("an address with a login in it")
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("an address with a query or a fragment; allow the path before it")
	}
	origin, err := originOf(u)
	if err != nil {
		return "", err
	}
	return origin + cleanPath(u), nil
}

// originOf is scheme, host and port, as browsers compare them.
func originOf(u *url.URL) (string, error) {
	scheme, host, port := strings.ToLower(u.Scheme), strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	if scheme != "http" && scheme != "https" {
		return "", fmt.Errorf("a scheme other than http and https")
	}
	if host == "" {
		return "", fmt.Errorf("an address without a host")
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return scheme + "://" + host, nil
	}
	return scheme + "://" + host + ":" + port, nil
}

// cleanPath is the decoded path without dots, empty for the root.
func cleanPath(u *url.URL) string {
	clean := path.Clean("/" + u.Path)
	if clean == "/" {
		return ""
	}
	return clean
}

// covers reports whether the grant covers an address.
func (g URL) covers(u *url.URL) bool {
	origin, err := originOf(u)
	if err != nil {
		return false
	}
	rest, ok := strings.CutPrefix(origin+cleanPath(u), g.Prefix)
	return ok && (rest == "" || strings.HasPrefix(rest, "/"))
}
