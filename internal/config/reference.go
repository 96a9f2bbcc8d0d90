package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/access"
	"go.yaml.in/yaml/v4"
)

// errLiteral tells somebody who wrote a key into a file what to do in its
// place. The key is not in it.
var errLiteral = errors.New("a key does not belong in a file of configuration, where it is copied, shown and committed; " +
	"write {env: NAME} for a variable or {file: ~/.secrets/name} for a file of its own")

// secret reads where a secret is.
func (d *decoder) secret(node *yaml.Node) (any, error) {
	if isNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.MappingNode {
		return nil, errLiteral
	}
	text, err := d.reference(node, false)
	if err != nil {
		return nil, err
	}
	return text.Secret, nil
}

// text reads a value, or where it is.
func (d *decoder) text(node *yaml.Node) (any, error) {
	if node.Kind == yaml.MappingNode {
		text, err := d.reference(node, true)
		if err != nil {
			return nil, err
		}
		return text, nil
	}
	value, err := scalar(node)
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(value, "\x00\r\n") {
		return nil, fmt.Errorf("it has more than one line")
	}
	return Text{Value: value}, nil
}

func (d *decoder) reference(node *yaml.Node, prefix bool) (Text, error) {
	var text Text
	keys := []string{"env", "file"}
	if prefix {
		keys = append(keys, "prefix")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		if seen[key] {
			return Text{}, fmt.Errorf("the key %q is there twice", key)
		}
		seen[key] = true
		inner, ok := d.enter(node.Content[i+1])
		if !ok {
			return Text{}, errors.New("too much configuration")
		}
		value, err := scalar(inner)
		if err != nil {
			return Text{}, err
		}
		switch {
		case key == "env" && isVariable(value) && len(access.ScanString(FileName, value)) == 0: // some keys look like names
			text.Secret.Env = value
		case key == "env":
			return Text{}, fmt.Errorf("env: that is not the name of a variable")
		case key == "file":
			if text.Secret.File, err = d.place.path(value); err != nil {
				return Text{}, fmt.Errorf("file: %w", err)
			}
		case key == "prefix" && prefix && !strings.ContainsAny(value, "\x00\r\n"):
			text.Prefix = value
		default:
			return Text{}, fmt.Errorf("there is no such key as %q here%s", key, didYouMean(key, keys))
		}
	}
	if (text.Secret.Env == "") == (text.Secret.File == "") {
		return Text{}, errors.New("it needs either env, the name of a variable, or file, a path")
	}
	return text, nil
}

func isVariable(name string) bool {
	if name == "" || len(name) > 128 || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// looksSecret reports whether the value of a variable or a header is one that
// must not be in a file.
func looksSecret(name, value string) bool {
	if value == "" {
		return false
	}
	lower := strings.ToLower(name)
	for _, word := range []string{"authorization", "cookie", "password", "passwd", "secret", "token", "api_key", "api-key", "apikey"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return len(access.ScanString(FileName, name+"="+value)) > 0
}
