package agent

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/ampersat/ampersat/message"
)

// leastOutput is what an answer is worth asking for. Where the window has less
// left, the provider refuses the request, and room is made.
const leastOutput = 4096

// limit returns how much the model may say in the next request: what the settings
// ask for, unless the window does not have so much left. Many providers refuse to
// be asked for more than that, whatever the answer would need. Told, if it is not
// nil, says so to who asked for a number.
//
// It is a half of what would be asked for, or a half of that: a number that is
// another in each request would be another budget for thinking in each, and no
// cache of the provider would hold.
func (t *turn) limit() (tokens int, told *message.Degradation) {
	card := t.config.Provider.Model(t.config.Model)
	asked := t.config.Settings.MaxOutputTokens
	window := cmp.Or(card.Window, t.config.Policy.Window)
	limit := asked
	if asked == 0 {
		limit = card.DefaultOutput
	}
	if card.MaxOutput > 0 {
		limit = min(limit, card.MaxOutput)
	}
	if limit <= leastOutput || window <= 0 {
		return asked, nil
	}
	// What the view takes is in part estimated.
	left := window - window/64 - t.view.Tokens()
	if limit <= left {
		return asked, nil
	}
	for limit > left && limit > leastOutput {
		limit = max(limit/2, leastOutput)
	}
	if asked > 0 {
		told = &message.Degradation{
			Requested: fmt.Sprintf("%d tokens of output", asked), Actual: strconv.Itoa(limit), Reason: "the window has no room for more",
		}
	}
	return limit, told
}
