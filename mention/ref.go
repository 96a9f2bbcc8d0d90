package mention

// Ref is a mention found in a text.
type Ref struct {
	// Mention is the reading that the grammar prefers.
	Mention Mention
	// Written is the mention as it stands in the text, with its @.
	Written string
	// Start and End are byte offsets: text[Start:End] == Written.
	Start, End int
	// Bare marks a bare word such as @param or @alice. It is a mention only if
	// an agent, a file or a directory has exactly that name.
	Bare bool
	// Alternatives are further readings that begin at the same @, best first.
	// If the preferred reading names nothing that exists and one of these
	// does, that one was meant.
	Alternatives []Reading
}

// Reading is another way to read the mention that begins at a [Ref]'s Start.
type Reading struct {
	Mention Mention
	// End is where this reading ends in the text.
	End int
}
