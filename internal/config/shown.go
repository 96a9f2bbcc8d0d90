package config

import (
	"fmt"
	"os"
	"reflect"
)

// shown is a value for people. Of a secret it says where it is and whether
// there is one, and never what it is; no file is opened for that.
func (l *Loaded) shown(value any) string {
	switch value := value.(type) {
	case Secret:
		return l.shownSecret(value)
	case Text:
		if !value.Secret.IsZero() {
			return value.Prefix + l.shownSecret(value.Secret)
		}
	}
	return format(reflect.ValueOf(value))
}

func (l *Loaded) shownSecret(s Secret) string {
	if s.Env != "" {
		if value, _ := l.options.Lookup(s.Env); value == "" {
			return fmt.Sprintf("(not set: there is no %s)", s.Env)
		}
		return fmt.Sprintf("(set, from %s)", s.Env)
	}
	if _, err := os.Stat(string(s.File)); err != nil {
		return fmt.Sprintf("(not set: there is no file %s)", s.File)
	}
	return fmt.Sprintf("(set, from the file %s)", s.File)
}

// Data is the value as JSON has it: a number, true or false, text, or a list of
// texts. A secret is what Value says of it.
func (s Setting) Data() any {
	switch value := s.value.(type) {
	case int, float64, bool, []string, []Path, Tokens:
		return value
	}
	return s.Value
}
