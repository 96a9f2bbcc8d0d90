package config

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
)

// FileName is the name of the file, in the user's own folder and in a project's
// .ampersat.
const FileName = "config.yaml"

// FileIn is the file in the user's own folder.
func FileIn(userDir string) string { return filepath.Join(userDir, FileName) }

// folder is where a project keeps what is for us.
const folder = ".ampersat"

// Options say where to look.
type Options struct {
	// Home is the user's home, for paths that begin with ~/.
	Home string
	// UserDir is the user's own folder; empty means that there is none.
	UserDir string
	// Project is the one that is worked in; nil means none.
	Project *Project
	// Lookup finds variables of the environment; nil means [os.LookupEnv].
	Lookup func(string) (string, bool)
	// Flags are those that the person gave.
	Flags []Flag
	// Supposed takes the project as trusted, to see what that would mean. It is
	// not for running anything.
	Supposed bool
}

// Loaded is the configuration, and where it came from.
type Loaded struct {
	Config
	// Blocked is what the project's file sets and may not, because the project is
	// not trusted as it is. [Loaded.Denied] asks about one thing.
	Blocked []Setting
	// Withheld is what Blocked would set, for who wants to say of a server that it
	// is there and may not be started.
	Withheld Config
	// Files are those that were looked for, there or not.
	Files []string

	options  Options
	settings map[string]Setting
	// project is what the project's file sets, blocked or not.
	project  []Setting
	provider string
	model    string
}

// Load reads all layers. If something is wrong in any, the error is of type
// [Problems] and names all that is.
func Load(o Options) (*Loaded, error) {
	if o.Lookup == nil {
		o.Lookup = os.LookupEnv
	}
	l := &Loaded{options: o}
	var problems Problems
	add := func(settings []Setting, more Problems) []Setting {
		problems = append(problems, more...)
		return settings
	}
	user, project, err := l.files()
	if err != nil {
		return nil, err
	}
	layers := [...][]Setting{
		UserFile:    add(user.settings, user.problems),
		ProjectFile: add(project.settings, project.problems),
	}
	variables := add(environment(o.Lookup, o.Home))
	flags := add(commandLine(o.Flags, o.Home))
	l.project = layers[ProjectFile]
	inside, err := l.admit(project.digest)
	switch {
	case err != nil && len(problems) > 0:
		return nil, problems
	case err != nil:
		return nil, err
	}
	l.merge(layers[UserFile], inside, variables, flags)
	if l.blockOrphans() {
		inside = slices.DeleteFunc(slices.Clone(inside), func(s Setting) bool { return s.Key == "provider" || s.Key == "model" })
		l.merge(layers[UserFile], inside, variables, flags)
	}
	l.Withheld = assemble(Config{}, slices.Values(l.Blocked))
	if problems = l.validate(problems); len(problems) > 0 {
		return nil, problems
	}
	return l, nil
}

// files reads the two files, if they are there.
func (l *Loaded) files() (user, project layerFile, err error) {
	o := l.options
	if o.UserDir != "" {
		path := FileIn(o.UserDir)
		l.Files = append(l.Files, path)
		from := Origin{Layer: UserFile, Name: shortened(path, o.Home)}
		if user, err = readFile(path, from, place{o.Home, o.UserDir}, true); err != nil {
			return user, project, err
		}
	}
	if o.Project == nil || filepath.Join(o.Project.Root, folder) == o.UserDir {
		return user, project, nil
	}
	l.Files = append(l.Files, o.Project.ConfigFile())
	project, err = o.Project.readConfig(o.Home)
	return user, project, err
}

// shortened writes a path below the home with a tilde.
func shortened(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

// admit returns what of the project's file counts, and notes what does not. The
// project's trust is looked at only if something needs it.
func (l *Loaded) admit(file blob.Digest) ([]Setting, error) {
	needs := func(s Setting) bool { return s.trust != "" }
	if !slices.ContainsFunc(l.project, needs) {
		return l.project, nil
	}
	if l.options.Supposed {
		// What is shown must be what is agreed to.
		snapshot, err := l.options.Project.Snapshot()
		if err == nil && !snapshot.Holds(folder+"/"+FileName, file) {
			err = errors.New("look at the project: its configuration changed meanwhile; try again")
		}
		return l.project, err
	}
	trusted, err := l.options.Project.trustedWith(file)
	if err != nil || trusted {
		return l.project, err
	}
	var free []Setting
	for _, s := range l.project {
		if needs(s) {
			l.Blocked = append(l.Blocked, s)
		} else {
			free = append(free, s)
		}
	}
	return free, nil
}

// merge puts the layers together; later ones win.
func (l *Loaded) merge(layers ...[]Setting) {
	l.settings = map[string]Setting{}
	entries := map[string][]string{} // the keys of what is replaced as one
	for _, layer := range layers {
		replaced := map[string]bool{}
		for _, s := range layer {
			if n := wholeEntry(s.path); n > 0 {
				entry := dotted(s.path[:n])
				if !replaced[entry] {
					replaced[entry] = true
					s.Overridden = l.takeOut(entries[entry])
					entries[entry] = nil
				}
				entries[entry] = append(entries[entry], s.Key)
			}
			l.settings[s.Key] = l.over(s)
		}
	}
	l.Config = assemble(Defaults(), maps.Values(l.settings))
	if _, written := l.settings["context.compact_target"]; !written {
		l.Context.CompactTarget = TargetBelow(l.Context.CompactThreshold, l.Context.CompactTarget)
	}
	l.provider, l.model = l.selected()
}

// assemble returns a configuration with settings put into it.
func assemble(c Config, settings iter.Seq[Setting]) Config {
	root := reflect.ValueOf(&c).Elem()
	for s := range settings {
		put(root, s.path, s.value)
	}
	return c
}

// over returns a setting as it stands after what was there before.
func (l *Loaded) over(s Setting) Setting {
	before, ok := l.settings[s.Key]
	if !ok {
		return s
	}
	if shape, _ := shapeAt(s.path); shape.adds {
		s.Also = append([]Origin{before.From}, before.Also...)
		s.value = union(before.value, s.value)
		s.Value = format(reflect.ValueOf(s.value))
		return s
	}
	s.Overridden = append(s.Overridden, before.flat()...)
	return s
}

// flat is a setting followed by what it won over.
func (s Setting) flat() []Setting {
	list := s.Overridden
	s.Overridden = nil
	return append([]Setting{s}, list...)
}

// takeOut removes settings, and returns them with what they had won over.
func (l *Loaded) takeOut(keys []string) (taken []Setting) {
	for _, key := range keys {
		taken = append(taken, l.settings[key].flat()...)
		delete(l.settings, key)
	}
	return taken
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// union is one list with what is in either, each once.
func union(a, b any) any {
	list := reflect.AppendSlice(reflect.ValueOf(a), reflect.ValueOf(b))
	once := reflect.MakeSlice(list.Type(), 0, list.Len())
	seen := map[string]bool{}
	for i := range list.Len() {
		if text := list.Index(i).String(); !seen[text] {
			seen[text] = true
			once = reflect.Append(once, list.Index(i))
		}
	}
	return once.Interface()
}

// Lookup finds a variable of the environment, as the configuration saw it.
func (l *Loaded) Lookup(name string) (string, bool) { return l.options.Lookup(name) }

// Origin returns where the value of a key came from.
func (l *Loaded) Origin(key string) Origin { return l.settings[key].From }

// Settings returns every value that is set, in the order of the documentation.
func (l *Loaded) Settings() []Setting {
	var all []Setting
	leaves(reflect.ValueOf(l.Config), nil, func(path []string, v reflect.Value) {
		if s, ok := l.settings[dotted(path)]; ok {
			all = append(all, l.told(s))
		} else if !v.IsZero() {
			all = append(all, l.told(Setting{Key: dotted(path), path: path, value: v.Interface()}))
		}
	})
	return all
}

// told is a setting with its values as people may see them.
func (l *Loaded) told(s Setting) Setting {
	s.Value = l.shown(s.value)
	s.Overridden = slices.Clone(s.Overridden)
	for i, o := range s.Overridden {
		s.Overridden[i].Value = l.shown(o.value)
	}
	return s
}

// Denied returns an [*access.Denied] if the project's file sets something at the
// path, such as mcp and docs, that is blocked for want of trust, and nil if not.
// So who misses a server can say why it is not there.
func (l *Loaded) Denied(path ...string) error {
	blocked := func(s Setting) bool { return hasPrefix(s.path, path) }
	if !slices.ContainsFunc(l.Blocked, blocked) {
		return nil
	}
	return access.CheckTrust(new(access.Memory), thing(path), access.Trust{})
}

// thing says in words what stands at a path.
func thing(path []string) string {
	words := map[string]string{
		"mcp": "the MCP server %q", "custom": "what runs for @%s:", "language_servers": "the language server for %s",
		"providers": "the provider %s",
	}
	if format, ok := words[path[0]]; ok && len(path) > 1 {
		return fmt.Sprintf(format, path[1])
	}
	return dotted(path) + " of the project"
}
