package dialogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/message"
)

// Notes collects degradations. What happens to many messages in the same way is
// one degradation that tells where, so that a long session does not bury the
// reader. The zero value is ready to use.
type Notes struct {
	list  []message.Degradation
	where [][]int
}

// Add notes that something that was asked for, by the whole request, is given
// differently.
func (n *Notes) Add(requested, actual, reason string) { n.at(requested, actual, reason, -1) }

// AddAt is Add for something in one message.
func (n *Notes) AddAt(index int, requested, actual, reason string) {
	n.at(requested, actual, reason, index)
}

func (n *Notes) at(requested, actual, reason string, index int) {
	note := message.Degradation{Requested: requested, Actual: actual, Reason: reason}
	i := slices.IndexFunc(n.list, func(d message.Degradation) bool {
		return d.Requested == requested && d.Actual == actual && d.Reason == reason
	})
	if i < 0 {
		i = len(n.list)
		n.list = append(n.list, note)
		n.where = append(n.where, nil)
	}
	if at := n.where[i]; index >= 0 && (len(at) == 0 || at[len(at)-1] != index) {
		n.where[i] = append(at, index)
	}
}

// shownPlaces is how many places a note names.
const shownPlaces = 5

// Degradations returns the notes, in the order in which they were first made.
func (n *Notes) Degradations() []message.Degradation {
	list := slices.Clone(n.list)
	for i, where := range n.where {
		if len(where) == 0 {
			continue
		}
		var b strings.Builder
		for j, index := range where[:min(len(where), shownPlaces)] {
			if j > 0 {
				b.WriteString(", ")
			}
			// People count from one.
			fmt.Fprint(&b, index+1)
		}
		noun := "message"
		if len(where) > 1 {
			noun = "messages"
		}
		if more := len(where) - shownPlaces; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		list[i].Reason += fmt.Sprintf(" (%s %s)", noun, b.String())
	}
	return list
}
