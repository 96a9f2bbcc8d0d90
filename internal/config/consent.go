package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"

	"github.com/ampersat/ampersat/access"
)

// Consent is the [access.Consent] of a run: what was allowed in it, which is in
// the Memory, and what was remembered for the project, under trust. Secrets are
// never remembered.
type Consent struct {
	access.Memory
	project *Project

	mu sync.Mutex
	// kept is nil until it is asked for.
	kept *remembered
}

// remembered is what was allowed for good, if it counts.
type remembered struct {
	grants      access.Memory
	permissions []string
}

// NewConsent returns the consent of a run in a project.
func NewConsent(project *Project) *Consent { return &Consent{project: project} }

// Load reads what was remembered. It is done at the first question otherwise,
// where an error can't be told and means that nothing was allowed.
func (c *Consent) Load() error {
	_, err := c.remembered()
	return err
}

func (c *Consent) remembered() (*remembered, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept != nil {
		return c.kept, nil
	}
	record, _, err := c.project.Record()
	if err != nil {
		return new(remembered), err
	}
	kept := new(remembered)
	// The project is looked at only if there is something that depends on it.
	if len(record.Allow)+len(record.Permissions) > 0 && c.project.is(record) {
		if kept, err = keep(record); err != nil {
			return new(remembered), err
		}
	}
	c.kept = kept
	return kept, nil
}

// keep reads what a record allows.
func keep(r Record) (*remembered, error) {
	kept := &remembered{permissions: r.Permissions}
	for _, text := range r.Allow {
		grant, err := access.ParseGrant(text, "/", "")
		if _, secret := grant.(access.Secret); err != nil || secret {
			return nil, fmt.Errorf("read what was allowed in %s: %q is neither a path nor an address", r.Project, text)
		}
		if err := kept.grants.Allow(grant); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// Paths implements [access.Consent].
func (c *Consent) Paths() []string {
	kept, _ := c.remembered()
	paths := slices.Concat(c.Memory.Paths(), kept.grants.Paths())
	slices.Sort(paths)
	return slices.Compact(paths)
}

// URL implements [access.Consent].
func (c *Consent) URL(u *url.URL) bool {
	if c.Memory.URL(u) {
		return true
	}
	kept, _ := c.remembered()
	return kept.grants.URL(u)
}

// Trusted implements [access.Consent].
func (c *Consent) Trusted(t access.Trust) bool {
	if c.Memory.Trusted(t) {
		return true
	}
	record, ok, err := c.project.Record()
	agreed := access.Trust{Project: record.Project, Digest: record.Digest}
	return err == nil && ok && record.Trusted() && t.Digest != "" && t == agreed
}

// Permissions returns what was remembered for the project, as the tools spell
// it.
func (c *Consent) Permissions() ([]string, error) {
	kept, err := c.remembered()
	return slices.Clone(kept.permissions), err
}

// Remember allows a path or an address in this project for good, and at once.
// Unless the project is trusted as it is, or has nothing to trust, that is
// refused: what a stranger wrote would run with what was allowed.
func (c *Consent) Remember(g access.Grant) error {
	switch g.(type) {
	case access.Path, access.URL:
	case access.Secret:
		return errors.New("remember: secrets are allowed for one run and not longer")
	default:
		return fmt.Errorf("remember: %T is not for remembering", g)
	}
	if err := new(access.Memory).Allow(g); err != nil { // not well formed
		return err
	}
	return c.remember(func(r *Record) { r.Allow = with(r.Allow, g.String()) })
}

// RememberPermission allows what the tools spell so, in this project for good.
func (c *Consent) RememberPermission(permission string) error {
	if permission == "" {
		return errors.New("remember: the permission is empty")
	}
	return c.remember(func(r *Record) { r.Permissions = with(r.Permissions, permission) })
}

func (c *Consent) remember(add func(*Record)) error {
	snapshot, err := c.project.Snapshot()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var kept *remembered
	err = c.project.change(func(r *Record, held bool) error {
		switch {
		case held && r.Digest == snapshot.Digest:
		case snapshot.Empty():
			// What was allowed under another state of the project does not count in
			// this one.
			*r = Record{Project: r.Project, Digest: snapshot.Digest, Extra: r.Extra}
		default:
			return access.CheckTrust(new(access.Memory), "what to remember for "+r.Project, access.Trust{})
		}
		add(r)
		kept, err = keep(*r)
		return err
	})
	if err == nil {
		c.kept = kept
	}
	return err
}

// with returns a sorted list with one more in it.
func with(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	list = append(slices.Clone(list), text)
	slices.Sort(list)
	return list
}
