package main

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/terminal"
	"github.com/ampersat/ampersat/mention"
	"github.com/spf13/cobra"
)

func findCommand(io streams) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "find [TEXT|-]",
		Short: "Show the mentions in a text; no file is opened",
		Long: `Find shows which mentions a text has, where they stand and what they name.
No file is opened and nothing is fetched, so a name is taken as it is written:
a bare word such as @alice is a mention only if an agent or a file has that
name, which "find" does not look up.`,
		Example: `  ampersat find "Compare @docs/api.md with @server.go:40-90"
  ampersat find --json "Explain @README.md"
  git log -1 --format=%B | ampersat find -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			text, err := io.inputText(command.Context(), args)
			if err == errNoText {
				return &usageError{command, err}
			}
			if err != nil {
				return err
			}
			refs := mention.Find(text)
			if asJSON {
				return printRefsJSON(io, refs)
			}
			printRefs(io, text, refs)
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON: kind, written, byte offsets, and the members of each kind")
	return command
}

func printRefsJSON(io streams, refs []mention.Ref) error {
	if refs == nil {
		refs = []mention.Ref{}
	}
	result := struct {
		Mentions []mention.Ref `json:"mentions"`
	}{refs}
	return io.printJSON(result)
}

// printRefs shows the text with its mentions underlined, and a table of them.
func printRefs(io streams, text string, refs []mention.Ref) {
	if len(refs) == 0 {
		fmt.Fprintln(io.err, "no mentions")
	}
	printUnderlined(io, text, refs)
	if len(refs) == 0 {
		return
	}
	rows := [][]string{{"KIND", "MENTION", "NAMES", "BYTES"}}
	for _, ref := range refs {
		names := describe(ref.Mention)
		if ref.Bare {
			names += ", if there is such an agent or file"
		}
		rows = append(rows, []string{
			string(ref.Mention.Kind()), cell(ref.Written), cell(names), fmt.Sprintf("%d-%d", ref.Start, ref.End),
		})
	}
	fmt.Fprintln(io.out)
	io.table(rows)
}

// oneLine makes one line of a text.
func oneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(shown(text))
}

// cell makes text fit for a cell of a table.
func cell(text string) string {
	const most = 72
	text = oneLine(text)
	if width(text) <= most {
		return text
	}
	// The end of a path says more than its middle.
	runes := []rune(text)
	head, tail := 0, len(runes)
	for columns := 1; columns < most && head < tail; {
		if columns += terminal.RuneWidth(runes[head]); columns <= most/2 {
			head++
			continue
		}
		tail--
		columns += terminal.RuneWidth(runes[tail])
	}
	return string(runes[:head]) + "…" + string(runes[tail:])
}

// describe says in words what a mention names.
func describe(m mention.Mention) string {
	switch m := m.(type) {
	case mention.File:
		return in(m.Namespace, m.Path)
	case mention.Directory:
		return in(m.Namespace, m.Path)
	case mention.Glob:
		return in(m.Namespace, m.Pattern)
	case mention.Selection:
		where := fmt.Sprintf("%s, lines %d to %d", in(m.Namespace, m.Path), m.First, m.Last)
		switch m.Last {
		case m.First:
			where = fmt.Sprintf("%s, line %d", in(m.Namespace, m.Path), m.First)
		case 0:
			where = fmt.Sprintf("%s, line %d to the end", in(m.Namespace, m.Path), m.First)
		}
		if m.Column > 0 {
			where += fmt.Sprintf(", column %d", m.Column)
		}
		return where
	case mention.Symbol:
		return fmt.Sprintf("%s in %s", m.Name, in(m.Namespace, m.Path))
	case mention.URL:
		return m.URL
	case mention.Resource:
		return fmt.Sprintf("%s of the MCP server %s", m.URI, m.Server)
	case mention.Agent:
		return "the agent " + m.Name
	case mention.Subtask:
		return fmt.Sprintf("for %s: %s", m.Agent, m.Prompt)
	case mention.Diagnostics:
		return describeDiagnostics(m)
	case mention.GitDiff:
		return describeDiff(m)
	case mention.Terminal:
		if m.Lines > 0 {
			return fmt.Sprintf("the last %d lines of the terminal", m.Lines)
		}
		return "the output of the terminal"
	case mention.Session:
		return "the session " + m.ID
	}
	return m.String()
}

func in(namespace, path string) string {
	if namespace == "" {
		return path
	}
	return fmt.Sprintf("%s in %s", path, namespace)
}

func describeDiagnostics(m mention.Diagnostics) string {
	what := "errors"
	switch {
	case m.Errors && m.Warnings:
		what = "errors and warnings"
	case m.Warnings:
		what = "warnings"
	}
	if m.Path != "" {
		what += " below " + m.Path
	}
	return what
}

func describeDiff(m mention.GitDiff) string {
	switch {
	case m.Commit != "":
		return "what the commit " + m.Commit + " changed"
	case m.Staged:
		return "what is staged"
	case m.MergeBase:
		return fmt.Sprintf("from where %s and %s parted to %s", m.Base, orHead(m.Head), orHead(m.Head))
	case m.Head != "":
		return fmt.Sprintf("from %s to %s", orHead(m.Base), m.Head)
	case m.Base != "":
		return "from " + m.Base + " to the work tree"
	}
	return "what has changed since HEAD"
}

func orHead(ref string) string {
	if ref == "" {
		return "HEAD"
	}
	return ref
}
