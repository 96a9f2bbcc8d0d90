package access

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedactTakesOutWhatGivesAccess(t *testing.T) {
	m := newMade(7)
	key := "sk-ant-api03-" + m.of(alnum, 93) + "AA"
	github := "ghp_" + m.of(alnum, 36)
	value := m.of(alnum, 32)
	for _, test := range []struct{ text, want string }{
		{"@https://user:hunter2@example.com/a?x=1", "@https://***@example.com/a?x=1"},
		{"@https://" + github + "@github.com/a/b", "@https://***@github.com/a/b"},
		{"@https://example.com/?api_key=" + key, "@https://example.com/?api_key=***"},
		{"@https://example.com/?a=b&api_key=short&page=2#top", "@https://example.com/?a=b&api_key=***&page=2#top"},
		{"@https://example.com/?access%5Ftoken=short", "@https://example.com/?access%5Ftoken=***"},
		{"@https://example.com/cb#access_token=short&state=1", "@https://example.com/cb#access_token=***&state=1"},
		{"@https://s3.example.com/f?X-Amz-Signature=abc&X-Amz-Date=1", "@https://s3.example.com/f?X-Amz-Signature=***&X-Amz-Date=1"},
		{"@https://a.example.com/?q=x;password=p", "@https://a.example.com/?q=x;password=***"},
		{"postgres://app:p/w@db:5432/x", "postgres://***@db:5432/x"},
		{"postgres://app:2p/w@db:5432/x", "postgres://***@db:5432/x"},
		{"https://user:p@ss/w@host/x", "https://***@host/x"},
		{"https://user:p?s@s/w@host/x?mail=a@b.example", "https://***@host/x?mail=a@b.example"},
		{`{"a":"https://h.example.com/?b=1\u0026token=abcdef12345\u0026c=2","d":1}`, `{"a":"https://h.example.com/?b=1\u0026token=***\u0026c=2","d":1}`},
		{`{"a":"https:\/\/u:p@h\/x\/y"}`, `{"a":"https:\/\/***@h\/x\/y"}`},
		{`{"a":"https:\/\/h\/?to=https:\/\/u:p@h\/x"}`, `{"a":"https:\/\/h\/?to=https:\/\/***@h\/x"}`},
		{`say \"https://h/?token=short\" \nand on`, `say \"https://h/?token=***\" \nand on`},
		{"@docs:https://me:pw@host/x", "@docs:https://***@host/x"},
		{"fetch https://a:b@c/ and https://d:e@f/: no", "fetch https://***@c/ and https://***@f/: no"},
		{"https://a.example.com/go?to=https://u:p@b/", "https://a.example.com/go?to=https://***@b/"},
		{"curl -u me:" + "Xq7fK2pLw9 https://x.example.com", "curl -u me:*** https://x.example.com"},
		{"export GITHUB_TOKEN=" + github, "export GITHUB_TOKEN=***"},
		{"client_secret = \"" + value + "\" and on", "client_secret = \"***\" and on"},
		{"two: " + github + " " + key, "two: *** ***"},
		// What gives no access stays to the byte.
		{"@docs/api.md:3-9", "@docs/api.md:3-9"},
		{"@https://example.com:8080/~me/@types?keyword=go&author=bob#L3", "@https://example.com:8080/~me/@types?keyword=go&author=bob#L3"},
		{`{"a":"https:\/\/example.com/a\/@types?b=1\u0026c=2&d=3"}`, `{"a":"https:\/\/example.com/a\/@types?b=1\u0026c=2&d=3"}`},
		{"@https://example.com:80/a@b", "@https://example.com:80/a@b"},
		{"", ""},
		{"://", "://"},
	} {
		if have := Redact(test.text); have != test.want {
			t.Errorf("%s\nhave %s\nwant %s", test.text, have, test.want)
		}
	}
}

// TestRedactManyAddresses without a space between them: to look for the end of
// each in all that follows would take minutes.
func TestRedactManyAddresses(t *testing.T) {
	text := strings.Repeat("a://u:p@h", 100_000)
	if have, want := redactAddresses(text), strings.Repeat("a://***@h", 100_000); have != want {
		t.Errorf("have %.80s", have)
	}
}

// TestRedactLeavesNoPassword holds that nothing around an address brings its
// password back, and that what was redacted stays as it is.
func TestRedactLeavesNoPassword(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const password = "hunter2zebra"
		around := rapid.StringMatching(`[a-z @:/?#&=.,()\n]{0,20}`)
		parameter := rapid.SampledFrom([]string{"key", "api_key", "token", "sig", "PASSWORD", "auth"}).Draw(t, "parameter")
		text := around.Draw(t, "before") + " " + rapid.SampledFrom([]string{
			"https://u:" + password + "@h.example.com/x",
			"https://h.example.com/?a=1&" + parameter + "=" + password,
			"wss://" + password + "@h.example.com",
			"https://u:p@s/" + password + "@h.example.com/x",
			`"https:\/\/u:` + password + `@h.example.com\/x"`,
			`"https:\/\/h.example.com\/?a=1\u0026` + parameter + "=" + password + `"`,
		}).Draw(t, "address") + " " + around.Draw(t, "after")
		once := Redact(text)
		if strings.Contains(once, password) {
			t.Fatalf("%q: %q", text, once)
		}
		if twice := Redact(once); twice != once {
			t.Fatalf("%q, again %q", once, twice)
		}
	})
}
