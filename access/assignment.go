package access

import "strings"

// maxValue is the longest value that is judged.
const maxValue = 512

// assignmentRules find what a name gives away: api_key = "…", "secret": "…",
// TOKEN=…, <password>…</password>, and the names of services whose keys have
// no prefix of their own.
func assignmentRules() []rule {
	var rules []rule
	for _, keyword := range []string{"key", "token", "secret", "passw", "passphrase", "pwd", "credential", "creds", "auth"} {
		weak := keyword == "key" || keyword == "auth"
		isPassword := strings.HasPrefix(keyword, "pass") || keyword == "pwd"
		rules = append(rules, rule{name: "generic-secret", anchors: []string{keyword}, generic: true,
			match: func(s *scanner, _ *rule, start, end int) (int, int, bool) {
				from, to, quoted, ok := s.assigned(end)
				if ok && secretValue(s.text[from:to], quoted, weak) && !harmless(s.text, start, end) {
					return from, to, true
				}
				if isPassword {
					return s.password(start, end)
				}
				return 0, 0, false
			}})
	}
	for _, service := range services() {
		rules = append(rules, rule{name: service.name + "-secret", anchors: service.anchors(), generic: true,
			match: func(s *scanner, _ *rule, _, end int) (int, int, bool) {
				from, to, _, ok := s.assigned(end)
				if !ok || !service.fits(s.text[from:to]) {
					return 0, 0, false
				}
				return from, to, true
			}})
	}
	return rules
}

// assigned reads what follows a keyword that ended at text[at]: the rest of
// the name, an operator, and a value, which it returns.
func (s *scanner) assigned(at int) (from, to int, quoted, ok bool) {
	text := s.text
	begin := at
	at += (dashed | dot).run(text[at:], 24)
	closing := at
	at = skip(text, at, "\"'`])\\", 3)
	named := at > closing
	at = skip(text, at, " \t", 4)
	// Go and others put a type between the name and the operator.
	if strings.HasPrefix(text[at:], "string ") {
		at += len("string ")
	}
	operator := at
	at = skip(text, at, "=:>|?", 3)
	switch {
	case at > operator:
	case at < len(text) && text[at] == ',' && named, at < len(text) && text[at] == '(':
		at++
	default:
		s.work += at - begin
		return 0, 0, false, false
	}
	called := text[at-1] == ',' || text[at-1] == '('
	at = skip(text, at, " \t", 8)
	at = skip(text, at, "\\", 1)
	// A prefix as in b"…" or @"…".
	if at+1 < len(text) && strings.IndexByte("bBrRfFuL@", text[at]) >= 0 && (text[at+1] == '"' || text[at+1] == '\'') {
		at++
	}
	open := at
	at = skip(text, at, "\"'`", 3)
	quoted = at > open
	n := tokenish.run(text[at:], maxValue)
	n += padding.run(text[at+n:], 2)
	s.work += at + n - begin
	if called && !quoted || n < 10 || n >= maxValue {
		return 0, 0, false, false
	}
	from, to = at, at+n
	if to < len(text) {
		b := text[to]
		if quoted && b != text[at-1] && b != '\\' || !quoted && strings.IndexByte(" \t\r\n\"'`;,<&#", b) < 0 {
			return 0, 0, false, false
		}
	}
	return from, to, quoted, true
}

// skip passes at most limit bytes of the set.
func skip(text string, at int, set string, limit int) int {
	for limit > 0 && at < len(text) && strings.IndexByte(set, text[at]) >= 0 {
		at, limit = at+1, limit-1
	}
	return at
}

// secretValue judges what was assigned to a name that sounds secret. What no
// quote encloses may be an expression, and what a weak name holds may be any
// kind of identifier: both must look the more random.
func secretValue(value string, quoted, weak bool) bool {
	if placeholder(value) || publicKey(value) {
		return false
	}
	if uuid(value) {
		return !weak
	}
	if !quoted && strings.ContainsAny(value, ".~") || strings.Count(value, "/") > 3 && strings.Count(value, "/")*12 > len(value) {
		return false
	}
	if (weak || !quoted) && len(value) < 16 || len(value) < 32 && nameLike(value) {
		return false
	}
	return random(value)
}

// publicKey reports whether a value is base64 of a public key: DER says so in
// its first bytes, for elliptic curves, Ed25519 and RSA.
func publicKey(value string) bool {
	for _, begins := range [...]string{"MFkwEwYHKoZIzj0", "MHYwEAYHKoZIzj0", "MCowBQYDK2V", "MIIBIjANBgkq", "MIICIjANBgkq", "MIGfMA0GCSqG", "AAAAB3NzaC1"} {
		if strings.HasPrefix(value, begins) {
			return true
		}
	}
	return false
}

// nameLike reports whether a value is the name of a secret rather than one:
// key = testP256PrivateKey, token: "v8-session-token-2".
func nameLike(value string) bool {
	folded := strings.ToLower(value)
	for _, word := range [...]string{"key", "token", "secret", "passw", "private", "cred", "test", "config", "value", "string", "name"} {
		if strings.Contains(folded, word) {
			return true
		}
	}
	return false
}

// harmless reports whether the name around the keyword at text[start:end] is
// that of something public: a public key, the name of a key, a page token.
func harmless(text string, start, end int) bool {
	start -= (dashed | dot).back(text, start, 40)
	end += (dashed | dot).run(text[end:], 24)
	name := strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(text[start:end]))
	for _, word := range [...]string{
		"public", "pubkey", "keyid", "keyname", "keyword", "keyboard", "keycode", "keyframe", "keypath", "keyfile", "keysize",
		"keytype", "keyring", "keyspace", "keyvault", "keyhash", "keyalias", "keyusage", "keyversion", "keychain", "monkey", "turkey", "hockey",
		"primarykey", "foreignkey", "sortkey", "partitionkey", "cachekey", "objectkey", "indexkey", "hashkey", "rowkey", "blobkey", "lookupkey", "subjectkey", "issuerkey", "authoritykey",
		"tokenid", "tokentype", "tokenurl", "tokenuri", "tokenendpoint", "tokencount", "tokenizer", "tokenhash", "tokenname", "csrf", "xsrf",
		"nexttoken", "pagetoken", "synctoken", "continuationtoken", "cancellationtoken", "idempotency",
		"secretname", "secretid", "secretarn", "secretref", "author", "authority", "authentic", "authurl", "authuri",
		"hash", "checksum", "fingerprint", "thumbprint", "digest", "sha1", "sha256", "sha512", "md5", "etag", "integrity", "modulus", "signature",
		"commit", "revision", "version", "uuid", "guid", "testvector",
	} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
