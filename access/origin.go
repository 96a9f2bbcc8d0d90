package access

import (
	"fmt"

	"github.com/ampersat/ampersat/mention"
)

// Origin says who wrote the text that a mention stands in.
//
// There is none for the text of tools and models: mentions in it are never
// expanded.
type Origin string

const (
	// FromPerson is what a person typed.
	FromPerson Origin = "person"
	// FromProfile is the text of a profile or of an agent file.
	FromProfile Origin = "profile"
	// FromFile is a file, or any other content, that was itself mentioned.
	FromFile Origin = "file"
	// FromEditor is a message that an editor sent for the person at it.
	FromEditor Origin = "editor"
)

// Asker is the text that asks for something by mentioning it. The zero value is
// nobody, who may mention nothing.
type Asker struct {
	Origin Origin
	// Trusted says that the person has consented to a profile's text as it is.
	// Without that a profile has the rights of a file. It changes nothing for
	// other origins: no consent turns a file into a person.
	Trusted bool
	// Tree is the directory tree that contains a file's or a profile's text:
	// a project, a collection. It is not needed for the others.
	Tree string
}

// free reports whether the asker may mention anything, anywhere.
func (a Asker) free() bool {
	return a.Origin == FromPerson || a.Origin == FromEditor || a.Origin == FromProfile && a.Trusted
}

// Allow returns nil if the asker may mention m at all, and a [*Denied] if not.
// Whether a path may be read is asked of [Roots.For] this asker. An origin that
// is not known may mention nothing.
func (a Asker) Allow(m mention.Mention) error {
	if m == nil {
		return &Denied{What: "an empty mention", Reason: ReasonKind, Detail: "it names nothing"}
	}
	if a.free() {
		return nil
	}
	if a.Origin == "" {
		return &Denied{What: written(m), Reason: ReasonOrigin,
			Detail: "nobody asks for it; set Asker.Origin, which is access.FromPerson for what a person mentions"}
	}
	if a.Origin != FromFile && a.Origin != FromProfile {
		return &Denied{What: written(m), Reason: ReasonOrigin, Detail: fmt.Sprintf("text from %q is not expanded", string(a.Origin))}
	}
	switch m.(type) {
	case mention.File, mention.Directory, mention.Selection, mention.Symbol:
		return nil
	}
	denied := &Denied{What: written(m), Reason: ReasonKind,
		Detail: fmt.Sprintf("text in a file may not mention this kind, %s; mention it yourself", m.Kind())}
	if a.Origin == FromProfile {
		denied.Detail = fmt.Sprintf("a profile that is not trusted may not mention this kind, %s", m.Kind())
		denied.Grant = trustCommand
	}
	return denied
}

func written(m mention.Mention) string {
	if text := m.String(); text != "" {
		return text
	}
	return "a mention of kind " + string(m.Kind())
}
