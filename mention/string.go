package mention

import (
	"strconv"
	"strings"
)

// String implements [Mention].
func (m File) String() string        { return written(m) }
func (m Directory) String() string   { return written(m) }
func (m Glob) String() string        { return written(m) }
func (m Selection) String() string   { return written(m) }
func (m Symbol) String() string      { return written(m) }
func (m URL) String() string         { return written(m) }
func (m Image) String() string       { return "" }
func (m Resource) String() string    { return written(m) }
func (m Agent) String() string       { return written(m) }
func (m Subtask) String() string     { return written(m) }
func (m Diagnostics) String() string { return written(m) }
func (m GitDiff) String() string     { return written(m) }
func (m Terminal) String() string    { return written(m) }
func (m Session) String() string     { return written(m) }
func (m Custom) String() string      { return written(m) }
func (m Unknown) String() string     { return "" }

// written returns the first spelling of m that [Find] reads back as m, alone
// and in a sentence, or nothing if there is none. The grammar has many
// corners, and asking it is simpler than knowing them all twice.
func written(m Mention) string {
	reads := func(spelling, text string) bool {
		refs := Find(text)
		return len(refs) == 1 && refs[0].Written == spelling && readsAs(refs[0], m)
	}
	for _, spelling := range spellings(m) {
		if reads(spelling, spelling) && reads(spelling, spelling+", and") {
			return spelling
		}
	}
	return ""
}

// readsAs reports whether a ref is m, apart from what is not written.
func readsAs(ref Ref, m Mention) bool {
	switch m := m.(type) {
	case Symbol:
		m.First, m.Last = 0, 0
		return ref.Mention == m
	case Subtask:
		m.Description = ""
		return ref.Mention == m
	case Session:
		m.Name = ""
		return ref.Mention == m
	case Custom:
		scheme, arg, ok := ref.Namespaced()
		return ok && scheme == m.Scheme && arg == m.Arg
	}
	return ref.Mention == m
}

// spellings returns how m may be written, the most natural first.
func spellings(m Mention) []string {
	switch m := m.(type) {
	case File:
		return paths(m.Namespace, m.Path, "file", "")
	case Directory:
		all := paths(m.Namespace, m.Path+"/", "folder", "")
		if strings.HasSuffix(m.Path, "/") || strings.HasSuffix(m.Path, `:\`) {
			all = append(paths(m.Namespace, m.Path, "folder", ""), all...)
		}
		return all
	case Glob:
		return paths(m.Namespace, m.Pattern, "", "")
	case Selection:
		suffix := ":" + strconv.Itoa(m.First)
		switch m.Last {
		case m.First:
		case 0:
			suffix += "-"
		default:
			suffix += "-" + strconv.Itoa(m.Last)
		}
		if m.Column != 0 {
			suffix += ":" + strconv.Itoa(m.Column)
		}
		return paths(m.Namespace, m.Path, "file", suffix)
	case Symbol:
		all := paths(m.Namespace, m.Path, "file", "#"+m.Name)
		return append(all, paths(m.Namespace, m.Path, "file", "#"+quote(m.Name, '"'))...)
	case URL:
		return append([]string{"@" + m.URL, "@" + quote(m.URL, '"')}, words("url", m.URL)...)
	case Resource:
		return words(m.Server, m.URI)
	case Agent:
		return words("agent", m.Name)
	case Subtask:
		prompt := "(" + escapeParentheses(m.Prompt) + ")"
		return []string{"@task:" + m.Agent + prompt, "@task:" + quote(m.Agent, '"') + prompt}
	case Diagnostics:
		return diagnosticsSpellings(m)
	case GitDiff:
		return gitDiffSpellings(m)
	case Terminal:
		if m.Lines == 0 {
			return []string{"@terminal"}
		}
		return []string{"@terminal:" + strconv.Itoa(m.Lines)}
	case Session:
		return words("session", m.ID)
	case Custom:
		return words(m.Scheme, m.Arg)
	}
	return nil
}

// paths returns spellings of a path with a suffix. Called is the reserved word
// for a path that would otherwise be read as something else.
func paths(namespace, path, called, suffix string) []string {
	prefix := "@"
	if namespace != "" {
		prefix += namespace + ":"
	}
	all := []string{
		prefix + path + suffix,
		prefix + "./" + path + suffix,
		prefix + quote(path, '"') + suffix,
		prefix + quote("./"+path, '"') + suffix,
	}
	if called == "" {
		return all
	}
	if namespace == "" {
		word := prefix + called + ":"
		all = append(all, word+path+suffix, word+quote(path, '"')+suffix, word+quote("./"+path, '"')+suffix)
	}
	return append(all, prefix+quote(path, '\'')+suffix, prefix+quote("./"+path, '\'')+suffix)
}

func words(word, arg string) []string {
	return []string{"@" + word + ":" + arg, "@" + word + ":" + quote(arg, '"')}
}

func diagnosticsSpellings(m Diagnostics) []string {
	word := ""
	switch {
	case m.Errors && m.Warnings:
		word = ":all"
	case m.Warnings:
		word = ":warnings"
	}
	if m.Path == "" {
		return []string{"@diagnostics" + word}
	}
	return []string{
		"@diagnostics" + word + ":" + m.Path,
		"@diagnostics" + word + ":./" + m.Path,
		"@diagnostics" + word + ":" + quote(m.Path, '"'),
		"@diagnostics" + word + ":" + quote("./"+m.Path, '"'),
	}
}

func gitDiffSpellings(m GitDiff) []string {
	switch {
	case m == GitDiff{}:
		return []string{"@diff"}
	case m.Staged:
		return []string{"@diff:staged"}
	case m.Commit != "":
		return words("commit", m.Commit)
	case m.MergeBase:
		return words("diff", m.Base+"..."+m.Head)
	case m.Head != "":
		return words("diff", m.Base+".."+m.Head)
	}
	return words("diff", m.Base)
}

// quote writes s in quotes so that [finder.quoted] reads it back.
func quote(s string, mark byte) string {
	var b strings.Builder
	b.WriteByte(mark)
	for i := 0; i < len(s); {
		n := run(s[i:], '\\')
		b.WriteString(s[i : i+n])
		i += n
		if i == len(s) {
			b.WriteString(s[i-n : i])
			break
		}
		if s[i] == mark || s[i] == '\n' || s[i] == '\r' {
			b.WriteString(s[i-n : i])
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
		i++
	}
	b.WriteByte(mark)
	return b.String()
}
