package session

import (
	"path"
	"strings"
	"unicode"

	"github.com/ampersat/ampersat/message"
)

// weigh says how much each unit is worth, for the smart strategy: what kind it
// is, how often later units speak of what it is about, how recent it is, and
// what the rules say.
func (p *plan) weigh() {
	p.worth = make(map[*unit]float64, len(p.units))
	if p.policy.Strategy != Smart {
		return
	}
	later := map[string]int{}
	names := make([]map[string]bool, len(p.units))
	for i, u := range p.units {
		names[i] = namesIn(u)
		for name := range names[i] {
			later[name]++
		}
	}
	for i, u := range p.units {
		most := 0
		for name := range names[i] {
			later[name]-- // only later units are left
			most = max(most, later[name])
		}
		worth := 1.0
		switch {
		case u.asked:
			worth = 4
		case !u.exchange:
			worth = 2
		}
		worth *= 1 + 0.5*float64(min(most, 4))
		worth *= 0.5 + float64(i+1)/float64(len(p.units))
		for _, rule := range p.policy.Rules {
			if !rule.matches(u) {
				continue
			}
			if rule.Keep {
				u.recent = true
				worth += 1000
			} else {
				worth *= rule.Weight
			}
		}
		p.worth[u] = worth
	}
}

// matches tells whether a rule is about a unit.
func (r Rule) matches(u *unit) bool {
	role, tool, name, text := r.Role == "", r.Tool == "", r.Path == "", r.Text == ""
	for _, it := range u.items {
		role = role || it.said.Role == r.Role
		eachPart(it.said.Content.Parts, func(part message.Part) {
			switch part := part.(type) {
			case message.ToolCall:
				tool = tool || part.Name == r.Tool
			case message.Context:
				for _, n := range part.Names {
					name = name || r.isPath(n)
				}
			case message.Ref:
				name = name || r.isPath(strings.TrimPrefix(part.Written, "@"))
			}
		})
		if !text {
			text = strings.Contains(strings.ToLower(message.Flatten(it.said.Content)), strings.ToLower(r.Text))
		}
	}
	return role && tool && name && text
}

func (r Rule) isPath(name string) bool {
	matched, err := path.Match(r.Path, name)
	return err == nil && matched
}

// eachPart visits parts, and those within results.
func eachPart(parts []message.Part, visit func(message.Part)) {
	for _, part := range parts {
		visit(part)
		if result, is := part.(message.ToolResult); is {
			eachPart(result.Parts(), visit)
		}
	}
}

// namesIn returns the words of a unit that name something: paths, identifiers,
// what was mentioned. Ordinary words do not: everything speaks of them.
func namesIn(u *unit) map[string]bool {
	names := map[string]bool{}
	add := func(text string) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._/-#@", r))
		}) {
			if word = strings.Trim(word, "._/-#@"); isName(word) {
				names[strings.ToLower(word)] = true
			}
		}
	}
	for _, it := range u.items {
		eachPart(it.said.Content.Parts, func(part message.Part) {
			switch part := part.(type) {
			case message.Text:
				add(part.Text)
			case message.Ref:
				add(part.Written)
			case message.ToolCall:
				add(string(part.Input))
			case message.Context:
				for _, name := range part.Names {
					add(name)
				}
			}
		})
	}
	return names
}

// isName tells names from words: they have a mark or a capital inside.
func isName(word string) bool {
	if len(word) < 4 || len(word) > 200 {
		return false
	}
	for i, r := range word {
		if i > 0 && (strings.ContainsRune("._/#", r) || unicode.IsUpper(r)) {
			return true
		}
	}
	return false
}
