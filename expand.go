package ampersat

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// maxDepth is how deep mentions in mentioned files are followed.
const maxDepth = 5

// maxNested is how many mentions in mentioned files one turn follows. What a
// person types has no such bound, but a file may come from anybody.
const maxNested = 1_000

// notRun is what is to be known of work for another agent.
const notRun = "agents are not run yet: the model reads the mention as it is written"

// item is one mention on its way through the pipeline.
type item struct {
	ref      mention.Ref
	captured blob.Digest
	// part is the index of the part of the message that it was found in, and
	// meant says that the part is a mention, and no text that may hold one.
	part  int
	meant bool

	asker  access.Asker
	base   string
	parent *item
	depth  int
	// within is the text of the parent that it was found in. The parent may be read
	// again, and its text be another.
	within string

	// After it was resolved at most one of these holds: it is plain text, it is done
	// (delegated, missing and so on), it is the same as another item. Content is
	// never nil; it is shared with the others of its fetch, and nobody changes it.
	plain   bool
	outcome Outcome
	reason  string
	err     error
	same    *item
	content *Content
	block   *block
	// outgrown says that its source is longer than any that was ever read whole.
	outgrown bool

	children []*item
	// reported is the index of its report.
	reported int
}

// noContent is that of an item before it has any.
var noContent Content

// expansion follows the mentions of one turn.
type expansion struct {
	p    *Pipeline
	turn Turn
	// limit is how much of one text is worth reading.
	limit int

	typed []*item
	byID  map[identity]*item
	// nested is how many of the mentions in mentioned files are followed, tooMany
	// says where there are more, tooDeep which are nested too deep.
	nested           int
	tooMany, tooDeep []string

	mu      sync.Mutex
	fetched map[fetchKey]*fetch
	memory  Memory
}

// newExpansion finds the mentions of a turn. Where nobody answers for what it
// mentions, that is nothing.
func newExpansion(p *Pipeline, turn Turn) *expansion {
	x := &expansion{p: p, turn: turn, limit: turn.Budget.bytes()}
	if turn.Asker.Origin != "" {
		x.find()
	}
	x.byID, x.fetched = make(map[identity]*item, len(x.typed)), make(map[fetchKey]*fetch, len(x.typed))
	return x
}

// find finds the mentions in the message.
func (x *expansion) find() {
	offset := 0
	for i, part := range x.turn.Message.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			refs := mention.Find(part.Text)
			items := make([]item, len(refs))
			x.typed = slices.Grow(x.typed, len(refs))
			for n, ref := range refs {
				ref.Start += offset
				ref.End += offset
				for a := range ref.Alternatives {
					ref.Alternatives[a].End += offset
				}
				items[n] = item{ref: ref, part: i, asker: x.turn.Asker, base: x.turn.Base, content: &noContent}
				x.typed = append(x.typed, &items[n])
			}
			offset += len(part.Text)
		case message.Ref:
			ref := mention.Ref{Mention: part.Mention, Written: part.Written, Start: offset, End: offset + len(part.Written)}
			x.typed = append(x.typed, &item{ref: ref, captured: part.Captured, part: i, meant: true, asker: x.turn.Asker, base: x.turn.Base, content: &noContent})
			offset += len(part.Written)
		}
	}
}

// run resolves all mentions, level by level: first those in the message, then those
// in what they name, and so on. So what a person typed is never shadowed by what
// some file mentions, and each file is read once.
func (x *expansion) run(ctx context.Context) error {
	level := x.typed
	for len(level) > 0 {
		if err := x.resolveAll(ctx, level); err != nil {
			return err
		}
		// What is named comes before what a pattern matches.
		var next []*item
		for _, several := range []bool{false, true} {
			for _, it := range level {
				if (len(it.content.Files) > 0) == several {
					next = append(next, x.descend(it)...)
				}
			}
		}
		level = next
	}
	return ctx.Err()
}

// resolveAll resolves items in parallel, those of one file after each other, so
// that it is still in memory.
func (x *expansion) resolveAll(ctx context.Context, items []*item) error {
	ordered := slices.Clone(items)
	slices.SortStableFunc(ordered, func(a, b *item) int { return strings.Compare(a.path(), b.path()) })
	return x.parallel(ctx, len(ordered), func(i int) { x.resolve(ctx, ordered[i]) })
}

// path is that of the file that an item names, or a part of.
func (it *item) path() string {
	switch m := it.ref.Mention.(type) {
	case mention.File:
		return m.Path
	case mention.Selection:
		return m.Path
	case mention.Symbol:
		return m.Path
	}
	return ""
}

// parallel calls a function for each of so many, several at a time.
func (x *expansion) parallel(ctx context.Context, count int, do func(i int)) error {
	var taken atomic.Int64
	for int(taken.Load()) < count && ctx.Err() == nil { // again if all of them have left
		var wait sync.WaitGroup
		for range min(count, 4*runtime.GOMAXPROCS(0)) {
			wait.Go(func() {
				for ctx.Err() == nil {
					i := int(taken.Add(1)) - 1
					if i >= count {
						return
					}
					do(i)
				}
			})
		}
		wait.Wait()
	}
	return ctx.Err()
}

// resolve finds out what an item names: the first of its readings that exists.
func (x *expansion) resolve(ctx context.Context, it *item) {
	done := false
	defer func() {
		if r := recover(); r != nil {
			x.missed(it, panicked(it.ref.Mention, r))
		} else if !done {
			x.missed(it, abandoned(it.ref.Mention))
		}
	}()
	x.resolveReadings(ctx, it)
	done = true
}

// resolveReadings is resolve, for a resolver that returns.
func (x *expansion) resolveReadings(ctx context.Context, it *item) {
	if it.ref.Bare && x.agent(it.ref.Mention.(mention.File).Path) && it.asker.Allow(mention.Agent{}) == nil {
		it.ref.Mention = mention.Agent{Name: it.ref.Mention.(mention.File).Path}
		it.outcome, it.reason = Delegated, notRun
		return
	}
	written := ""
	if _, _, ok := it.ref.Namespaced(); ok {
		written = it.ref.Written
	}
	if by, ok := x.p.Resolver.(namer); ok && it.captured == "" {
		meant, err := by.refine(it.ref, it.asker)
		if err != nil {
			x.missed(it, err)
			return
		}
		if meant != it.ref.Mention {
			it.ref.Mention, written = meant, ""
		}
	}
	readings := append([]mention.Reading{{Mention: it.ref.Mention, End: it.ref.End}}, it.ref.Alternatives...)
	var first error
	for i, reading := range readings {
		content, err := x.read(ctx, it, reading.Mention, written)
		written = "" // another reading is no name of a namespace
		if meant, ok := errors.AsType[*meantError](err); ok {
			reading.Mention = meant.mention
			if i == 0 {
				it.ref.Mention = meant.mention
			}
		}
		if err == nil || outcomeOf(err) != Missing && !isUnread(err) {
			it.ref.Mention, it.ref.End = reading.Mention, reading.End
			if err != nil {
				x.missed(it, err)
				return
			}
			x.resolved(it, content, first)
			return
		}
		if first == nil {
			first = err
		}
	}
	x.missed(it, first)
}

// read resolves one reading of an item. Written is how it is written, if it may
// be in a namespace.
func (x *expansion) read(ctx context.Context, it *item, m mention.Mention, written string) (*Content, error) {
	if err := it.asker.Allow(m); err != nil {
		return nil, err
	}
	switch m := m.(type) {
	case mention.Agent:
		return x.delegate(m, m.Name)
	case mention.Subtask:
		return x.delegate(m, m.Agent)
	case mention.Unknown:
		return nil, &Miss{Mention: m, Outcome: Failed, Reason: fmt.Sprintf("this version does not know the kind %q", m.Name)}
	}
	if it.captured != "" {
		return x.captured(ctx, Query{Mention: m, Base: it.base, Asker: it.asker, Limit: x.limit, Memory: &x.memory, followed: !x.turn.Flat}, it.captured)
	}
	return x.fetch(ctx, Query{Mention: m, Base: it.base, Asker: it.asker, Limit: x.limit, Memory: &x.memory, written: written, followed: !x.turn.Flat})
}

func (x *expansion) agent(name string) bool { return x.p.Agents != nil && x.p.Agents(name) }

func (x *expansion) delegate(m mention.Mention, name string) (*Content, error) {
	if !x.agent(name) {
		return nil, &Miss{Mention: m, Outcome: Missing, Reason: fmt.Sprintf("there is no agent called %q", name)}
	}
	return &Content{Mention: m, Name: name}, nil
}

// captured returns content that came with the mention.
func (x *expansion) captured(ctx context.Context, q Query, digest blob.Digest) (*Content, error) {
	m := q.Mention
	if x.p.Blobs == nil {
		return nil, &Miss{Mention: m, Outcome: Failed, Reason: "its content came with it and was not kept"}
	}
	data, err := x.blob(ctx, digest)
	if err != nil {
		return nil, &Miss{Mention: m, Outcome: Failed, Reason: "its content came with it and is gone", Err: err}
	}
	return x.accept(ctx, q, func() (Content, error) {
		if by, ok := capturer(x.p.Resolver, m.Kind()); ok {
			return by.Captured(ctx, q, data)
		}
		c := Content{Name: nameOf(m), ID: string(digest), Size: int64(len(data)), Source: digest}
		if image, ok := m.(mention.Image); ok {
			c.MIME = image.MIME
			c.Parts = []message.Part{message.Image{Source: message.InBlob(image.MIME, digest)}}
			c.Blobs = map[blob.Digest][]byte{digest: data}
		} else {
			c.Text = string(data)
		}
		return c, nil
	})
}

// resolved gives an item its content. Before is why it is not what it was taken
// for first, nil if it is.
func (x *expansion) resolved(it *item, c *Content, before error) {
	if miss := it.miscalled(c); miss != nil {
		x.missed(it, miss)
		return
	}
	it.content = c
	if miss, ok := errors.AsType[*Miss](before); ok && miss.Meant {
		noted := *c
		noted.Note = strings.TrimPrefix(c.Note+"; "+miss.Reason, "; ")
		it.content = &noted
	}
	if c.Mention != nil {
		it.ref.Mention = c.Mention
	}
	switch it.ref.Mention.(type) {
	case mention.Agent, mention.Subtask:
		it.outcome, it.reason = Delegated, notRun
	}
}

// miscalled is the miss of what is called a file and is a folder, or the other way
// round.
func (it *item) miscalled(c *Content) *Miss {
	if c.Mention == nil {
		return nil
	}
	name := strings.TrimPrefix(c.Mention.String(), "@")
	switch kind := c.Mention.Kind(); {
	case kind == mention.KindDirectory && strings.HasPrefix(it.ref.Written, "@file:"):
		return &Miss{Mention: it.ref.Mention, Outcome: Missing, Reason: "it is a folder: write @" + name}
	case kind == mention.KindFile && strings.HasPrefix(it.ref.Written, "@folder:"):
		return &Miss{Mention: it.ref.Mention, Outcome: Missing, Reason: "it is a file: write @" + name}
	}
	return nil
}

// missed gives an item the outcome of an error. What nobody plainly meant is
// plain text if there is nothing of that name, or if it may not be mentioned.
func (x *expansion) missed(it *item, err error) {
	outcome := outcomeOf(err)
	denied, isDenied := access.IsDenied(err)
	var miss *Miss
	isMiss := errors.As(err, &miss)
	// Where nobody reads files, a word such as @alice is no mention of one.
	isText := outcome == Missing || isUnread(err)
	if isDenied {
		// A person who names a path outside is told so.
		isText = denied.Reason == access.ReasonKind || denied.Reason == access.ReasonOutside && it.parent != nil
	}
	if isText && !it.meant && !it.ref.Meant() && !(isMiss && miss.Meant) {
		it.plain = true
		return
	}
	it.outcome, it.err = outcome, err
	switch {
	case isDenied:
		it.reason = denied.Detail
		if denied.Grant != "" {
			it.reason += "; to allow it: " + denied.Grant
		}
	case isMiss:
		it.reason = miss.Detail()
	default:
		it.reason = err.Error()
	}
}

// isUnread reports whether nobody can tell whether there is such a file.
func isUnread(err error) bool {
	var miss *Miss
	return errors.As(err, &miss) && miss.unread
}

// outcomeOf says which outcome an error is.
func outcomeOf(err error) Outcome {
	if _, ok := access.IsDenied(err); ok {
		return Blocked
	}
	var miss *Miss
	if errors.As(err, &miss) && miss.Outcome.Bad() {
		return miss.Outcome
	}
	return Failed
}

// descend returns the mentions in what an item resolved to. A thing that was
// seen before is not looked at again, which also cuts cycles.
func (x *expansion) descend(it *item) []*item {
	if it.plain || it.outcome != "" {
		return nil
	}
	id := it.identity()
	if before, ok := x.byID[id]; ok {
		it.same = before
		return nil
	}
	x.byID[id] = it
	nested := x.search(it)
	it.children = append(it.children, nested...)
	for i := range it.content.Files {
		file := &it.content.Files[i]
		child := &item{ref: mention.Ref{Mention: file.Mention}, content: file, parent: it, depth: it.depth, asker: it.asker}
		it.children = append(it.children, child)
		if file.denied != nil {
			child.withoutSecrets()
			x.missed(child, file.denied)
			continue
		}
		nested = append(nested, x.descend(child)...)
	}
	return nested
}

// search returns the mentions in the text of an item.
func (x *expansion) search(it *item) []*item {
	found := it.content.found
	if len(found.refs) == 0 {
		return nil
	}
	asker := access.Asker{Origin: access.FromFile, Tree: it.content.Tree}
	var nested []*item
	further := 0
	if it.depth < maxDepth {
		further = found.further
	}
	for _, ref := range found.refs {
		switch {
		case it.depth == maxDepth && ref.Meant() && len(x.tooDeep) < maxNested:
			x.tooDeep = append(x.tooDeep, it.content.Text[ref.Start:ref.End]+" in "+it.content.Name)
		case it.depth == maxDepth:
		case x.nested < maxNested:
			x.nested++
			nested = append(nested, &item{ref: ref, asker: asker, base: it.content.Folder, parent: it, depth: it.depth + 1, within: it.content.Text, content: &noContent})
		case ref.Meant():
			further++
		}
	}
	if further > 0 {
		x.tooMany = append(x.tooMany, fmt.Sprintf("%s further in %s", wording.Number(further), it.content.Name))
	}
	return nested
}

// foundIn are the mentions in a text: as many as may be followed, each word such as
// @param once, and how many further ones are meant.
type foundIn struct {
	refs    []mention.Ref
	further int
}

// findIn finds the mentions in a text.
func findIn(text string) (found foundIn) {
	refs := mention.Find(text)
	if len(refs) == 0 {
		return found
	}
	words := map[mention.Mention]bool{}
	for _, ref := range refs {
		if !ref.Meant() {
			if words[ref.Mention] {
				continue
			}
			words[ref.Mention] = true
		}
		switch {
		case len(found.refs) < maxNested:
			found.refs = append(found.refs, ref)
		case ref.Meant():
			found.further++
		}
	}
	return found
}

// walk visits the items in the order of the text, each one's nested items
// directly after it. Plain text is left out.
func (x *expansion) walk(visit func(*item)) {
	var down func(items []*item)
	down = func(items []*item) {
		for _, it := range items {
			if it.plain {
				continue
			}
			visit(it)
			down(it.children)
		}
	}
	down(x.typed)
}
