package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/bundled"
	"github.com/ampersat/ampersat/internal/collection"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/editor"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/git"
	"github.com/ampersat/ampersat/source/history"
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
	// Trusted reports whether the person trusts the project as it is. Nil means
	// that what they recorded with "ampersat trust" counts.
	Trusted func() bool
	// Terminal is a file with the output that @terminal names. Empty means the
	// terminal itself.
	Terminal string
	// Flags are those that set a key of the configuration.
	Flags []config.Flag
	// AnyConfig is for what must work although the configuration is wrong: what is
	// built in counts then.
	AnyConfig bool
}

// App is the program without a front end.
type App struct {
	// Pipeline prepares messages.
	Pipeline *ampersat.Pipeline
	// Dir is where the person works, Root the project that it is in. Both are
	// absolute.
	Dir, Root string
	// UserDir is the user's own folder, empty if there is no home.
	UserDir string
	// Library finds profiles and agents.
	Library *profile.Library
	// Config is what was configured, the flags included.
	Config *config.Loaded
	// Project knows what in the project needs trust, Consent what was allowed.
	Project *config.Project
	Consent *config.Consent
	// Trusted reports whether the person trusts the project as it is. It is looked
	// at when it is first asked.
	Trusted func() bool
	// Waiting, if set, is told that a session is waited for, because its holder
	// was ended in the middle of something and could not let go of it. That takes
	// seconds. It may be told more than once.
	Waiting func(holder string)

	pictures    pictures
	diagnostics *editor.Diagnostics
	servers     *servers
	store       lazyStore
	// opened are the paths whose contents a yes to a tool has opened.
	opened sync.Map
	roots  access.Roots
	files  *fs.Resolver
	home   string
	began  *workplace
}

// New puts the program together.
func New(o Options) (*App, error) {
	ground, err := Locate(o.Dir)
	if err != nil {
		return nil, err
	}
	configured, err := ground.Configure(o.Flags)
	if err != nil && o.AnyConfig {
		configured, err = config.Load(config.Options{Home: ground.Home})
	}
	if err != nil {
		return nil, err
	}
	consent, err := ground.consent(o.Allow, configured.Allow)
	if err != nil {
		return nil, err
	}
	dir, root, home, userDir := ground.Dir, ground.Root, ground.Home, ground.UserDir
	roots := []access.Root{{Path: root, Place: access.Project}}
	if userDir != "" {
		roots = append(roots, access.Root{Path: userDir, Place: access.User})
	}
	readable, err := access.NewRoots(roots...)
	if err != nil {
		return nil, err
	}
	mux := new(ampersat.Mux)
	workplace := new(workplace)
	files := fs.New(fs.Config{Dir: dir, Root: root, NamesFrom: workplace.folder, Home: home, UserDir: userDir, Roots: readable, Consent: consent, Bundled: bundled.Files(),
		CollectionName: collection.NameIn})
	mux.Handle(files, fs.Kinds()...)
	mux.Handle(symbol.Resolver{Files: files}, mention.KindSymbol)
	mux.Handle(git.New(git.Config{Dir: dir, Consent: consent}), mention.KindGitDiff)
	mux.Handle(newWeb(configured.Web, consent, files, userDir), mention.KindURL)
	a := &App{
		Dir: dir, Root: root, UserDir: userDir, Trusted: ground.trusted(o.Trusted),
		Config: configured, Project: ground.Project, Consent: consent,
		roots: readable, files: files,
		home: home, began: workplace,
		Pipeline: &ampersat.Pipeline{
			Resolver: mux,
			Consent:  consent,
			Diff: func(name, before, after string) string {
				return udiff.Unified("a/"+name, "b/"+name, before, after)
			},
			Outline: symbol.Outline,
			Tools:   toolFor,
		},
	}
	a.handleEditor(mux, o, files)
	mux.Collections(a.findCollection)
	a.servers = handleServers(mux, configured, consent, files, root, userDir)
	mux.Handle(history.New(history.Config{Open: a.openStore, Find: a.FindSession}), mention.KindSession)
	a.Library = a.library(a.vouches)
	a.Pipeline.Agents = agentNames(a.Library)
	return a, nil
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
func userDir(home string) (string, error) {
	switch moved := os.Getenv("AMPERSAT_HOME"); {
	case filepath.IsAbs(moved):
		moved = filepath.Clean(moved)
		return moved, checkOwn(moved, home)
	case moved != "":
		return "", fmt.Errorf("AMPERSAT_HOME is %q: it must be an absolute path", moved)
	case !filepath.IsAbs(home):
		return "", nil
	}
	return filepath.Join(home, ".ampersat"), nil
}

// checkOwn refuses a folder that is not for us alone: sessions, consents
// and caches would lie among the files of everything else. What is not there yet
// can be made.
func checkOwn(dir, home string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("AMPERSAT_HOME is %q: %w", dir, err)
	case !info.IsDir():
		return fmt.Errorf("AMPERSAT_HOME is %q, which is a file; name a folder", dir)
	}
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	for other, what := range map[string]string{root: "the root of the file system", home: "your home"} {
		if same, err := os.Stat(other); err == nil && os.SameFile(info, same) {
			return fmt.Errorf("AMPERSAT_HOME is %q, which is %s; name a folder for Ampersat alone, such as %s", dir, what, filepath.Join(dir, ".ampersat"))
		}
	}
	return nil
}

// allowNamed adds what was allowed by name for this run.
func allowNamed(allowed *access.Memory, allow []string, dir, home string) error {
	for _, arg := range allow {
		grant, err := access.ParseGrant(arg, dir, home)
		if err != nil {
			return err
		}
		if err := allowed.Allow(grant); err != nil {
			return err
		}
		if path, ok := grant.(access.Path); ok {
			allowSecretsIn(allowed, path.Path)
		}
	}
	return nil
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
