package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/collection"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/spf13/cobra"
)

// collectionFlags is what the person said to "ampersat collection".
type collectionFlags struct {
	dir, scope, ref, subfolder string
	force, json                bool
}

func collectionCommand(io streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "collection",
		Short: "Install collections of profiles, agents and texts",
		Long: `A collection is a folder of profiles, agents and texts with a name, by which
they are mentioned: @foundation:context/AGENTS.md. Those of the project, in
.ampersat/collections/, go before the user's, in ~/.ampersat/collections/, and
these before what comes with the program. Nothing in a collection runs.`,
		Args: cobra.ArbitraryArgs,
		RunE: needsSubcommand,
	}
	command.AddCommand(collectionListCommand(io), collectionShowCommand(io), collectionInstallCommand(io), collectionUpdateCommand(io), collectionRemoveCommand(io))
	return command
}

// add gives a command the flags that all of them have.
func (f *collectionFlags) add(command *cobra.Command) {
	command.Flags().StringVarP(&f.dir, "dir", "C", "", "work in this folder")
	command.Flags().BoolVar(&f.json, "json", false, "print JSON")
}

// check refuses a scope that there is not.
func (f *collectionFlags) check(command *cobra.Command) error {
	switch collection.Scope(f.scope) {
	case collection.User, collection.Project, "":
		return nil
	}
	return &usageError{command, fmt.Errorf("there is no scope %q; use %s or %s", f.scope, collection.User, collection.Project)}
}

func collectionInstallCommand(io streams) *cobra.Command {
	var flags collectionFlags
	command := &cobra.Command{
		Use:   "install SOURCE",
		Short: "Install a collection from a repository, a folder, an archive or the index",
		Example: `  ampersat collection install developer-expertise
  ampersat collection install https://example.org/team/standards.git --ref v2
  ampersat collection install git@example.org:team/standards.git --subfolder collections/go
  ampersat collection install ./standards --scope project
  ampersat collection install standards.tar.gz`,
		Args: exactly(1, "one source"),
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(command); err != nil {
				return err
			}
			library, err := app.Collections(flags.dir)
			if err != nil {
				return err
			}
			done := io.progress("installing "+oneLine(args[0]), 500*time.Millisecond)
			result, err := library.Install(command.Context(), collection.Request{
				Source: args[0], Ref: flags.ref, Subfolder: flags.subfolder, Scope: collection.Scope(flags.scope),
			})
			done()
			if err != nil {
				return err
			}
			return printInstalled(io, "installed", []collection.Result{result}, flags.json)
		},
	}
	flags.add(command)
	command.Flags().StringVar(&flags.scope, "scope", string(collection.User), "for whom: user or project")
	command.Flags().StringVar(&flags.ref, "ref", "", "a branch, tag or commit of a repository")
	command.Flags().StringVar(&flags.subfolder, "subfolder", "", "the part of the source that is the collection")
	return command
}

func collectionUpdateCommand(io streams) *cobra.Command {
	var flags collectionFlags
	command := &cobra.Command{
		Use:   "update [NAME...]",
		Short: "Fetch collections again from where they came from, all if none is named",
		Args:  cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(command); err != nil {
				return err
			}
			library, err := app.Collections(flags.dir)
			if err != nil {
				return err
			}
			type target struct {
				name  string
				scope collection.Scope
			}
			var targets []target
			for _, name := range args {
				targets = append(targets, target{name, collection.Scope(flags.scope)})
			}
			if len(args) == 0 {
				entries, problems := library.List()
				if len(problems) > 0 {
					return errors.Join(problems...)
				}
				for _, e := range entries {
					if e.Record != nil && (flags.scope == "" || flags.scope == string(e.Scope)) {
						targets = append(targets, target{e.Name, e.Scope})
					}
				}
			}
			// One that cannot be updated does not keep the others from it.
			results := []collection.Result{}
			var failed []error
			for _, t := range targets {
				done := io.progress("updating "+oneLine(t.name), 500*time.Millisecond)
				result, err := library.Update(command.Context(), t.name, t.scope, flags.force)
				done()
				if command.Context().Err() != nil {
					return command.Context().Err()
				}
				if err != nil {
					failed = append(failed, err)
					continue
				}
				results = append(results, result)
			}
			return errors.Join(append([]error{printInstalled(io, "updated", results, flags.json)}, failed...)...)
		},
	}
	flags.add(command)
	command.Flags().StringVar(&flags.scope, "scope", "", "for whom: user or project (default where it is installed)")
	command.Flags().BoolVar(&flags.force, "force", false, "lose what was changed by hand")
	return command
}

// printInstalled says what was installed or updated.
func printInstalled(io streams, what string, results []collection.Result, asJSON bool) error {
	if asJSON {
		return io.printJSON(map[string]any{what: results})
	}
	for _, r := range results {
		did := what
		if r.Unchanged {
			did = "unchanged"
		}
		fmt.Fprintf(io.out, "%s: %s for the %s, %s in %s%s\n", oneLine(r.Name), did, r.Scope, wording.Count(r.Files, "file"), oneLine(r.Path), shortCommit(r.Commit))
		if len(r.Hides) > 0 {
			fmt.Fprintf(io.err, "note: it goes before the one of the same name that is there for the %s\n", r.Hides[0])
		}
	}
	return nil
}

func shortCommit(commit string) string {
	if commit == "" {
		return ""
	}
	return ", commit " + commit[:min(12, len(commit))]
}

func collectionRemoveCommand(io streams) *cobra.Command {
	var flags collectionFlags
	command := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a collection that was installed",
		Args:  exactly(1, "one name"),
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(command); err != nil {
				return err
			}
			library, err := app.Collections(flags.dir)
			if err != nil {
				return err
			}
			removed, err := library.Remove(command.Context(), args[0], collection.Scope(flags.scope), flags.force)
			if err != nil {
				return err
			}
			if flags.json {
				return io.printJSON(map[string]any{"removed": removed})
			}
			fmt.Fprintf(io.out, "%s: removed; it came from %s\n", oneLine(removed.Name), oneLine(removed.Source))
			return nil
		},
	}
	flags.add(command)
	command.Flags().StringVar(&flags.scope, "scope", "", "for whom: user or project (default where it is installed)")
	command.Flags().BoolVar(&flags.force, "force", false, "lose what was changed by hand")
	return command
}

func collectionListCommand(io streams) *cobra.Command {
	var flags collectionFlags
	command := &cobra.Command{
		Use:   "list",
		Short: "List the collections, in the order in which they are looked at",
		Args:  noArgs,
		RunE: func(command *cobra.Command, args []string) error {
			library, err := app.Collections(flags.dir)
			if err != nil {
				return err
			}
			entries, problems := library.List()
			if flags.json {
				said := []string{}
				for _, p := range problems {
					said = append(said, p.Error())
				}
				return io.printJSON(map[string]any{"collections": append([]collection.Entry{}, entries...), "problems": said})
			}
			rows := [][]string{{"NAME", "PLACE", "STATE", "VERSION", ""}}
			for _, e := range entries {
				rows = append(rows, []string{cell(e.Name), string(e.Scope), string(e.State), cell(e.Version), oneLine(collectionRemark(e))})
			}
			io.table(rows)
			for _, p := range problems {
				fmt.Fprintln(io.err, "note:", oneLine(p.Error()))
			}
			return nil
		},
	}
	flags.add(command)
	return command
}

// collectionRemark says of a collection what is worth knowing.
func collectionRemark(e collection.Entry) string {
	var said []string
	if e.Description != "" {
		said = append(said, e.Description)
	}
	if len(e.Behind) > 0 {
		said = append(said, fmt.Sprintf("files of the %s's go before its own", e.Behind[0]))
	}
	switch e.State {
	case collection.Gone:
		said = append(said, "its folder is gone; update or remove it")
	case collection.Available:
		said = append(said, "to install it: ampersat collection install "+e.Name)
	}
	if e.Problem != "" {
		said = append(said, e.Problem)
	}
	return strings.Join(said, "; ")
}

func collectionShowCommand(io streams) *cobra.Command {
	var flags collectionFlags
	command := &cobra.Command{
		Use:   "show NAME",
		Short: "Show where a collection came from and what is in it",
		Args:  exactly(1, "one name"),
		RunE: func(command *cobra.Command, args []string) error {
			library, err := app.Collections(flags.dir)
			if err != nil {
				return err
			}
			entries, err := library.Show(args[0])
			if err != nil {
				return err
			}
			if flags.json {
				return io.printJSON(map[string]any{"collections": entries})
			}
			for i, e := range entries {
				if i > 0 {
					fmt.Fprintln(io.out)
				}
				showCollection(io, e)
			}
			return nil
		},
	}
	flags.add(command)
	return command
}

func showCollection(io streams, e collection.Entry) {
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(io.out, "%-12s %s\n", key, oneLine(value))
		}
	}
	line("name", e.Name)
	line("place", string(e.Scope))
	line("state", string(e.State))
	line("path", e.Path)
	line("version", e.Version)
	line("description", e.Description)
	if r := e.Record; r != nil {
		line("source", r.Source)
		line("ref", r.Ref)
		line("subfolder", r.Subfolder)
		line("commit", r.Commit)
		line("digest", string(r.Digest))
		line("installed", r.Installed.Format(time.RFC3339))
	}
	if len(e.Behind) > 0 {
		line("behind", fmt.Sprintf("the %s's, whose files go before its own", e.Behind[0]))
	}
	line("problem", e.Problem)
	for _, file := range e.Files {
		fmt.Fprintf(io.out, "  @%s:%s\n", oneLine(e.Name), oneLine(file.Path))
	}
}
