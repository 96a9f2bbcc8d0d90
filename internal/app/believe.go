package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
)

// Why a text does not stand in the system message.
const (
	untrusted = "the project is not trusted; to trust it: ampersat trust"
	unseen    = "it is not among what was trusted with the project"
	foreign   = "it is not a file of yours"
)

// vouches reports whether the person trusts the project, with this file in it as
// it was read.
func (a *App) vouches(path string, content blob.Digest) bool {
	if !a.trusts() {
		return false
	}
	snapshot, err := a.Project.Snapshot()
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(a.Root, path)
	return err == nil && snapshot.Holds(filepath.ToSlash(rel), content)
}

func (a *App) trusts() bool { return a.Trusted != nil && a.Trusted() }

// believed moves out of a system message what is not the person's to vouch for.
func (a *App) believed(stack ampersat.Stack) ampersat.Stack {
	if len(stack.Messages) == 0 || stack.Messages[0].Role != message.System {
		return stack
	}
	system := stack.Messages[0]
	var kept, moved []message.Part
	for _, part := range system.Content.Parts {
		if c, ok := part.(message.Context); ok {
			if why := a.doubt(c, stack.Reports); why != "" {
				moved = append(moved, c)
				stack.Notes = append(stack.Notes, fmt.Sprintf("%s stands after the system message and not in it: %s", strings.Join(c.Names, ", "), why))
				continue
			}
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

// doubt says why a block may not stand in a system message, and nothing if it
// may: what came with the program, what is the user's, what is outside and was
// allowed by name, and what a project was trusted with. Pages, differences and
// whatever else is made elsewhere may not.
func (a *App) doubt(c message.Context, reports []ampersat.Report) string {
	why := foreign // what nobody mentioned
	for _, r := range reports {
		if !slices.Contains(c.Names, r.Name) {
			continue
		}
		switch id := r.ID; {
		case strings.HasPrefix(id, fs.Bundled), a.UserDir != "" && access.Inside(a.UserDir, id):
		case !filepath.IsAbs(id):
			return foreign
		case !access.Inside(a.Root, id):
		case !a.trusts():
			return untrusted
		case !a.vouches(id, r.Digest):
			return unseen
		}
		why = ""
	}
	return why
}
