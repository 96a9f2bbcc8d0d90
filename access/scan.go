package access

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ampersat/ampersat/blob"
)

// Scan returns the secrets in content, in order, after what name alone tells.
//
// Name is a path or an address; only its last segments matter. In a file of
// settings, such as .properties, .yaml, .ini or .xml, it also tells that a value
// without quotes is meant as it stands: a password there may be short. Content is
// neither kept nor copied. Values that stand for a secret, such as
// "your-api-key", "${TOKEN}" and the keys of well-known examples, are not
// found.
//
// Time is linear in the length of the content, whatever it is made of.
func Scan(name string, content []byte) []Finding {
	return ScanString(name, unsafe.String(unsafe.SliceData(content), len(content)))
}

// ScanString is [Scan] for a string.
func ScanString(name, content string) []Finding {
	s := scanner{name: name, text: content}
	s.scan()
	return s.findings(name)
}

// scanner is one pass over one text.
type scanner struct {
	name, text string
	// isSettings says what the name tells of how values are written, once judged.
	judged, isSettings bool
	hits               []match
	// seen is, for rules that look far ahead, up to where they have looked.
	seen map[*rule]int
	// work counts the bytes that rules looked at, for the test that it grows
	// with the length of the text and not faster.
	work int
}

// match is a secret at text[from:to].
type match struct {
	rule     *rule
	from, to int
	// shown is how many bytes of it are a public prefix.
	shown int
}

// rule is one kind of secret.
type rule struct {
	name string
	// anchors are the literals of which one stands in or near every secret of
	// this kind.
	anchors []string
	// generic rules give way to others that find the same bytes.
	generic bool
	// match judges an anchor at text[start:end].
	match func(s *scanner, r *rule, start, end int) (from, to int, ok bool)
}

// theRules are all there are, in the order in which the table of anchors has them.
// Most texts hold no anchor of any, and do without.
var theRules = sync.OnceValue(func() []rule {
	return slices.Concat(prefixRules(), patternRules(), structureRules(), assignmentRules())
})

func (s *scanner) scan() {
	s.work += len(s.text)
	done := 0
	theAnchors.scan(s.text, func(start, end, owner int) {
		r := &theRules()[owner]
		if start < done && end <= done {
			return
		}
		s.work += end - start
		from, to, ok := r.match(s, r, start, end)
		if !ok {
			return
		}
		m := match{rule: r, from: from, to: to}
		if from == start && !r.generic {
			m.shown = end - start
		}
		s.hits = append(s.hits, m)
		if !r.generic {
			done = max(done, to)
		}
	})
}

// findings turns what was found into what is told: in order, one for each
// place, the specific before the generic, with line numbers.
func (s *scanner) findings(name string) []Finding {
	var told []Finding
	named, byName := nameRule(name, s.text)
	if !byName && len(s.hits) == 0 {
		return nil
	}
	digest := blob.Of(unsafe.Slice(unsafe.StringData(s.text), len(s.text)))
	if byName {
		told = append(told, Finding{Rule: named, ID: identity(named, name, digest, 0), Preview: "the name tells"})
	}

	kept := s.disjoint()
	line, counted := 1, 0
	for _, m := range kept {
		line += strings.Count(s.text[counted:m.from], "\n")
		counted = m.from
		told = append(told, Finding{
			Rule: m.rule.name, ID: identity(m.rule.name, name, digest, m.from),
			Line: line, Start: m.from, End: m.to,
			Preview: preview(strings.Clone(s.text[m.from:m.from+m.shown]), m.to-m.from),
		})
	}
	return told
}

// disjoint returns the matches in order, none of which overlap: of two that
// do, a specific one stays before a generic one, an earlier before a later.
func (s *scanner) disjoint() []match {
	byStart := func(a, b match) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) }
	slices.SortStableFunc(s.hits, byStart)
	var specific, generic []match
	for _, m := range s.hits {
		if !m.rule.generic && (len(specific) == 0 || specific[len(specific)-1].to <= m.from) {
			specific = append(specific, m)
		}
	}
	for _, m := range s.hits {
		if !m.rule.generic || len(generic) > 0 && generic[len(generic)-1].to > m.from {
			continue
		}
		after, _ := slices.BinarySearchFunc(specific, m.to, func(k match, to int) int { return cmp.Compare(k.from, to) })
		if after == 0 || specific[after-1].to <= m.from {
			generic = append(generic, m)
		}
	}
	all := append(specific, generic...)
	slices.SortFunc(all, byStart)
	return all
}

// boundary reports whether a token may begin at text[at]: not in the middle of
// a word, unless the letter before belongs to an escape such as \n or %3D.
func boundary(text string, at int) bool {
	if at == 0 || !alnum.has(text[at-1]) {
		return true
	}
	if at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 {
		return true
	}
	return at >= 3 && text[at-3] == '%' && anyHex.has(text[at-2]) && anyHex.has(text[at-1])
}

// closed reports whether a token may end before text[at].
func closed(text string, at int) bool { return at >= len(text) || !word.has(text[at]) }
