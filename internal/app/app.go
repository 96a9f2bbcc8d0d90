package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/symbol"
	"github.com/aymanbagabas/go-udiff"
)

// Options is what the person said on the command line.
type Options struct {
	// Dir is where to work, relative to the current directory. Empty means
	// here.
	Dir string
	// Allow is what may be read although it would be blocked: paths, addresses
	// and secrets.
	Allow []string
}

// App is the program without a front end.
type App struct {
	// Pipeline prepares messages.
	Pipeline *ampersat.Pipeline
	// Dir is the absolute path of the project.
	Dir string
}

// New puts the program together.
func New(o Options) (*App, error) {
	dir, err := workDir(o.Dir)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then ~ names nothing
	}
	consent, err := consent(o.Allow, dir, home)
	if err != nil {
		return nil, err
	}
	userDir := userDir(home)
	roots := []access.Root{{Path: dir, Place: access.Project}}
	if userDir != "" {
		roots = append(roots, access.Root{Path: userDir, Place: access.User})
	}
	readable, err := access.NewRoots(roots...)
	if err != nil {
		return nil, err
	}
	mux := new(ampersat.Mux)
	mux.Handle(fs.New(fs.Config{Dir: dir, Home: home, UserDir: userDir, Roots: readable, Consent: consent}), fs.Kinds()...)
	return &App{
		Dir: dir,
		Pipeline: &ampersat.Pipeline{
			Resolver: mux,
			Consent:  consent,
			Diff: func(name, before, after string) string {
				return udiff.Unified("a/"+name, "b/"+name, before, after)
			},
			Outline: symbol.Outline,
			Tools:   toolFor,
		},
	}, nil
}

// toolFor says which of the tools would have read a mention.
func toolFor(m mention.Mention, name string) (tool string, arguments any, ok bool) {
	switch m := m.(type) {
	case mention.File:
		return "read_file", struct {
			Path string `json:"path"`
		}{name}, true
	case mention.Selection:
		return "read_file", struct {
			Path  string `json:"path"`
			First int    `json:"first"`
			Last  int    `json:"last"`
		}{name, m.First, m.Last}, true
	case mention.Directory:
		return "list_files", struct {
			Path string `json:"path"`
		}{name}, true
	}
	return "", nil, false
}

// workDir returns the absolute path of a folder that exists.
func workDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("work in %s: there is no such folder", dir)
	case err != nil:
		return "", fmt.Errorf("work in %s: %w", dir, err)
	case !info.IsDir():
		return "", fmt.Errorf("work in %s: it is a file; name the folder it is in", dir)
	}
	return dir, nil
}

// userDir is the user's own folder. AMPERSAT_HOME moves it.
func userDir(home string) string {
	if moved := os.Getenv("AMPERSAT_HOME"); filepath.IsAbs(moved) {
		return filepath.Clean(moved)
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, ".ampersat")
}

// consent is what was allowed for this run.
func consent(allow []string, dir, home string) (*access.Memory, error) {
	allowed := new(access.Memory)
	for _, arg := range allow {
		grant, err := access.ParseGrant(arg, dir, home)
		if err != nil {
			return nil, err
		}
		if err := allowed.Allow(grant); err != nil {
			return nil, err
		}
		if path, ok := grant.(access.Path); ok {
			allowSecretsIn(allowed, path.Path)
		}
	}
	return allowed, nil
}

// allowSecretsIn lets the secrets in a file pass that was allowed by its own
// name: whoever types --allow .env knows what is in it. A folder is allowed
// without the secrets in it.
func allowSecretsIn(allowed *access.Memory, path string) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return // nothing there, which is said when it is read
	}
	names := []string{path}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		names = append(names, real)
	}
	for _, name := range names {
		// A clean absolute path is always well formed.
		_ = allowed.Allow(access.Secret{Name: name})
	}
}
