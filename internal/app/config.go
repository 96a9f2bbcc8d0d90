package app

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/provider/echo"
)

// Ground is where the person works: the folder, the project around it, and
// their own folder. All paths are absolute.
type Ground struct {
	// Dir may be spelled with links in it, but not where only the folder that it
	// leads to is in a project.
	Dir, Root string
	// Home and UserDir are empty if there is no home.
	Home, UserDir string
	// Project is what is known about the project at Root, Records about all.
	Project *config.Project
	Records *config.Records
}

// Locate finds the ground around a folder. Nothing is read.
func Locate(dir string) (Ground, error) {
	dir, err := workDir(dir)
	if err != nil {
		return Ground{}, err
	}
	home := userHome()
	own, err := userDir(home)
	if err != nil {
		return Ground{}, err
	}
	g := Ground{Dir: dir, Home: home, UserDir: own}
	g.findProject()
	g.Records = config.RecordsIn(g.UserDir)
	g.Project = config.OpenProject(g.Root, g.Records)
	return g, nil
}

// userHome is the home as it is compared and shown, empty if there is none; then ~
// names nothing.
func userHome() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Clean(home)
}

// Configure reads the configuration. Where there is no file it costs no more
// than to look for one.
func (g Ground) Configure(flags []config.Flag) (*config.Loaded, error) {
	return config.Load(config.Options{Home: g.Home, UserDir: g.UserDir, Project: g.Project, Flags: flags})
}

// Suppose is [Ground.Configure] as if the project were trusted, to show what
// that would mean.
func (g Ground) Suppose() (*config.Loaded, error) {
	return config.Load(config.Options{Home: g.Home, UserDir: g.UserDir, Project: g.Project, Supposed: true})
}

// trusted returns what reports whether the project is trusted as it is: what was
// said, or else what was recorded. That the records can be read was seen when
// the consent was.
func (g Ground) trusted(said func() bool) func() bool {
	if said != nil {
		return said
	}
	return func() bool {
		trusted, err := g.Project.Trusted()
		return err == nil && trusted
	}
}

// consent is what was allowed: on the command line, by the configuration, and
// for good.
func (g Ground) consent(allow []string, c config.Allow) (*config.Consent, error) {
	consent := config.NewConsent(g.Project)
	if err := consent.Load(); err != nil {
		return nil, err
	}
	for _, path := range c.Paths {
		if err := consent.Allow(access.Path{Path: string(path)}); err != nil {
			return nil, err
		}
	}
	return consent, allowNamed(&consent.Memory, slices.Concat(c.URLs, allow), g.Dir, g.Home)
}

// UsualModel is the model that an API is known for, empty if it has none.
func UsualModel(api string) string {
	if api == echo.Name {
		return echo.Name
	}
	if i := slices.IndexFunc(wires, func(w wire) bool { return w.name == api }); i >= 0 {
		return wires[i].model
	}
	return ""
}
