package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
)

const untrusted = "the project is not trusted; to trust it: ampersat trust"

// believed moves out of a system message what is not the person's to vouch for.
func (a *App) believed(stack ampersat.Stack) ampersat.Stack {
	if len(stack.Messages) == 0 || stack.Messages[0].Role != message.System {
		return stack
	}
	system := stack.Messages[0]
	var kept, moved []message.Part
	for _, part := range system.Content.Parts {
		if c, ok := part.(message.Context); ok && !a.vouched(c, stack.Reports) {
			moved = append(moved, c)
			stack.Notes = append(stack.Notes, fmt.Sprintf("%s stands after the system message and not in it: %s", strings.Join(c.Names, ", "), a.whyNot()))
			continue
		}
		kept = append(kept, part)
	}
	if len(moved) == 0 {
		return stack
	}
	system.Content = message.Of(kept...)
	beside := message.Message{Role: message.Developer, Content: message.Of(moved...)}
	stack.Messages = append([]message.Message{system, beside}, stack.Messages[1:]...)
	return stack
}

func (a *App) whyNot() string {
	if a.trusts() {
		return "it is not a file of yours or of the project"
	}
	return untrusted
}

func (a *App) trusts() bool { return a.Trusted != nil && a.Trusted() }

// vouched reports whether all that a block is the content of may stand in a
// system message: what came with the program, what is the user's, what is
// outside and was allowed by name, and what a trusted project has. Pages,
// differences and whatever else is made elsewhere may not.
func (a *App) vouched(c message.Context, reports []ampersat.Report) bool {
	known := false
	for _, r := range reports {
		if !slices.Contains(c.Names, r.Name) {
			continue
		}
		known = true
		switch id := r.ID; {
		case strings.HasPrefix(id, fs.Bundled), a.UserDir != "" && access.Inside(a.UserDir, id):
		case !filepath.IsAbs(id), access.Inside(a.Root, id) && !a.trusts():
			return false
		}
	}
	return known
}
