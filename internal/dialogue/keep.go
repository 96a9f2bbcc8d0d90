package dialogue

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient accepts what the JSON of a stream may be.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Keepable returns a copy of JSON from a stream that a log takes: what is read
// leniently, with invalid characters and members of the same name, is written
// strictly. What cannot be read at all is null.
func Keepable(value jsontext.Value) jsontext.Value {
	if value.IsValid() {
		return value.Clone()
	}
	var read any
	if json.Unmarshal(value, &read, lenient) != nil {
		return jsontext.Value("null")
	}
	written, err := json.Marshal(read, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return written
}

// With returns an object, which may be nil, with one member set.
func With(object jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	members := map[string]jsontext.Value{}
	if object != nil && json.Unmarshal(object, &members, lenient) != nil {
		return object
	}
	members[name] = value
	joined, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return object
	}
	return joined
}
