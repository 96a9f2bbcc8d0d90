package access

import (
	"strings"
	"testing"
)

// worst are texts made of what rules look for, so that they look all the time.
func worst() map[string]string {
	texts := map[string]string{
		"headers of private keys": "-----BEGIN PRIVATE KEY-----",
		"headers and base64":      "-----BEGIN PRIVATE KEY-----" + strings.Repeat("A", 31) + "\n",
		"tokens in tokens":        "eyJ",
		"tokens with hyphens":     "-eyJ",
		"parts of tokens":         "eyJaaaaaaaaaaaaaaaaaaaa.",
		"parts of tokens, two":    "eyJaaaaaaaaaaaaaaaaaaaa.eyJaaaaaaaaaaaaaaaaaaaaaa ",
		"names in names":          "keykeykey",
		"names and values":        "keykeykeykeykeykey=" + strings.Repeat("a1B", 150) + " ",
		"names with operators":    "key=",
		"quoted names":            `"token":"secret":`,
		"passwords":               "password:" + strings.Repeat(" ", 40) + "a1B",
		"passwords in passwords":  ";pwd=pwd=password=a1B2c3D4",
		"long passwords":          "password=" + strings.Repeat("a1B", 25),
		"addresses":               "http://a:",
		"addresses in a row":      "s://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:aaaaaaaaaaa",
		"curl":                    "curl ",
		"curl -u":                 "curl -u ",
		"kubernetes":              "kind: Secret\n",
		"kubernetes with data":    "kind: Secret\ndata:\n a: b\n",
		"zeroes in base64":        "A",
		"at the middle":           "sk-T3BlbkFJ",
		"the middle alone":        "aaaaT3BlbkFJ",
		"behind":                  "a_mmk",
		"slack":                   "xoxb-1",
		"letters":                 "a",
		"newlines":                "\n",
	}
	for _, token := range prefixTable() {
		texts["prefix "+token.prefix] = token.prefix
		texts["prefix and space "+token.prefix] = " " + token.prefix
	}
	for _, rule := range theRules() {
		texts["anchor "+rule.anchors[0]] = rule.anchors[0] + " "
	}
	return texts
}

func worked(unit string, size int) int {
	s := scanner{name: "a.yaml", text: strings.Repeat(unit, size/len(unit))}
	s.scan()
	return s.work
}

// Ten times the text is ten times the work, counted in bytes looked at, and
// never more than a fixed number of looks at a byte.
func TestAttackTextThatMakesTheScanSlow(t *testing.T) {
	for name, unit := range worst() {
		small, large := worked(unit, 6_000), worked(unit, 60_000)
		if large > 11*small+40_000 {
			t.Errorf("%s: %d bytes looked at in 6 kB, %d in 60 kB", name, small, large)
		}
		if large > 250*60_000 {
			t.Errorf("%s: each byte is looked at %d times", name, large/60_000)
		}
	}
	for _, name := range []string{"headers of private keys", "tokens with hyphens", "names and values", "kubernetes", "prefix ghp_", "prefix glpat-", "prefix sk-ant-", "zeroes in base64"} {
		unit := worst()[name]
		if small, large := worked(unit, 1_000_000), worked(unit, 10_000_000); large > 11*small {
			t.Errorf("%s: %d bytes looked at in 1 MB, %d in 10 MB", name, small, large)
		}
	}
}
