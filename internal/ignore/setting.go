package ignore

import "strings"

// settings reads a file in the syntax of git's configuration and calls set for
// each variable, by its whole name: the section and the key in lower case, and
// between them the subsection as it is. It reports false where git would give up.
func settings(text []byte, set func(key, value string, hasValue bool)) (understood bool) {
	in := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
	section := ""
	for {
		in = strings.TrimLeft(in, " \t\n\r")
		switch {
		case in == "":
			return true
		case in[0] == '#' || in[0] == ';':
			_, in, _ = strings.Cut(in, "\n")
		case in[0] == '[':
			var ok bool
			if section, in, ok = sectionName(in[1:]); !ok {
				return false
			}
			section += "."
		default:
			end := 0
			for end < len(in) && (isLetter(in[end]) || end > 0 && (in[end] >= '0' && in[end] <= '9' || in[end] == '-')) {
				end++
			}
			if end == 0 {
				return false
			}
			key := section + strings.ToLower(in[:end])
			in = strings.TrimLeft(in[end:], " \t")
			if in == "" || in[0] == '\n' {
				set(key, "", false)
				continue
			}
			if in[0] != '=' {
				return false
			}
			value, rest, ok := settingValue(in[1:])
			if !ok {
				return false
			}
			set(key, value, true)
			in = rest
		}
	}
}

// sectionName reads what follows the bracket: core], or remote "origin"].
func sectionName(in string) (name, rest string, ok bool) {
	end := 0
	for end < len(in) && (isLetter(in[end]) || in[end] >= '0' && in[end] <= '9' || in[end] == '-' || in[end] == '.') {
		end++
	}
	name, in = strings.ToLower(in[:end]), in[end:]
	if strings.HasPrefix(in, "]") {
		return name, in[1:], name != ""
	}
	blank := strings.TrimLeft(in, " \t")
	if len(blank) == len(in) || !strings.HasPrefix(blank, `"`) {
		return "", "", false
	}
	var sub strings.Builder
	for i := 1; i < len(blank); i++ {
		switch c := blank[i]; c {
		case '\n':
			return "", "", false
		case '"':
			rest, ok = strings.CutPrefix(blank[i+1:], "]")
			return name + "." + sub.String(), rest, ok
		case '\\':
			if i++; i == len(blank) || blank[i] == '\n' {
				return "", "", false
			}
			sub.WriteByte(blank[i])
		default:
			sub.WriteByte(c)
		}
	}
	return "", "", false
}

// settingValue reads a value to the end of its line, which a backslash moves to
// the next one.
func settingValue(in string) (value, rest string, ok bool) {
	var b strings.Builder
	quoted, blanks := false, []byte(nil)
	for i := 0; i < len(in); i++ {
		c := in[i]
		switch {
		case c == '\n':
			return b.String(), in[i+1:], !quoted
		case (c == ' ' || c == '\t' || c == '\r') && !quoted:
			if b.Len() > 0 {
				blanks = append(blanks, c) // unless the value ends in them
			}
			continue
		case (c == '#' || c == ';') && !quoted:
			_, rest, _ = strings.Cut(in[i:], "\n")
			return b.String(), rest, true
		}
		b.Write(blanks)
		blanks = blanks[:0]
		switch c {
		case '"':
			quoted = !quoted
			continue
		case '\\':
			if i++; i == len(in) {
				return "", "", false
			}
			switch in[i] {
			case '\n':
				continue
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'n':
				c = '\n'
			case '\\', '"':
				c = in[i]
			default:
				return "", "", false
			}
		}
		b.WriteByte(c)
	}
	return b.String(), "", !quoted
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
