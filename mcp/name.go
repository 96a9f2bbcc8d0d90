package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName is how long the name of a tool may be. All providers take letters,
// digits, underscores and hyphens.
const maxName = 64

// toolNames gives each tool the name that a model calls it by: server__tool. A
// name that cannot be said so, or that two tools would have, ends in a piece of a
// hash, so that a tool keeps its name whatever other tools there are.
func toolNames(tools []*tool) {
	count := map[string]int{}
	for _, t := range tools {
		t.name = plainName(t.server.config.Name, t.spec.Name)
		count[t.name]++
	}
	for _, t := range tools {
		if count[t.name] > 1 {
			t.name = hashedName(t.server.config.Name, t.spec.Name)
		}
	}
}

func plainName(server, tool string) string {
	name := server + "__" + tool
	if len(name) <= maxName && sayable(name) == name {
		return name
	}
	return hashedName(server, tool)
}

func hashedName(server, tool string) string {
	sum := sha256.Sum256([]byte(server + "\x00" + tool))
	suffix := "_" + hex.EncodeToString(sum[:4])
	name := sayable(server + "__" + tool)
	return name[:min(len(name), maxName-len(suffix))] + suffix
}

// sayable puts an underscore in place of each character that providers do not
// take.
func sayable(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
