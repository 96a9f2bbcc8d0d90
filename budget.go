package ampersat

import (
	"slices"

	"github.com/ampersat/ampersat/message"
)

// Budget is how many tokens the contents of a turn may cost, with everything that
// is said about them: their tags, and what tells the model what is left out.
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

// fitted is what of the contents of a turn is sent.
type fitted struct {
	kept, omitted []*block
	// notes tell the model what is left out, unsaid people what found no room
	// there.
	notes  []message.Context
	unsaid string
	// tokens is what all that costs.
	tokens int
}

// fit cuts the blocks to the budget. What is named comes first, then what a
// pattern matches, to which half is left, then what is nested. Within each, what is
// small is sent whole, the shares are equal, and what one does not need flows on to
// the others. What cannot show anything useful is left out. Gaps is what was left
// out before.
func (p *Pipeline) fit(blocks []*block, gaps []gap, turn Turn) (f fitted) {
	for _, b := range blocks {
		b.tokens = p.cost(b.context, b.counted()) + b.partTokens()
	}
	total := turn.Budget.turn()
	if len(gaps) > 0 || !fitWhole(blocks, turn.Budget) {
		p.divide(blocks, gaps, turn)
	}
	for _, b := range blocks {
		if b.omitted {
			f.omitted = append(f.omitted, b)
		} else {
			f.kept = append(f.kept, b)
			f.tokens += b.tokens
		}
	}
	var cost int
	f.notes, cost, f.unsaid = p.leftOut(gaps, f.omitted, total-f.tokens)
	f.tokens += cost
	return f
}

// fitWhole reports whether all blocks can be sent as they are, which is the usual
// case: then nobody need work out what a cut of each would cost.
func fitWhole(blocks []*block, budget Budget) bool {
	left, item := budget.turn(), budget.item()
	for _, b := range blocks {
		if left -= b.tokens; left < 0 || b.tokens > item || b.content.Tail != "" {
			return false
		}
	}
	return true
}

// divide gives each block its share of the budget, and cuts those that need more.
func (p *Pipeline) divide(blocks []*block, gaps []gap, turn Turn) {
	total, item := turn.Budget.turn(), turn.Budget.item()
	left := total - p.reserve(blocks, gaps, total, item)
	prompt := message.Flatten(turn.Message.Content)
	ranks := rank(blocks)
	for n, group := range ranks {
		shares := p.allot(group, left, ranks.keep(n, left), item)
		for i, b := range group {
			if b.tokens > shares[i] || b.content.Tail != "" {
				p.cut(b, shares[i], prompt)
			}
			left -= b.tokens
		}
	}
}

// ranks are blocks by who comes first.
type ranks [3][]*block

const named, matched, nested = 0, 1, 2

// rank divides blocks into those that are named, those that a pattern matches, and
// those that are nested.
func rank(blocks []*block) (r ranks) {
	for _, b := range blocks {
		at := nested
		switch {
		case b.named:
			at = named
		case b.typed:
			at = matched
		}
		r[at] = append(r[at], b)
	}
	return r
}

// keep is how much of what is left a rank leaves to the next one: one long file
// that is named would otherwise be all that is shown beside a pattern.
func (r ranks) keep(rank, left int) (tokens int) {
	if rank == named {
		for _, b := range r[matched] {
			tokens += b.tokens
		}
	}
	return min(tokens, left/2)
}

// reserve is how many tokens are kept for saying what is left out: what that
// needs, of what contents do not need to be useful, or up to a third of all. Where
// that is too little to say anything, contents come first.
func (p *Pipeline) reserve(blocks []*block, gaps []gap, total, item int) int {
	var omitted []*block
	left, free := total, total
	ranks := rank(blocks)
	for n, group := range ranks {
		floors, wants := p.admit(group, left, item)
		for i, more := range shares(wants, left-ranks.keep(n, left)-sum(floors)) {
			free -= floors[i]
			if left -= floors[i] + more; floors[i] == 0 {
				omitted = append(omitted, group[i])
			}
		}
	}
	most := max(free, total/3)
	_, cost, _ := p.leftOut(gaps, omitted, most)
	if cost == 0 {
		return 0
	}
	return min(cost+slack, most)
}

func sum(numbers []int) (sum int) {
	for _, n := range numbers {
		sum += n
	}
	return sum
}

// slack is how many tokens a number of one more digit, or a text that is counted
// in pieces, may cost besides.
const slack = 2

// leastUseful is how many tokens of a text are worth the tags around them.
const leastUseful = 16

// allot says how many tokens each block of a rank gets, zero for those that are left
// out. What is kept goes only to those that would show nothing useful without it.
func (p *Pipeline) allot(group []*block, total, kept, item int) []int {
	result, wants := p.admit(group, total, item)
	for i, more := range shares(wants, total-kept-sum(result)) {
		result[i] += more
	}
	return result
}

// admit says how many tokens each block needs to be useful, zero for those that
// there is no room for, and how many more it can use. First come those that are no
// longer than what a cut needs, the smallest first; then, in the order of the text,
// what can be cut; then pictures and documents, which are sent whole or described.
func (p *Pipeline) admit(group []*block, total, item int) (floors, wants []int) {
	const small, long, media = 0, 1, 2
	floors, wants = make([]int, len(group)), make([]int, len(group))
	enter := func(i, floor, want int) {
		if floor <= min(total, item) {
			total -= floor
			floors[i], wants[i] = floor, max(0, min(want, item)-floor)
		}
	}
	order, least, class := make([]int, len(group)), make([]int, len(group)), make([]int, len(group))
	for i, b := range group {
		order[i], least[i], class[i] = i, b.tokens, small
		switch {
		case b.outcome == Unchanged || b.tokens <= leastUseful:
		case len(b.context.Parts) > 0:
			class[i] = media
		default:
			if cut := p.leastCut(b); cut < b.tokens || b.content.Tail != "" {
				class[i], least[i] = long, cut
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if class[a] != class[b] || class[a] == long {
			return class[a] - class[b]
		}
		return least[a] - least[b]
	})
	for _, i := range order {
		enter(i, least[i], group[i].tokens)
	}
	for i, b := range group {
		if class[i] == media && floors[i] == 0 {
			least, most := p.described(b)
			enter(i, least, most)
		}
	}
	return floors, wants
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
