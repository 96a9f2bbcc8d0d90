package access

import (
	"fmt"
	"strconv"

	"github.com/ampersat/ampersat/blob"
)

// Finding is a secret, or a file that by its name holds secrets. It says where,
// never what: no field holds the secret, so that printing, logging or encoding
// a Finding gives nothing away.
type Finding struct {
	// Rule names what was found, such as "github-token" or "private-key".
	Rule string
	// ID names this finding in this content. It is made of the rule, the name,
	// the digest of what was scanned and the position in it, not of the secret
	// alone, so that a weak password cannot be guessed from it. What was scanned
	// is the whole content, or the piece of what In says that the secret stands
	// in. If that changes the ID does too, and what was allowed by ID is asked
	// again.
	ID string
	// Line is counted from one; zero when the name alone tells, or In does.
	Line int
	// In says where it is, if that is not the text: "a packed part".
	In string
	// Start and End are byte offsets in the content; both zero when the name
	// alone tells, or In does.
	Start, End int
	// Preview is what may be shown: the public prefix of a token, if it has
	// one, and how long the secret is.
	Preview string
}

// String describes the finding for people.
func (f Finding) String() string {
	switch {
	case f.In != "":
		return fmt.Sprintf("%s in %s (%s)", f.Rule, f.In, f.Preview)
	case f.Line == 0:
		return f.Rule
	}
	return fmt.Sprintf("%s on line %d (%s)", f.Rule, f.Line, f.Preview)
}

// identity derives a finding's ID.
func identity(rule, name string, content blob.Digest, start int) string {
	return blob.Of([]byte(rule + "\x00" + name + "\x00" + string(content) + "\x00" + strconv.Itoa(start))).Short()
}

// preview shows a secret's public prefix and its length.
func preview(prefix string, length int) string {
	return fmt.Sprintf("%s…, %d bytes", prefix, length)
}
