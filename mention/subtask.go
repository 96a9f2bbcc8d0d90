package mention

import (
	"strings"
	"unicode/utf8"
)

// readSubtask reads the agent and the prompt of @task:agent(prompt), from the
// agent on.
func (f *finder) readSubtask(at int) (Ref, bool) {
	var agent string
	open := at
	if name, end, ok := f.quoted(at); ok {
		agent, open = name, end
	} else {
		agent = wordBefore(f.text, at, '(')
		open = at + len(agent)
	}
	if agent == "" || open >= len(f.text) || f.text[open] != '(' {
		return Ref{}, false
	}
	if f.subtasks == nil {
		f.subtasks = f.matchParentheses(open)
	}
	end, ok := f.subtasks[open]
	if !ok {
		return Ref{}, false
	}
	prompt := unescapeParentheses(f.text[open+1 : end])
	return Ref{Mention: Subtask{Agent: agent, Prompt: prompt}, End: end + 1}, true
}

// matchParentheses returns, for the opening parentheses that may belong to a
// subtask, where they close. One pass for the whole text keeps a text full of
// unclosed subtasks linear.
func (f *finder) matchParentheses(from int) map[int]int {
	matches := map[int]int{}
	var open []int
	for i := from; i < len(f.text); i++ {
		f.steps++
		switch f.text[i] {
		case '(':
			if trailingBackslashes(f.text[from:i])%2 == 0 {
				open = append(open, i)
			}
		case ')':
			if n := len(open); n > 0 && trailingBackslashes(f.text[from:i])%2 == 0 {
				if f.mayFollowTask(open[n-1]) {
					matches[open[n-1]] = i
				}
				open = open[:n-1]
			}
		}
	}
	return matches
}

// mayFollowTask reports whether the parenthesis at the given offset may open
// the prompt of a subtask; it keeps the table of matches small.
func (f *finder) mayFollowTask(open int) bool {
	name := open
	for name > 0 && (f.text[name-1] >= utf8.RuneSelf || classes[f.text[name-1]]&inName != 0) {
		name--
	}
	if name == open {
		return open > 0 && (f.text[open-1] == '"' || f.text[open-1] == '\'')
	}
	return strings.HasSuffix(f.text[:name], "@task:") || f.text[open-1] >= utf8.RuneSelf
}

// unescapeParentheses removes the backslashes that keep a parenthesis from
// counting. As in quotes, backslashes elsewhere are literal, and before a
// parenthesis two stand for one.
func unescapeParentheses(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := run(s[i:], '\\')
		after := i + n
		switch {
		case n == 0:
			b.WriteByte(s[i])
			after = i + 1
		case after == len(s) || s[after] == '(' || s[after] == ')':
			b.WriteString(s[i : i+n/2])
		default:
			b.WriteString(s[i:after])
		}
		i = after
	}
	return b.String()
}

// escapeParentheses is the inverse of [unescapeParentheses] for a prompt whose
// parentheses do not balance, or that has backslashes before one.
func escapeParentheses(s string) string {
	if balanced(s) && !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := run(s[i:], '\\')
		b.WriteString(s[i : i+n])
		i += n
		if i == len(s) {
			b.WriteString(s[i-n : i])
			break
		}
		if s[i] == '(' || s[i] == ')' {
			b.WriteString(s[i-n : i])
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func balanced(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}
