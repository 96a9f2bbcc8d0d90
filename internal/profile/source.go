package profile

// Place is whose a file is.
type Place string

const (
	// InProject is a file of the project's .ampersat/.
	InProject Place = "project"
	// InUser is a file of the user's own folder.
	InUser Place = "user"
	// InBundle is a file that came with the program.
	InBundle Place = "bundled"
)

// Source is where a profile or an agent is written.
type Source struct {
	// Name is what it is called, and Collection the one that it belongs to, if
	// any.
	Name       string `json:"name"`
	Collection string `json:"collection,omitzero"`
	Place      Place  `json:"place"`
	// File is its path as people read it.
	File string `json:"file"`
	// Trusted says that its text may stand in the system message, and that all of
	// its settings count.
	Trusted bool `json:"trusted"`

	// Address is where it is, Folder where mentions in it are looked for first,
	// and Tree what they may not leave if it is not trusted. They are absolute
	// paths, or begin with "bundled:".
	Address string `json:"-"`
	Folder  string `json:"-"`
	Tree    string `json:"-"`
}

// Qualified is the name that no other has: that of its collection first.
func (s Source) Qualified() string {
	if s.Collection == "" {
		return s.Name
	}
	return s.Collection + ":" + s.Name
}

// Entry is a file as it is listed.
type Entry struct {
	Source
	// Call is the shortest name that means it, and not something else of that
	// name.
	Call        string `json:"-"`
	Description string `json:"description,omitzero"`
	// Extends is the parent of a profile, as it is written.
	Extends string `json:"extends,omitzero"`
	// ShadowedBy is the file that is taken in place of this one, if it cannot be
	// reached by any name.
	ShadowedBy string `json:"shadowed_by,omitzero"`
	// Problems is why it cannot be used: what is wrong with the file, or else with
	// what it extends.
	Problems Problems `json:"-"`
}
