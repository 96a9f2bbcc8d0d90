package access

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ampersat/ampersat/blob"
)

// Consent knows what a person has allowed. Nothing is allowed unless it says
// so. Implementations are safe for concurrent use.
type Consent interface {
	// Paths returns the files and trees that were allowed, absolute and clean,
	// for [Roots.WithConsent].
	Paths() []string

	// URL reports whether an address was allowed. Who fetches asks again for
	// every redirect.
	URL(u *url.URL) bool

	// Trusted reports whether the project was trusted with this very content.
	// An empty digest never is.
	Trusted(t Trust) bool

	// Secrets returns those of the findings in one content that were not
	// allowed. A pipeline asks once in a turn about a content, and also about files
	// that the model has seen and nobody mentions, to tell whether they have changed. If it returns none the content passes, and grants for one time
	// that helped it pass are used up; if it returns any, no grant is. Name is
	// an absolute path, an address, or what a thing is called that is not on disk.
	Secrets(name string, found []Finding) []Finding
}

// CheckTrust returns a [*Denied] unless the project was trusted as it is. What
// names the thing that needs the trust, such as "the command docs". A nil
// consent trusts nothing.
func CheckTrust(c Consent, what string, t Trust) error {
	if c != nil && c.Trusted(t) {
		return nil
	}
	return &Denied{What: what, Reason: ReasonTrust, Detail: "the project is not trusted as it is now", Grant: trustCommand}
}

// CheckSecrets returns a [*Denied] unless every finding was allowed. It counts
// as one use of the grants for one time. The secrets themselves are not in the
// error. A nil consent allows none.
func CheckSecrets(c Consent, name string, found []Finding) error {
	left := found
	if len(found) > 0 && c != nil {
		left = c.Secrets(name, found)
	}
	if len(left) == 0 {
		return nil
	}
	what := make([]string, 0, 4)
	for i, f := range left {
		if len(what) == 3 {
			what = append(what, fmt.Sprintf("and %d more", len(left)-i))
			break
		}
		if told := f.String(); !slices.Contains(what, told) {
			what = append(what, told)
		}
	}
	return &Denied{What: name, Reason: ReasonSecret, Findings: left,
		Detail: "it holds secrets: " + strings.Join(what, ", "), Grant: secretFlags(name, left)}
}

// CheckName returns a [*Denied] if what something is called holds secrets that
// were not allowed, by their IDs or by the name under which the thing itself is.
// The name is not in the error as it is.
func CheckName(c Consent, name, called string) error {
	found := ScanString("", called)
	if len(found) > 0 && c != nil {
		found = c.Secrets(name, found)
	}
	if len(found) == 0 {
		return nil
	}
	what, flags := make([]string, len(found)), make([]string, len(found))
	for i, f := range found {
		what[i] = fmt.Sprintf("%s (%s)", f.Rule, f.Preview)
		flags[i] = AllowFlag(Secret{ID: f.ID}.String())
	}
	return &Denied{What: Redact(called), Reason: ReasonSecret, Findings: found,
		Detail: "its name holds secrets: " + strings.Join(what, ", "), Grant: strings.Join(flags, " ")}
}

// secretFlags grants the findings: one by its ID; several by the name of what
// holds them, if that can be named on the command line.
func secretFlags(name string, left []Finding) string {
	if len(left) > 1 || left[0].Line == 0 {
		// On the command line a path that is not absolute is one on the disk.
		if byName := (Secret{Name: name}); wellFormed(byName) == nil && !isElsewhere(name) {
			return AllowFlag(byName.String())
		}
	}
	flags := make([]string, len(left))
	for i, f := range left {
		flags[i] = AllowFlag(Secret{ID: f.ID}.String())
	}
	return strings.Join(flags, " ")
}

// Memory is a [Consent] that lives as long as the process. The zero value
// allows nothing and is ready to use.
type Memory struct {
	mu     sync.Mutex
	grants map[Grant]struct{}
}

// Allow adds a grant. What is not well formed, such as a [Path] that is not
// absolute or trust in an empty digest, is refused.
func (m *Memory) Allow(g Grant) error {
	if err := wellFormed(g); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.grants == nil {
		m.grants = make(map[Grant]struct{})
	}
	m.grants[g] = struct{}{}
	return nil
}

// Revoke takes a grant back. It reports whether there was one.
func (m *Memory) Revoke(g Grant) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, held := m.grants[g]
	delete(m.grants, g)
	return held
}

// RevokeTrust takes back the trust in a project, whatever its content was.
func (m *Memory) RevokeTrust(project string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for g := range m.grants {
		if t, ok := g.(Trust); ok && t.Project == project {
			delete(m.grants, g)
		}
	}
}

// Grants returns all grants, sorted by kind and text.
func (m *Memory) Grants() []Grant {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Grant, 0, len(m.grants))
	for g := range m.grants {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b Grant) int {
		return cmp.Or(cmp.Compare(fmt.Sprintf("%T", a), fmt.Sprintf("%T", b)), cmp.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)))
	})
	return all
}

// Paths implements [Consent].
func (m *Memory) Paths() []string {
	var paths []string
	for _, g := range m.Grants() {
		if p, ok := g.(Path); ok {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// Listings returns the directories that may be listed, see [Listing].
func (m *Memory) Listings() []string {
	var paths []string
	for _, g := range m.Grants() {
		if l, ok := g.(Listing); ok {
			paths = append(paths, l.Path)
		}
	}
	return paths
}

// URL implements [Consent].
func (m *Memory) URL(u *url.URL) bool {
	if u == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for g := range m.grants {
		if prefix, ok := g.(URL); ok && prefix.covers(u) {
			return true
		}
	}
	return false
}

// Trusted implements [Consent].
func (m *Memory) Trusted(t Trust) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, held := m.grants[t]
	return held && t.Digest != ""
}

// Secrets implements [Consent].
func (m *Memory) Secrets(name string, found []Finding) []Finding {
	m.mu.Lock()
	defer m.mu.Unlock()
	var left []Finding
	var used []Grant
	for _, f := range found {
		g, ok := m.allows(name, f)
		if !ok {
			left = append(left, f)
		} else if g.Once {
			used = append(used, g)
		}
	}
	if len(left) == 0 {
		for _, g := range used {
			delete(m.grants, g)
		}
	}
	return left
}

// allows returns the grant that lets a finding pass: a lasting one before one
// that would be used up, one for the finding before one for all of the content.
func (m *Memory) allows(name string, f Finding) (Secret, bool) {
	candidates := [...]Secret{{ID: f.ID}, {Name: name}, {ID: f.ID, Once: true}, {Name: name, Once: true}}
	for _, g := range candidates {
		if g.ID == "" && g.Name == "" {
			continue
		}
		if _, held := m.grants[g]; held {
			return g, true
		}
	}
	return Secret{}, false
}

// isElsewhere reports whether a name is that of something that is not on the disk:
// in a file system of somebody's own, say. It is compared letter by letter, and what
// is on the disk is called by an absolute path, so that it never means a file there.
func isElsewhere(name string) bool {
	return fs.ValidPath(name) && filepath.VolumeName(name) == "" && !strings.ContainsRune(name, 0)
}

// wellFormed refuses grants that would allow nothing, or more than they say.
func wellFormed(g Grant) error {
	clean := func(path string) error {
		got, err := absolute(path)
		if err == nil && got != path {
			err = fmt.Errorf("check path %q: it is not clean", path)
		}
		return err
	}
	var err error
	switch g := g.(type) {
	case Path:
		err = clean(g.Path)
	case Listing:
		err = clean(g.Path)
	case URL:
		var normal string
		if normal, err = normalURL(g.Prefix); err == nil && normal != g.Prefix {
			err = fmt.Errorf("%q is not in normal form, which is %q", g.Prefix, normal)
		}
	case Secret:
		switch {
		case (g.ID == "") == (g.Name == ""):
			err = fmt.Errorf("a secret needs an ID or a name, and not both")
		case g.ID != "" && !isID(g.ID):
			err = fmt.Errorf("%q is not the ID of a finding", g.ID)
		case g.Name != "" && !isAddress(g.Name) && !isElsewhere(g.Name):
			err = clean(g.Name)
		}
	case Trust:
		if err = clean(g.Project); err == nil {
			_, err = blob.Parse(string(g.Digest))
		}
	default:
		err = fmt.Errorf("there is no grant")
	}
	if err != nil {
		return fmt.Errorf("allow: %w", err)
	}
	return nil
}
