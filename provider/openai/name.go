package openai

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/ampersat/ampersat/message"
)

// The limits of the APIs. Ids may have 40 characters in Chat Completions; some of
// them are left for a number that tells ids apart which are used twice.
const (
	maxCallID = 34
	maxName   = 64
)

// callID returns an id of a call that both APIs accept. One that they would not is
// replaced by its hash.
func callID(id string) string {
	if plainName(id, maxCallID) {
		return id
	}
	return "call_" + digest(id)[:maxCallID-len("call_")]
}

// wireName returns the name of a tool as the APIs accept it. A name that has to be
// changed ends with a hash, so that no two become the same.
func wireName(name string) string {
	if plainName(name, maxName) {
		return name
	}
	const kept, hashed = 48, 8
	changed := []byte(name[:min(len(name), kept)])
	for i, c := range changed {
		if !plainByte(c) {
			changed[i] = '_'
		}
	}
	return string(changed) + "_" + digest(name)[:hashed]
}

func plainName(name string, longest int) bool {
	for i := range len(name) {
		if !plainByte(name[i]) {
			return false
		}
	}
	return name != "" && len(name) <= longest
}

func plainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// realNames returns the names of the tools that are sent under another.
func realNames(tools []message.ToolSpec) map[string]string {
	var names map[string]string
	for _, tool := range tools {
		if sent := wireName(tool.Name); sent != tool.Name {
			if names == nil {
				names = make(map[string]string)
			}
			names[sent] = tool.Name
		}
	}
	return names
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
