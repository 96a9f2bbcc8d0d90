package zed

import (
	"bytes"
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reference is a URL, taken apart as the URL standard says. Zed uses a library
// that follows that standard; net/url does not: it refuses some of what
// browsers read and keeps dot segments.
type reference struct {
	scheme string
	// path is escaped and has no dot segments. It begins with a slash unless
	// it is opaque, as in zed:x. That of a web address is not needed.
	path        string
	query       string
	fragment    string
	hasFragment bool
}

// parseReference reads a URL of one of the schemes that Zed knows.
func parseReference(text string) (reference, error) {
	text = tidy(text)
	scheme, rest, ok := cutScheme(text)
	if !ok {
		return reference{}, errors.New("it is neither an absolute path nor a URI with a scheme")
	}
	r := reference{scheme: scheme}
	rest, r.fragment, r.hasFragment = strings.Cut(rest, "#")
	rest, r.query, _ = strings.Cut(rest, "?")
	var err error
	switch scheme {
	case "file":
		r.path, err = parseFileAuthority(strings.ReplaceAll(rest, `\`, "/"))
	case "http", "https":
		err = checkWeb(strings.ReplaceAll(rest, `\`, "/"))
	case "zed":
		r.path, err = parseAgentAuthority(rest)
	default:
		err = errors.New("its scheme is not file, zed, http or https")
	}
	return r, err
}

// tidy removes what a URL parser ignores: white space and controls around the
// URL, tabs and line breaks inside it.
func tidy(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(text, "\t\r\n") {
		return text
	}
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(text)
}

func cutScheme(text string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(text, ":")
	if !ok || scheme == "" || !isLetter(scheme[0]) {
		return "", "", false
	}
	for i := range len(scheme) {
		if c := scheme[i]; !isLetter(c) && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
			return "", "", false
		}
	}
	return strings.ToLower(scheme), rest, true
}

// parseFileAuthority reads what follows "file:". The host is dropped, as Zed
// drops it, and so are further slashes before the path.
func parseFileAuthority(rest string) (path string, err error) {
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, path, _ := strings.Cut(after, "/")
		if isDriveSegment(host) {
			path = after
		} else if host != "" {
			if err := checkHost(host); err != nil {
				return "", err
			}
		}
		rest = path
	} else {
		rest = strings.TrimPrefix(rest, "/")
	}
	return "/" + strings.TrimLeft(normalizePath(rest, true), "/"), nil
}

// parseAgentAuthority reads what follows "zed:".
func parseAgentAuthority(rest string) (path string, err error) {
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, path, hasPath := strings.Cut(after, "/")
		if strings.ContainsAny(host, "\x00 <>^|[]\\@:%") {
			return "", errors.New("its host is not valid")
		}
		if !hasPath {
			return "", nil
		}
		return normalizePath(path, false), nil
	}
	if path, ok := strings.CutPrefix(rest, "/"); ok {
		return normalizePath(path, false), nil
	}
	return rest, nil
}

// checkWeb reads what follows "https:". Only the host and the port can be
// wrong.
func checkWeb(rest string) error {
	authority, _, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		host, port = host[:colon], host[colon+1:]
	}
	if host == "" {
		return errors.New("it has no host")
	}
	if port != "" {
		if strings.Trim(port, "0123456789") != "" {
			return errors.New("its port is not a number")
		}
		if digits := strings.TrimLeft(port, "0"); len(digits) > 5 || len(digits) == 5 && digits > "65535" {
			return errors.New("its port is over 65535")
		}
	}
	return checkHost(host)
}

// checkHost tells whether host is an address or could be a name. It does not
// apply the rules for international names beyond that.
func checkHost(host string) error {
	invalid := errors.New("its host is not valid")
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		if address, err := netip.ParseAddr(inner); !closed || err != nil || !address.Is6() || address.Zone() != "" {
			return invalid
		}
		return nil
	}
	host = unescape(host, func(byte) bool { return false })
	if !utf8.ValidString(host) || strings.ContainsFunc(host, forbiddenInHost) {
		return invalid
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	if last := labels[len(labels)-1]; !isAddressNumber(last) {
		return nil
	}
	if !isAddress(labels) {
		return invalid
	}
	return nil
}

func forbiddenInHost(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune("#/:<>?@[\\]^|%", r)
}

// isAddressNumber tells whether a host that ends in label is meant to be an
// IPv4 address.
func isAddressNumber(label string) bool {
	if label == "" {
		return false
	}
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	_, ok := addressNumber(label)
	return ok
}

// isAddress tells whether the labels are an IPv4 address: up to four numbers,
// of which the last one fills what the others leave.
func isAddress(labels []string) bool {
	if len(labels) > 4 {
		return false
	}
	for i, label := range labels {
		n, ok := addressNumber(label)
		limit := uint64(256)
		if i == len(labels)-1 {
			limit = 1 << (8 * (5 - len(labels)))
		}
		if !ok || n >= limit {
			return false
		}
	}
	return true
}

// addressNumber reads a decimal, 0x hexadecimal or 0 octal number.
func addressNumber(label string) (uint64, bool) {
	base := 10
	if digits, ok := strings.CutPrefix(strings.ToLower(label), "0x"); ok {
		if digits == "" {
			return 0, true
		}
		label, base = digits, 16
	} else if len(label) > 1 && label[0] == '0' {
		label, base = label[1:], 8
	}
	n, err := strconv.ParseUint(label, base, 64)
	return n, err == nil
}

// normalizePath escapes what cannot stand in a path and resolves its dot
// segments. The path comes without its first slash and leaves with it. In a
// file URI a drive is not left by going up.
func normalizePath(path string, file bool) string {
	to := make([]byte, 0, len(path)+8)
	for more := true; more; {
		var segment string
		segment, path, more = strings.Cut(path, "/")
		dots := countDots(segment)
		if dots == 2 {
			last := bytes.LastIndexByte(to, '/')
			if drive := file && last == 0 && len(to) == 3 && isDriveSegment(string(to[1:])); last >= 0 && !drive {
				to = to[:last]
			}
		}
		switch {
		case dots == 0:
			if file && len(to) == 0 && isDriveSegment(segment) {
				segment = segment[:1] + ":"
			}
			to = appendSegment(append(to, '/'), segment)
		case !more:
			to = append(to, '/')
		}
	}
	return string(to)
}

// countDots returns 1 for a segment that stays and 2 for one that goes up,
// 0 for a name.
func countDots(segment string) int {
	dots := 0
	for ; segment != "" && dots < 3; dots++ {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) > 2 && strings.EqualFold(segment[:3], "%2e"):
			segment = segment[3:]
		default:
			return 0
		}
	}
	return dots % 3
}

// isDriveSegment tells C: and its old spelling C|.
func isDriveSegment(segment string) bool {
	return len(segment) == 2 && isLetter(segment[0]) && (segment[1] == ':' || segment[1] == '|')
}

// appendSegment escapes what cannot stand in a path and leaves the escapes
// that are there.
func appendSegment(to []byte, segment string) []byte {
	for i := range len(segment) {
		if c := segment[i]; standsInPath(c) {
			to = append(to, c)
		} else {
			to = appendEscape(to, c)
		}
	}
	return to
}
