package session

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ampersat/ampersat/message"
)

// Hit is a place where something was said.
type Hit struct {
	Session Meta
	// Seq is the entry, zero if it is the title of the session.
	Seq  Seq
	Time time.Time
	Role message.Role
	// Snippet is some of the text around, in one line; Snippet[Start:End] is what
	// was looked for.
	Snippet    string
	Start, End int
}

// Searcher is a [Store] that can look through its logs itself. It returns what
// [Search] would, for a text that is not empty.
type Searcher interface {
	Search(ctx context.Context, q Query, text string, most int) ([]Hit, error)
}

// Search looks for a text in the sessions that q asks for: in what people,
// models and tools said, in upper or lower case, and in titles. The hits are in
// the order of [Store.List], and within a session in that of the log. It returns
// no more than most, a hundred if that is not positive.
func Search(ctx context.Context, store Store, q Query, text string, most int) ([]Hit, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("search sessions: nothing to look for")
	}
	if store == nil {
		return nil, fmt.Errorf("search sessions: %w", errNoStore)
	}
	if most <= 0 {
		most = 100
	}
	if s, ok := store.(Searcher); ok {
		return s.Search(ctx, q, text, most)
	}
	list, err := store.List(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search sessions: %w", err)
	}
	var hits []Hit
	for _, m := range list {
		if hit, found := m.Find(text); found {
			hits = append(hits, hit)
		}
		for r, err := range store.Read(ctx, m.ID, 1) {
			if err != nil {
				return nil, fmt.Errorf("search sessions: %w", err)
			}
			if len(hits) >= most {
				return hits[:most], nil
			}
			if hit, found := r.Find(text); found {
				hit.Session = m
				hits = append(hits, hit)
			}
		}
	}
	return hits[:min(most, len(hits))], nil
}

// Find looks for a text in the title. It is for those who write a [Searcher].
func (m Meta) Find(text string) (Hit, bool) {
	snippet, start, end, found := snippetOf(m.Title, text)
	return Hit{Session: m, Time: m.Updated, Snippet: snippet, Start: start, End: end}, found
}

// Find looks for a text in what was said. It is for those who write a
// [Searcher].
func (r Record) Find(text string) (Hit, bool) {
	said, is := r.Entry.(Said)
	if !is || said.Message.Role == message.System { // which is the same in every session
		return Hit{}, false
	}
	snippet, start, end, found := snippetOf(searchable(said.Message), text)
	return Hit{Seq: r.Seq, Time: r.Time, Role: said.Message.Role, Snippet: snippet, Start: start, End: end}, found
}

// searchable returns the text of a message in which one would look for
// something: not the files that were sent with it, but their names.
func searchable(m message.Message) string {
	if m.Extra != nil || m.Role == message.Tool || m.Role == message.Function {
		m, _ = message.Adopt(m)
	}
	var b strings.Builder
	var add func(parts []message.Part)
	add = func(parts []message.Part) {
		for _, part := range parts {
			switch part := part.(type) {
			case message.Text:
				b.WriteString(part.Text)
				continue
			case message.Ref:
				b.WriteString(part.Written)
				continue
			case message.Context:
				b.WriteString(strings.Join(part.Names, " "))
			case message.ToolCall:
				b.WriteString(part.Name + " " + string(part.Input))
			case message.ToolResult:
				add(part.Parts())
			}
			b.WriteByte('\n')
		}
	}
	add(m.Content.Parts)
	return b.String()
}

// snippetOf finds a text, and cuts out what stands around it.
func snippetOf(text, sought string) (snippet string, start, end int, found bool) {
	at, length := indexFold(text, sought)
	if at < 0 {
		return "", 0, 0, false
	}
	const around = 60
	from, to := max(0, at-around), min(len(text), at+length+around)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	before, match, after := flat(text[from:at]), flat(text[at:at+length]), flat(text[at+length:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return before + match + after, len(before), len(before) + len(match), true
}

// flat puts text into one line.
func flat(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// indexFold returns where sought is in text, in upper or lower case, and how
// long it is there.
func indexFold(text, sought string) (at, length int) {
	first, _ := utf8.DecodeRuneInString(sought)
	var starts string
	for r := unicode.SimpleFold(first); ; r = unicode.SimpleFold(r) {
		starts += string(r)
		if r == first {
			break
		}
	}
	for at < len(text) {
		next := strings.IndexAny(text[at:], starts)
		if next < 0 {
			break
		}
		at += next
		if length, ok := prefixFold(text[at:], sought); ok {
			return at, length
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return -1, 0
}

// prefixFold tells whether text begins with sought, and how long that is.
func prefixFold(text, sought string) (length int, ok bool) {
	for _, want := range sought {
		have, size := utf8.DecodeRuneInString(text[length:])
		if size == 0 || have != want && !equalFold(have, want) {
			return 0, false
		}
		length += size
	}
	return length, true
}

func equalFold(a, b rune) bool {
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}
