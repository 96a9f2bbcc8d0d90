package symbol

import (
	"strings"
	"unicode"
)

// longestWord is how long the word may be that ends lines of text.
const longestWord = 64

// hereWord notes a word up to whose line a text goes that begins below: <<EOF,
// <<-'EOF', <<~EOF, <<<EOF. It is none if there is no such line.
func (s *scanner) hereWord() bool {
	rest := s.text[s.at+len(s.here) : min(s.at+len(s.here)+longestWord, len(s.text))]
	at := len(s.here)
	if s.pages {
		trimmed := strings.TrimLeft(rest, " \t")
		at, rest = at+len(rest)-len(trimmed), trimmed
	} else if rest != "" && (rest[0] == '-' || rest[0] == '~') {
		at, rest = at+1, rest[1:]
	}
	quoted := byte(0)
	if rest != "" && strings.IndexByte(`'"\`, rest[0]) >= 0 {
		quoted = rest[0]
		at, rest = at+1, rest[1:]
	}
	word := leadingWord(rest)
	switch {
	case word == "", s.lastLine(word) <= s.at:
		return false
	case !s.pages && s.at > 0 && s.text[s.at-1] == '<': // <<< takes one word
		return false
	case s.begin && at == len(s.here) && !unicode.IsUpper(rune(word[0])): // Ruby's <<, which adds
		return false
	}
	if at += len(word); (quoted == '\'' || quoted == '"') && len(rest) > len(word) {
		at++
	}
	s.waiting = append(s.waiting, word)
	s.to(s.at+at, inString)
	return true
}

// leadingWord is the name at the beginning of a text.
func leadingWord(text string) string {
	end := 0
	for end < len(text) && isWordByte(text[end]) && text[end] != '$' {
		end++
	}
	if end == 0 || text[0] >= '0' && text[0] <= '9' {
		return ""
	}
	return text[:end]
}

// ending is the word that a line ends such a text with, empty if it does not.
func (s *scanner) ending(line string) string {
	if line = strings.TrimSpace(line); !s.pages && len(line) > longestWord {
		return ""
	}
	word := leadingWord(line[:min(len(line), longestWord)])
	if !s.pages && word != line {
		return ""
	}
	return word
}

// lastLine is where the last line begins that is a word.
func (s *scanner) lastLine(word string) int {
	if s.ends == nil {
		s.ends = map[string]int{}
		s.steps += len(s.text)
		at := 0
		for line := range strings.SplitAfterSeq(s.text, "\n") {
			if ending := s.ending(line); ending != "" {
				s.ends[ending] = at
			}
			at += len(line)
		}
	}
	return s.ends[word]
}

// hereLines passes over the lines of the texts whose words stand above.
func (s *scanner) hereLines() {
	words := s.waiting
	s.waiting = nil
	for _, word := range words {
		if s.lastLine(word) < s.at {
			continue
		}
		end := s.at
		for end < len(s.text) {
			from := end
			end = s.after(end, "\n")
			if s.ending(s.text[from:end]) == word {
				end = from + strings.Index(s.text[from:end], word) + len(word)
				break
			}
		}
		// The line above begins code, and the text is below.
		s.begins[len(s.begins)-1] = inString
		s.to(end, inString)
	}
}
