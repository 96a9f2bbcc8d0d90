package ampersat

import (
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// block is content that will stand in the stack, once, whoever mentioned it.
type block struct {
	items   []*item
	content *Content
	kind    mention.Kind
	names   []string
	// ids has for each name what tells it from others; see [message.Context.IDs].
	ids []string
	// typed says that the person mentioned it, not just a file; named that it was
	// by itself, not just as one of many that a pattern matches.
	typed, named bool
	// outgrown says that its source is longer than any that was ever read whole.
	outgrown bool
	// translated says that the model gets a text in place of what it does not take.
	translated bool

	// context is what is sent, tokens what it costs, outcome what that means
	// for the items; omitted says that nothing is.
	context message.Context
	tokens  int
	omitted bool
	outcome Outcome
	reason  string
	// since is when the model saw it last, if that was something else. A diff
	// may go back further, to what it applies to.
	since string
}

// identity is what two mentions of the same thing share: where it is or, where
// nobody says that, what it is and is called. Of a thing of one's own, and of what
// is not known whole, that is the mention itself.
type identity struct {
	id            string
	source        blob.Digest
	mention       mention.Mention
	name, text    string
	lines, symbol string
}

func (it *item) identity() identity {
	c := it.content
	switch {
	case c.ID != "":
		return identity{id: c.ID, lines: c.Lines, symbol: c.Symbol}
	case c.Source != "" && it.id() == "":
		return identity{source: c.Source, name: c.Name, lines: c.Lines, symbol: c.Symbol}
	}
	return identity{mention: it.ref.Mention, name: c.Name, text: c.Text, lines: c.Lines, symbol: c.Symbol}
}

// foldKey is what content has to share to be one block.
type foldKey struct {
	source        blob.Digest
	lines, symbol string
	kind          mention.Kind
}

// fold makes one block of equal content that names all its paths.
func (x *expansion) fold() []*block {
	var blocks []*block
	equal := make(map[foldKey]*block, len(x.typed))
	x.walk(func(it *item) {
		if it.outcome != "" || it.same != nil || len(it.content.Files) > 0 {
			return
		}
		c := it.content
		key := foldKey{c.Source, c.Lines, c.Symbol, it.ref.Mention.Kind()}
		if key.kind == mention.KindImage {
			key.kind = mention.KindFile // a picture that is attached may be mentioned too
		}
		b := equal[key]
		if b == nil || c.Source == "" {
			b = &block{content: c, kind: it.ref.Mention.Kind(), outgrown: it.outgrown}
			blocks = append(blocks, b)
			equal[key] = b
		}
		b.add(it)
	})
	return blocks
}

// add credits a block to one more mention. Where a picture is attached that is a
// file too, the block is that of the file, and has its name alone: the file will be
// looked at again, and nothing is there by the other name.
func (b *block) add(it *item) {
	b.items = append(b.items, it)
	b.typed = b.typed || it.depth == 0
	b.named = b.named || it.depth == 0 && !it.isMatched()
	it.block = b
	if kind := it.ref.Mention.Kind(); contextKind(kind) != contextKind(b.kind) {
		if contextKind(kind) != "" {
			return
		}
		b.content, b.kind, b.names, b.ids = it.content, kind, nil, nil
	}
	if !slices.Contains(b.names, it.content.Name) {
		b.names, b.ids = append(b.names, it.content.Name), append(b.ids, it.id())
	}
}

// isMatched reports whether an item is there because a pattern matches it.
func (it *item) isMatched() bool {
	return it.parent != nil && it.ref.Written == "" && it.parent.ref.Mention.Kind() == mention.KindGlob
}

// called is what the content of an item is known by across turns.
func (it *item) called() called { return called{contextKind(it.ref.Mention.Kind()), it.content.Name} }

// called is the first of what a block is known by.
func (b *block) called() called { return called{contextKind(b.kind), b.names[0]} }

// contextKind is the kind of a context with content of a kind of mention: files
// have none, in whole or in part.
func contextKind(kind mention.Kind) mention.Kind {
	switch kind {
	case mention.KindFile, mention.KindSelection, mention.KindSymbol, mention.KindGlob:
		return ""
	}
	return kind
}

// whole returns the context that sends all of a block.
func (b *block) whole() message.Context {
	c := b.content
	ctx := message.Context{
		Names: b.names, Kind: contextKind(b.kind), Source: c.Source, Body: c.Source, MIME: c.MIME,
		Lines: c.Lines, Symbol: c.Symbol, Shown: c.Shown, Text: c.Text, Parts: c.Parts, PartTokens: c.PartTokens,
	}
	if slices.ContainsFunc(b.ids, func(id string) bool { return id != "" }) {
		ctx.IDs = b.ids
	}
	if !c.isWhole() && (c.Text != "" || c.Lines+c.Symbol != "") {
		ctx.Body = blob.Of([]byte(c.Text))
	}
	return ctx
}
