package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
)

// TestKeysOfTheEnvironment: each of the usual variables is where a key is, and
// beats what a file says.
func TestKeysOfTheEnvironment(t *testing.T) {
	w := newWorld(t, map[string]string{userConfig: "providers: {anthropic: {key: {file: ~/key}}}\n"})
	for _, name := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "AZURE_OPENAI_API_KEY"} {
		w.env[name] = "key of " + name
	}
	w.env["AZURE_OPENAI_ENDPOINT"] = "https://us.openai.azure.com"
	w.env["ANTHROPIC_BASE_URL"] = "https://proxy.example"
	l := w.load()
	for provider, want := range map[string]string{
		"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY", "azure": "AZURE_OPENAI_API_KEY",
	} {
		key, err := l.Providers[provider].Key.Read(l.Lookup)
		if err != nil || key != agent.Secret("key of "+want) {
			t.Errorf("%s: %q %v", provider, string(key), err)
		}
	}
	if l.Providers["azure"].BaseURL != "https://us.openai.azure.com" || l.Providers["anthropic"].BaseURL != "https://proxy.example" {
		t.Errorf("%+v", l.Providers)
	}
	for _, s := range l.Settings() {
		if s.Key == "providers.anthropic.key" && (s.Value != "(set, from ANTHROPIC_API_KEY)" || s.Overridden[0].Value != "(not set: there is no file "+w.path("~/key")+")") {
			t.Errorf("%+v", s)
		}
	}
	if shown := fmt.Sprintf("%+v %#v %v", l.Config, l.Config, l.Settings()); strings.Contains(shown, "key of") {
		t.Error(shown)
	}
}

func TestReadKey(t *testing.T) {
	w := newWorld(t, map[string]string{
		"~/good": " sk-1 \n", "~/crlf": "sk-2\r\n", "~/empty": "\n", "~/two": "a\nb\n", "~/zero": "a\x00b", "~/long": strings.Repeat("a", maxSecret+1),
		"~/dir/file": "x",
	})
	env := map[string]string{"GOOD": "sk-3", "BLANK": " "}
	lookup := func(name string) (string, bool) { value, ok := env[name]; return value, ok }
	at := func(name string) Secret { return Secret{File: Path(w.path("~/" + name))} }
	for _, test := range []struct {
		secret      Secret
		want, fault string
	}{
		{at("good"), "sk-1", ""}, {at("crlf"), "sk-2", ""}, {Secret{Env: "GOOD"}, "sk-3", ""},
		{at("empty"), "", "is empty"}, {at("two"), "", "more than one line"}, {at("zero"), "", "more than one line"}, {at("long"), "", "longer than 64 KB"},
		{at("dir"), "", "is not a file"}, {at("gone"), "", "there is no file"}, {Secret{Env: "BLANK"}, "", "the variable BLANK is not set"},
		{Secret{Env: "GONE"}, "", "the variable GONE is not set"}, {Secret{}, "", "nothing says where it is"},
	} {
		key, err := test.secret.Read(lookup)
		if string(key) != test.want || (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: %q %v", test.secret, string(key), err)
		}
	}
	for _, test := range []struct {
		text Text
		want string
	}{{Text{Value: "plain"}, "plain"}, {Text{Secret: Secret{Env: "GOOD"}, Prefix: "Bearer "}, "Bearer sk-3"}} {
		if have, err := test.text.Read(lookup); err != nil || string(have) != test.want {
			t.Errorf("%s: %q %v", test.text, string(have), err)
		}
	}
	if _, err := (Text{Secret: Secret{Env: "GONE"}}).Read(lookup); err == nil {
		t.Error("a secret that is not there")
	}
}

// TestAKeyFileIsOpenedWhenItIsUsed and not when the configuration is read or
// shown. A directory in its place would be an error.
func TestAKeyFileIsOpenedWhenItIsUsed(t *testing.T) {
	w := newWorld(t, map[string]string{userConfig: "providers: {openai: {key: {file: ~/key}}}\nmcp: {docs: {url: 'https://d.example', headers: {Authorization: {file: ~/key, prefix: 'Bearer '}}}}\n"})
	if err := os.Mkdir(w.path("~/key"), 0o700); err != nil {
		t.Fatal(err)
	}
	l := w.load()
	for _, s := range l.Settings() {
		if s.Key == "mcp.docs.headers.Authorization" && s.Value != "Bearer (set, from the file "+w.path("~/key")+")" {
			t.Error(s.Value)
		}
	}
	if _, err := l.Providers["openai"].Key.Read(l.Lookup); err == nil {
		t.Error("a folder is a key")
	}
}
