package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// aim is what a model means by a path. Who plans a call and who runs it take it
// from here, so that what is asked about is what is read.
type aim struct {
	// path is where it is, and subject the same behind its links, which is what
	// is asked about. On the disk both are absolute.
	path, subject string
	// readings are what is read, the first that exists.
	readings []spelling
}

// spelling is how a file is mentioned.
type spelling struct{ namespace, path string }

// aim tells what a model means by a path: a file of that name; what a person would
// write with an @; a file in a collection.
func (k *kit) aim(written string) (aim, error) {
	path, err := k.path(written)
	if err != nil {
		return aim{}, err
	}
	a := aim{path: path, readings: []spelling{{"", written}}}
	name := written
	if rest, ok := strings.CutPrefix(written, "@"); ok && rest != "" {
		switch {
		case !filepath.IsAbs(path): // what there is besides the disk is known to who reads it
			a.readings, name = append(a.readings, spelling{"", rest}), rest
		case !isThere(path):
			if a.path, err = k.path(rest); err != nil {
				return aim{}, err
			}
			a.readings[0].path, name = rest, rest
		}
	}
	namespace, rest, ok := strings.Cut(name, ":")
	switch {
	case !ok || len(namespace) < 2 || strings.ContainsAny(namespace, `/\`):
	case namespace == "user" && k.userDir() != "" && !isThere(a.path):
		a.path, a.readings = filepath.Join(k.userDir(), filepath.FromSlash(rest)), []spelling{{namespace, rest}}
	default:
		a.readings = append(a.readings, spelling{namespace, rest})
	}
	a.subject = k.subject(a.path)
	return a, nil
}

// isThere reports whether something has that name.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// info is what there is on the disk, nil if nothing is or it is not on the disk.
func (a aim) info() os.FileInfo {
	if !filepath.IsAbs(a.subject) {
		return nil
	}
	info, err := os.Stat(a.subject)
	if err != nil {
		return nil
	}
	return info
}

// userDir is the user's own folder, empty if there is none.
func (k *kit) userDir() string {
	roots := k.Roots.List()
	if i := slices.IndexFunc(roots, func(r access.Root) bool { return r.Place == access.User }); i >= 0 {
		return roots[i].Path
	}
	return ""
}

// mentions are the readings as mentions.
func (a aim) mentions(of func(namespace, path string) mention.Mention) []mention.Mention {
	list := make([]mention.Mention, len(a.readings))
	for i, s := range a.readings {
		list[i] = of(s.namespace, s.path)
	}
	return list
}

// pipeline is one that reads files, and none but what was asked about. A name is
// looked for in several places, of which somebody may have opened one to another
// question.
func (k *kit) pipeline(a aim) *ampersat.Pipeline {
	p, resolver := *k.Pipeline, k.Pipeline.Resolver
	if resolver == nil {
		return &p
	}
	p.Resolver = ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		if q.Named { // what the model has seen
			return resolver.Resolve(ctx, q)
		}
		// A query that does not know how it was written is about a file: what stands
		// before a colon is no scheme of a command's, and no server.
		c, err := resolver.Resolve(ctx, ampersat.Query{Mention: q.Mention, Base: q.Base, Asker: q.Asker, Limit: q.Limit, Memory: q.Memory})
		if err == nil && !k.isAsked(c.ID, a.subject) {
			return ampersat.Content{}, &access.Denied{What: access.Redact(c.ID), Reason: access.ReasonOutside,
				Detail: fmt.Sprintf("it is %s, which nobody was asked about; ask for it by that path", access.Redact(c.ID))}
		}
		return c, err
	})
	return &p
}

// isAsked reports whether content that is somewhere is what was asked about, or
// needs nobody's yes: what is not on the disk, what is in the project, and what
// is read by its name from the context and the collections of the user.
func (k *kit) isAsked(id, subject string) bool {
	if !filepath.IsAbs(id) || id == subject {
		return true
	}
	if root, ok := k.Roots.Find(id); ok {
		if root.Place != access.User {
			return true
		}
		for _, folder := range []string{"context", "collections"} {
			if access.Inside(filepath.Join(root.Path, folder), id) {
				return true
			}
		}
	}
	real, err := filepath.EvalSymlinks(id)
	if err != nil {
		return false
	}
	asked, err := filepath.EvalSymlinks(subject)
	return err == nil && real == asked
}
