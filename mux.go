package ampersat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

// Mux is a [Resolver] that hands each mention to the resolver for its kind.
// The zero value resolves nothing; fill it before it is used.
type Mux struct {
	kinds      map[mention.Kind]Resolver
	namespaces []Namespace
}

// Namespace is something that a word before a colon can name besides a
// collection of files: the jira of @jira:ABC-1, the docs of @docs:guide.
type Namespace struct {
	// Name is the word.
	Name string
	// What says what it is, for people: "a custom scheme".
	What string
	// Mention returns the mention for what stands after the colon.
	Mention func(rest string) mention.Mention
}

// Handle sets the resolver for some kinds, in place of the one before.
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

// Name adds a namespace. A mention in it is what the namespace says it is, and
// no file in a collection; if two of them have the same name, neither is
// meant, and the miss names both.
func (m *Mux) Name(n Namespace) { m.namespaces = append(m.namespaces, n) }

// Resolve implements [Resolver].
func (m *Mux) Resolve(ctx context.Context, q Query) (Content, error) {
	resolver, ok := m.kinds[q.Mention.Kind()]
	if !ok {
		return Content{}, &Miss{Mention: q.Mention, Outcome: Failed, Reason: fmt.Sprintf("nothing here can read a %s", q.Mention.Kind())}
	}
	return resolver.Resolve(ctx, q)
}

// capturer returns who makes something of content that came with a mention.
func capturer(r Resolver, kind mention.Kind) (Capturer, bool) {
	if mux, ok := r.(*Mux); ok {
		r = mux.kinds[kind]
	}
	c, ok := r.(Capturer)
	return c, ok
}

// refine returns what a namespaced mention names, where its word is known.
func (m *Mux) refine(ref mention.Ref) (mention.Mention, error) {
	word, rest, ok := ref.Namespaced()
	if !ok {
		return ref.Mention, nil
	}
	var claims []Namespace
	for _, n := range m.namespaces {
		if n.Name == word {
			claims = append(claims, n)
		}
	}
	switch len(claims) {
	case 0:
		return ref.Mention, nil
	case 1:
		return claims[0].Mention(rest), nil
	}
	var names []string
	for _, n := range claims {
		names = append(names, n.What)
	}
	slices.Sort(names)
	return nil, &Miss{Mention: ref.Mention, Outcome: Failed,
		Reason: fmt.Sprintf("%s is several things: %s; rename one of them", word, strings.Join(names, ", "))}
}
