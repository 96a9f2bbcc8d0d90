package dialogue

import (
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Tools returns the tools as they can be sent: each under a name that the API
// takes, no two under the same, which all APIs refuse or confuse, and with
// Parameters that are a schema as the API takes it, or nothing at all.
func (n *Notes) Tools(specs []message.ToolSpec, rule NameRule, schemas SchemaRule) []message.ToolSpec {
	tools := make([]message.ToolSpec, 0, len(specs))
	for _, spec := range specs {
		asked := fmt.Sprintf("the tool %q", spec.Name)
		spec.Name = n.name(-1, spec.Name, rule)
		if _, taken := Offered(tools, spec.Name, NameRule{}); taken {
			n.Add(asked, "left out", "a tool before it has the same name")
			continue
		}
		if len(spec.Parameters) > 0 && !isObject(spec.Parameters) {
			n.Add("the parameters of "+asked, "none", "they are not a JSON object")
			spec.Parameters = nil
		}
		if !schemas.fit(n, &spec, asked) {
			continue
		}
		tools = append(tools, spec)
	}
	return tools
}

func isObject(value jsontext.Value) bool {
	return value.Kind() == '{' && value.IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// Offered returns the name under which a tool is sent, and whether it is among the
// tools that [Notes.Tools] returned.
func Offered(tools []message.ToolSpec, name string, rule NameRule) (sent string, is bool) {
	sent = rule.Fit(name)
	return sent, slices.ContainsFunc(tools, func(t message.ToolSpec) bool { return t.Name == sent })
}
