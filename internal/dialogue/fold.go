package dialogue

import (
	"slices"
	"strings"
)

// fold is what became of a schema from whose root something was taken.
type fold struct {
	// lost names what the schema does not say any more, all or in part, and words
	// are ways to say it to the model, of which the first says most.
	lost, words []string
}

// fold takes from the root of a schema what cannot stand there; it returns nil if
// there is nothing. What allOf says is said without it. Of anyOf and oneOf there
// are the properties of all, of which those are required that all require.
func (r SchemaRule) fold(schema *ordered) *fold {
	if !slices.ContainsFunc(schema.members, func(m member) bool { return slices.Contains(r.Refused, m.name) }) {
		return nil
	}
	before := orderedObject(slices.Clone(schema.members)...)
	f := &folding{root: before, refused: r.Refused, left: mostFolded, bytes: mostFoldedBytes}
	whole := f.object(before)
	for _, name := range r.Refused {
		schema.remove(name)
	}
	for _, m := range whole.moved {
		schema.set(m.name, m.value)
	}
	if len(whole.properties) > 0 {
		schema.set("properties", orderedObject(whole.properties...))
	}
	if len(whole.required) > 0 {
		names := orderedList()
		for _, name := range whole.required {
			names.list = append(names.list, orderedText(name))
		}
		schema.set("required", names)
	}
	// What was taken out is not there to be referred to.
	schema.each(func(s *ordered) {
		for _, name := range r.Refused {
			if strings.HasPrefix(s.get("$ref").text(), "#/"+name+"/") {
				s.remove("$ref")
				whole.lose(name)
			}
		}
	})
	out := &fold{lost: whole.lost}
	if len(out.lost) > 0 {
		out.words = inWords(before, whole)
	}
	return out
}

// mostFolded is how many schemas, properties and required names are folded into
// one, and mostFoldedBytes how long the schemas are together. Schemas may refer to
// each other, and to themselves.
const (
	mostFolded      = 2000
	mostFoldedBytes = 1 << 19
)

type folding struct {
	root    *ordered
	refused []string
	// left and bytes are what may still be folded.
	left, bytes int
}

// take counts a schema that is looked at; false says that it is too much.
func (f *folding) take(schema *ordered) bool {
	f.left--
	f.bytes -= len(schema.raw)
	return f.left >= 0 && f.bytes >= 0
}

// folded is what a schema says of an object.
type folded struct {
	properties []member
	at         map[string]int // where a property is
	required   []string
	needed     map[string]bool // the same
	// closed says that a property which is added is another than it was: the schema
	// has a word for those that it does not name.
	closed bool
	// rest is what else stands in the schema, and moved what comes from others.
	rest, moved []member
	// lost are the members whose meaning is not all in it.
	lost []string
	// choices are, for each anyOf and oneOf, what its parts require.
	choices [][][]string
}

// lose notes that not all of a member's meaning is kept.
func (said *folded) lose(name string) {
	if !slices.Contains(said.lost, name) {
		said.lost = append(said.lost, name)
	}
}

func (said *folded) require(names []string) {
	if said.needed == nil {
		said.needed = make(map[string]bool, len(names))
	}
	for _, name := range names {
		if !said.needed[name] {
			said.needed[name] = true
			said.required = append(said.required, name)
		}
	}
}

// property adds one that is not there.
func (said *folded) property(p member) {
	if said.at == nil {
		said.at = make(map[string]int)
	}
	said.at[p.name] = len(said.properties)
	said.properties = append(said.properties, p)
}

// object returns what a schema says of an object, with its combinations.
func (f *folding) object(schema *ordered) (said folded) {
	said.require(schema.get("required").texts())
	if properties := schema.get("properties"); properties.is('{') {
		for _, p := range properties.members {
			said.property(p)
		}
	}
	said.closed = schema.get("additionalProperties") != nil
	// What the schema says itself comes before what its combinations add, wherever
	// they stand.
	for _, m := range schema.members {
		switch m.name {
		case "properties", "required", "type", "allOf", "anyOf", "oneOf":
		default:
			said.rest = append(said.rest, m)
			if slices.Contains(f.refused, m.name) {
				said.lose(m.name)
			}
		}
	}
	for _, m := range schema.members {
		switch m.name {
		case "allOf":
			parts, impossible, all := f.parts(m.value)
			for _, part := range parts {
				said.and(m.name, part)
			}
			if impossible || !all {
				said.lose(m.name)
			}
		case "anyOf", "oneOf":
			// What no object can be is not among what it may be.
			parts, _, all := f.parts(m.value)
			if len(parts) == 1 && all {
				said.and(m.name, parts[0])
				continue
			}
			said.or(parts, all)
			said.lose(m.name)
		}
	}
	return said
}

// parts returns what each schema of a list says, without those that no object can
// be: impossible says that there are some, and all that none is missing besides.
func (f *folding) parts(list *ordered) (parts []folded, impossible, all bool) {
	for _, schema := range list.list {
		schema, beside := f.referred(schema)
		if !f.take(schema) {
			return parts, impossible, false
		}
		if properties := schema.get("properties"); properties != nil {
			f.left -= len(properties.members)
		}
		if required := schema.get("required"); required != nil {
			f.left -= len(required.list)
		}
		switch {
		case f.left < 0:
			return parts, impossible, false
		case schema.kind == '{' && (schema.get("type") == nil || schema.ofType("object")):
			part := f.object(schema)
			part.rest = append(part.rest, beside...)
			parts = append(parts, part)
		case schema.kind == 't':
			parts = append(parts, folded{rest: beside})
		default:
			impossible = true
		}
	}
	return parts, impossible, list.kind == '['
}

// referred follows references within the whole schema, as far as they can be
// followed. Beside is what stood beside them.
func (f *folding) referred(schema *ordered) (target *ordered, beside []member) {
	for schema.get("$ref") != nil && f.take(schema) {
		path, here := strings.CutPrefix(schema.get("$ref").text(), "#/")
		found := f.root
		for name := range strings.SplitSeq(path, "/") {
			if found != nil {
				found = found.get(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
			}
		}
		if !here || found == nil {
			break
		}
		for _, m := range schema.members {
			if m.name != "$ref" {
				beside = append(beside, m)
			}
		}
		schema = found
	}
	return schema, beside
}

// and adds what another schema says that holds as well. Name is that of the member
// which says so.
func (said *folded) and(name string, part folded) {
	for _, p := range part.properties {
		at, there := said.at[p.name]
		switch {
		case !there:
			said.property(p)
			if said.closed {
				said.lose(name)
			}
		case !same(said.properties[at].value, p.value):
			said.properties[at].value = orderedObject(member{"allOf", orderedList(said.properties[at].value, p.value)})
		}
	}
	said.require(part.required)
	said.choices = append(said.choices, part.choices...)
	for _, m := range slices.Concat(part.rest, part.moved) {
		is := func(o member) bool { return o.name == m.name }
		switch {
		case slices.Contains(remarks, m.name):
		case slices.Contains(movable, m.name) && !slices.ContainsFunc(said.rest, is) && !slices.ContainsFunc(said.moved, is):
			said.moved = append(said.moved, m)
		default:
			said.lose(name)
		}
	}
	if len(part.lost) > 0 {
		said.lose(name)
	}
}

// remarks are members of a schema that demand nothing.
var remarks = []string{"title", "description", "$comment", "$schema", "$id", "$defs", "definitions", "examples", "default"}

// movable are members that mean the same in whichever schema of an allOf they
// stand.
var movable = []string{"minProperties", "maxProperties", "propertyNames", "dependentRequired", "dependentSchemas"}

// or adds what is common to schemas one of which holds, and what properties there
// may be by one or the other. If not all are there, the properties may be anything
// by the others, and nothing is known to be common.
func (said *folded) or(parts []folded, all bool) {
	var either folded
	var choice [][]string
	for i, part := range parts {
		choice = append(choice, part.required)
		if i == 0 {
			either.require(part.required)
		}
		either.required = slices.DeleteFunc(either.required, func(name string) bool { return !part.needed[name] })
		for _, p := range part.properties {
			if !all {
				p.value = orderedObject()
			}
			either.also(p)
		}
	}
	for _, p := range either.properties {
		if _, there := said.at[p.name]; !there {
			said.property(p)
		}
	}
	if all {
		said.require(either.required)
		said.choices = append(said.choices, choice)
	}
}

// also adds what a property may be, too.
func (said *folded) also(p member) {
	at, there := said.at[p.name]
	if !there {
		said.property(p)
		return
	}
	have := said.properties[at].value
	all := []*ordered{have}
	if made := have.get("anyOf"); made != nil && have.raw == nil { // here, and not read
		all = made.list
	}
	if !slices.ContainsFunc(all, func(o *ordered) bool { return same(o, p.value) }) {
		said.properties[at].value = orderedObject(member{"anyOf", orderedList(append(slices.Clip(all), p.value)...)})
	}
}

// mostWords is how long what is said of a schema may be.
const mostWords = 1000

// inWords says what arguments must match besides what their schema says now, in
// ways of which the first says most.
func inWords(before *ordered, whole folded) (ways []string) {
	dropped := orderedObject()
	for _, name := range whole.lost {
		if value := before.get(name); value != nil {
			dropped.set(name, value)
		}
	}
	if words := "The arguments must also match this JSON schema: " + string(dropped.write(nil)); len(words) <= mostWords {
		ways = append(ways, words)
	}
	if len(whole.lost) == 1 && len(whole.choices) == 1 && len(whole.choices[0]) > 0 {
		if words := oneOfThese(whole.choices[0]); words != "" && len(words) <= mostWords {
			ways = append(ways, words)
		}
	}
	return append(ways, "Not all parameters go together; a call with some that do not is told so.")
}

// oneOfThese says that one of the sets of parameters is needed; empty if that does
// not tell the sets apart.
func oneOfThese(sets [][]string) string {
	var listed []string
	different := map[string]bool{"": true}
	for _, names := range sets {
		sorted := strings.Join(slices.Sorted(slices.Values(names)), ", ")
		if different[sorted] {
			return ""
		}
		different[sorted] = true
		listed = append(listed, strings.Join(names, ", "))
	}
	return "One of these sets of parameters is needed: " + strings.Join(listed, "; ") + "."
}
