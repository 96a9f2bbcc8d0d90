package ampersat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// Mux is a [Resolver] that hands each mention to the resolver for its kind.
// The zero value resolves nothing; fill it before it is used. From then on it is
// safe for concurrent use, as far as its resolvers are.
//
// What goes around a Mux embeds it, and has a Resolve of its own:
//
//	type counting struct{ *ampersat.Mux }
//
// So it keeps all that a Mux does for a [Pipeline]. A [ResolverFunc] that calls
// Resolve with the query it got keeps the namespaces; its queries have a mention
// as [mention.Find] reads it, @jira:ABC-1 as a file, and what comes with a mention
// goes to no [Capturer].
type Mux struct {
	kinds      map[mention.Kind]Resolver
	namespaces []Namespace
	// collections finds out about a collection, nil if there are none.
	collections func(name string) (where string, firm bool)
}

// Namespace is something that a word before a colon can name besides a
// collection of files: the jira of @jira:ABC-1, the docs of @docs:guide.
type Namespace struct {
	// Name is the word: letters, digits, dashes, dots and underscores. It is none
	// that mentions begin with already (file folder url agent task session commit
	// diff git-diff diagnostics problems terminal user project), and not the name
	// of a file, such as notes.md.
	Name string
	// What says what it is, for people: "a custom scheme".
	What string
	// Mention returns the mention for what stands after the colon. It is needed: a
	// namespace without it names nothing.
	Mention func(rest string) mention.Mention
	// Withheld says that it may not be used yet. Then it is meant only where
	// nothing else has the name, so that a mention of it can say why: what nobody
	// agreed to takes no name from anything.
	Withheld bool
}

// Handle sets the resolver for some kinds, in place of the one before. With nil
// there is none any more.
func (m *Mux) Handle(r Resolver, kinds ...mention.Kind) {
	if m.kinds == nil {
		m.kinds = make(map[mention.Kind]Resolver)
	}
	for _, kind := range kinds {
		m.kinds[kind] = r
	}
}

// Handles reports whether there is a resolver for a kind.
func (m *Mux) Handles(kind mention.Kind) bool { return m.kinds[kind] != nil }

// Name adds a namespace. A mention in it is what the namespace says it is. If
// two of them have the same name, or one has that of a collection, neither is
// meant, and the miss names both. Text that may mention nothing but files means
// the collection.
//
// A namespace that no mention can be in, by its name or for want of a Mention, is
// an error and not added.
func (m *Mux) Name(n Namespace) error {
	example := "@" + n.Name + ":x"
	refs := mention.Find(example)
	switch word := ""; {
	case n.Mention == nil:
		return fmt.Errorf("name the namespace %q: it has no Mention, which says what its mentions are", n.Name)
	case len(refs) == 1 && refs[0].End == len(example):
		if word, _, _ = refs[0].Namespaced(); word != n.Name {
			return fmt.Errorf("name the namespace %q: %s is a mention of another kind already, %s; take another word", n.Name, example, refs[0].Mention.Kind())
		}
	default:
		return fmt.Errorf("name the namespace %q: no mention can begin with it; take a word of letters, digits, dashes and underscores", n.Name)
	}
	m.namespaces = append(m.namespaces, n)
	return nil
}

// Collections sets what finds out where the collection of a name is, for people;
// nowhere, which is empty, if there is none. One that is there and not firm is of
// a project that nobody agreed to, and leaves its name to a namespace that has it.
// It is asked only about names that a namespace has.
func (m *Mux) Collections(find func(name string) (where string, firm bool)) { m.collections = find }

// Resolve implements [Resolver].
func (m *Mux) Resolve(ctx context.Context, q Query) (Content, error) {
	if q.Mention == nil {
		return Content{}, q.Unfit("cannot be read")
	}
	if q.written != "" {
		meant, err := m.refine(mention.Ref{Mention: q.Mention, Written: q.written}, q.Asker)
		if err != nil {
			return Content{}, err
		}
		if meant != q.Mention {
			q.Mention, q.written = meant, ""
			return m.resolveMeant(ctx, q)
		}
	}
	if !m.Handles(q.Mention.Kind()) {
		return Content{}, unread(q.Mention, fmt.Sprintf("nothing here can read a %s", q.Mention.Kind()))
	}
	return m.kinds[q.Mention.Kind()].Resolve(ctx, q)
}

// resolveMeant resolves a mention that turned out to be of another kind than the
// pipeline knows.
func (m *Mux) resolveMeant(ctx context.Context, q Query) (Content, error) {
	err := q.Asker.Allow(q.Mention)
	if err == nil {
		var c Content
		if c, err = m.Resolve(ctx, q); err == nil {
			if c.Mention == nil {
				c.Mention = q.Mention
			}
			return c, nil
		}
	}
	return Content{}, &meantError{q.Mention, err}
}

// meantError is the error of a mention that is not what it was taken for.
type meantError struct {
	mention mention.Mention
	err     error
}

func (e *meantError) Error() string { return e.err.Error() }
func (e *meantError) Unwrap() error { return e.err }

// namer is a [*Mux], or what embeds one: it knows words that mentions may begin
// with.
type namer interface {
	refine(ref mention.Ref, asker access.Asker) (mention.Mention, error)
	capturer(kind mention.Kind) (Capturer, bool)
}

// unread is the miss where nobody can read a kind.
func unread(m mention.Mention, reason string) *Miss {
	miss := &Miss{Mention: m, Outcome: Failed, Reason: reason}
	switch m.(type) {
	case mention.File, mention.Directory, mention.Glob:
		miss.unread = true
	}
	return miss
}

// capturer returns who makes something of content that came with a mention.
func capturer(r Resolver, kind mention.Kind) (Capturer, bool) {
	if by, ok := r.(Capturer); ok {
		return by, true
	}
	if by, ok := r.(namer); ok {
		return by.capturer(kind)
	}
	return nil, false
}

func (m *Mux) capturer(kind mention.Kind) (Capturer, bool) {
	if m.kinds[kind] == nil {
		return nil, false
	}
	return capturer(m.kinds[kind], kind)
}

// refine returns what a namespaced mention names, where its word is known.
func (m *Mux) refine(ref mention.Ref, asker access.Asker) (mention.Mention, error) {
	word, rest, ok := ref.Namespaced()
	if !ok {
		return ref.Mention, nil
	}
	var claims, withheld []Namespace
	for _, n := range m.namespaces {
		switch {
		case n.Name != word:
		case n.Withheld:
			withheld = append(withheld, n)
		default:
			claims = append(claims, n)
		}
	}
	if len(claims)+len(withheld) == 0 {
		return ref.Mention, nil
	}
	where, firm := m.findCollection(word)
	if ref.Mention.Kind() == mention.KindResource {
		where, firm = "", false // what follows is an address, and no path in a collection
	}
	mayMean := func(n Namespace) bool { return asker.Allow(n.Mention(rest)) == nil }
	switch {
	case where != "" && !slices.ContainsFunc(claims, mayMean):
		return ref.Mention, nil
	case len(claims) == 0:
		return withheld[0].read(ref, rest)
	case len(claims) == 1 && !firm:
		return claims[0].read(ref, rest)
	}
	var names []string
	for _, n := range claims {
		names = append(names, n.What)
	}
	if firm {
		names = append(names, "a collection ("+where+")")
	}
	slices.Sort(names)
	return nil, &Miss{Mention: ref.Mention, Outcome: Failed,
		Reason: fmt.Sprintf("%s is several things: %s; rename one of them", word, strings.Join(names, ", "))}
}

// read returns what the namespace makes of what stands after the colon.
func (n Namespace) read(ref mention.Ref, rest string) (mention.Mention, error) {
	if m := n.Mention(rest); m != nil {
		return m, nil
	}
	return nil, &Miss{Mention: ref.Mention, Outcome: Failed, Reason: fmt.Sprintf("there is nothing in %s that is called %q", n.Name, rest)}
}

func (m *Mux) findCollection(name string) (where string, firm bool) {
	if m.collections == nil {
		return "", false
	}
	return m.collections(name)
}
