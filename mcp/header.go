package mcp

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// From version modern on, what a call is about stands in headers as well, for those
// who pass it on and do not read it.

// withStandardHeaders adds to the headers of a call what it is and what of.
func withStandardHeaders(header map[string]string, method string, p params) map[string]string {
	all := joined(header, map[string]string{"Mcp-Method": method})
	if name := p.Name + p.URI; name != "" { // there is one of them
		all["Mcp-Name"] = headerValue(name)
	}
	return all
}

// argumentHeaders are the arguments of a tool that its schema wants as headers.
func argumentHeaders(schema, arguments jsontext.Value) map[string]string {
	all := map[string]string{}
	collectHeaders(schema, arguments, all)
	return all
}

func collectHeaders(schema, value jsontext.Value, all map[string]string) {
	var s struct {
		Header     jsontext.Value            `json:"x-mcp-header"`
		Properties map[string]jsontext.Value `json:"properties"`
	}
	if decode(schema, &s) != nil {
		return
	}
	if name := ""; decode(s.Header, &name) == nil && isToken(name) {
		if text, ok := plain(value); ok {
			all["Mcp-Param-"+name] = headerValue(text)
		}
	}
	var members map[string]jsontext.Value
	if len(s.Properties) == 0 || decode(value, &members) != nil {
		return
	}
	for name, property := range s.Properties {
		if member, there := members[name]; there {
			collectHeaders(property, member, all)
		}
	}
}

// plain is a text, a whole number or a truth as it stands in a header.
func plain(value jsontext.Value) (string, bool) {
	switch value.Kind() {
	case '"':
		text := ""
		err := decode(value, &text)
		return text, err == nil
	case 't', 'f':
		return string(value), true
	case '0':
		const most = 1<<53 - 1 // beyond it, numbers are not the same to everybody
		number, err := strconv.ParseFloat(string(value), 64)
		if err != nil || number != math.Trunc(number) || math.Abs(number) > most {
			return "", false
		}
		return strconv.FormatInt(int64(number), 10), true
	}
	return "", false
}

// headerValue is a text as it can stand in a header.
func headerValue(text string) string {
	const before, after = "=?base64?", "?="
	odd := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	if odd || strings.TrimSpace(text) != text || strings.HasPrefix(text, before) && strings.HasSuffix(text, after) {
		return before + base64.StdEncoding.EncodeToString([]byte(text)) + after
	}
	return text
}

// isToken reports whether a text can be part of the name of a header.
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}
