package main

import (
	"bufio"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
)

// printStack shows the mentions in a table and the stack beneath.
func printStack(io streams, stack ampersat.Stack, card model.Card, quiet bool) {
	if !quiet && len(stack.Reports) > 0 {
		rows := [][]string{{"MENTION", "KIND", "OUTCOME", "TOKENS", "OF THE WINDOW", "PRICE", ""}}
		for i, r := range stack.Reports {
			rows = append(rows, []string{
				strings.Repeat("  ", depth(stack, i)) + cell(label(r)), string(r.Mention.Kind()), io.paint(string(r.Outcome), outcomeStyle(r.Outcome)),
				number(r.Tokens), bar(r.Tokens, card.Window), price(r.Tokens, card), remark(r),
			})
		}
		rows = append(rows, []string{"all", "", "", number(stack.Tokens), bar(stack.Tokens, card.Window), price(stack.Tokens, card), ""})
		io.table(rows)
		fmt.Fprintln(io.out)
	}
	for _, note := range stack.Notes {
		fmt.Fprintln(io.err, "note:", oneLine(note))
	}
	for i, m := range stack.All() {
		if i > 0 {
			fmt.Fprintln(io.out)
		}
		fmt.Fprintln(io.out, io.paint("── "+string(m.Role)+" ", faint))
		fmt.Fprintln(io.out, strings.TrimSuffix(shown(plainMessage(m)), "\n"))
	}
}

func depth(stack ampersat.Stack, i int) int {
	n := 0
	for p := stack.Reports[i].Parent; p >= 0; p = stack.Reports[p].Parent {
		n++
	}
	return n
}

func outcomeStyle(o ampersat.Outcome) style {
	switch {
	case o.Bad():
		return red
	case o == ampersat.Partial || o == ampersat.Changed:
		return yellow
	case o == ampersat.Duplicate || o == ampersat.Unchanged:
		return faint
	}
	return green
}

// label is what a mention is called: as it was written, or its name if nobody
// wrote it.
func label(r ampersat.Report) string {
	if app.IsPiped(r) {
		return "standard input"
	}
	return cmp.Or(r.Written, r.Name, string(r.Mention.Kind()))
}

// remark is what else is to be said of a mention. What the model is told of bytes
// that were replaced need not be said again.
func remark(r ampersat.Report) string {
	if r.Shown == "" {
		return oneLine(r.Reason)
	}
	pieces := []string{"shown: " + r.Shown}
	for piece := range strings.SplitSeq(r.Reason, "; ") {
		if piece != "" && !(strings.HasPrefix(piece, invalid+": ") && strings.Contains(r.Shown, invalid)) {
			pieces = append(pieces, piece)
		}
	}
	return oneLine(strings.Join(pieces, "; "))
}

// invalid is how sources say that a text has bytes that had to be replaced.
const invalid = "not valid UTF-8"

func number(n int) string {
	if n == 0 {
		return "-"
	}
	return wording.Number(n)
}

// bar draws the share of the window, with eighths of a character.
func bar(tokens, window int) string {
	if window <= 0 || tokens == 0 {
		return ""
	}
	const columns = 10
	eighths := min((tokens*columns*8+window-1)/window, columns*8)
	full := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		full += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	percent := float64(tokens) * 100 / float64(window)
	return fmt.Sprintf("%s %.1f%%", full, percent)
}

func price(tokens int, card model.Card) string {
	cost, known := card.Cost(message.Usage{InputTokens: tokens})
	if !known || cost.IsZero() {
		return ""
	}
	return dollars(cost)
}

// dollars is what something costs that is not for nothing.
func dollars(cost decimal.Decimal) string {
	if text := cost.StringFixed(4); text != "0.0000" {
		return "$" + text
	}
	return "<$0.0001"
}

// plainStack is the whole stack as text, to be pasted elsewhere.
func plainStack(stack ampersat.Stack) string {
	var b strings.Builder
	for _, m := range stack.All() {
		b.WriteString(plainMessage(m))
		b.WriteString("\n\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plainMessage is a message as the model reads it, with a word for what is not
// text.
func plainMessage(m message.Message) string {
	var pieces []string
	for _, part := range m.Rendered().Content.Parts {
		switch part := part.(type) {
		case message.Text:
			pieces = append(pieces, part.Text)
		case message.Image:
			pieces = append(pieces, fmt.Sprintf("[image, %s]", part.Source.MIME))
		case message.Document:
			pieces = append(pieces, fmt.Sprintf("[document, %s]", part.Source.MIME))
		case message.ToolCall:
			pieces = append(pieces, fmt.Sprintf("%s(%s)", part.Name, part.Input))
		case message.ToolResult:
			for _, result := range part.Parts() {
				if c, ok := result.(message.Context); ok {
					pieces = append(pieces, c.Render())
				} else if t, ok := result.(message.Text); ok {
					pieces = append(pieces, t.Text)
				}
			}
		default:
			pieces = append(pieces, fmt.Sprintf("[%s]", part.Type()))
		}
	}
	return strings.Join(pieces, "\n")
}

// printStackJSON prints {"messages":[…],"mentions":[…],"tokens":N}, and what it
// came from, a profile or an agent, if that is not nil. Messages are long and
// encode themselves: they are written as they come.
func printStackJSON(io streams, stack ampersat.Stack, of origin) error {
	out := bufio.NewWriter(io.out)
	out.WriteString(`{"messages":[`)
	for i, m := range stack.All() {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := message.WriteRendered(out, m); err != nil {
			return fmt.Errorf("print message %d: %w", i+1, err)
		}
	}
	mentions, err := ampersat.EncodeReports(stack.Reports)
	if err != nil {
		return err
	}
	out.WriteString(`],"mentions":`)
	out.Write(mentions)
	out.WriteString(`,"tokens":` + strconv.Itoa(stack.Tokens))
	rest := struct {
		Notes []string `json:"notes,omitzero"`
		origin
	}{stack.Notes, of}
	if len(rest.Notes) > 0 || of != (origin{}) {
		encoded, err := json.Marshal(rest, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
		if err != nil {
			return fmt.Errorf("print what the mentions came from: %w", err)
		}
		out.WriteByte(',')
		out.Write(encoded[1 : len(encoded)-1])
	}
	out.WriteString("}\n")
	return out.Flush()
}

// origin is what a stack came from, besides a prompt.
type origin struct {
	Profile any `json:"profile,omitzero"`
	Agent   any `json:"agent,omitzero"`
}

// printJSON prints one value and a line end. What is not UTF-8 is replaced.
func (s streams) printJSON(value any) error {
	if err := json.MarshalWrite(s.out, value, jsontext.AllowInvalidUTF8(true), json.Deterministic(true)); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	_, err := fmt.Fprintln(s.out)
	return err
}
