package access

import (
	"path"
	"strings"
)

// holdsSettings reports whether a file is one of settings, by its name: of the
// sort in which a value stands as it is, without quotes, and is no expression.
func holdsSettings(name string) bool {
	name = strings.ToLower(name)
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	switch path.Ext(base) {
	case ".properties", ".yml", ".yaml", ".ini", ".conf", ".cfg", ".cnf", ".config", ".env", ".envrc", ".xml", ".toml", ".tfvars", ".service", ".dockerfile":
		return true
	}
	for _, begin := range [...]string{".env", "dockerfile", "containerfile", ".flaskenv"} {
		if base == begin || strings.HasPrefix(base, begin+".") {
			return true
		}
	}
	return false
}

// settings is holdsSettings for the text that is scanned. Most texts have nothing
// in them for which it is asked.
func (s *scanner) settings() bool {
	if !s.judged {
		s.judged, s.isSettings = true, holdsSettings(s.name)
	}
	return s.isSettings
}

// password reads the value of a setting whose name ends in the keyword at
// text[start:end]: spring.datasource.password=…, DB_PASSWORD=…, password: …,
// <password>…</password>, and in a text of any kind the parts of addresses and
// connection strings, &password=… and ;Password=….
func (s *scanner) password(start, end int) (from, to int, ok bool) {
	text, at := s.text, end
	part := s.isPart(start)
	if !part && !s.settings() {
		return 0, 0, false
	}
	// The rest of the word. What has another word after it is about a password.
	at += lowerCase.run(strings.ToLower(text[at:min(len(text), at+4)]), 3)
	switch strings.ToLower(text[end:at]) {
	case "", "ord", "d", "ort":
	default:
		return 0, 0, false
	}
	at += (digit | underscore).run(text[at:], 3)
	if at = skip(text, at, `"'`, 1); !part {
		at = skip(text, at, " \t", 8)
	}
	if at == len(text) || strings.IndexByte("=:>", text[at]) < 0 || part && text[at] != '=' {
		s.work += at - end
		return 0, 0, false
	}
	operator := text[at]
	at++
	if !part {
		at = skip(text, at, " \t", 40)
	}
	ends := " \t\r\n\"'`<;&,"
	if operator == ':' {
		ends = " \t\r\n,"
	}
	quoted := false
	if at < len(text) && (text[at] == '"' || text[at] == '\'') && !part {
		ends, quoted = text[at:at+1]+"\n", true
		at++
	}
	value := text[at:min(len(text), at+maxPassword+1)]
	if n := strings.IndexAny(value, ends); n >= 0 {
		value = value[:n]
	}
	s.work += at - end + len(value)
	if len(value) > maxPassword || harmless(text, start, end) {
		return 0, 0, false
	}
	if operator == ':' && !quoted && !endsLine(text[at+len(value):]) {
		return 0, 0, false // the first word of some
	}
	value = strings.TrimRight(value, "}])")
	return at, at + len(value), chosenPassword(value)
}

// maxPassword is the longest password that is judged as one.
const maxPassword = 64

// isPart reports whether a part of an address or a connection string begins at
// text[start].
func (s *scanner) isPart(start int) bool {
	for n := 0; n < 2 && start > 0 && s.text[start-1] == ' '; n++ {
		start--
	}
	return start > 0 && strings.IndexByte(";?&", s.text[start-1]) >= 0
}

// endsLine reports whether a line of YAML, or what is in the braces of one, has
// no more to say than a comment.
func endsLine(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 40)], " \t\r")
	return rest == "" || strings.IndexByte("\n#,;}]", rest[0]) >= 0
}

// chosenPassword reports whether a value is a password that somebody chose or had
// made, rather than a word, an example or a reference to where it is: letters and
// digits are mixed in it.
func chosenPassword(value string) bool {
	if len(value) < 8 || placeholder(value) || strings.ContainsAny(value, "<>{}[]()`\\|") || strings.IndexByte("$%@*&!/.~", value[0]) >= 0 || strings.Contains(value, "://") {
		return false
	}
	folded := strings.ToLower(value)
	for _, word := range [...]string{"pass", "sword", "p@ss", "p4ss", "pa55", "secret", "s3cr3t", "test", "user", "token", "admin", "sesame", "foo", "bar", "pwd", "key", "abc123", "qwert", "asdf", "1234", "4321", "vault"} {
		if strings.Contains(folded, word) {
			return false
		}
	}
	const signs alphabet = 1 << 15
	digits, letters, changes := 0, 0, 0
	table, before := classes(), alphabet(0)
	for i := range len(value) {
		class := table[value[i]].sort()
		switch {
		case value[i] <= ' ' || value[i] >= 0x7f:
			return false
		case class == digit:
			digits++
		case class != 0:
			letters++
		case table[value[i]]&(underscore|hyphen|dot|base64Sign|padding) == 0:
			class = signs // and not what stands between the words of a name
		}
		if turns(before, class) {
			changes++
		}
		before = class
	}
	return digits > 0 && letters > 1 && changes >= 3 && changes*4 >= len(value) && entropy(value) >= 2.5
}
