package ampersat

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// View is what the model can still see of a conversation. What compaction took
// out is not in it, and is sent again when it is mentioned.
type View struct {
	Messages []message.Message
	// FirstTurn is the number of the turn that the first message belongs to.
	// Zero means one: nothing was taken out.
	FirstTurn int
}

// noteKind marks a context that shows nothing, and tells something: that a file has
// changed since it was shown, or what is left out.
const noteKind mention.Kind = "note"

// called is what a thing is known by across turns. The kind is that of a
// [message.Context]: a file, in whole or in part, has none.
type called struct {
	kind mention.Kind
	name string
}

// piece is a thing, or a part of it.
type piece struct {
	called
	lines, symbol string
}

// sight is a content as the model has seen it last.
type sight struct {
	called
	source blob.Digest
	body   blob.Digest
	turn   int
	// whole says that the model can put the whole source together from what it
	// sees: a whole block, and perhaps diffs on it.
	whole bool

	// lines and symbol are the part that it is of, shown what was left of that,
	// and at where in the view it stands.
	lines, symbol, shown string
	at                   int
}

// seen is a view, read.
type seen struct {
	// named is the latest sight of each thing and part.
	named map[piece]*sight
	// all is where each thing was seen whole last. Parts that were seen before are
	// outdated by that.
	all map[called]int
	// symbols is the latest sight of each symbol, on whichever lines it stood.
	symbols map[piece]*sight
	// several are the names of more than one symbol: which of them moved where cannot
	// be told.
	several map[piece]bool
	// latest is the latest sight of any part of each thing.
	latest map[called]*sight
	// owners is what was called so, by its [message.Context.IDs], whether or not the
	// content can still be seen: the name has been used.
	owners map[called]string
	// files is what the model knows of each file, in the order of names.
	files map[string]*knowledge
	names []string
	// learns are the files of which it is told in this turn that they are not current.
	learns map[string]bool
	// at counts what was read of the view, and began is what it was when the turn
	// began that is being read.
	at, began, turn int
	// whole is where each source stands in one piece, the latest last.
	whole map[blob.Digest][]*sight
}

// read goes through the view once and notes what the model has seen of what.
func (v View) read() seen {
	s := seen{named: map[piece]*sight{}, symbols: map[piece]*sight{}, several: map[piece]bool{}, all: map[called]int{}, latest: map[called]*sight{}, owners: map[called]string{}, whole: map[blob.Digest][]*sight{}, files: map[string]*knowledge{}, learns: map[string]bool{}}
	turn := max(v.FirstTurn, 1)
	for _, m := range v.Messages {
		for _, part := range m.Content.Parts {
			switch part := part.(type) {
			case message.Context:
				s.note(part, turn)
			case message.ToolResult:
				for _, result := range part.Parts() {
					if c, ok := result.(message.Context); ok {
						// The call stands behind the message that asked.
						s.note(c, turn-1)
					}
				}
			}
		}
		if m.Role == message.User {
			turn++
		}
	}
	return s
}

func (s *seen) note(c message.Context, turn int) {
	if turn != s.turn {
		s.turn, s.began = turn, s.at
	}
	for i, name := range c.Names {
		s.at += 2 // there is room between two
		if c.Kind == noteKind {
			s.heard(name, c.Text)
			continue
		}
		thing := called{c.Kind, name}
		key := piece{thing, c.Lines, c.Symbol}
		before := s.ofPart(key, c.Source)
		if isReference(c) {
			before = s.meant(key, c.Source)
		}
		now := &sight{called: thing, source: c.Source, body: c.Body, turn: turn, lines: c.Lines, symbol: c.Symbol, shown: c.Shown, at: s.at}
		if i < len(c.IDs) && c.IDs[i] != "" {
			s.owners[thing] = c.IDs[i]
		}
		switch {
		case isReference(c):
			if c.Lines+c.Symbol != "" && !isSince(before, s.named[piece{called: thing}]) {
				continue // the whole file was seen later, and is what is meant
			}
			if !slices.ContainsFunc(s.whole[c.Source], func(other *sight) bool { return other.isMeantBy(c.Text, turn) }) {
				if before != nil {
					s.confirmed(before)
				}
				continue
			}
			// The same as another thing, which can be seen.
			now.whole, now.shown = true, ""
		case c.Base != "":
			// Calls that ran at the same time may bring the same difference twice.
			now.whole = before != nil && before.whole && (before.source == c.Base || before.source == c.Source)
		case c.Shown == "" && c.Source != "":
			now.whole = true
			if c.Lines == "" && c.Symbol == "" {
				s.whole[c.Source] = append(s.whole[c.Source], now)
			}
		}
		s.saw(now, c.ChangedSince != "")
		s.named[key], s.latest[thing] = now, now
		if now.isAll() {
			s.all[thing] = now.at
		}
		if c.Symbol != "" {
			name := piece{called: thing, symbol: c.Symbol}
			if other := s.symbols[name]; other != nil && other.source == c.Source && other.lines != c.Lines {
				s.several[name] = true
			}
			s.symbols[name] = now
		}
	}
}

// reference returns the short context that stands for what the model has.
func (b *block) reference(s *sight) message.Context {
	ctx := b.whole()
	ctx.Parts, ctx.PartTokens, ctx.Body = nil, 0, ""
	ctx.Source = s.source // what it refers to: lines may be the same in another file
	ctx.Text = fmt.Sprintf("[unchanged since turn %d, shown there]", s.turn)
	switch {
	case s.called != b.called():
		ctx.Text = s.sameAs(s.turn)
	case b.content.isPart() && s.isAll():
		// Its own lines may have been shown otherwise in that turn.
		ctx.Text = fmt.Sprintf("[unchanged since turn %d, shown there in the whole file]", s.turn)
	}
	ctx.Shown = referenceOnly
	return ctx
}

// sameAs is what is said of another thing with the same content.
func (c called) sameAs(turn int) string {
	return fmt.Sprintf("%s%d]", c.shownIn(), turn)
}

func (c called) shownIn() string { return fmt.Sprintf(sameAs+"%s, shown in turn ", c) }

// sameAs is how a reference to another thing begins.
const sameAs = "[the same as "

// sameAsBefore is what is said of another thing with the same content in one turn.
func (c called) sameAsBefore() string { return fmt.Sprintf(sameAs+"%s, shown before it]", c) }

func (c called) String() string {
	if c.kind == "" {
		return c.name
	}
	return c.name + " (" + string(c.kind) + ")"
}

// isMeantBy reports whether the text of a reference in a turn is about this sight. The
// number of the turn may be another by now: what a compaction takes out of the middle
// is not counted. Older logs do not say the kind.
func (s *sight) isMeantBy(text string, turn int) bool {
	if !strings.HasPrefix(text, sameAs) {
		return false
	}
	isThere := func(c called) bool {
		rest, ok := strings.CutPrefix(text, c.shownIn())
		return ok && strings.Trim(rest, "0123456789") == "]"
	}
	return isThere(s.called) || isThere(called{name: s.name}) || turn == s.turn && text == s.sameAsBefore()
}

// isOf reports whether a sight is of the source of a content as it is now. Older
// logs know a text in which bytes were replaced by its own digest, and not by that
// of the bytes; what they say of it is said by nobody else.
func (s *sight) isOf(c *Content) bool {
	if s.source == c.Source {
		return true
	}
	const older = "with characters that could not be read replaced"
	isReplaced := strings.HasSuffix(s.shown, older) && c.Source != "" && c.Shown != "" && c.Tail == "" && c.Lines+c.Symbol == "" && strings.ContainsRune(c.Text, utf8.RuneError)
	return isReplaced && s.source == blob.Of([]byte(c.Text))
}

// referenceOnly is how a context says that it only refers to one before it.
const referenceOnly = "reference only"

func isReference(c message.Context) bool { return c.Shown == referenceOnly }

// compareAll decides what of each block is sent. Whole files come before their parts:
// whether these can be referred to depends on what is said of those.
func (p *Pipeline) compareAll(ctx context.Context, blocks []*block, turn Turn, s seen) error {
	for _, parts := range []bool{false, true} {
		for _, b := range blocks {
			if b.content.isPart() != parts {
				continue
			}
			p.translate(b, turn)
			if err := p.compare(ctx, b, s); err != nil {
				return err
			}
			if !parts && b.since != "" { // where it finds no room, its name alone says of what
				for _, name := range b.names {
					s.learns[name] = true
				}
			}
		}
	}
	return nil
}

// compare decides what of a block is sent, by what the model has seen: all of
// it, a reference, or what has changed.
func (p *Pipeline) compare(ctx context.Context, b *block, s seen) error {
	b.context, b.outcome = b.whole(), Loaded
	c := b.content
	if c.Shown != "" || c.Tail != "" {
		b.outcome = Partial
	}
	if c.isPart() {
		return p.comparePart(ctx, b, s)
	}
	before, _, latest := s.sights(c, b.called())
	var elsewhere *sight
	if all := s.whole[c.Source]; len(all) > 0 {
		elsewhere = all[len(all)-1]
		if s.latest[elsewhere.called].source != c.Source {
			// It has been shown otherwise since, perhaps in the same turn.
			elsewhere = nil
		}
	}
	switch {
	case c.Source == "" && b.outgrown && latest != nil && latest.source != "":
		return p.changed(ctx, b, latest, nil)
	case c.Source == "":
	case latest != nil && !latest.isOf(c):
		return p.changed(ctx, b, latest, before)
	case before != nil && before.whole && before.source == c.Source:
		b.context, b.outcome = b.reference(before), Unchanged
	case before != nil && !before.isOf(c):
		// What is seen of it since then is another part.
		return p.changed(ctx, b, before, before)
	case before == nil && elsewhere != nil && c.isWhole():
		b.context, b.outcome = b.reference(elsewhere), Unchanged
	}
	if b.translated && b.outcome == Unchanged {
		b.context, b.outcome = b.whole(), Partial // another model was shown it
	}
	return nil
}

// changed marks a block as changed since a sight, and sends the difference to what
// was seen of just this part before, if anything was.
func (p *Pipeline) changed(ctx context.Context, b *block, since, before *sight) error {
	b.outcome = Changed
	b.since = fmt.Sprintf("turn %d", since.turn)
	b.context.ChangedSince = b.since
	if before == nil {
		return nil
	}
	return p.difference(ctx, b, before)
}

// sights returns what the model has seen last of a thing: of just this part of
// it, of the whole, and of any part. Each is nil if there is nothing.
func (s seen) sights(c *Content, thing called) (before, file, latest *sight) {
	return s.ofPart(piece{thing, c.Lines, c.Symbol}, c.Source), s.named[piece{called: thing}], s.latest[thing]
}

// ofPart returns what was seen last of a part of a source, or of any. A symbol is
// known by its name where the file has changed: it may have stood on other lines since
// it was seen on these. In one version of a file that is another of the same name.
func (s seen) ofPart(key piece, source blob.Digest) *sight {
	before := s.named[key]
	name := piece{called: key.called, symbol: key.symbol}
	if later := s.symbols[name]; later != nil && later.source != source && !s.several[name] {
		if before == nil || later.at > before.at && later.source != before.source {
			before = later
		}
	}
	return s.unlessOutdated(before)
}

// meant returns what a reference to a part of a source is to, nil if that is not the
// part by itself.
func (s seen) meant(key piece, source blob.Digest) *sight {
	for _, before := range []*sight{s.named[key], s.symbols[piece{called: key.called, symbol: key.symbol}]} {
		if before != nil && before.source == source {
			return s.unlessOutdated(before)
		}
	}
	return nil
}

// unlessOutdated returns a sight, but none of a part if the whole was seen since.
func (s seen) unlessOutdated(before *sight) *sight {
	if before != nil && before.lines+before.symbol != "" && before.at < s.all[before.called] {
		return nil
	}
	return before
}

// part divides the blocks that name several files of which the model has seen
// different things: what is unchanged for one may be new for another.
func part(blocks []*block, s seen) []*block {
	if len(s.named) == 0 {
		return blocks // the model has seen nothing
	}
	state := func(at *sight) (state sight) {
		if at != nil {
			state = sight{source: at.source, body: at.body, turn: at.turn, whole: at.whole, shown: at.shown}
		}
		return state
	}
	var parted []*block
	for _, b := range blocks {
		groups := map[[3]sight]*block{}
		for _, it := range b.items {
			before, file, latest := s.sights(it.content, it.called())
			states := [3]sight{state(before), state(file), state(latest)}
			if isSince(before, file) {
				states[0].at = 1
			}
			g := groups[states]
			if g == nil {
				g = &block{content: it.content, kind: it.ref.Mention.Kind(), outgrown: b.outgrown}
				groups[states] = g
				parted = append(parted, g)
			}
			g.add(it)
		}
	}
	return parted
}

// difference replaces a block's content by the diff to what the model has, if
// it has all of that and the diff is smaller.
func (p *Pipeline) difference(ctx context.Context, b *block, before *sight) error {
	const most = 8 << 20 // of longer texts, differences are not worth their time
	if p.Diff == nil || p.Blobs == nil || !before.whole || !b.content.isWhole() || len(b.content.Text) > most {
		return nil
	}
	old, err := p.Blobs.Get(ctx, before.source)
	if err != nil {
		return ctx.Err() // the new content is sent whole
	}
	if tooManyLines(string(old), b.content.Text) {
		return nil
	}
	diff := p.Diff(b.names[0], string(old), b.content.Text)
	if diff == "" || len(diff) >= len(b.content.Text) {
		return nil
	}
	b.context.Text, b.context.Base = diff, before.source
	b.context.ChangedSince = fmt.Sprintf("turn %d", before.turn)
	b.context.Body = blob.Of([]byte(diff))
	return nil
}

// tooManyLines reports whether two texts have too many lines to be compared. What
// a diff takes grows with the lines and not the bytes: that of go-udiff allocates
// about 400 bytes for each line that differs, and 200 for any other, so that
// these are at most 180 MB.
func tooManyLines(old, text string) bool {
	const mostLines, mostDiffering = 500_000, 200_000
	count := func(old, text string) int { return strings.Count(old, "\n") + strings.Count(text, "\n") }
	if count(old, text) > mostLines {
		return true
	}
	same := 0
	for same < min(len(old), len(text)) && old[same] == text[same] {
		same++
	}
	old, text = old[same:], text[same:]
	same = 0
	for same < min(len(old), len(text)) && old[len(old)-1-same] == text[len(text)-1-same] {
		same++
	}
	return count(old[:len(old)-same], text[:len(text)-same]) > mostDiffering
}

// Seen returns the names of the files that the model can put together from the
// view, with the digest of each as the model knows it.
func (v View) Seen() map[string]blob.Digest {
	known := map[string]blob.Digest{}
	for key, s := range v.read().named {
		if s.whole && key == (piece{called: called{name: s.name}}) {
			known[s.name] = s.source
		}
	}
	return known
}
