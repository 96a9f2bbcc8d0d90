package ampersat

import (
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
)

// notice is what is said of files that nobody mentions, within the budget.
type notice struct {
	notes  []message.Context
	tokens int
	// unsaid is how many files are not current, and are not named for want of room.
	unsaid int
}

// tell puts together what the model is told of files: one note for all of which
// the same is to be said, with as many names as there is room for. What finds none
// is counted, and told in a later turn.
func (p *Pipeline) tell(all []news, room int) notice {
	// That something is current can wait.
	slices.SortStableFunc(all, func(a, b news) int {
		switch {
		case a.standing != asShown && b.standing == asShown:
			return -1
		case a.standing == asShown && b.standing != asShown:
			return 1
		}
		return 0
	})
	return p.tellFirst(all, largest(len(all), func(n int) bool { return p.tellFirst(all, n).tokens <= room }))
}

// tellFirst tells the first of some news, and counts the others.
func (p *Pipeline) tellFirst(all []news, n int) (say notice) {
	type said struct {
		standing standing
		turn     int
	}
	var order []said
	names := map[said][]string{}
	for i, one := range all {
		switch key := (said{one.standing, one.turn}); {
		case i < n:
			if names[key] == nil {
				order = append(order, key)
			}
			names[key] = append(names[key], one.name)
		case one.standing != asShown:
			say.unsaid++
		}
	}
	for i, key := range order {
		text := key.standing.say(key.turn, len(names[key]))
		if i == len(order)-1 && say.unsaid > 0 {
			text += fmt.Sprintf("; nor is what was shown of %s current", others(say.unsaid))
		}
		note := message.Context{Names: names[key], Kind: noteKind, Text: "[" + text + "]"}
		say.notes = append(say.notes, note)
		say.tokens += p.cost(note, 0)
	}
	return say
}

func others(n int) string {
	if n == 1 {
		return "1 other file"
	}
	return wording.Number(n) + " other files"
}

// remarks is what the notice says, for people.
func (say notice) remarks() (remarks []string) {
	for _, note := range say.notes {
		remarks = append(remarks, wording.First(note.Names, 5)+": "+note.Text[1:len(note.Text)-1])
	}
	if say.unsaid > 0 && len(say.notes) == 0 {
		remarks = append(remarks, fmt.Sprintf("what was shown of %s is not current; the budget has no room to say so", others(say.unsaid)))
	}
	return remarks
}

// noteShare is the part of the budget that notes can have before contents do.
const noteShare = 8

// fitBeside cuts the blocks to the budget, and leaves some of it to the news,
// which get what is left over too.
func (p *Pipeline) fitBeside(blocks []*block, gaps []gap, all []news, turn Turn, seen seen) (fitted, notice) {
	budget := turn.Budget.turn()
	reserved := turn
	reserved.Budget.Turn = max(1, budget-p.tell(all, budget/noteShare).tokens)
	f := p.fit(blocks, gaps, reserved)
	f.tokens -= p.referAgain(f.kept, seen) + p.referToTwins(p.asPlaced(turn, f.kept))
	return f, p.tell(all, budget-f.tokens)
}
