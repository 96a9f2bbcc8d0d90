package zed

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

// Name returns what Zed shows for m: main.rs, main.rs (5:15), Terminal (42
// lines). Where two mentions would show the same, a higher detail tells them
// apart: each level adds a parent folder to a file or directory, and any level
// above zero adds the source to a skill.
func Name(m mention.Mention, style Style, detail int) string {
	count := max(0, detail) + 1
	switch m := m.(type) {
	case nil:
		return ""
	case mention.File:
		return pathName(m.Path, style, count)
	case mention.Directory:
		return pathName(m.Path, style, count)
	case mention.Selection:
		name := "Untitled"
		if m.Path != "" {
			name = pathName(m.Path, style, 1)
		}
		if m.Last == 0 { // to the end, which Zed has no word for
			return fmt.Sprintf("%s (%d:)", name, m.First)
		}
		return fmt.Sprintf("%s (%d:%d)", name, m.First, m.Last)
	case mention.Symbol:
		return m.Name
	case mention.URL:
		return m.URL
	case mention.Image:
		return orElse(m.Name, "Image")
	case mention.Session:
		return orElse(m.Name, m.ID)
	case mention.Diagnostics:
		return "Diagnostics"
	case mention.Terminal:
		if m.Lines == 1 {
			return "Terminal (1 line)"
		}
		return fmt.Sprintf("Terminal (%d lines)", m.Lines)
	case mention.GitDiff:
		if m.Base != "" {
			return "Branch Diff (" + m.Base + ")"
		}
	case mention.Unknown:
		return foreignName(m, style, detail)
	}
	return orElse(strings.TrimPrefix(m.String(), "@"), string(m.Kind()))
}

// pathName is the last names of path; a root, which has none, is itself.
func pathName(path string, style Style, count int) string {
	return orElse(style.suffix(path, count), path)
}

func foreignName(m mention.Unknown, style Style, detail int) string {
	uri, err := foreignURI(m)
	if err != nil {
		return m.Name
	}
	_, after, _ := strings.Cut(tidy(uri), "?")
	text, _, _ := strings.Cut(after, "#")
	query := parseForm(text)
	name, _ := value(query, "name")
	switch m.Name {
	case kindMergeConflict:
		path, _ := value(query, "path")
		return "Merge Conflict (" + style.suffix(path, 1) + ")"
	case kindSkill:
		if detail > 0 {
			source, _ := value(query, "source")
			return name + " (" + orElse(source, "global") + ")"
		}
	}
	return name
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}
