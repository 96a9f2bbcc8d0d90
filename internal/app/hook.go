package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// hook is told of everything that is prepared for a model.
type hook func(ampersat.Stack) error

// makers are the hooks that a profile can switch on, each made from its
// configuration.
func (a *App) makers() map[string]func(config map[string]any) (hook, error) {
	return map[string]func(map[string]any) (hook, error){"audit": a.audit}
}

// hooks returns what a profile wants to be called for everything that is prepared,
// nil if it wants nothing. What goes wrong in a hook is told to warn, and stops
// nothing.
func (a *App) hooks(m profile.Merged, warn func(string)) (func(ampersat.Stack), error) {
	var problems profile.Problems
	on := map[string]hook{}
	for _, module := range m.Hooks {
		h, err := a.makeHook(module)
		if err != nil {
			problems = append(problems, &profile.Problem{At: module.At, What: fmt.Sprintf("hook %s: %v", module.ID, err)})
			continue
		}
		on[module.ID] = h
	}
	if len(problems) > 0 {
		return nil, problems
	}
	if len(on) == 0 {
		return nil, nil
	}
	ids := slices.Sorted(maps.Keys(on))
	return func(stack ampersat.Stack) {
		for _, id := range ids {
			if err := on[id](stack); err != nil && warn != nil {
				warn(fmt.Sprintf("hook %s: %v", id, err))
			}
		}
	}, nil
}

func (a *App) makeHook(module profile.Module) (hook, error) {
	makers := a.makers()
	maker, ok := makers[module.Module]
	if !ok {
		return nil, fmt.Errorf("there is no hook %q; there are %s", module.Module, strings.Join(slices.Sorted(maps.Keys(makers)), ", "))
	}
	return maker(module.Config)
}

// audit keeps a line for everything that was prepared: when, what was mentioned,
// what became of it and what it cost. What was in it is not kept, nor a secret
// that an address or a reason holds.
func (a *App) audit(config map[string]any) (hook, error) {
	path := ""
	for key, value := range config {
		text, ok := value.(string)
		switch {
		case key != "file":
			return nil, fmt.Errorf("unknown key %q in its config; there is file", key)
		case !ok || text == "":
			return nil, errors.New("file must be a path")
		}
		path = text
	}
	rest, fromHome := strings.CutPrefix(path, "~/")
	switch {
	case path == "" && a.UserDir == "":
		return nil, errors.New("there is no folder of the user's here; name a file")
	case path == "":
		path = filepath.Join(a.UserDir, "audit.jsonl")
	case fromHome && a.home != "":
		path = filepath.Join(a.home, rest)
	case !filepath.IsAbs(path):
		return nil, fmt.Errorf("file is %q; it must be an absolute path, or begin with ~/", path)
	}
	return func(stack ampersat.Stack) error {
		mentions, err := ampersat.EncodeReports(stack.Reports)
		if err != nil {
			return err
		}
		if mentions, err = redactJSON(mentions); err != nil {
			return err
		}
		line, err := json.Marshal(struct {
			Time     time.Time      `json:"time"`
			Mentions jsontext.Value `json:"mentions"`
			Tokens   int            `json:"tokens"`
		}{time.Now().UTC(), mentions, stack.Tokens})
		if err != nil {
			return err
		}
		return appendLine(path, line)
	}, nil
}

// appendLine adds a line to a file, in one piece, so that several programs can.
func appendLine(path string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// redactJSON takes the secrets out of every text in a JSON value.
func redactJSON(value jsontext.Value) (jsontext.Value, error) {
	var out bytes.Buffer
	in := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowInvalidUTF8(true))
	to := jsontext.NewEncoder(&out, jsontext.AllowInvalidUTF8(true))
	for {
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSpace(out.Bytes()), nil
		}
		if err != nil {
			return nil, err
		}
		if token.Kind() == '"' {
			token = jsontext.String(access.Redact(token.String()))
		}
		if err := to.WriteToken(token); err != nil {
			return nil, err
		}
	}
}
