package access

import (
	encoding "encoding/base64"
	"strings"
)

// privateKey is a PEM or OpenPGP block that holds a private key: any label that
// ends in PRIVATE KEY, encrypted or not. The header alone, as in code that looks
// for it, is no key: base64 must follow.
func privateKey(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
	const dashes, longestLabel = "-----", 100
	label, _, found := strings.Cut(s.text[end:min(len(s.text), end+longestLabel)], dashes)
	s.work += len(label)
	if !found || !strings.Contains(strings.ToUpper(label), "PRIVATE KEY") {
		return 0, 0, false
	}
	inner := end + len(label) + len(dashes)
	// The search ends at the next header at the latest, so that headers in a
	// row cost no more than their length.
	length := strings.Index(s.text[inner:], dashes)
	whole := length >= 0
	if !whole {
		length = min(len(s.text)-inner, 8192)
	}
	s.work += length
	body := s.text[inner : inner+length]
	total, last := keyMaterial(body)
	if total < 60 {
		return 0, 0, false
	}
	to = inner + last
	if whole {
		to = inner + length
		if trailer := s.text[to+len(dashes) : min(len(s.text), to+longestLabel)]; hasFold(trailer, "end") {
			if n := strings.Index(trailer, dashes); n >= 0 {
				to += len(dashes) + n + len(dashes)
			}
		}
	}
	return start, to, true
}

// keyMaterial counts the characters of text that stand in long runs of base64,
// and tells where the last such run ends.
func keyMaterial(text string) (total, last int) {
	for at := 0; at < len(text); {
		n := (base64 | padding).run(text[at:], len(text))
		if n >= 32 {
			run := text[at : at+n]
			if entropy(run) >= 3.5 && !placeholder(run[:32]) || total > 0 {
				total, last = total+n, at+n
			}
		}
		at += n + 1
	}
	return total, last
}

// puttyKey is the private half of a PuTTY key file.
func puttyKey(s *scanner, _ *rule, start, end int) (from, to int, ok bool) {
	n := digit.run(s.text[end:], 4)
	body := strings.TrimLeft(s.text[end+n:min(len(s.text), end+n+512)], "\r\n")
	s.work += len(body)
	total, _ := keyMaterial(body)
	return start, end + n, n > 0 && total >= 40
}

// jsonWebToken is three parts of base64url, of which two are JSON objects, and
// the third is a signature.
func jsonWebToken(s *scanner, r *rule, start, end int) (from, to int, ok bool) {
	const longest = 8192
	if s.text[start:end] != "eyJ" || !boundary(s.text, start) || start < s.upTo(r) {
		return 0, 0, false
	}
	head := dashed.run(s.text[start:], longest)
	s.work += head
	s.looked(r, start+head)
	claims := start + head + 1
	if head < 17 || claims >= len(s.text) || s.text[claims-1] != '.' || !strings.HasPrefix(s.text[claims:], "ey") {
		return 0, 0, false
	}
	body := dashed.run(s.text[claims:], longest)
	s.work += body
	signature := claims + body + 1
	if body < 17 || signature >= len(s.text) || s.text[signature-1] != '.' {
		return 0, 0, false
	}
	n := dashed.run(s.text[signature:], longest)
	s.work += n
	// The token of every tutorial: {"sub":"1234567890", …
	const tutorial = "eyJzdWIiOiIxMjM0NTY3ODkw"
	if n < 10 || strings.HasPrefix(s.text[claims:], tutorial) || entropy(s.text[signature:signature+n]) < 3 {
		return 0, 0, false
	}
	return start, signature + n, true
}

// kubernetesSecret is a value under data: in a YAML document of kind: Secret.
func kubernetesSecret(s *scanner, r *rule, start, end int) (from, to int, ok bool) {
	const before, after = 4096, 16384
	if start < s.upTo(r) {
		return 0, 0, false
	}
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+64)], "\n")
	if strings.Trim(line, " \t\r\"'") != "Secret" {
		return 0, 0, false
	}
	first := max(0, start-before)
	if at := strings.LastIndex(s.text[first:start], "\n---"); at >= 0 {
		first += at + 1
	}
	last := min(len(s.text), end+after)
	if at := strings.Index(s.text[end:last], "\n---"); at >= 0 {
		last = end + at
	}
	s.work += last - first
	s.looked(r, last)

	indent := -1
	for at := first; at < last; {
		text := s.text[at:last]
		length := strings.IndexByte(text, '\n')
		if length < 0 {
			length = len(text)
		}
		line, depth := text[:length], len(text[:length])-len(strings.TrimLeft(text[:length], " +"))
		key, value, found := strings.Cut(strings.TrimSpace(strings.TrimLeft(line, " +")), ":")
		value = strings.Trim(value, " \t\"'")
		switch {
		case found && key == "data" && value == "":
			indent = depth
		case indent >= 0 && found && depth <= indent:
			indent = -1
		case indent >= 0 && found && len(value) >= 10 && (base64|padding).run(value, len(value)) == len(value):
			if _, err := encoding.StdEncoding.DecodeString(value); err == nil && !placeholder(value) {
				from = at + strings.Index(line, value)
				return from, from + len(value), true
			}
		}
		at += length + 1
	}
	return 0, 0, false
}
