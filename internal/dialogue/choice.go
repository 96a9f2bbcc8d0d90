package dialogue

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Choice says whether the model may, must or must not call a tool.
type Choice string

// The choices. The zero value means that nobody chose.
const (
	ChooseAuto Choice = "auto"
	ChooseNone Choice = "none"
	ChooseAny  Choice = "any" // some tool
	ChooseTool Choice = "tool"
)

// ReadChoice reads a request's tool choice in the words of any provider: a string,
// or an object that names a tool. It returns false for what it does not know. The
// name is that of the tool for [ChooseTool].
func ReadChoice(value jsontext.Value) (choice Choice, name string, ok bool) {
	if len(value) == 0 || value.Kind() == 'n' {
		return "", "", true
	}
	var word string
	if value.Kind() == '"' {
		if json.Unmarshal(value, &word) != nil {
			return "", "", false
		}
		return choose(word, "")
	}
	var object struct {
		Type     string `json:"type"`
		Mode     string `json:"mode"`
		Name     string `json:"name"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if json.Unmarshal(value, &object) != nil {
		return "", "", false
	}
	if object.Name == "" {
		object.Name = object.Function.Name
	}
	if object.Type == "" {
		object.Type = object.Mode
	}
	return choose(object.Type, object.Name)
}

func choose(word, name string) (Choice, string, bool) {
	switch word {
	case "auto":
		return ChooseAuto, "", true
	case "none":
		return ChooseNone, "", true
	case "any", "required":
		return ChooseAny, "", true
	case "tool", "function", "":
		if name != "" {
			return ChooseTool, name, true
		}
	}
	return "", "", false
}
