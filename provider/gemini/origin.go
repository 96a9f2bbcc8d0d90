package gemini

import (
	"encoding/base64"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// origin is what a part's Extra tells of where it comes from.
type origin struct {
	// Model is the one that said it. Another model refuses its signatures.
	Model string `json:"model,omitzero"`
	// Provider is whose model it is: two may have models of the same name, and each
	// refuses the signatures of the other. Older logs do not tell.
	Provider string `json:"provider,omitzero"`
	// Signature is the thought signature.
	Signature string `json:"thought_signature,omitzero"`
	// CallID is the id that the API gave to a call. One that it did not give is
	// not sent: not every server of the API knows ids.
	CallID string `json:"call_id,omitzero"`
	// Said is set on a signature that came with an empty text of the answer, and
	// not with a thought.
	Said bool `json:"said,omitzero"`
}

func readOrigin(extra jsontext.Value) (from origin) {
	if extra != nil {
		_ = json.Unmarshal(extra, &from) // something else's Extra tells nothing
	}
	return from
}

func (o origin) extra() jsontext.Value {
	extra, err := json.Marshal(o, jsontext.AllowInvalidUTF8(true))
	if err != nil || len(extra) == 2 {
		return nil
	}
	return extra
}

// origin reads the Extra of a part. It is empty if another model said the part.
func (e *encoder) origin(extra jsontext.Value) origin {
	from := readOrigin(extra)
	if from.Model != e.model || e.foreign(from) {
		return origin{}
	}
	return from
}

// foreign reports whether a part is of another provider, as far as that is known.
func (e *encoder) foreign(from origin) bool {
	return from.Provider != "" && e.card.Provider != "" && from.Provider != e.card.Provider
}

// isSignature reports whether a signature of unknown origin may be one of this
// API: it is bytes in base64.
func isSignature(signature string) bool {
	_, err := base64.StdEncoding.Strict().DecodeString(signature)
	return err == nil && signature != ""
}

// noSignature stands where the API wants a signature and there is none, because
// somebody else made the call. It is the API's own word for that, in base64:
// skip_thought_signature_validator.
const noSignature = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

// signedCalls is the first generation of models that refuse calls without a
// signature.
const signedCalls = 3

// newest is the generation of names without a number, such as gemini-pro-latest.
const newest = 1 << 10

// generation returns the number in the name of a model: 3 for gemini-3.1-pro. It is
// zero for models that are no Gemini.
func generation(model string) (number int) {
	rest, ok := strings.CutPrefix(bareName(model), "gemini-")
	if !ok {
		return 0
	}
	digits := 0
	for digits < len(rest) && digits < 4 && rest[digits] >= '0' && rest[digits] <= '9' {
		number = 10*number + int(rest[digits]-'0')
		digits++
	}
	if digits == 0 {
		return newest
	}
	return number
}

// bareName is the name of a model without the collection that the API has it in.
func bareName(model string) string { return strings.TrimPrefix(model, "models/") }
