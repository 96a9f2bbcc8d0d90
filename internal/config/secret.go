package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/ampersat/ampersat/agent"
)

// Secret says where a secret is: in a variable of the environment, or in a file
// of its own. It is written {env: NAME} or {file: PATH}. The zero value is
// nowhere.
type Secret struct {
	Env  string
	File Path
}

// Text is a value of a variable or a header: text, or where a secret is, with
// what stands before it: {env: TOKEN, prefix: "Bearer "}.
type Text struct {
	Value  string
	Secret Secret
	Prefix string
}

// maxSecret is longer than any key, and shorter than a file that somebody named
// by mistake.
const maxSecret = 64 << 10

// IsZero reports whether the secret is nowhere.
func (s Secret) IsZero() bool { return s == Secret{} }

// String says where the secret is, and never what it is.
func (s Secret) String() string {
	switch {
	case s.Env != "":
		return "{env: " + s.Env + "}"
	case s.File != "":
		return "{file: " + string(s.File) + "}"
	}
	return ""
}

// String shows text, and says where a secret is.
func (t Text) String() string {
	if t.Secret.IsZero() {
		return t.Value
	}
	if t.Prefix == "" {
		return t.Secret.String()
	}
	return strings.TrimSuffix(t.Secret.String(), "}") + fmt.Sprintf(", prefix: %q}", t.Prefix)
}

// Read returns the secret. It is for the moment when a provider is used: a file
// is opened then, and not before. Lookup is [os.LookupEnv], or what stands for
// it.
func (s Secret) Read(lookup func(string) (string, bool)) (agent.Secret, error) {
	switch {
	case s.Env != "":
		value, _ := lookup(s.Env)
		if value = strings.TrimSpace(value); value == "" {
			return "", fmt.Errorf("read key: the variable %s is not set", s.Env)
		}
		return agent.Secret(value), nil
	case s.File != "":
		return readSecretFile(string(s.File))
	}
	return "", errors.New("read key: nothing says where it is")
}

// Read returns the text, with its secret.
func (t Text) Read(lookup func(string) (string, bool)) (agent.Secret, error) {
	if t.Secret.IsZero() {
		return agent.Secret(t.Value), nil
	}
	secret, err := t.Secret.Read(lookup)
	if err != nil {
		return "", err
	}
	return agent.Secret(t.Prefix) + secret, nil
}

func readSecretFile(path string) (agent.Secret, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read key: there is no file %s", path)
	}
	if err != nil {
		return "", fmt.Errorf("read key: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("read key: %s is not a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read key: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSecret+1))
	if err != nil {
		return "", fmt.Errorf("read key: %w", err)
	}
	key := strings.TrimSpace(string(data))
	switch {
	case len(data) > maxSecret:
		return "", fmt.Errorf("read key: %s is longer than %d KB, which no key is", path, maxSecret>>10)
	case key == "":
		return "", fmt.Errorf("read key: %s is empty", path)
	case strings.ContainsAny(key, "\r\n\x00"):
		return "", fmt.Errorf("read key: %s has more than one line; it must hold the key alone", path)
	}
	return agent.Secret(key), nil
}
