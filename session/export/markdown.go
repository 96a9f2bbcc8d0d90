package export

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"iter"
	"strings"
	"time"
	"unicode"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// Markdown writes a session for people: what was said as quotations, mentions as
// they were written; contents, thinking, calls and results folded away; and
// where something was compacted, undone or delegated, that.
//
// No content can end its quotation or its fence. Control characters are written
// as they are: whoever shows the text on a terminal sees to them.
func Markdown(w io.Writer, m session.Meta, records iter.Seq2[session.Record, error]) error {
	if w == nil {
		return fmt.Errorf("export session %s: there is no writer", m.ID)
	}
	if records == nil {
		records = func(func(session.Record, error) bool) {}
	}
	out := bufio.NewWriter(w)
	x := page{out: out}
	x.head(m)
	for r, err := range records {
		if err != nil {
			return fmt.Errorf("export session %s: %w", m.ID, err)
		}
		x.record(r)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export session %s: %w", m.ID, err)
	}
	return nil
}

// page is a session being written. The writer keeps its first error.
type page struct {
	out  *bufio.Writer
	turn int
}

func (x *page) printf(format string, args ...any) { fmt.Fprintf(x.out, format, args...) }

func (x *page) head(m session.Meta) {
	title := m.Title
	if strings.TrimSpace(title) == "" {
		title = "Session " + string(m.ID)
	}
	x.printf("# %s\n\n- session: `%s`\n- begun: %s\n", literal(title), m.ID, m.Created.Format(time.RFC3339))
	if m.Dir != "" {
		x.printf("- project: %s\n", literal(m.Dir))
	}
	if m.ForkOf != "" {
		x.printf("- fork of: `%s` after entry %d\n", m.ForkOf, m.ForkAt)
	}
	if m.Parent != "" {
		x.printf("- work for: `%s`\n", m.Parent)
	}
	x.printf("\n")
}

func (x *page) record(r session.Record) {
	switch e := r.Entry.(type) {
	case session.Said:
		x.said(r, e)
	case session.Compacted:
		x.compacted(r, e)
	case session.Delegated:
		x.remark(r, "work was given to %s: %s", orElse(e.Agent, "an agent"), orElse(e.Description, message.Flatten(e.Prompt)))
	case session.Returned:
		x.remark(r, "the work came back: %s %s", string(e.Outcome), e.Reason)
		x.parts(e.Result.Parts)
	case session.Note:
		if e.Name == session.NoteUndo || e.Name == LostNote {
			x.remark(r, "%s %s", e.Name, string(e.Value))
		}
	case session.Unknown:
		x.remark(r, "an entry of the kind %s, which this version does not know", e.Name)
	}
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// remark is a line of ours about something that is no message.
func (x *page) remark(r session.Record, format string, args ...any) {
	for i, arg := range args {
		if text, is := arg.(string); is {
			args[i] = literal(text)
		}
	}
	x.printf("*Entry %d: %s*\n\n", r.Seq, strings.TrimSpace(fmt.Sprintf(format, args...)))
}

func (x *page) said(r session.Record, s session.Said) {
	m, _ := message.Adopt(s.Message) // what cannot be read is shown as it is
	who := string(m.Role)
	switch m.Role {
	case message.User:
		x.turn++
		who = fmt.Sprintf("Turn %d: user", x.turn)
	case message.Assistant, message.System, message.Developer, message.Tool:
		who = strings.ToUpper(who[:1]) + who[1:]
	}
	if m.Name != "" {
		who += " (" + m.Name + ")"
	}
	x.printf("## %s\n\n*Entry %d, %s*\n\n", literal(who), r.Seq, r.Time.Format(time.RFC3339))
	x.parts(m.Content.Parts)
	if s.Interrupted != "" {
		x.remark(r, "interrupted: %s", s.Interrupted)
	}
}

// parts writes what was said as one quotation where nothing stands between, and
// everything else folded.
func (x *page) parts(parts []message.Part) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			x.quote(text.String())
			text.Reset()
		}
	}
	for _, part := range parts {
		switch part := part.(type) {
		case message.Text:
			text.WriteString(part.Text)
			continue
		case message.Ref:
			text.WriteString(part.Written)
			continue
		}
		flush()
		switch part := part.(type) {
		case message.Context:
			title := strings.Join(part.Names, ", ")
			if part.Shown != "" {
				title += " (" + part.Shown + ")"
			}
			x.fold(title, part.Text)
			x.parts(part.Parts)
		case message.Thinking:
			x.fold("thinking", part.Thinking)
		case message.RedactedThinking:
			x.fold("thinking that only the provider can read", "")
		case message.ToolCall:
			x.fold("call of "+part.Name, string(part.Input))
		case message.ToolResult:
			var result strings.Builder
			for _, inner := range part.Parts() {
				switch inner := inner.(type) {
				case message.Text:
					result.WriteString(inner.Text)
				case message.Context:
					result.WriteString(strings.Join(inner.Names, ", ") + "\n" + inner.Text)
				default:
					result.WriteString("[" + inner.Type() + "]")
				}
			}
			x.fold("result", result.String())
		case message.Image:
			x.fold("image "+part.Source.MIME, part.Source.URL+string(part.Source.Digest))
		case message.Document:
			x.fold("document "+part.Title, part.Source.URL+string(part.Source.Digest))
		case message.Unknown:
			x.fold(part.Name, string(part.Raw))
		default:
			x.fold(part.Type(), "")
		}
	}
	flush()
}

// quote writes text as a quotation: each line is marked, so that none of them
// can be one of ours.
func (x *page) quote(text string) {
	for _, line := range lines(text) {
		x.printf("%s\n", strings.TrimRight("> "+line, " "))
	}
	x.printf("\n")
}

// lines divides a text as Markdown does, for which a carriage return ends a line
// too.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

// fold writes text that is shown when one asks for it.
func (x *page) fold(title, text string) {
	x.printf("<details><summary>%s</summary>\n\n", html.EscapeString(oneLine(title)))
	if text != "" {
		fence := strings.Repeat("`", max(3, longestRun(text)+1))
		x.printf("%stext\n%s\n%s\n\n", fence, strings.Join(lines(text), "\n"), fence)
	}
	x.printf("</details>\n\n")
}

// longestRun is the length of the longest run of backticks.
func longestRun(text string) (longest int) {
	run := 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// literal writes text in a line of ours so that Markdown finds nothing in it.
func literal(text string) string {
	var b strings.Builder
	for _, r := range oneLine(text) {
		if strings.ContainsRune("\\`*_[]<>&#~|!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// oneLine takes the line breaks out of a text, and what else could end a line.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func (x *page) compacted(r session.Record, c session.Compacted) {
	x.printf("---\n\n")
	x.remark(r, "compaction %d: from %d to %d tokens, %s", c.Epoch, c.TokensBefore, c.TokensAfter, c.Reason)
	var list strings.Builder
	for _, d := range c.Decisions {
		fmt.Fprintf(&list, "entry %d", d.Seq)
		if d.Part > 0 {
			fmt.Fprintf(&list, ", part %d", d.Part)
		}
		fmt.Fprintf(&list, ": %s, %s\n", d.Action, d.Reason)
	}
	title := "1 decision"
	if n := len(c.Decisions); n != 1 {
		title = fmt.Sprintf("%d decisions", n)
	}
	x.fold(title, strings.TrimSuffix(list.String(), "\n"))
	if c.Summary != nil {
		x.fold("summary", message.Flatten(c.Summary.Content))
	}
	x.printf("---\n\n")
}
