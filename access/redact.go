package access

import (
	"net/url"
	"strings"
)

// redacted stands where a secret stood.
const redacted = "***"

// Redact returns text as it may be written to a log or handed to another
// program: what [Scan] finds is taken out, and so is what gives access in an
// address, also where JSON has escaped it: the login with all that stands before
// the last at-sign ahead of the query, and the value of every parameter that is
// called a key, a token, a signature or the like.
//
// A log is read by more people than a prompt, and nobody misses what was taken
// out by mistake, so that a parameter's name is enough here: unlike Scan, Redact
// does not ask whether its value looks like a secret.
func Redact(text string) string {
	text = redactAddresses(text)
	found := ScanString("", text)
	if len(found) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, f := range found {
		if f.End <= f.Start {
			continue
		}
		out.WriteString(text[at:f.Start])
		out.WriteString(redacted)
		at = f.End
	}
	out.WriteString(text[at:])
	return out.String()
}

// redactAddresses takes the credentials out of every address in a text.
func redactAddresses(text string) string {
	var out strings.Builder
	for {
		start, size := findMark(text)
		if size == 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:start+size])
		text = text[start+size:]
		end := addressEnd(text)
		out.WriteString(redactWritten(text[:end]))
		text = text[end:]
	}
}

// findMark finds the :// of the next address, which JSON may have written with
// backslashes. The size is zero if there is none.
func findMark(text string) (start, size int) {
	for {
		colon := strings.IndexByte(text[start:], ':')
		if colon < 0 {
			return 0, 0
		}
		start += colon
		if size := markSize(text[start:]); size > 0 {
			return start, size
		}
		start++
	}
}

func markSize(text string) int {
	for _, mark := range [...]string{"://", `:\/\/`} {
		if strings.HasPrefix(text, mark) {
			return len(mark)
		}
	}
	return 0
}

// escapedSlash and escapedAnd are how JSON may write / and &.
const escapedSlash, escapedAnd = `\/`, `\u0026`

// addressEnd is where the address ends that a text begins with. An address in the
// query of another gets its own turn.
func addressEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && strings.HasPrefix(text[i:], escapedSlash):
			i += len(escapedSlash) - 1
		case c == '\\' && strings.HasPrefix(text[i:], escapedAnd):
			i += len(escapedAnd) - 1
		case c <= ' ' || strings.IndexByte("\"'`<>\\", c) >= 0 || markSize(text[i:]) > 0:
			return i
		}
	}
	return len(text)
}

// redactWritten takes the credentials out of an address that may be a piece of
// JSON. What had none stays to the byte.
func redactWritten(rest string) string {
	if strings.IndexByte(rest, '\\') < 0 {
		return redactAddress(rest)
	}
	read := strings.NewReplacer(escapedSlash, "/", escapedAnd, "&").Replace(rest)
	clean := redactAddress(read)
	if clean == read {
		return rest
	}
	if strings.Contains(rest, escapedSlash) {
		clean = strings.ReplaceAll(clean, "/", escapedSlash)
	}
	if strings.Contains(rest, escapedAnd) {
		clean = strings.ReplaceAll(clean, "&", escapedAnd)
	}
	return clean
}

// redactAddress takes the credentials out of what follows the :// of an address.
func redactAddress(rest string) string {
	host := strings.IndexAny(rest, "/?#")
	if host < 0 {
		host = len(rest)
	}
	// Passwords may hold the slash or question mark that would end the host.
	at := strings.LastIndexByte(rest[:host], '@')
	if at < 0 {
		if at = strings.IndexByte(rest, '@'); at >= 0 && !looseLogin(rest[:at]) {
			at = -1
		}
	}
	var out strings.Builder
	if at >= 0 {
		out.WriteString(redacted)
		rest = rest[at:]
		// They may hold an at-sign as well, so that the last one counts.
		path := rest
		if query := strings.IndexAny(rest, "?#"); query >= 0 {
			path = rest[:query]
		}
		rest = rest[strings.LastIndexByte(path, '@'):]
	}
	query := strings.IndexAny(rest, "?#")
	if query < 0 {
		out.WriteString(rest)
		return out.String()
	}
	out.WriteString(rest[:query])
	for rest = rest[query:]; rest != ""; {
		out.WriteByte(rest[0])
		rest = rest[1:]
		end := strings.IndexAny(rest, "&;#?")
		if end < 0 {
			end = len(rest)
		}
		name, value, assigned := strings.Cut(rest[:end], "=")
		out.WriteString(name)
		if assigned {
			if value != "" && namesCredential(name) {
				value = redacted
			}
			out.WriteString("=" + value)
		}
		rest = rest[end:]
	}
	return out.String()
}

// looseLogin reports whether what stands before an at-sign is a name and a
// password that nobody escaped: in the host there is a colon, and what follows
// it is no port.
func looseLogin(login string) bool {
	colon := strings.IndexByte(login, ':')
	if colon < 0 || strings.ContainsAny(login[:colon], "/?#") {
		return false
	}
	password := login[colon+1:]
	port := digit.run(password, len(password))
	return port < len(password) && strings.IndexByte("/?#", password[port]) < 0
}

// namesCredential reports whether a parameter of an address holds what gives
// access to something.
func namesCredential(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.ToLower(name)
	switch name {
	case "sig", "code", "pass", "sid", "session", "sessionid", "jwt", "otp", "pin":
		return true
	}
	if strings.HasSuffix(name, "signature") {
		return true
	}
	for _, word := range [...]string{"key", "token", "secret", "passw", "passphrase", "pwd", "credential", "creds", "auth"} {
		if at := strings.Index(name, word); at >= 0 && !harmless(name, at, at+len(word)) {
			return true
		}
	}
	return false
}
