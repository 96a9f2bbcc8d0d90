package access

import (
	"net/url"
	"strings"
)

// redacted stands where a secret stood.
const redacted = "***"

// Redact returns text as it may be written to a log or handed to another
// program: what [Scan] finds is taken out, and so is what gives access in an
// address, namely all that stands before the at-sign of its host, and the value
// of every parameter that is called a key, a token, a signature or the like.
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
		before, after, found := strings.Cut(text, "://")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString("://")
		end := strings.IndexFunc(after, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>\\", r) })
		if end < 0 {
			end = len(after)
		}
		// An address in the query of another gets its own turn.
		if nested := strings.Index(after[:end], "://"); nested >= 0 {
			end = nested
		}
		out.WriteString(redactAddress(after[:end]))
		text = after[end:]
	}
}

// redactAddress takes the credentials out of what follows the :// of an address.
func redactAddress(rest string) string {
	host := strings.IndexAny(rest, "/?#")
	if host < 0 {
		host = len(rest)
	}
	var out strings.Builder
	// Passwords may hold the slash or question mark that would end the host.
	if at := strings.LastIndexByte(rest[:host], '@'); at >= 0 {
		out.WriteString(redacted)
		rest = rest[at:]
	} else if at := strings.IndexByte(rest, '@'); at >= 0 && looseLogin(rest[:at]) {
		out.WriteString(redacted)
		rest = rest[at:]
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
