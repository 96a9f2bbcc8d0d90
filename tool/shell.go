package tool

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	programs "github.com/ampersat/ampersat/internal/process"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed shell.md
var aboutShell string

// The time that a command is given, in seconds.
const usualTime, mostTime = 120, 600

// Shell is the arguments of shell.
type Shell struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitzero"`
	Dir     string `json:"dir,omitzero"`
}

type shell struct{ *kit }

// Spec implements [agent.Tool].
func (*shell) Spec() message.ToolSpec {
	return message.ToolSpec{
		Name: "shell", Description: aboutShell,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"command":{"type":"string","description":"the command line, for sh -c"},` +
			`"timeout":{"type":"integer","description":"how many seconds it may take; 120 if left out, 600 at most"},` +
			`"dir":{"type":"string","description":"the folder of the project to run it in; the working directory if left out"}` +
			`},"required":["command"]}`),
	}
}

// arguments returns the folder to run in as an absolute path.
func (t *shell) arguments(input jsontext.Value) (a Shell, dir string, err error) {
	if a, err = arguments[Shell]("shell", input); err != nil {
		return a, "", err
	}
	if a.Dir == "" {
		a.Dir = "."
	}
	if dir, err = t.path(a.Dir); err != nil {
		return a, "", fmt.Errorf("shell: %w", err)
	}
	switch {
	case strings.TrimSpace(a.Command) == "":
		err = errors.New("shell: there is no command")
	case strings.ContainsRune(a.Command, 0):
		err = errors.New("shell: no command holds a zero byte")
	case a.Timeout < 0 || a.Timeout > mostTime:
		err = fmt.Errorf("shell: timeout must be from 1 to %d seconds", mostTime)
	case a.Timeout == 0:
		a.Timeout = usualTime
	}
	return a, dir, err
}

// Plan implements [agent.Tool].
func (t *shell) Plan(input jsontext.Value) (agent.Action, error) {
	a, dir, err := t.arguments(input)
	if err != nil {
		return agent.Action{}, err
	}
	// What cannot be run is not asked about, nor noted as something that began.
	if _, _, err := t.ready(dir); err != nil {
		return agent.Action{}, err
	}
	// What is remembered is a command where it was run. Only the project's own folder
	// goes without saying: a session may begin in any other.
	command := a.Command
	if root, ok := t.Roots.Find(t.Dir); !ok || dir != root.Path {
		command = "cd " + programs.Word(dir) + " && " + command
	}
	return agent.Action{Effect: agent.Runs, Subject: command, Summary: "run " + oneLine(command), Detail: command}, nil
}

// Run implements [agent.Tool].
func (t *shell) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	a, dir, err := t.arguments(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	program, dir, err := t.ready(dir)
	if err != nil {
		return agent.Result{}, err
	}
	out := &output{show: call.Output}
	end, err := run(ctx, process{
		program: program, arguments: []string{"-c", a.Command}, dir: dir,
		env:  commandEnvironment(t.Environ()),
		time: time.Duration(a.Timeout) * time.Second, out: out,
	})
	if err != nil && ctx.Err() == nil {
		return agent.Result{}, fmt.Errorf("shell: %w", err)
	}
	text := t.withhold(out.text())
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	result := said(text + end.tell(a.Timeout))
	result.Failed = !end.good()
	return result, ctx.Err()
}

// ready returns the shell, and the folder that it is to run in.
func (t *shell) ready(dir string) (program, real string, err error) {
	if real, err = t.enter(dir); err != nil {
		return "", "", err
	}
	if program, err = t.LookPath("sh"); err != nil {
		return "", "", errors.New("shell: there is no sh here, so that no command can be run")
	}
	return program, real, nil
}

// enter returns a folder of the project without links.
func (t *shell) enter(dir string) (string, error) {
	if root, ok := t.Roots.Find(dir); !ok || root.Place != access.Project {
		return "", fmt.Errorf("shell: run in %s: it is outside the project", t.name(dir))
	}
	file, info, err := t.Roots.Open(dir)
	if err != nil {
		if denied, ok := access.IsDenied(err); ok {
			return "", fmt.Errorf("shell: run in %s: %s", t.name(dir), denied.Detail)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("shell: run in %s: there is no such folder; name another in dir", t.name(dir))
		}
		return "", fmt.Errorf("shell: run in %s: %w", t.name(dir), cause(err))
	}
	file.Close()
	if !info.IsDir() {
		return "", fmt.Errorf("shell: run in %s: it is not a folder", t.name(dir))
	}
	return filepath.EvalSymlinks(dir)
}

// withhold takes secrets out of what a command said, and says so.
func (k *kit) withhold(text string) string {
	var denied *access.Denied
	if !errors.As(access.CheckSecrets(k.Consent, "shell", access.ScanString("shell", text)), &denied) {
		return text
	}
	var b strings.Builder
	at := 0
	for _, f := range denied.Findings {
		if f.Start < at {
			continue
		}
		b.WriteString(text[at:f.Start])
		fmt.Fprintf(&b, "[withheld: %s]", f.Rule)
		at = f.End
	}
	b.WriteString(text[at:])
	return fmt.Sprintf("%s\n[%s; to allow it: %s]\n", strings.TrimSuffix(b.String(), "\n"), denied.Detail, denied.Grant)
}
