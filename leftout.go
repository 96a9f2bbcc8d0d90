package ampersat

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
)

// gap is what a mention of several things does not give: there are too many of
// them, or some may not be read.
type gap struct {
	name, shown string
	// withheld is what may not be read, or could not be.
	withheld []string
}

// gaps returns what is missing from mentions of several things.
func (x *expansion) gaps() (gaps []gap) {
	x.walk(func(it *item) {
		if it.outcome != "" || it.same != nil || len(it.content.Files) == 0 {
			return
		}
		g := gap{name: it.content.Name, shown: it.content.Shown}
		for _, child := range it.children {
			if child.outcome.Bad() && child.ref.Written == "" {
				g.withheld = append(g.withheld, listable(child.content.Name))
			}
		}
		if g.shown != "" || len(g.withheld) > 0 {
			gaps = append(gaps, g)
		}
	})
	return gaps
}

// listable is a name as it may stand in a sentence to the model: it may hold the
// secret for which the thing is withheld, or try to end the sentence.
func listable(name string) string {
	name = access.Redact(name)
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || strings.ContainsRune(`[]",;`, r) }) {
		return strconv.Quote(name)
	}
	return name
}

// say tells the model of a gap, with some names of what is withheld.
func (g gap) say(names int) message.Context {
	var parts []string
	if g.shown != "" {
		parts = append(parts, "read: "+g.shown)
	}
	switch n := len(g.withheld); {
	case n > 0 && names == 0:
		parts = append(parts, fmt.Sprintf("%s may not be shown", wording.Number(n)))
	case n > 0:
		parts = append(parts, "may not be shown: "+wording.First(g.withheld, names))
	}
	return message.Context{Names: []string{g.name}, Kind: noteKind, Text: "[" + strings.Join(parts, "; ") + "]"}
}

// omission tells the model what found no room, with some of its names. What the
// model has seen otherwise comes first.
func omission(omitted []*block, names int) message.Context {
	c := message.Context{Kind: noteKind}
	var outdated []string
	more, moreOutdated := 0, 0
	for _, b := range omitted {
		n := min(len(b.names), names-len(c.Names))
		c.Names = append(c.Names, b.names[:n]...)
		more += len(b.names) - n
		if b.since != "" {
			outdated = append(outdated, b.names[:n]...)
			moreOutdated += len(b.names) - n
		}
	}
	text := "not shown: it does not fit the budget"
	if more > 0 {
		text = fmt.Sprintf("not shown, like %s others: they do not fit the budget", wording.Number(more))
	}
	switch {
	case len(outdated) == 0:
	case len(omitted) == 1:
		text += oneOutdated + omitted[0].since
	case len(outdated) == len(c.Names) && moreOutdated == more:
		text += allOutdated
	default:
		for i, name := range outdated {
			outdated[i] = listable(name)
		}
		text += someOutdated
		if moreOutdated > 0 {
			text += fmt.Sprintf(", like %s of the others", wording.Number(moreOutdated))
		}
		text += ": " + strings.Join(outdated, ", ")
	}
	c.Text = "[" + text + "]"
	return c
}

// What is said of what is omitted, where the model has seen it otherwise.
const (
	oneOutdated  = "; it has changed since "
	allOutdated  = "; all of them have changed since they were shown"
	someOutdated = "; changed since they were shown"
)

// saysOutdated reads back whether an omission says that a file has changed.
func saysOutdated(text, name string) bool {
	if !strings.HasPrefix(text, "[not shown") {
		return false
	}
	_, some, _ := strings.Cut(text, someOutdated)
	_, some, _ = strings.Cut(strings.TrimSuffix(some, "]"), ": ")
	return strings.Contains(text, oneOutdated) || strings.Contains(text, allOutdated) ||
		some != "" && strings.Contains(", "+some+", ", ", "+listable(name)+", ")
}

// leftOut tells the model what is left out, with as many names as there is room
// for. Unsaid is for people: that there was not enough of it.
func (p *Pipeline) leftOut(gaps []gap, omitted []*block, room int) (notes []message.Context, cost int, unsaid string) {
	const mostWithheld, mostOmitted = 5, 20
	missed := false
	say := func(least, most int, note func(names int) message.Context) {
		for names := most; names >= least; names /= 2 {
			c := note(names)
			if tokens := p.cost(c, 0); cost+tokens <= room {
				notes, cost = append(notes, c), cost+tokens
				return
			}
			if names == 0 {
				break
			}
		}
		missed = true
	}
	for _, g := range gaps {
		say(0, mostWithheld, g.say)
	}
	if len(omitted) > 0 {
		ordered := slices.Clone(omitted)
		slices.SortStableFunc(ordered, func(a, b *block) int { return cmp.Compare(min(len(b.since), 1), min(len(a.since), 1)) })
		say(1, mostOmitted, func(names int) message.Context { return omission(ordered, names) })
	}
	if missed {
		unsaid = "the model is not told of all that is left out: the budget has no room for it"
	}
	return notes, cost, unsaid
}
