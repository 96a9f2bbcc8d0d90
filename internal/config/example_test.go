package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ampersat/ampersat/internal/config"
)

// example is a home and a project in folders that are gone afterwards.
func example(user, project string) (config.Options, func()) {
	base, err := os.MkdirTemp("", "config")
	if err != nil {
		panic(err)
	}
	home, root := filepath.Join(base, "home"), filepath.Join(base, "project")
	for dir, text := range map[string]string{filepath.Join(home, ".ampersat"): user, filepath.Join(root, ".ampersat"): project} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			panic(err)
		}
		if err := os.WriteFile(config.FileIn(dir), []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	userDir := filepath.Join(home, ".ampersat")
	return config.Options{
		Home: home, UserDir: userDir, Project: config.OpenProject(root, config.RecordsIn(userDir)),
		Lookup: func(name string) (string, bool) { return map[string]string{"AMPERSAT_BUDGET": "500"}[name], true },
	}, func() { os.RemoveAll(base) }
}

func ExampleLoad() {
	options, remove := example("model: openai/gpt-5.5\nbudget: {turn: 100}\n", "profile: dev\n")
	defer remove()
	loaded, err := config.Load(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(loaded.Model, loaded.Profile, loaded.Budget.Turn)
	fmt.Println(loaded.Origin("model"), "|", loaded.Origin("profile"), "|", loaded.Origin("budget.turn"), "|", loaded.Origin("place"))
	// Output:
	// openai/gpt-5.5 dev 500
	// ~/.ampersat/config.yaml:1 | .ampersat/config.yaml:1 | $AMPERSAT_BUDGET | built in
}

func ExampleProblems() {
	options, remove := example("modle: openai/gpt-5.5\n", "budget:\n  turn: lots\n")
	defer remove()
	_, err := config.Load(options)
	fmt.Println(err)
	// Output:
	// read configuration: 2 mistakes
	//   ~/.ampersat/config.yaml:1:1: modle: there is no such key; did you mean model?
	//   .ampersat/config.yaml:2:9: budget.turn: "lots" is not a number of tokens; write it like 2000 or 32k
}

func ExampleProject() {
	options, remove := example("", "mcp: {docs: {command: docs-server}}\n")
	defer remove()
	loaded, err := config.Load(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(loaded.MCP), loaded.Denied("mcp", "docs"))

	// The person looks at it, and agrees.
	snapshot, err := options.Project.Snapshot()
	if err == nil {
		err = options.Project.Agree(snapshot, time.Now())
	}
	if err == nil {
		loaded, err = config.Load(options)
	}
	fmt.Println(loaded.MCP["docs"].Command, err)
	// Output:
	// 0 use the MCP server "docs": the project is not trusted as it is now (to allow it: ampersat trust)
	// docs-server <nil>
}
