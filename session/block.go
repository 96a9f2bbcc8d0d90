package session

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// block is the content of a mention where it stands: a part of a message, or of
// the result of a tool, which is then the part that goes.
type block struct {
	item *planned
	part int
	// context is the content; of a result with several it is the first.
	context message.Context
	// bases are the blocks that this one makes no sense without: what a diff
	// applies to, what a reference refers to. Above are those that build on this
	// one.
	bases, above []*block
	// needed says that the last turn reads it.
	needed bool
	result bool
}

// referenceOnly is how a context says that it only refers to one before it.
const referenceOnly = "reference only"

// findBlocks finds the contents and what each of them builds on. A reader of the
// view puts a thing together by its kind and name: from a block that is whole, and the
// diffs on it.
func findBlocks(items []*planned) {
	type version struct {
		kind   mention.Kind
		name   string
		source blob.Digest
	}
	type part struct {
		version
		lines, symbol string
	}
	named := map[part]*block{} // what is shown whole, of a thing or of a part of it
	cut := map[part]*block{}   // what is not shown whole
	whole := map[blob.Digest]*block{}
	build := func(b, base *block) {
		if base != nil && base != b {
			b.bases = append(b.bases, base)
			base.above = append(base.above, b)
		}
	}
	note := func(b *block, c message.Context) {
		switch {
		case c.Source == "":
		case c.Shown == referenceOnly:
			build(b, whole[c.Source])
			for _, name := range c.Names {
				v := version{c.Kind, name, c.Source}
				base, own, shown := named[part{version: v}], named[part{v, c.Lines, c.Symbol}], cut[part{v, c.Lines, c.Symbol}]
				build(b, base)
				if own != base {
					build(b, own)
				}
				build(b, shown)
				if base == nil && own == nil && shown == nil {
					named[part{v, c.Lines, c.Symbol}] = b // the same as another file
				}
			}
		case c.Base != "":
			for _, name := range c.Names {
				build(b, named[part{version{c.Kind, name, c.Base}, c.Lines, c.Symbol}])
				named[part{version{c.Kind, name, c.Source}, c.Lines, c.Symbol}] = b
			}
		case c.Shown == "":
			for _, name := range c.Names {
				named[part{version{c.Kind, name, c.Source}, c.Lines, c.Symbol}] = b
			}
			if c.Lines == "" && c.Symbol == "" {
				whole[c.Source] = b
			}
		default:
			for _, name := range c.Names {
				cut[part{version{c.Kind, name, c.Source}, c.Lines, c.Symbol}] = b
			}
		}
	}
	for _, it := range items {
		for i, part := range it.said.Content.Parts {
			if !it.untouched(i + 1) {
				continue
			}
			switch part := part.(type) {
			case message.Context:
				b := &block{item: it, part: i + 1, context: part}
				note(b, part)
				it.blocks = append(it.blocks, b)
			case message.ToolResult:
				var b *block
				for _, inner := range part.Parts() {
					if c, is := inner.(message.Context); is {
						if b == nil {
							b = &block{item: it, part: i + 1, context: c, result: true}
							it.blocks = append(it.blocks, b)
						}
						note(b, c)
					}
				}
			}
		}
	}
}

// protectBlocks keeps what the last turn has mentioned, and what that builds on.
func (p *plan) protectBlocks() {
	var need func(b *block)
	need = func(b *block) {
		if !b.needed {
			b.needed = true
			for _, base := range b.bases {
				need(base)
			}
		}
	}
	for _, it := range p.items {
		if it.unit.current || it.unit.vital {
			for _, b := range it.blocks {
				need(b)
			}
		}
	}
}

// standing tells whether a block is still there.
func (b *block) standing() bool { return b.item.untouched(b.part) }

// stub replaces a block by its reference.
func (p *plan) stub(b *block, reason string) {
	if !b.standing() {
		return
	}
	d := Decision{Action: Stub, Text: leftover(b.context), Reason: reason}
	cost := b.item.parts[b.part-1]
	if reason == forRoom {
		cost /= 2 // else all of many small ones would go, and then their references
	}
	if !b.result && p.policy.counter().Count(d.Text) >= cost {
		d = Decision{Action: Evict, Reason: reason} // it was no more than a line
	}
	p.part(b.item, b.part, d)
	p.fall(b)
}

// fall takes out the blocks that build on one that is gone.
func (p *plan) fall(b *block) {
	for _, above := range b.above {
		p.stub(above, "it builds on content that is gone")
	}
}

// leftover is the reference that stays where the content of a mention was.
func leftover(c message.Context) string {
	const most = 3
	var names []string
	for _, name := range c.Names[:min(most, len(c.Names))] {
		names = append(names, plainName(name))
	}
	name := strings.Join(names, ", ")
	if more := len(c.Names) - most; more > 0 {
		name += fmt.Sprintf(" and %d more", more)
	}
	switch {
	case len(c.Names) == 0:
		name = "something that was mentioned"
	case c.Lines != "":
		name += ":" + plainName(c.Lines)
	case c.Symbol != "":
		name += "#" + plainName(c.Symbol)
	}
	return "[" + name + " was here; mention it again to see it]"
}

// plainName keeps a name from being more than a name.
func plainName(name string) string {
	const most = 200
	name = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == '[' || r == ']' {
			return '?'
		}
		return r
	}, ToUTF8(name))
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
