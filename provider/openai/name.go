package openai

import "github.com/ampersat/ampersat/internal/dialogue"

// maxCallID is how long an id of a call is at most. Chat Completions take 40
// characters; some of them are left for a number that tells ids apart which are
// used twice.
const maxCallID = 34

// names is which names of tools both APIs take; other names, too.
var names = dialogue.NameRule{Longest: 64}

// schemas is which parameters of tools both APIs take. Chat Completions refuse a
// tool whose description is longer.
var schemas = dialogue.SchemaRule{Refused: []string{"anyOf", "oneOf", "allOf", "enum", "not"}, Items: true, Description: 1024}

// callID returns an id of a call that both APIs accept. One that they would not is
// replaced by its hash.
func callID(id string) string {
	if (dialogue.NameRule{Longest: maxCallID}).Fit(id) == id {
		return id
	}
	return "call_" + dialogue.Digest(id)[:maxCallID-len("call_")]
}
