package dialogue

import (
	"fmt"
	"strconv"
)

// Limit returns how many tokens the model may say: as many as the request asks
// for, but not more than the model can, which is zero if nobody knows. Zero means
// that there is no limit to tell.
func (n *Notes) Limit(asked, most int) int {
	request := fmt.Sprintf("%d tokens of output", asked)
	switch {
	case asked < 0:
		n.Add(request, "as many as the model says", "a limit is more than zero")
		return 0
	case most > 0 && asked > most:
		n.Add(request, strconv.Itoa(most), "the model cannot say more")
		return most
	}
	return asked
}
