package ampersat

import (
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Budget is how many tokens the contents of a turn may cost.
type Budget struct {
	// Turn is for all contents together. Zero means [DefaultBudget].
	Turn int
	// Item is for a single content. Zero means that only Turn counts.
	Item int
}

// DefaultBudget leaves half of a common window to the conversation.
const DefaultBudget = 100_000

func (b Budget) turn() int {
	if b.Turn <= 0 {
		return DefaultBudget
	}
	return b.Turn
}

func (b Budget) item() int {
	if b.Item <= 0 {
		return b.turn()
	}
	return min(b.Item, b.turn())
}

// bytes is how much of one text is worth reading: more than fits, so that an
// outline or a tail can be chosen from it, and not all of a huge file.
func (b Budget) bytes() int {
	const least = 1 << 20
	return min(max(b.item()*16, least), mostBytes)
}

// mostBytes is how much of one text is read at the most.
const mostBytes = 16 << 20

// fit cuts the blocks to the budget. What was typed comes before what is
// nested; within each the shares are equal, and what one does not need flows
// on to the others. It returns what found no room at all.
func (p *Pipeline) fit(blocks []*block, turn Turn) (kept, omitted []*block) {
	left := turn.Budget.turn()
	prompt := message.Flatten(turn.Message.Content)
	for _, typed := range []bool{true, false} {
		var group []*block
		for _, b := range blocks {
			if b.typed == typed {
				b.tokens = p.cost(b.context, b.counted()) + b.partTokens()
				group = append(group, b)
			}
		}
		for i, share := range shareOut(group, left, turn.Budget.item()) {
			switch b := group[i]; {
			case share == 0:
				b.omit()
			case b.tokens > share || b.content.Tail != "":
				p.cut(b, share, prompt)
			}
			left -= group[i].tokens
		}
		left = max(left, 0)
	}
	for _, b := range blocks {
		if b.tokens == 0 {
			omitted = append(omitted, b)
		} else {
			kept = append(kept, b)
		}
	}
	return kept, omitted
}

// leastUseful is how many tokens a cut block needs to be worth its tags.
const leastUseful = 40

// shareOut says how many tokens each block gets. First come those, in the order
// of the text, that can be given at least what makes them useful: a small one
// or a picture all of it, a long text some of it. The rest gets nothing.
func shareOut(group []*block, total, item int) []int {
	result := make([]int, len(group))
	var admitted, wants []int
	for i, b := range group {
		need := min(b.tokens, item)
		floor := min(need, leastUseful)
		if b.isAtomic() {
			if floor = b.tokens; floor > item {
				floor = min(leastUseful, item) // enough to say what it is
			}
			need = floor
		}
		if floor > total {
			continue
		}
		total -= floor
		result[i] = floor
		admitted, wants = append(admitted, i), append(wants, need-floor)
	}
	for k, more := range shares(wants, total) {
		result[admitted[k]] += more
	}
	return result
}

// isAtomic reports whether a block cannot be cut: a picture, a document, a
// reference.
func (b *block) isAtomic() bool { return len(b.context.Parts) > 0 || b.outcome == Unchanged }

// omit leaves a block out for want of room.
func (b *block) omit() {
	b.outcome, b.tokens = Partial, 0
	b.context = message.Context{Names: b.names, Shown: "nothing: it does not fit the budget"}
}

// omission is the one line that tells the model what found no room.
func omission(omitted []*block) (message.Context, bool) {
	const most = 20
	if len(omitted) == 0 {
		return message.Context{}, false
	}
	var names []string
	for _, b := range omitted[:min(most, len(omitted))] {
		names = append(names, b.names...)
	}
	text := "not shown: it does not fit the budget"
	if more := len(omitted) - most; more > 0 {
		text = fmt.Sprintf("not shown, like %s others: they do not fit the budget", thousands(more))
	}
	return message.Context{Names: names, Kind: noteKind, Text: "[" + text + outdated(omitted) + "]"}, true
}

// outdated says of what is omitted that the model has seen it otherwise.
func outdated(omitted []*block) string {
	changed := 0
	for _, b := range omitted {
		if b.since != "" {
			changed++
		}
	}
	switch {
	case changed == 0:
		return ""
	case changed == 1 && len(omitted) == 1:
		return "; it has changed since " + omitted[0].since
	}
	return fmt.Sprintf("; of all these, %s changed since they were shown", thousands(changed))
}

// shares divides total among needs: nobody gets more than it needs, and all
// that get less than they need get the same.
func shares(needs []int, total int) []int {
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	result := make([]int, len(needs))
	for done, i := range order {
		result[i] = max(min(needs[i], total/(len(order)-done)), 0)
		total -= result[i]
	}
	return result
}

// counted is the tokens of a block's text, if all of it is sent.
func (b *block) counted() int {
	if b.context.Text == b.content.Text {
		return b.content.tokens
	}
	return 0
}

// mediaTokens is what an image or a document costs where nothing better is
// known; models scale larger images down.
const mediaTokens = 1600

// cost counts the tokens of a context as the model reads it: its text, which
// may have been counted before, and what stands around it. The block is not
// rendered for that; content that has to be escaped is too rare to matter.
func (p *Pipeline) cost(c message.Context, counted int) int {
	text := c.Text
	if counted == 0 {
		counted = p.counter().Count(text)
	}
	c.Text = ""
	return counted + p.counter().Count(c.Render())
}

// partTokens is what the pictures and documents of a block cost, if they are
// sent.
func (b *block) partTokens() int {
	switch {
	case len(b.context.Parts) == 0:
		return 0
	case b.content.PartTokens > 0:
		return b.content.PartTokens
	}
	return mediaTokens * len(b.context.Parts)
}

// longestShown is what a cut says of itself at the most.
const longestShown = "lines 99,999-99,999 and 9,999,999-9,999,999 of 9,999,999"

// cut shortens a block to a number of tokens, by its kind, and says so.
func (p *Pipeline) cut(b *block, tokens int, prompt string) {
	full := b.whole()
	full.ChangedSince = b.since
	if len(full.Parts) > 0 {
		// A picture cannot be halved; what it is can be said.
		full.Parts, full.Text = nil, ""
		b.sent(p, full, "described only: it costs more than its share of the budget")
		return
	}
	empty := full
	empty.Text, empty.Shown = "", longestShown
	room := room{count: p.counter().Count, tokens: tokens - p.cost(empty, 0)}
	text, shown := "", ""
	switch b.kind {
	case mention.KindDirectory:
		text, shown = cutTree(b.content.Text, room)
	case mention.KindGitDiff:
		text, shown = cutDiff(b.content.Text, b.content.Shown, room)
	case mention.KindTerminal:
		text, shown = cutOutput(b.content, room)
	default:
		ok := false
		if p.Outline != nil && b.content.Tail == "" && b.content.Lines == "" {
			text, shown, ok = p.Outline(b.names[0], b.content.Text, prompt, room.fits)
		}
		if !ok {
			text, shown = cutText(b.content, room)
		}
	}
	full.Text = text
	b.sent(p, full, shown)
}

// sent sets what of a block is sent after a cut.
func (b *block) sent(p *Pipeline, c message.Context, shown string) {
	c.Shown = shown
	c.Body = blob.Of([]byte(c.Text))
	b.context, b.outcome = c, Partial
	b.tokens = p.cost(c, 0)
}
