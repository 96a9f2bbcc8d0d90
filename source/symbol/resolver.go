package symbol

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
)

// Resolver is an [ampersat.Resolver] for declarations and sections. It is safe
// for concurrent use.
type Resolver struct {
	// Files reads the file that a symbol is in, as for a mention of that file.
	Files ampersat.Resolver
}

// Resolve implements [ampersat.Resolver].
func (r Resolver) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	m, ok := q.Mention.(mention.Symbol)
	if !ok {
		return ampersat.Content{}, q.Unfit("is not a symbol")
	}
	if r.Files == nil {
		return ampersat.Content{}, q.Unfit("needs a resolver of files to read it")
	}
	limit := q.Limit
	// A declaration may stand anywhere in a file, however little of it fits.
	q.Mention, q.Limit = mention.File{Namespace: m.Namespace, Path: m.Path}, 0
	c, err := r.Files.Resolve(ctx, q)
	if err != nil {
		var miss *ampersat.Miss
		if errors.As(err, &miss) {
			miss.Mention = m
		}
		return ampersat.Content{}, err
	}
	miss := func(outcome ampersat.Outcome, format string, args ...any) (ampersat.Content, error) {
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: outcome, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case c.Mention != nil && c.Mention.Kind() == mention.KindDirectory:
		return miss(ampersat.Missing, "it is a folder, which has no symbols")
	case len(c.Parts) > 0 || c.MIME != "":
		return miss(ampersat.Failed, "it is no text, and has no symbols")
	case m.Name == "":
		return miss(ampersat.Missing, "there is no name after the #")
	}
	all := find(c.Name, c.Text)
	found := choose(all, m)
	switch {
	case len(found) > 1:
		return miss(ampersat.Failed, "%s", ambiguous(m.Name, found))
	case len(found) == 0 && m.First > 0:
		// An editor knows languages better than this does.
		found = []declaration{{name: m.Name, first: m.First, last: max(m.First, m.Last)}}
	case len(found) == 0 && c.Tail != "":
		return miss(ampersat.Failed, "it is not in the part of the file that was read")
	case len(found) == 0:
		return miss(ampersat.Missing, "%s", absent(m.Name, all))
	}
	at, text, last := lines(c.Text, found[0].first, found[0].last)
	if text == "" {
		return miss(ampersat.Missing, "the file has fewer than %d lines", found[0].first)
	}
	c.Within, c.At = c.Text, at
	c.Mention, c.Text, c.Tail, c.Symbol = nil, text, "", found[0].name
	c.Lines = strconv.Itoa(found[0].first)
	if last > found[0].first {
		c.Lines += "-" + strconv.Itoa(last)
	}
	if limit > 0 && len(c.Text) > limit {
		c.Shown = fmt.Sprintf("the first %d of %d bytes", limit, len(c.Text))
		c.Text = strings.ToValidUTF8(c.Text[:limit], "")
	}
	return c, nil
}

// declaration is something with a name in a file, with what belongs to it.
type declaration struct {
	// name has the names of what it is in before its own: Server.Close.
	name string
	// aliases are other names that it goes by, such as the anchor of a heading.
	aliases []string
	// first and last are lines, counted from one and included; head is the one
	// below the comments.
	first, head, last int
}

// find returns what is declared in a file, by its language.
func find(name, text string) []declaration {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return goDeclarations(text)
	case ".md", ".markdown", ".mdx":
		return headings(text)
	}
	return layoutDeclarations(name, text)
}

// lines returns some lines of a text, where they stand in it, and the number of
// the last of them.
func lines(text string, first, last int) (start int, selected string, end int) {
	number := 0
	start = -1
	for at := 0; at < len(text); {
		number++
		next := len(text)
		if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
			next = at + end + 1
		}
		if number == first {
			start = at
		}
		if number == last {
			return start, text[start:next], number
		}
		at = next
	}
	if start < 0 {
		return 0, "", 0
	}
	return start, text[start:], number
}
