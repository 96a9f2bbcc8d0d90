package export_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func records(entries ...session.Entry) iter.Seq2[session.Record, error] {
	return func(yield func(session.Record, error) bool) {
		for i, e := range entries {
			if !yield(session.Record{Seq: session.Seq(i + 1), Time: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), Entry: e}, nil) {
				return
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	var out strings.Builder
	err := export.Markdown(&out, session.Meta{ID: "s", Title: "What *is* `this`?", Dir: "/home/x", Created: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)}, records(
		session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"a.md"}, Shown: "lines 1-2", Text: "# A\n```go\n```"})}},
		session.Said{Message: message.Message{Role: message.User, Content: message.Of(
			message.Text{Text: "Explain "}, message.Ref{Mention: mention.File{Path: "a.md"}, Written: "@a.md"}, message.Text{Text: "\n## please"},
		)}},
		session.Note{Name: "bookmark"},
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(
			message.Thinking{Thinking: "hm"}, message.Text{Text: "I look."}, message.ToolCall{ID: "1", Name: "read <b>", Input: []byte(`{"path":"a.md"}`)},
		)}, Interrupted: "cancelled"},
		session.Said{Message: message.Message{Role: message.Tool, Content: message.Of(message.TextResult("1", "alpha"))}},
		session.Compacted{Epoch: 1, Reason: "93 % full", TokensBefore: 900, TokensAfter: 400, Decisions: []session.Decision{{Seq: 1, Part: 1, Action: session.Stub, Reason: "it can be fetched again"}}},
		session.Undo(2),
	))
	if err != nil {
		t.Fatal(err)
	}
	const want = "# What \\*is\\* \\`this\\`?\n\n- session: `s`\n- begun: 2026-05-04T03:02:01Z\n- project: /home/x\n\n" +
		"## Developer\n\n*Entry 1, 2026-05-04T03:02:01Z*\n\n<details><summary>a.md (lines 1-2)</summary>\n\n````text\n# A\n```go\n```\n````\n\n</details>\n\n" +
		"## Turn 1: user\n\n*Entry 2, 2026-05-04T03:02:01Z*\n\n> Explain @a.md\n> ## please\n\n" +
		"## Assistant\n\n*Entry 4, 2026-05-04T03:02:01Z*\n\n<details><summary>thinking</summary>\n\n```text\nhm\n```\n\n</details>\n\n> I look.\n\n" +
		"<details><summary>call of read &lt;b&gt;</summary>\n\n```text\n{\"path\":\"a.md\"}\n```\n\n</details>\n\n*Entry 4: interrupted: cancelled*\n\n" +
		"## Tool\n\n*Entry 5, 2026-05-04T03:02:01Z*\n\n<details><summary>result</summary>\n\n```text\nalpha\n```\n\n</details>\n\n" +
		"---\n\n*Entry 6: compaction 1: from 900 to 400 tokens, 93 % full*\n\n<details><summary>1 decision</summary>\n\n```text\nentry 1, part 1: stub, it can be fetched again\n```\n\n</details>\n\n---\n\n" +
		"*Entry 7: undo {\"through\":2}*\n\n"
	if out.String() != want {
		t.Errorf("have\n%s\nwant\n%s", out.String(), want)
	}
}

// Whatever was said, no content ends the quotation or the fence that it is in:
// goldmark finds our headings and no others, and the contents as they were.
func TestNoContentBreaksOut(t *testing.T) {
	anyText := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		"```", "`````", "~~~", "\n", "\r", "\r\n", "# x", "> ", "</details>", "<!--", "<script>", "---", "===", "    ", "\t", "- ", "*", "_", "[a](b)", "\\", "x", "&lt;", "<details>\n\n", "\x00", "1. ",
	}), 0, 12), func(s []string) string { return strings.Join(s, "") }))
	rapid.Check(t, func(t *rapid.T) {
		content, said, result, title := anyText.Draw(t, "content"), anyText.Draw(t, "said"), anyText.Draw(t, "result"), anyText.Draw(t, "title")
		var out strings.Builder
		err := export.Markdown(&out, session.Meta{ID: "s", Title: title, Dir: title}, records(
			session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(message.Context{Names: []string{title}, Text: content})}},
			session.Said{Message: message.Message{Role: message.User, Name: title, Content: message.Say(said)}, Interrupted: title},
			session.Said{Message: message.Message{Role: "other " + message.Role(title), Content: message.Of(message.ToolCall{ID: "1", Name: title}, message.TextResult("1", result))}},
			session.Returned{Outcome: session.Outcome(title), Result: message.Say(said)},
			session.Delegated{Agent: title, Description: said},
			session.Compacted{Epoch: 1, Reason: title, Decisions: []session.Decision{{Seq: 1, Action: "evict", Reason: content}}, Summary: &message.Message{Role: "user", Content: message.Say(said)}},
			session.Unknown{Name: title, Raw: []byte("{}")},
		))
		if err != nil {
			t.Fatal(err)
		}
		source := []byte(out.String())
		var fences []string
		headings := 0
		document := goldmark.DefaultParser().Parse(text.NewReader(source))
		for node := document.FirstChild(); node != nil; node = node.NextSibling() {
			switch node := node.(type) {
			case *ast.Heading:
				headings++
			case *ast.FencedCodeBlock:
				var b strings.Builder
				for i := range node.Lines().Len() {
					line := node.Lines().At(i)
					b.Write(line.Value(source))
				}
				fences = append(fences, b.String())
			case *ast.HTMLBlock:
				line := node.Lines().At(0)
				if tag := string(line.Value(source)); node.Lines().Len() != 1 || !strings.HasPrefix(tag, "<details><summary>") && tag != "</details>\n" {
					t.Fatalf("HTML of %d lines: %q", node.Lines().Len(), tag)
				}
			case *ast.Paragraph:
				line := node.Lines().At(0)
				if ours := string(line.Value(source)); node.Lines().Len() != 1 || !strings.HasPrefix(ours, "*Entry ") {
					t.Fatalf("a paragraph that is not ours: %q", ours)
				}
			case *ast.Blockquote, *ast.ThematicBreak, *ast.List:
			default:
				t.Fatalf("a %s, which is not ours", node.Kind())
			}
		}
		if headings != 4 {
			t.Fatalf("%d headings in\n%s", headings, source)
		}
		normal := func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n") + "\n"
		}
		if content != "" && fences[0] != normal(content) {
			t.Fatalf("the content is %q, want %q", fences[0], normal(content))
		}
		if joined := strings.Join(fences, "\x01"); result != "" && !strings.Contains(joined, normal(result)) {
			t.Fatalf("the result %q is not in %q", result, fences)
		}
	})
}

func TestMarkdownPassesErrorsOn(t *testing.T) {
	broken := fmt.Errorf("broken")
	err := export.Markdown(&strings.Builder{}, session.Meta{ID: "s"}, func(yield func(session.Record, error) bool) { yield(session.Record{}, broken) })
	if err == nil || !strings.Contains(err.Error(), "export session s: broken") {
		t.Errorf("have %v", err)
	}
}
