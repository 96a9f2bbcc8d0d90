package mention

import (
	"strings"
	"unicode/utf8"
)

// Find returns the mentions in text, in order. It opens no file, takes time
// linear in the length of the text, and allocates nothing if there is no @.
//
// The refs do not overlap: cutting the text at them and joining the pieces
// gives the same bytes, also for text that is not valid UTF-8.
func Find(text string) []Ref {
	at := strings.IndexByte(text, '@')
	if at < 0 {
		return nil
	}
	f := finder{text: text}
	return f.find(at)
}

// finder is one call of [Find].
type finder struct {
	text string

	// code is found when the first mention needs it.
	code      []region
	codeKnown bool

	// open is the brackets that a token has opened and not closed, by offset.
	open []int

	// unclosed is, for each kind of quotes, the offset up to which none that
	// opens is closed. It keeps a text full of opening quotes linear.
	unclosed [len(quoteKinds)]int

	// subtasks is where the parentheses after @task:name close, found when
	// the first one is met.
	subtasks map[int]int

	// steps counts the bytes that were looked at one by one, for the tests
	// that hold the scan to linear time.
	steps int
}

func (f *finder) find(at int) []Ref {
	var refs []Ref
	for {
		next := at + 1
		if f.opens(at) && !f.inCode(at) {
			if ref, ok := f.read(at); ok {
				ref.Start, ref.Written = at, f.text[at:ref.End]
				refs = append(refs, ref)
				next = ref.End
			}
		}
		skip := strings.IndexByte(f.text[next:], '@')
		if skip < 0 {
			return refs
		}
		at = next + skip
	}
}

// opens reports whether the @ at the given offset can begin a mention: by what
// stands before it and by what follows.
func (f *finder) opens(at int) bool {
	if at+1 == len(f.text) {
		return false
	}
	if c := f.text[at+1]; c < utf8.RuneSelf {
		if classes[c]&begins == 0 {
			return false
		}
	} else if r, _ := utf8.DecodeRuneInString(f.text[at+1:]); !beginsName(r) {
		return false
	}
	if at == 0 {
		return true
	}
	if c := f.text[at-1]; c < utf8.RuneSelf {
		return classes[c]&opensMention != 0
	}
	r, _ := utf8.DecodeLastRuneInString(f.text[:at])
	return opensAfter(r)
}

// inCode reports whether an offset is in a code span or a fenced block. It is
// asked in ascending order.
func (f *finder) inCode(at int) bool {
	if !f.codeKnown {
		f.code, f.codeKnown = codeRegions(f.text), true
	}
	for len(f.code) > 0 && f.code[0].end <= at {
		f.code = f.code[1:]
	}
	return len(f.code) > 0 && f.code[0].start <= at
}

// read reads the mention whose @ is at the given offset. It sets the ref's
// Mention, End, Bare and Alternatives.
func (f *finder) read(at int) (Ref, bool) {
	body := at + 1
	if kind, ok := quoteAt(f.text, body); ok {
		if strings.HasSuffix(f.text[:at], quoteKinds[kind].open) {
			return Ref{}, false // '@' or "@": the sign itself is quoted
		}
		return f.readQuoted("", body)
	}
	if word := wordBefore(f.text, body, ':'); word != "" {
		arg := body + len(word) + 1
		if word == "task" {
			if ref, ok := f.readSubtask(arg); ok {
				return ref, true
			}
		}
		if isDiagnostics(word) {
			if level := wordBefore(f.text, arg, ':'); isLevel(level) {
				arg += len(level) + 1
			}
		}
		if _, ok := quoteAt(f.text, arg); ok {
			if ref, ok := f.readQuoted(f.text[body:arg-1], arg); ok {
				return ref, true
			}
		}
	}
	return f.readToken(at)
}

// readToken reads a mention without quotes.
func (f *finder) readToken(at int) (Ref, bool) {
	t := f.token(at)
	written := f.text[t.start:t.end]
	if written == "" {
		return Ref{}, false
	}
	// @doc.md#"Getting started" ends in a quoted name.
	if hash := f.text[t.start:t.rawEnd]; strings.HasSuffix(hash, "#") && len(hash) > 1 {
		if name, end, ok := f.quoted(t.rawEnd); ok && name != "" {
			place := splitNamespace(strings.TrimSuffix(hash, "#"))
			if m := place.symbol(name); m != nil {
				return Ref{Mention: m, End: end}, true
			}
		}
	}
	m, suffixed := interpret(written)
	if m == nil {
		return Ref{}, false
	}
	if end := f.furtherLines(m, t.end); end > t.end {
		return Ref{Mention: wholes(f.text[t.start:end])[0].plain(), End: end}, true
	}
	ref := Ref{Mention: m, End: t.end, Bare: isBare(m, written)}
	ref.Alternatives = f.alternatives(t, m, suffixed)
	return ref, true
}

// readQuoted reads a mention whose argument is quoted, at the given offset,
// after a prefix such as file or foundation, and the suffix behind the quotes.
func (f *finder) readQuoted(prefix string, at int) (Ref, bool) {
	content, end, ok := f.quoted(at)
	if !ok || content == "" {
		return Ref{}, false
	}
	if end < len(f.text) && (f.text[end] == ':' || f.text[end] == '#') {
		if m, suffixEnd := f.quotedSuffix(prefix, content, end); m != nil {
			return Ref{Mention: m, End: suffixEnd}, true
		}
	}
	// In single quotes a file that has a star in its name comes before a pattern.
	kind, _ := quoteAt(f.text, at)
	m := interpretQuoted(prefix, content, quoteKinds[kind].single)
	if m == nil {
		return Ref{}, false
	}
	ref := Ref{Mention: m, End: end}
	if quoteKinds[kind].single {
		if pattern := interpretQuoted(prefix, content, false); pattern != m {
			ref.Alternatives = append(ref.Alternatives, Reading{pattern, end})
		}
	}
	if p := splitNamespace(content); prefix == "" && p.namespace != "" {
		// The namespace may have been quoted with the rest.
		ref.Alternatives = append(ref.Alternatives, Reading{p.plain(), end})
	}
	return f.unfit(ref, quoteKinds[kind].single), true
}

// quotedSuffix reads the lines or the symbol that follow a quoted path.
func (f *finder) quotedSuffix(prefix, content string, at int) (Mention, int) {
	place, ok := quotedPlace(prefix, content)
	if !ok {
		return nil, 0
	}
	if f.text[at] == '#' {
		if name, end, ok := f.quoted(at + 1); ok && name != "" {
			return place.symbol(name), end
		}
	}
	t := f.token(at)
	suffix := f.text[at:t.end]
	if lines, ok := parseLines(suffix); ok {
		m := place.selection(lines)
		if end := f.furtherLines(m, t.end); end > t.end {
			return nil, 0
		}
		return m, t.end
	}
	if len(suffix) > 1 && suffix[0] == '#' && isSymbolName(suffix[1:]) {
		return place.symbol(unescape(suffix[1:])), t.end
	}
	return nil, 0
}

// unfit reads what follows the quotes of a file, a colon and what are not its
// lines. Where lines were meant they must not become all lines; else it may be
// anything after a colon, and the file alone is another reading.
func (f *finder) unfit(ref Ref, isFile bool) Ref {
	file, ok := ref.Mention.(File)
	if !ok || ref.End == len(f.text) || f.text[ref.End] != ':' {
		return ref
	}
	t := f.token(ref.End)
	if t.end == t.start {
		return ref
	}
	others, end := append([]Reading{{file, ref.End}}, ref.Alternatives...), t.end
	if looksLikeLines(f.text[t.start:t.end]) {
		others, end = nil, f.endOfLines(end)
	}
	whole := place{namespace: file.Namespace, path: file.Path + unescape(f.text[ref.End:end]), isFile: isFile}
	return Ref{Mention: whole.plain(), End: end, Alternatives: others}
}

// furtherLines returns where the further lines end that follow a selection, as
// in f.go:1-3,7-9, which is one range and not the other. It is the given end if
// there are none.
func (f *finder) furtherLines(m Mention, end int) int {
	if _, ok := m.(Selection); !ok {
		return end
	}
	return f.endOfLines(end)
}

// endOfLines returns where the ranges end that follow one, each after a comma.
func (f *finder) endOfLines(end int) int {
	for end+1 < len(f.text) && f.text[end] == ',' && looksLikeLines(f.text[end+1:min(len(f.text), end+3)]) {
		next := end + 1
		for next < len(f.text) && (isDigit(f.text[next]) || f.text[next] == '-' || f.text[next] == 'L') {
			next++
		}
		f.steps += next - end
		end = next
	}
	return end
}
