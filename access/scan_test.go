package access

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// made is a generator of characters that are as random as a token's. Tokens
// are made while the test runs: nothing in this file looks like one.
type made struct{ *rand.Rand }

func newMade(seed uint64) made { return made{rand.New(rand.NewPCG(seed, 1))} }

func (m made) of(a alphabet, n int) string {
	var set []byte
	for b := range byte(128) {
		if a.has(b) {
			set = append(set, b)
		}
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = set[m.IntN(len(set))]
	}
	return string(out)
}

// only fails unless text has exactly one finding, of the rule, at the secret.
func only(t *testing.T, text, secret, rule string) {
	t.Helper()
	found := ScanString("notes.txt", text)
	if len(found) != 1 || found[0].Rule != rule || text[found[0].Start:found[0].End] != secret {
		t.Errorf("%q: found %v, want one %s at %q", text, found, rule, secret)
	}
}

func TestEveryPrefixIsFoundWhereverItStands(t *testing.T) {
	for i, row := range prefixRules() {
		m := newMade(uint64(i))
		token := prefixTable()[i]
		n := max(token.min, token.max)
		misses := 0
		const tries = 40
		for range tries {
			body := m.of(token.of&^(hyphen|underscore|dot|padding|tilde|base64Sign), n)
			secret := token.prefix + body
			for _, around := range [][2]string{{"", ""}, {"token: ", "\n"}, {`"`, `"`}, {"x=", "&y=1"}, {"\\n", "\\n"}, {"(", ")."[:1]}} {
				found := ScanString("notes.txt", around[0]+secret+around[1])
				if len(found) != 1 || found[0].Rule != row.name || found[0].Start != len(around[0]) || found[0].End != len(around[0])+len(secret) {
					misses++
					break
				}
			}
		}
		// A random body may hold a placeholder or repeat itself by chance.
		if misses > tries/10 {
			t.Errorf("%s (%s…): %d of %d were missed", token.name, token.prefix, misses, tries)
		}
	}
}

func TestPrefixAloneIsNoToken(t *testing.T) {
	for i, token := range prefixTable() {
		m := newMade(uint64(i))
		body := m.of(token.of, token.min-1)
		for rule, text := range map[string]string{
			"too short":        token.prefix + body + " ",
			"a placeholder":    token.prefix + strings.Repeat("x", max(token.min, token.max)),
			"one letter":       token.prefix + strings.Repeat("A", max(token.min, token.max)),
			"inside a word":    "q" + token.prefix + m.of(token.of, max(token.min, token.max)),
			"a variable":       token.prefix + "${TOKEN}",
			"the prefix alone": "tokens begin with " + token.prefix,
		} {
			for _, f := range ScanString("a.txt", text) {
				if f.Rule == token.name {
					t.Errorf("%s: %q is taken for a %s", rule, text, f.Rule)
				}
			}
		}
	}
}

func TestTokensOfSeveralParts(t *testing.T) {
	m := newMade(7)
	hex, an, b64 := func(n int) string { return m.of(hexDigit, n) }, func(n int) string { return m.of(alnum, n) }, func(n int) string { return m.of(alnum, n) }
	id := func() string { return strings.Join([]string{hex(8), hex(4), hex(4), hex(4), hex(12)}, "-") }
	num := func(n int) string { return "1" + m.of(digit, n-1) }
	up := func(n int) string { return m.of(upperCase|digit, n) }
	for _, c := range []struct{ rule, before, secret, after string }{
		{"1password-key", "", "A3-" + up(6) + "-" + up(11) + "-" + up(5) + "-" + up(5) + "-" + up(5), "\n"},
		{"asana-token", "", "1/1" + m.of(digit, 15) + ":" + hex(32), " "},
		{"authress-key", "", "authress_" + an(20) + "." + an(4) + ".acc-" + an(20) + "." + an(60), " "},
		{"azure-storage-key", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=", b64(86) + "==", ";EndpointSuffix=core"},
		{"azure-bus-key", "SharedAccessKeyName=all;SharedAccessKey=", b64(43) + "=", ""},
		{"azure-signature", "https://x.blob.core.windows.net/c?sv=2022&sig=", b64(43) + "%3D", "&se=2"},
		{"azure-client-secret", "'", an(3) + "8Q~" + an(34), "'"},
		{"cloudflare-origin-key", "", "v1.0-" + hex(24) + "-" + hex(146), ""},
		{"discord-webhook", "https://discord.com/api/webhooks/" + num(18) + "/", an(68), " "},
		{"dropbox-token", "", "sl." + an(135), " "},
		{"dynatrace-token", "", "dt0c01." + up(24) + "." + up(64), ""},
		{"harness-key", "", "pat." + an(22) + "." + an(24) + "." + an(20), " "},
		{"intra42-secret", "", "s-s4t2ud-" + hex(64), " "},
		{"mailchimp-key", "k ", hex(32) + "-us12", "\n"},
		{"mapbox-secret", "", "sk.eyJ" + an(60) + "." + an(22), " "},
		{"maxmind-key", "", an(6) + "_" + an(29) + "_mmk", " "},
		{"openai-key", "", "sk-" + an(20) + "T3Blbk" + "FJ" + an(20), " "},
		{"plaid-token", "", "access-production-" + id(), " "},
		{"sendgrid-key", "", "SG." + an(22) + "." + an(43), " "},
		{"slack-app-token", "", "xapp-1-" + up(11) + "-" + num(13) + "-" + hex(64), " "},
		{"slack-token", "", "xoxb-" + num(12) + "-" + num(12) + "-" + an(24), " "},
		{"slack-token", "", "xoxp-" + num(12) + "-" + num(12) + "-" + num(12) + "-" + hex(32), " "},
		{"slack-token", "", "xoxe.xoxp-1-" + an(163), " "},
		{"slack-webhook", "https://hooks.slack.com/services/", "T" + up(8) + "/B" + up(10) + "/" + an(24), " "},
		{"teams-webhook", "https://x.webhook.office.com/webhookb2/", id() + "@" + id() + "/IncomingWebhook/" + hex(32) + "/" + id(), " "},
		{"telegram-token", "bot ", num(10) + ":AA" + an(33), " "},
		{"terraform-token", "", an(14) + ".atlasv1." + an(67), " "},
		{"twitter-bearer-token", "", strings.Repeat("A", 22) + "M" + an(80), " "},
		{"jwt", "", "eyJ" + an(30) + ".eyJ" + an(80) + "." + an(43), " "},
		{"password-in-url", "postgres://app:", "g7Jq2mWz9x", "@db.internal:5432/main"},
		{"password-in-url", "redis://:", "k3v9-Zq8Lm2", "@cache"},
		{"curl-password", "curl -s -u admin:", "h8Kq2mWz9x", " https://host/"},
		{"curl-password", "curl https://host/ \\\n  --user 'admin:", "h8Kq2mWz9x", "'"},
		{"authorization-header", "Authorization: Bearer ", an(40), "\n"},
		{"authorization-header", "authorization: basic ", "bWU6cTdXejJtTHg5", "\n"},
		{"generic-secret", `api_key = "`, an(32), `"`},
		{"generic-secret", `"client_secret": "`, an(28), `",`},
		{"generic-secret", "export DB_PASSWORD=", an(24), "\n"},
		{"generic-secret", "  token: ", hex(40), "\n"},
		{"generic-secret", "<apiKey>", an(32), "</apiKey>"},
		{"generic-secret", `conf.Set("secret", "`, an(32), `")`},
		{"generic-secret", `{\"access_token\": \"`, an(40), `\"}`},
		{"generic-secret", "+DEPLOY_TOKEN=", an(32), "\n"},
		{"aws-secret", "aws_secret_access_key = ", b64(40), "\n"},
		{"heroku-secret", "HEROKU_KEY: ", id(), "\n"},
		{"algolia-secret", `algolia: "`, an(32), `"`},
	} {
		t.Run(c.rule, func(t *testing.T) { only(t, c.before+c.secret+c.after, c.secret, c.rule) })
	}
}

func TestPrivateKeysOfEveryLabel(t *testing.T) {
	m := newMade(3)
	body := func(lines int, end string) (text string) {
		for range lines {
			text += m.of(base64, 64) + end
		}
		return text
	}
	for _, label := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "ANY PRIVATE KEY"} {
		head, tail := "-----BEGIN "+label+"-----", "-----END "+label+"-----"
		for name, block := range map[string]string{
			"plain":     head + "\n" + body(3, "\n") + tail,
			"crlf":      head + "\r\n" + body(3, "\r\n") + tail,
			"in JSON":   head + `\n` + body(3, `\n`) + tail,
			"in a diff": head + "\n+" + body(3, "\n+") + tail,
			"headers":   head + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" + body(3, "\n") + tail,
			"one line":  head + " " + m.of(base64, 64) + " " + tail,
		} {
			text := "key:\n" + block + "\n"
			found := ScanString("k.txt", text)
			if len(found) != 1 || found[0].Rule != "private-key" || found[0].Line != 2 || text[found[0].Start:found[0].End] != block {
				t.Errorf("%s, %s: found %v", label, name, found)
			}
		}
		if found := ScanString("k.txt", head+"\n"+body(3, "\n")); len(found) != 1 {
			t.Errorf("%s, cut off: found %v", label, found)
		}
	}
	for _, text := range []string{
		"-----BEGIN CERTIFICATE-----\n" + body(9, "\n") + "-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\n" + body(9, "\n") + "-----END PUBLIC KEY-----",
		`if strings.HasPrefix(s, "-----BEGIN RSA PRIVATE KEY-----") { return "-----END RSA PRIVATE KEY-----" }`,
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\nyour key here\n-----END PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY",
	} {
		if found := ScanString("k.txt", text); len(found) != 0 {
			t.Errorf("%.60q: found %v", text, found)
		}
	}
}

func TestKubernetesSecret(t *testing.T) {
	const secret = "kind: Secret\nmetadata:\n  name: db\ndata:\n  password: c2Vzc2hvb21hYQ==\n"
	for text, want := range map[string]int{
		"apiVersion: v1\n" + secret:                                             1,
		"data:\n  user: c2Vzc2hvb21hYQ==\nkind: Secret\n":                       1,
		"kind: ConfigMap\ndata:\n  encoded: c2Vzc2hvb21hYQ==\n":                 0,
		"kind: Secret\n---\nkind: ConfigMap\ndata:\n  v: c2Vzc2hvb21hYQ==\n":    0,
		"kind: Secret\ndata:\n  password: {{ .Values.password | b64enc }}\n":    0,
		"kind: SecretList\ndata:\n  x: c2Vzc2hvb21hYQ==\n":                      0,
		"kind: Secret\ndata: {}\nmetadata:\n  namespace: c2Vzc2hvb21hYQ==xxx\n": 0,
	} {
		if found := ScanString("s.yaml", text); len(found) != want {
			t.Errorf("%q: found %v", text, found)
		}
	}
}

func TestPlaceholdersAndExpressionsAreNotSecrets(t *testing.T) {
	for _, text := range []string{
		"aws_access_key_id = AKIA" + "IOSFODNN7EXAMPLE",
		"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
		`api_key = "your-api-key"`, `api_key = "your_api_key_here_123456789"`, `api_key: "xxxxxxxxxxxxxxxxxxxxxxxx"`, `token = "<token>"`, `token: ${GITHUB_TOKEN}`,
		`token: ${{ secrets.GITHUB_TOKEN }}`, `apiKey: process.env.OPENAI_API_KEY`, `secret = os.environ["APP_SECRET_2"]`, `password = getpass.getpass()`,
		`const token = await fetchToken2(clientId, v1Secret)`, `api_key = config.v2.section1.api_key`, `password = "********"`, `SECRET_KEY = "changeme-changeme-1"`,
		`token := "0123456789abcdef0123456789abcdef"`, `key = "00000000-0000-0000-0000-000000000000"`, `"key": "a5f0b1c2-1d9e-4e5f-8a7b-9c0d1e2f3a4b"`,
		`"publicKey": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiIkQO5cJ3Yhl5i6UPp"`, `primary_key: "id_4f8a9b2c1d7e6f5a"`, `cacheKey = "user9f8e7d6c5b4a3f2e1d"`,
		`keyword: "sha256WithRSAEncryption1"`, `PublicKeyToken=b77a5c561934e089`, `token_type: "urn9ietf2params4oauth"`, `nextPageToken = "CAUQAA8f7e6d5c4b3a2f1e"`,
		`postgres://user:password@localhost/db`, `https://user:pass@example.com`, `https://user:${PASSWORD}@host`, `mongodb://root:example@mongo`, `http://host:8080/@scope/pkg`,
		`curl -u user:password https://x`, `curl -u "$USER:$PASS" https://x`, `curl -u admin https://x`, `Authorization: Bearer <token>`, `Authorization: Bearer $TOKEN`, `Authorization: Basic dXNlcjpwYXNz`,
		"eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0." + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJVadQssw5c",
		`func NewTokenSource(ctx context.Context, key string) TokenSource {`, `@types/node@18`, `git@github.com:a/b.git`,
		`"integrity": "sha512-9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f0e9d8c7b6a5f4e3d2c1b0a=="`, `commit 9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f0e`,
		`task-list desk-9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c`, `risk_level = "SK9"`,
	} {
		if found := ScanString("a.txt", text); len(found) != 0 {
			t.Errorf("%q: found %v", text, found)
		}
	}
}

func TestLinesAndOrder(t *testing.T) {
	m := newMade(5)
	first, second := "gh"+"p_"+m.of(alnum, 36), "gl"+"pat-"+m.of(alnum, 20)
	text := "a\nb " + first + "\r\n\n\ttoken = \"" + second + "\"\n"
	found := ScanString("a.txt", text)
	if len(found) != 2 || found[0].Line != 2 || found[1].Line != 4 || text[found[0].Start:found[0].End] != first || text[found[1].Start:found[1].End] != second {
		t.Errorf("found %v", found)
	}
	if bytes := Scan("a.txt", []byte(text)); fmt.Sprint(bytes) != fmt.Sprint(found) {
		t.Errorf("bytes: %v\nstring: %v", bytes, found)
	}
}

// However a finding is printed, logged or encoded, the secret is not in it.
func TestAttackSecretLeaksThroughItsFinding(t *testing.T) {
	m := newMade(9)
	for _, secret := range []string{"gh" + "p_" + m.of(alnum, 36), "sk-" + "ant-" + m.of(alnum, 95), m.of(alnum, 40)} {
		found := ScanString("/p/a.txt", "secret_token = \""+secret+"\"")
		if len(found) != 1 {
			t.Fatalf("found %v", found)
		}
		err := CheckSecrets(new(Memory), "/p/a.txt", found)
		denied, _ := IsDenied(err)
		encoded, _ := json.Marshal(denied)
		for _, text := range []string{found[0].String(), fmt.Sprintf("%v %+v %#v", found, found, found), err.Error(), fmt.Sprintf("%+v %#v", denied, *denied), string(encoded)} {
			for at := 0; at+10 <= len(secret); at++ {
				if part := secret[at : at+10]; at > 6 && strings.Contains(text, part) {
					t.Fatalf("%q shows %q", text, part)
				}
			}
		}
	}
}

// A weak password has few alternatives. If the ID were a hash of it, whoever
// sees the ID could try them; so the ID depends on all of the content.
func TestAttackPasswordGuessedFromItsID(t *testing.T) {
	const line = "postgres://app:g7Jq2mWz9x@db/main\n"
	one, two, moved := ScanString("/a", line), ScanString("/a", line+"# more\n"), ScanString("/b", line)
	if one[0].ID == two[0].ID || one[0].ID == moved[0].ID {
		t.Error("the ID is the secret's alone")
	}
	if again := ScanString("/a", line); again[0].ID != one[0].ID || !isID(one[0].ID) {
		t.Errorf("the ID is %q, then %q", one[0].ID, again[0].ID)
	}
}
