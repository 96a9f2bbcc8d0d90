package dialogue

import "strings"

// Effort is how hard the model is to think.
type Effort string

// The efforts. The zero value means that the model is to choose.
const (
	NoEffort     Effort = "none"
	LowEffort    Effort = "low"
	MediumEffort Effort = "medium"
	HighEffort   Effort = "high"
	ExtraEffort  Effort = "xhigh"
	MaxEffort    Effort = "max"
)

// ReadEffort reads a request's reasoning effort in the words of any provider. It
// returns false for what it does not know.
func ReadEffort(word string) (Effort, bool) {
	switch effort := Effort(strings.ToLower(word)); effort {
	case "", NoEffort, LowEffort, MediumEffort, HighEffort, ExtraEffort, MaxEffort:
		return effort, true
	case "off", "disabled":
		return NoEffort, true
	case "minimal":
		return LowEffort, true
	default:
		return "", false
	}
}

// Budget returns how many tokens to think an effort means, for models that are
// told a number: at most half of what the model may say, so that there is room
// for the answer.
func (e Effort) Budget(maxOutput int) int {
	budget := 0
	switch e {
	case LowEffort:
		budget = 4_096
	case MediumEffort:
		budget = 12_288
	case HighEffort:
		budget = 24_576
	case ExtraEffort:
		budget = 32_768
	case MaxEffort:
		budget = 65_536
	}
	return min(budget, maxOutput/2)
}
