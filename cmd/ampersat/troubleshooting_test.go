package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTroubleshooting follows the section of that name in docs/profiles.md, in a
// project where things went wrong, and holds each step to the question that it
// is there to answer.
func TestTroubleshooting(t *testing.T) {
	doc, err := os.ReadFile(filepath.FromSlash("../../docs/profiles.md"))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("AMPERSAT_HOME", "")
	for name, text := range map[string]string{
		"work/AGENTS.md": "Test everything.\n", "work/.git/HEAD": "", "work/FILE.md": "A file.\n",
		"work/.ampersat/profiles/dev.md": "---\nprofile: {extends: foundation:dev, model: anthropic/claude-sonnet-5-5}\n---\nFollow @AGENTS.md and @missing.md\n",
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(home, "work"))
	if code, out := call(t, "ask", "--provider", "echo", "--profile", "dev", "--quiet", "Explain @FILE.md and @gone.md"); code != exitDone {
		t.Fatalf("ask: code %d\n%s", code, out)
	}

	// What each step must say, and how it ends.
	answers := map[string]struct {
		code int
		says []string
	}{
		`ampersat profile show dev`: {exitDone, []string{
			`chain: dev \(.ampersat/profiles/dev.md\) → foundation:dev .* → foundation:base`, `@AGENTS.md +file +loaded`, `@missing.md +file +missing .*looked in .*\.ampersat/context`,
			`profile.model does not count until the project is trusted; to trust it: ampersat trust`,
		}},
		`ampersat context "Explain @AGENTS.md"`:                               {exitDone, []string{`@AGENTS.md +file +loaded`}},
		`ampersat logs --event mention:loaded`:                                {exitDone, []string{`mention:loaded .*FILE.md`}},
		`ampersat logs --event mention:skipped`:                               {exitDone, []string{`mention:skipped .*gone.md`}},
		`ampersat profile check dev`:                                          {exitFailed, []string{`\.ampersat/profiles/dev.md:4:23: @missing.md is missing`}},
		`ampersat trust`:                                                      {exitFailed, []string{`\.ampersat/profiles/dev.md`}},
		`ampersat logs --session last`:                                        {exitDone, []string{`provider:request`}},
		`ampersat session show last --turn 1`:                                 {exitDone, []string{`Follow @AGENTS.md`, `<context_file paths="FILE.md">`, `Explain @FILE.md and @gone.md`}},
		`ampersat find "Compare @FILE.md with @ FILE.md and @FILE"`:           {exitDone, []string{`file +@FILE.md +FILE.md +8-16`, `@FILE +FILE, if there is such an agent or file`}},
		`ampersat context --profile dev "Explain @AGENTS.md"`:                 {exitDone, []string{`@AGENTS.md +file +loaded +[0-9]+ .*%`, `@AGENTS.md +file +unchanged`, `all +[0-9]+`}},
		`ampersat context --profile dev --for anthropic "Explain @AGENTS.md"`: {exitDone, []string{`^{"model":`, `Test everything`}},
	}
	asked := map[string]bool{}
	_, section, ok := strings.Cut(string(doc), "\n## Troubleshooting\n")
	if !ok {
		t.Fatal("docs/profiles.md has no such section")
	}
	for i, block := range strings.Split(section, "```sh\n") {
		if i == 0 {
			continue
		}
		commands, _, _ := strings.Cut(block, "```")
		for command := range strings.Lines(commands) {
			command = strings.TrimSpace(command)
			want, ok := answers[command]
			if !ok {
				t.Errorf("nobody says what %q must answer", command)
				continue
			}
			asked[command] = true
			code, out := call(t, words(command)[1:]...)
			if code != want.code {
				t.Errorf("%s: code %d, want %d\n%s", command, code, want.code, out)
			}
			for _, says := range want.says {
				if !regexp.MustCompile(`(?m)` + says).MatchString(out) {
					t.Errorf("%s: no %s in\n%s", command, says, out)
				}
			}
		}
	}
	for command := range answers {
		if !asked[command] {
			t.Errorf("%q is not in the text", command)
		}
	}
}

// call runs the program and returns its exit code and all that it prints.
func call(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &out})
	return code, out.String()
}

// words splits a command line in which only double quotes are special.
func words(line string) []string {
	var all []string
	for i, piece := range strings.Split(line, `"`) {
		if i%2 == 1 {
			all = append(all, piece)
			continue
		}
		all = append(all, strings.Fields(piece)...)
	}
	return all
}
