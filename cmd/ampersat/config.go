package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/spf13/cobra"
)

// configured are the flags that set a key of the configuration. A command has
// those of them that mean something to it.
var configured = []struct{ flag, key string }{
	{"provider", "provider"}, {"model", "model"}, {"profile", "profile"}, {"place", "place"}, {"budget", "budget.turn"},
	{"permissions", "permissions.mode"},
}

// configFlags returns the flags of a command that the person gave and that set
// a key of the configuration, for [app.Options].
func configFlags(command *cobra.Command) []config.Flag {
	var flags []config.Flag
	for _, c := range configured {
		if command.Flags().Changed(c.flag) {
			flags = append(flags, config.Flag{Name: "--" + c.flag, Key: c.key, Value: command.Flags().Lookup(c.flag).Value.String()})
		}
	}
	return flags
}

func configCommand(io streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration, and where each value came from",
		Long: `The configuration is put together from layers, of which later ones win: what is
built in, config.yaml in the user's own folder, .ampersat/config.yaml of the
project, the profile in what it says, the environment, the flags. See
docs/config.md for all keys.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{command, unknownCommand(command, args[0])}
			}
			return command.Help()
		},
	}
	command.AddCommand(configShowCommand(io), configPathCommand(io))
	return command
}

func configShowCommand(io streams) *cobra.Command {
	var dir string
	var asJSON bool
	command := &cobra.Command{
		Use:   "show",
		Short: "Show each value, where it came from, and what it won over",
		Long: `Show prints every value that is set, where it came from, and what it won over.
What the project sets and may not, because it is not trusted, is marked. Keys are
not shown, only where they are. What the profile says in place of it stands in a
table of its own. If "ask" would now be answered by another model
than the one that is configured, that is said too, and why.`,
		Example: `  ampersat config show
  ampersat config show --model openai/gpt-5.5 --json`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			err := withApp(app.Options{Dir: dir, Flags: configFlags(command)}, func(a *app.App) error {
				if asJSON {
					return printConfigJSON(io, a)
				}
				printConfig(io, a.Config)
				printProfileLayer(io, a)
				printAnswers(io, a)
				return nil
			})
			return flagMistake(command, err)
		},
	}
	f := command.Flags()
	f.StringVarP(&dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&asJSON, "json", false, "print JSON: settings, blocked, profile, files, provider, model, answers")
	for _, c := range configured {
		f.String(c.flag, "", "as if another command were given this flag")
	}
	return command
}

// printConfig prints a table of the values.
func printConfig(io streams, loaded *config.Loaded) {
	rows := [][]string{{"KEY", "VALUE", "FROM"}}
	for _, s := range loaded.Settings() {
		from := s.From.String()
		for _, also := range s.Also {
			from += " and " + also.String()
		}
		rows = append(rows, []string{cell(s.Key), cell(s.Value), cell(from)})
		for _, o := range s.Overridden {
			label := "  over"
			if o.Key != s.Key {
				label += " " + o.Key
			}
			rows = append(rows, []string{io.paint(cell(label), faint), io.paint(cell(o.Value), faint), io.paint(cell(o.From.String()), faint)})
		}
	}
	io.table(rows)
	if len(loaded.Blocked) == 0 {
		return
	}
	fmt.Fprintln(io.out)
	rows = [][]string{{"BLOCKED", "VALUE", "FROM"}}
	for _, s := range loaded.Blocked {
		rows = append(rows, []string{io.paint(cell(s.Key), yellow), cell(s.Value), cell(s.From.String())})
	}
	io.table(rows)
	fmt.Fprintln(io.err, "blocked: the project is not trusted as it is now (to allow it: ampersat trust)")
}

// printAnswers says who would answer now, where the table does not.
func printAnswers(io streams, a *app.App) {
	switch who, why, err := a.Answers(); {
	case err != nil:
		fmt.Fprintln(io.err, "nobody can answer now:", shown(err.Error()))
	case why != "":
		fmt.Fprintf(io.err, "%s would answer now: %s\n", shown(who), shown(why))
	}
}

// settingJSON is a value in the output of "config show --json".
type settingJSON struct {
	Key        string        `json:"key"`
	Value      any           `json:"value"`
	From       originJSON    `json:"from"`
	Also       []originJSON  `json:"also,omitzero"`
	Overridden []settingJSON `json:"overridden,omitzero"`
	// Grant is what to type to allow what is blocked.
	Grant string `json:"grant,omitzero"`
}

type originJSON struct {
	Layer string `json:"layer"`
	Name  string `json:"name,omitzero"`
	Line  int    `json:"line,omitzero"`
}

type configJSON struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model,omitzero"`
	Answers  answersJSON   `json:"answers"`
	Settings []settingJSON `json:"settings"`
	Blocked  []settingJSON `json:"blocked"`
	Profile  *layerJSON    `json:"profile,omitzero"`
	Files    []fileJSON    `json:"files"`
}

// answersJSON is who would answer now.
type answersJSON struct {
	Model string `json:"model,omitzero"`
	Why   string `json:"why,omitzero"`
	Error string `json:"error,omitzero"`
}

type fileJSON struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

func printConfigJSON(io streams, a *app.App) error {
	loaded := a.Config
	out := configJSON{Settings: []settingJSON{}, Blocked: []settingJSON{}, Files: filesJSON(loaded.Files)}
	out.Provider, out.Model = loaded.Selected()
	var err error
	if out.Answers.Model, out.Answers.Why, err = a.Answers(); err != nil {
		out.Answers.Error = err.Error()
	}
	for _, s := range loaded.Settings() {
		out.Settings = append(out.Settings, asSettingJSON(s))
	}
	out.Profile = profileLayerJSON(a)
	for _, s := range loaded.Blocked {
		blocked := asSettingJSON(s)
		blocked.Grant = "ampersat trust"
		out.Blocked = append(out.Blocked, blocked)
	}
	return io.printJSON(out)
}

func asSettingJSON(s config.Setting) settingJSON {
	out := settingJSON{Key: s.Key, Value: s.Data(), From: asOriginJSON(s.From)}
	for _, also := range s.Also {
		out.Also = append(out.Also, asOriginJSON(also))
	}
	for _, o := range s.Overridden {
		out.Overridden = append(out.Overridden, asSettingJSON(o))
	}
	return out
}

func asOriginJSON(o config.Origin) originJSON {
	return originJSON{Layer: o.Layer.String(), Name: o.Name, Line: o.Line}
}

func filesJSON(paths []string) []fileJSON {
	files := []fileJSON{}
	for _, path := range paths {
		_, err := os.Stat(path)
		files = append(files, fileJSON{path, err == nil})
	}
	return files
}

func configPathCommand(io streams) *cobra.Command {
	var dir string
	var user, project, asJSON bool
	command := &cobra.Command{
		Use:   "path",
		Short: "Print where the files of configuration are looked for",
		Long: `Path prints the files of configuration, whether they are there or not: the
user's own, then the project's, which wins.`,
		Example: `  ampersat config path
  "$EDITOR" "$(ampersat config path --user)"`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := oneOf(command, "user", "project"); err != nil {
				return err
			}
			ground, err := app.Locate(dir)
			if err != nil {
				return err
			}
			var paths []string
			if !project {
				if ground.UserDir == "" && user {
					return errors.New("there is no home to keep it in; set HOME or AMPERSAT_HOME")
				}
				if ground.UserDir != "" {
					paths = append(paths, config.FileIn(ground.UserDir))
				}
			}
			switch theirs := ground.Project.ConfigFile(); {
			case user:
			case ground.UserDir == "" || theirs != config.FileIn(ground.UserDir):
				paths = append(paths, theirs)
			case project:
				return errors.New("what would be the project's file here is the user's own; work in a project")
			}
			if asJSON {
				return io.printJSON(struct {
					Files []fileJSON `json:"files"`
				}{filesJSON(paths)})
			}
			for _, path := range paths {
				fmt.Fprintln(io.out, shown(path))
			}
			return nil
		},
	}
	f := command.Flags()
	f.StringVarP(&dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&user, "user", false, "only the user's own file")
	f.BoolVar(&project, "project", false, "only the project's file")
	f.BoolVar(&asJSON, "json", false, "print JSON: path and whether it exists")
	return command
}
