package tool

import "crypto/rand"

// mark is a setting in the environment of a command, by which the processes that
// it has started are found again, wherever they have gone.
type mark struct {
	word string
	// since is when the command began, in the clock of the system.
	since uint64
}

func newMark() mark { return mark{word: rand.Text()} }

func (m mark) setting() string { return "AMPERSAT_COMMAND=" + m.word }
