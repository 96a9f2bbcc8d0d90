package tool

import (
	"slices"
	"strings"

	"github.com/ampersat/ampersat/access"
)

// commandEnvironment is what a command gets to see of our environment: all but
// secrets, and what keeps programs from waiting for a person or drawing for
// one.
func commandEnvironment(ours []string) []string {
	return append(withoutSecrets(ours), "TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true")
}

// withoutSecrets leaves out the variables that look like secrets, by their name
// or by their value: a command that a model thought of has no need of the key
// that the model is paid with. It keeps what points to a key and is none, such as
// SSH_AUTH_SOCK.
func withoutSecrets(ours []string) []string {
	var env []string
	for _, setting := range ours {
		name, value, _ := strings.Cut(setting, "=")
		if name == "RIPGREP_CONFIG_PATH" || looksSecret(name) || value != "" && len(access.ScanString("environment", name+"="+value+"\n")) > 0 {
			continue
		}
		env = append(env, setting)
	}
	return env
}

// looksSecret judges a name by its words: OPENAI_API_KEY, GITHUB_TOKEN,
// DB_PASSWORD, but not MAX_TOKENS or KEYBOARD.
func looksSecret(name string) bool {
	words := strings.Split(strings.ToUpper(name), "_")
	last := words[len(words)-1]
	switch last {
	case "KEY", "PASS", "PWD", "PAT", "AUTH":
		return len(words) > 1
	}
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "TOKEN", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "APIKEY":
			return true
		}
		return false
	})
}
