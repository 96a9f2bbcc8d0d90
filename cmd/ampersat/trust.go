package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/spf13/cobra"
)

// trustFlags is what the person said to "ampersat trust".
type trustFlags struct {
	dir                     string
	yes, revoke, list, json bool
}

func trustCommand(io streams) *cobra.Command {
	var flags trustFlags
	command := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Show what a project could do if it were trusted, and agree to it",
		Long: `A project comes from anywhere. What in it runs a program, reaches an address,
reads outside of the project or becomes part of the system message is left out
until you trust the project. Trust shows all of that, and what of it changed
since you last agreed, and records your consent to the project as it is. When any
of it changes, you are asked again.

Consents are kept in trust.json of the user's own folder.`,
		Example: `  ampersat trust
  ampersat trust --yes             without asking, for scripts
  ampersat trust --list
  ampersat trust --revoke`,
		Args: atMost(1, "one folder"),
		RunE: func(command *cobra.Command, args []string) error {
			if err := oneOf(command, "yes", "revoke", "list"); err != nil {
				return err
			}
			if len(args) == 1 {
				flags.dir = filepath.Join(flags.dir, args[0])
				if filepath.IsAbs(args[0]) {
					flags.dir = args[0]
				}
			}
			switch {
			case flags.list:
				return listTrust(io, flags)
			case flags.revoke:
				return revokeTrust(io, flags)
			}
			return showTrust(command.Context(), io, flags)
		},
	}
	f := command.Flags()
	f.StringVarP(&flags.dir, "dir", "C", "", "the project around this folder")
	f.BoolVar(&flags.yes, "yes", false, "agree without being asked")
	f.BoolVar(&flags.revoke, "revoke", false, "take the consent back, with all that was remembered for the project")
	f.BoolVar(&flags.list, "list", false, "list the projects that you agreed to")
	f.BoolVar(&flags.json, "json", false, "print JSON")
	return command
}

// trustReport is what there is to agree to, as --json prints it.
type trustReport struct {
	Project string `json:"project"`
	// Trusted says that the project is trusted as it is; At is when it was last
	// agreed to, if ever.
	Trusted bool             `json:"trusted"`
	At      time.Time        `json:"at,omitzero"`
	Digest  blob.Digest      `json:"digest"`
	Effects []config.Effect  `json:"effects"`
	Changes []trustChange    `json:"changes"`
	Kept    *trustRemembered `json:"remembered,omitzero"`

	snapshot config.Snapshot
}

type trustChange struct {
	Path string `json:"path"`
	How  string `json:"how"`
}

type trustRemembered struct {
	Allow       []string `json:"allow,omitzero"`
	Permissions []string `json:"permissions,omitzero"`
}

// reportTrust looks at the project.
func reportTrust(ground app.Ground) (trustReport, error) {
	snapshot, err := ground.Project.Snapshot()
	if err != nil {
		return trustReport{}, err
	}
	supposed, err := ground.Suppose()
	if err != nil {
		return trustReport{}, err
	}
	record, _, err := ground.Project.Record()
	if err != nil {
		return trustReport{}, err
	}
	trusted, err := ground.Project.Trusted()
	if err != nil {
		return trustReport{}, err
	}
	report := trustReport{
		Project: ground.Root, Trusted: trusted, At: record.At, Digest: snapshot.Digest, snapshot: snapshot,
		Effects: append([]config.Effect{}, supposed.Effects()...), Changes: []trustChange{},
	}
	report.Effects = append(report.Effects, snapshot.Effects()...)
	if record.Trusted() {
		for _, c := range snapshot.Since(record.Files) {
			report.Changes = append(report.Changes, trustChange{c.Path, c.How})
		}
	}
	if len(record.Allow)+len(record.Permissions) > 0 {
		report.Kept = &trustRemembered{record.Allow, record.Permissions}
	}
	return report, nil
}

func showTrust(ctx context.Context, io streams, flags trustFlags) error {
	ground, err := app.Locate(flags.dir)
	if err != nil {
		return err
	}
	report, err := reportTrust(ground)
	if err != nil {
		return err
	}
	open := !report.Trusted
	if open && flags.yes {
		if err := ground.Project.Agree(report.snapshot, time.Now()); err != nil {
			return err
		}
		report.Trusted, open = true, false
		defer fmt.Fprintln(io.err, "trusted as it is now")
	}
	if flags.json {
		if err := io.printJSON(report); err != nil {
			return err
		}
	} else {
		printTrust(io, report)
	}
	switch {
	case !open, report.snapshot.Empty() && !io.inTerminal:
		return nil
	case flags.json || !io.inTerminal:
		return errors.New("trust: nothing was recorded, because nobody was asked; look at what it would allow, then add --yes")
	}
	agreed, err := io.confirm(ctx, "\nTrust the project as it is now?")
	if err != nil {
		return err
	}
	if !agreed {
		return errors.New("trust: nothing was recorded")
	}
	return ground.Project.Agree(report.snapshot, time.Now())
}

// effectWords are what the kinds of effects mean, in the order they are shown:
// the most dangerous first.
var effectWords = []struct{ kind, words string }{
	{"run", "would run"},
	{"send", "would send"},
	{"reach", "could reach"},
	{"read", "could read"},
	{"permit", "would permit"},
	{"set", "would set"},
	{"text", "would instruct the model with"},
}

// printTrust tells a person what there is to agree to.
func printTrust(io streams, report trustReport) {
	fmt.Fprintln(io.out, io.paint(shown(report.Project), underlined))
	if report.snapshot.Empty() {
		fmt.Fprintln(io.out, "there is nothing in it that needs trust, except for language servers: asked for @diagnostics, they run what its code says")
	}
	for _, group := range effectWords {
		first := true
		for _, effect := range report.Effects {
			if effect.Kind != group.kind {
				continue
			}
			if first {
				fmt.Fprintf(io.out, "\n%s\n", group.words)
				first = false
			}
			line := "  " + oneLine(effect.What)
			if effect.Kind != "text" {
				line += "  " + io.paint("("+oneLine(effect.From)+")", faint)
			}
			fmt.Fprintln(io.out, line)
		}
	}
	if report.Kept != nil {
		fmt.Fprintln(io.out, "\nyou allowed in it, for good")
		for _, kept := range append(report.Kept.Allow, report.Kept.Permissions...) {
			fmt.Fprintln(io.out, "  "+oneLine(kept))
		}
	}
	if len(report.Changes) > 0 {
		fmt.Fprintf(io.out, "\nsince you agreed, %s\n", report.At.Local().Format("2006-01-02 15:04"))
		for _, change := range report.Changes {
			fmt.Fprintf(io.out, "  %s was %s\n", oneLine(change.Path), change.How)
		}
	}
	if report.Trusted && !report.At.IsZero() {
		fmt.Fprintf(io.out, "\nyou agreed to all this, %s\n", report.At.Local().Format("2006-01-02 15:04"))
	}
}

func revokeTrust(io streams, flags trustFlags) error {
	root, revoke, err := trustedProject(flags.dir)
	if err != nil {
		return err
	}
	found, err := revoke()
	if err != nil {
		return err
	}
	if flags.json {
		return io.printJSON(struct {
			Project string `json:"project"`
			Revoked bool   `json:"revoked"`
		}{root, found})
	}
	if !found {
		fmt.Fprintln(io.err, "there was no consent to", shown(root))
		return nil
	}
	fmt.Fprintln(io.err, "no longer trusted:", shown(root))
	return nil
}

// trustedProject finds what to revoke: the project around a folder, or one that
// is no longer there, by its path.
func trustedProject(dir string) (root string, revoke func() (bool, error), err error) {
	ground, err := app.Locate(dir)
	if err == nil {
		return ground.Root, ground.Project.Revoke, nil
	}
	here, there := app.Locate("")
	gone, absolute := filepath.Abs(dir)
	if there != nil || absolute != nil {
		return "", nil, err
	}
	records, listed := here.Records.List()
	if listed != nil {
		return "", nil, listed
	}
	for _, record := range records {
		if record.Project == gone {
			return gone, func() (bool, error) { return here.Records.Revoke(gone) }, nil
		}
	}
	return "", nil, err
}

// trustedJSON is a project in the output of "trust --list --json".
type trustedJSON struct {
	Project string `json:"project"`
	// State is trusted, changed (since it was agreed to), remembered (only
	// something in it was allowed for good) or gone.
	State       string      `json:"state"`
	At          time.Time   `json:"at,omitzero"`
	Digest      blob.Digest `json:"digest"`
	Allow       []string    `json:"allow,omitzero"`
	Permissions []string    `json:"permissions,omitzero"`
}

func listTrust(io streams, flags trustFlags) error {
	ground, err := app.Locate(flags.dir)
	if err != nil {
		return err
	}
	records, err := ground.Records.List()
	if err != nil {
		return err
	}
	list := []trustedJSON{}
	for _, r := range records {
		list = append(list, trustedJSON{r.Project, r.State(), r.At, r.Digest, r.Allow, r.Permissions})
	}
	if flags.json {
		return io.printJSON(struct {
			Projects []trustedJSON `json:"projects"`
		}{list})
	}
	if len(list) == 0 {
		fmt.Fprintln(io.err, "no project is trusted")
		return nil
	}
	rows := [][]string{{"STATE", "AGREED", "PROJECT", "ALLOWED FOR GOOD"}}
	for _, p := range list {
		at := ""
		if !p.At.IsZero() {
			at = p.At.Local().Format("2006-01-02 15:04")
		}
		allowed := strings.Join(append(p.Allow, p.Permissions...), ", ")
		rows = append(rows, []string{p.State, at, shown(p.Project), cell(allowed)})
	}
	io.table(rows)
	return nil
}
