package profile

import (
	"fmt"
	"slices"
	"strings"
)

// reference is a profile or an agent as people name it.
type reference struct {
	// collection is empty where none is named.
	collection string
	// name is what it is called; if base is set, it is looked for by the name of
	// its file in its place.
	name, base string
}

// readReference reads base, coll:base and coll:profiles/base.md.
func readReference(text string, s shelf) (reference, bool) {
	var ref reference
	rest := text
	if before, after, ok := strings.Cut(text, ":"); ok {
		if before == "" {
			return ref, false
		}
		ref.collection, rest = before, after
	}
	rest = strings.TrimPrefix(rest, string(s)+"/")
	if strings.HasSuffix(rest, ".md") {
		ref.base = rest
		rest = strings.TrimSuffix(rest, ".md")
	}
	ref.name = rest
	return ref, rest != "" && !strings.ContainsAny(rest, "/\\: \t\n")
}

func (ref reference) matches(f *file) bool {
	if ref.base != "" {
		return f.base == ref.base
	}
	return f.Name == ref.name
}

// rank is the order in which files are taken: those of no collection first,
// then by whose they are.
func rank(f *file) int {
	order := slices.Index([]Place{InProject, InUser, InBundle}, f.Place)
	if f.Collection != "" {
		order += 3
	}
	return order
}

// all returns every file, in the order in which they are taken.
func (r *reading) all() []*file {
	var files []*file
	for _, h := range r.homes {
		files = append(files, r.inHome(h)...)
	}
	for _, c := range r.allCollections() {
		files = append(files, r.inCollection(c)...)
	}
	slices.SortStableFunc(files, func(a, b *file) int { return rank(a) - rank(b) })
	return files
}

// candidates returns the files that a name could mean to whoever asks, in the
// order in which they are taken. From is the file that names it, nil for a
// person.
//
// A file does not mean itself: who extends what is called alike extends what it
// replaces. A file of a collection means its own collection first. One that is
// trusted does not see an untrusted project: else any project could slip
// something under the profiles of its users.
func (r *reading) candidates(ref reference, from *file) []*file {
	var found []*file
	for _, f := range r.all() {
		if f == from || from != nil && from.Trusted && !f.Trusted {
			continue
		}
		if ref.matches(f) && (ref.collection == "" || ref.collection == f.Collection) {
			found = append(found, f)
		}
	}
	// A file with the same name as a nearer copy's is replaced by it.
	found = slices.DeleteFunc(found, func(f *file) bool {
		return f.Collection != "" && slices.ContainsFunc(found, func(nearer *file) bool {
			return nearer != f && nearer.Collection == f.Collection && nearer.base == f.base && rank(nearer) < rank(f)
		})
	})
	if from != nil && from.Collection != "" && ref.collection == "" {
		slices.SortStableFunc(found, func(a, b *file) int {
			return boolRank(a.Collection == from.Collection) - boolRank(b.Collection == from.Collection)
		})
	}
	return found
}

func boolRank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// find returns the file that a name means. At is where it is named, for errors.
func (r *reading) find(text string, from *file, at Position, chain []string) (*file, error) {
	fail := func(format string, args ...any) (*file, error) {
		return nil, Problems{{At: at, What: fmt.Sprintf(format, args...), Chain: chain}}
	}
	ref, ok := readReference(text, r.shelf)
	if !ok {
		return fail("%q is no name of a %s; write it as name, collection:name or collection:%s/name.md", text, r.shelf.one(), r.shelf)
	}
	found := r.candidates(ref, from)
	switch {
	case len(found) > 0:
	case from != nil && ref.matches(from) && (ref.collection == "" || ref.collection == from.Collection):
		return fail("it extends itself")
	default:
		return fail("%s", r.nothing(text, ref, from))
	}
	first := found[0]
	for _, other := range found[1:] {
		if other.Collection != first.Collection && rank(other) == rank(first) && (from == nil || from.Collection != first.Collection) {
			return fail("%q could be %s or %s; write one of these", text, first.Qualified(), other.Qualified())
		}
	}
	return first, nil
}

// nothing says that there is nothing of a name, and what there is.
func (r *reading) nothing(text string, ref reference, from *file) string {
	var names, collections []string
	for _, f := range r.all() {
		if from != nil && from.Trusted && !f.Trusted {
			continue
		}
		if ref.collection == "" {
			names = append(names, f.Name)
		}
		names = append(names, f.Qualified())
		collections = append(collections, f.Collection)
	}
	if ref.collection != "" && !slices.Contains(collections, ref.collection) {
		return fmt.Sprintf("there is no collection called %q with %s in it%s", ref.collection, r.shelf, suggestion(ref.collection, collections))
	}
	hint := suggestion(text, names)
	if hint == "" {
		hint = "; looked in " + strings.Join(r.places(ref), ", ")
	}
	return fmt.Sprintf("there is no %s called %q%s", r.shelf.one(), text, hint)
}

// places is where a name was looked for, as people read it.
func (r *reading) places(ref reference) []string {
	var places []string
	for _, h := range r.homes {
		if h.place != InBundle && ref.collection == "" {
			places = append(places, r.shown(h, h.join(h.path, string(r.shelf))))
		}
	}
	for _, c := range r.allCollections() {
		if ref.collection == "" || ref.collection == c.name {
			places = append(places, "the collection "+c.name)
		}
	}
	return places
}
