package symbol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

// choose returns the declarations that a mention means: those of that very
// name, else those that end in it, else the same whatever the case. Where an
// editor said which lines it means, one of several is the one there.
func choose(all []declaration, m mention.Symbol) []declaration {
	name := normal(m.Name)
	exact := func(d string) bool { return d == name }
	ending := func(d string) bool { return strings.HasSuffix(d, "."+name) }
	folded := func(d string) bool { return strings.EqualFold(d, name) }
	foldedEnding := func(d string) bool {
		return len(d) > len(name) && d[len(d)-len(name)-1] == '.' && strings.EqualFold(d[len(d)-len(name):], name)
	}
	for _, fits := range []func(string) bool{exact, ending, folded, foldedEnding} {
		var found []declaration
		for _, d := range all {
			if fits(normal(d.name)) || slices.ContainsFunc(d.aliases, fits) {
				found = append(found, d)
			}
		}
		if len(found) > 1 && m.First > 0 {
			for _, d := range found {
				if d.first <= m.First && m.First <= d.last {
					return []declaration{d}
				}
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// normal writes a name as it is compared: Server.Close for (*Server).Close,
// Server::Close and Server#close's like.
func normal(name string) string {
	name = strings.NewReplacer("::", ".", "#", ".", "(*", "", "(", "", ")", "", "*", "").Replace(name)
	return strings.Join(strings.Fields(name), " ")
}

// mostNamed is how many names a reason tells.
const mostNamed = 8

// ambiguous says which things a name could mean.
func ambiguous(name string, found []declaration) string {
	var named []string
	for _, d := range found[:min(len(found), mostNamed)] {
		named = append(named, fmt.Sprintf("%s (lines %d-%d)", d.name, d.first, d.last))
	}
	if more := len(found) - mostNamed; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%s is several things: %s; write the whole name, or the lines", name, strings.Join(named, ", "))
}

// absent says what there is in the place of a name.
func absent(name string, all []declaration) string {
	if len(all) == 0 {
		return "there is no symbol in it"
	}
	last := strings.ToLower(normal(name))
	last = last[strings.LastIndexByte(last, '.')+1:]
	type near struct {
		name     string
		distance int
	}
	var close []near
	for _, d := range all {
		own := strings.ToLower(normal(d.name))
		own = own[strings.LastIndexByte(own, '.')+1:]
		distance := edits(last, own)
		if strings.Contains(own, last) || strings.Contains(last, own) {
			distance = min(distance, 1)
		}
		if distance <= max(2, len(last)/3) {
			close = append(close, near{d.name, distance})
		}
	}
	if len(close) == 0 {
		return "there is no symbol of that name in it"
	}
	slices.SortStableFunc(close, func(a, b near) int { return a.distance - b.distance })
	var named []string
	for _, n := range close {
		if !slices.Contains(named, n.name) && len(named) < mostNamed {
			named = append(named, n.name)
		}
	}
	return "there is no symbol of that name in it; there is " + strings.Join(named, ", ")
}

// edits is how many letters make one word the other. Long words are not alike.
func edits(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
