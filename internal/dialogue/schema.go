package dialogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
)

// SchemaRule is what an API demands of the schema of a tool's parameters, besides
// that it is of an object. One tool with another schema, and the whole request is
// refused.
type SchemaRule struct {
	// Refused are members that cannot stand at the root: "anyOf".
	Refused []string
	// Items says that an array says what is in it, wherever it is.
	Items bool
	// Alone says that nothing is to stand beside a reference.
	Alone bool
	// Names is which names the parameters can have.
	Names NameRule
	// Description is how many characters the description of a tool has at most by
	// what is added to it. Zero is any number.
	Description int
}

// fit makes the parameters of a tool such as the API takes them, and notes what
// they lose by it: whoever runs the tool checks its arguments by all that they
// say. It reports whether the tool can be offered at all. Parameters that the API
// takes stay as they are. Asked is what the notes call the tool.
func (r SchemaRule) fit(n *Notes, spec *message.ToolSpec, asked string) bool {
	schema := readOrdered(spec.Parameters)
	if schema == nil {
		return true
	}
	changed := r.objectOf(schema)
	if fold := r.fold(schema); fold != nil {
		changed = true
		if len(fold.lost) > 0 {
			actual := "without " + strings.Join(fold.lost, ", ")
			for _, words := range fold.words {
				said := strings.TrimSpace(spec.Description + "\n\n" + words)
				if r.Description == 0 || utf8.RuneCountInString(said) <= r.Description {
					spec.Description, actual = said, "with "+strings.Join(fold.lost, ", ")+" in words"
					break
				}
			}
			n.Add("the parameters of "+asked, actual, "the API does not take that at the root of a schema")
		}
	}
	odd, needed := r.oddNames(schema)
	if needed != "" {
		n.Add(asked, "left out", fmt.Sprintf("it needs the parameter %q, and %s", needed, r.Names))
		return false
	}
	if len(odd) > 0 {
		n.Add("the parameters "+wording.First(odd, shownPlaces)+" of "+asked, "left out", r.Names.String())
		changed = true
	}
	if r.Items {
		schema.each(func(s *ordered) {
			if s.ofType("array") && s.get("items") == nil {
				// It means the same.
				s.set("items", orderedObject())
				changed = true
			}
		})
	}
	if changed {
		spec.Parameters = schema.write(nil)
	}
	return true
}

// oddNames takes the parameters out whose names the API does not take, and returns
// their names, quoted. Needed is one that is required.
func (r SchemaRule) oddNames(schema *ordered) (odd []string, needed string) {
	properties := schema.get("properties")
	if properties == nil {
		return nil, ""
	}
	required := map[string]bool{}
	for _, name := range schema.get("required").texts() {
		required[name] = true
	}
	properties.members = slices.DeleteFunc(properties.members, func(p member) bool {
		if r.Names.takes(p.name) {
			return false
		}
		if required[p.name] {
			needed = p.name
		}
		odd = append(odd, strconv.Quote(p.name))
		return true
	})
	return odd, needed
}

// objectOf makes a schema that of an object. Nothing is lost: arguments are one,
// and properties that are no object are none.
func (r SchemaRule) objectOf(schema *ordered) (changed bool) {
	switch kind := schema.get("type"); {
	case kind == nil && r.Alone && schema.get("$ref") != nil:
		// What it refers to says of what type it is.
	case kind == nil:
		schema.members = slices.Insert(schema.members, 0, member{"type", orderedText("object")})
		changed = true
	case kind.text() != "object":
		schema.set("type", orderedText("object"))
		changed = true
	}
	if properties := schema.get("properties"); properties != nil && properties.kind != '{' {
		schema.remove("properties")
		changed = true
	}
	return changed
}

// ofType reports whether a schema says that a value is of the type, or may be.
func (o *ordered) ofType(name string) bool {
	kind := o.get("type")
	return kind.text() == name || slices.Contains(kind.texts(), name)
}

// each visits a schema and all schemas in it, and no values: a default may look
// like one.
func (o *ordered) each(visit func(*ordered)) {
	if o.kind != '{' {
		return
	}
	visit(o)
	for _, m := range o.members {
		switch m.name {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
			for _, named := range m.value.members {
				named.value.each(visit)
			}
		case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains",
			"additionalProperties", "unevaluatedProperties", "propertyNames",
			"allOf", "anyOf", "oneOf", "not", "if", "then", "else":
			m.value.each(visit)
			for _, value := range m.value.list {
				value.each(visit)
			}
		}
	}
}
