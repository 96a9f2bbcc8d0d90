package dialogue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/message"
)

// NameRule is which names of tools an API takes: letters, digits, _ and -, and
// what else it says. The zero value takes all.
type NameRule struct {
	// Longest is how many bytes a name may have.
	Longest int
	// Also lists the other bytes that may stand in a name.
	Also string
	// Letter says that a name begins with a letter or _.
	Letter bool
}

// A name that has to be changed ends with _ and this many digits of its hash, so
// that no two become the same. What it keeps is so much shorter than the longest.
const (
	hashed  = 8
	spared  = 16
	wanting = '_'
)

// Fit returns a name as the API takes it. It depends on the name alone: what a
// history calls and what a request offers fit each other.
func (r NameRule) Fit(name string) string {
	if r.takes(name) {
		return name
	}
	changed := make([]byte, 0, r.Longest)
	if r.Letter && name != "" && !letter(name[0]) {
		changed = append(changed, wanting)
	}
	for _, c := range []byte(name[:min(len(name), r.Longest-spared)]) {
		if !r.takesByte(c) {
			c = wanting
		}
		changed = append(changed, c)
	}
	return string(changed) + "_" + Digest(name)[:hashed]
}

func (r NameRule) takes(name string) bool {
	if r == (NameRule{}) {
		return true
	}
	for i := range len(name) {
		if !r.takesByte(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= r.Longest && (!r.Letter || letter(name[0]))
}

func (r NameRule) takesByte(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '-' || strings.IndexByte(r.Also, c) >= 0
}

// letter reports whether a name can begin with the byte wherever names are words.
func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// String says what the API takes.
func (r NameRule) String() string {
	others := []string{"letters", "digits", "_"}
	for _, c := range r.Also {
		others = append(others, string(c))
	}
	words := fmt.Sprintf("the API takes %s and -, %d at most", strings.Join(others, ", "), r.Longest)
	if r.Letter {
		words += ", with a letter or _ first"
	}
	return words
}

// Real returns the names of the tools that are sent under another, by that one. Of
// two that would be sent under one name, the first is.
func (r NameRule) Real(tools []message.ToolSpec) map[string]string {
	var names map[string]string
	taken := make(map[string]bool, len(tools))
	for _, tool := range tools {
		sent := r.Fit(tool.Name)
		if taken[sent] {
			continue
		}
		taken[sent] = true
		if sent != tool.Name {
			if names == nil {
				names = make(map[string]string)
			}
			names[sent] = tool.Name
		}
	}
	return names
}

// name returns the name as it is sent, and notes if it is another.
func (n *Notes) name(index int, name string, rule NameRule) string {
	sent := rule.Fit(name)
	if sent != name {
		n.at(fmt.Sprintf("the name %q of a tool", name), sent, rule.String(), index)
	}
	return sent
}

// Digest names a text in hexadecimal digits.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
