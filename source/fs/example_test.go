package fs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/provider/echo"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/source/fs"
)

// The files of a project on disk. Only what Roots holds is ever read.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "project")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		panic(err)
	}

	roots, err := access.NewRoots(access.Root{Path: dir, Place: access.Project})
	if err != nil {
		panic(err)
	}
	var mux ampersat.Mux
	mux.Handle(fs.New(fs.Config{Dir: dir, Roots: roots}), fs.Kinds()...)
	pipeline := &ampersat.Pipeline{Resolver: &mux}
	stack, err := pipeline.Prepare(context.Background(), ampersat.Ask("Explain @notes.md:2-9 and @../../etc/none.md"))
	if err != nil {
		panic(err)
	}
	for _, r := range stack.Reports {
		fmt.Println(r.Written, r.Outcome, r.Shown)
	}
	// Output:
	// @notes.md:2-9 partial lines 2-3 of 3
	// @../../etc/none.md missing
}

// Any file system will do: an archive, what is embedded in a program, a test.
func ExampleOver() {
	r := fs.Over(fstest.MapFS{
		"go.mod":          {Data: []byte("module example\n")},
		"cmd/tool/run.go": {Data: []byte("package main\n")},
		"cmd/tool/out.o":  {Data: []byte("\x7fELF")},
		".gitignore":      {Data: []byte("*.o\n")},
	})
	person := access.Asker{Origin: access.FromPerson}
	for _, m := range []mention.Mention{mention.Directory{Path: "."}, mention.File{Path: "cmd/tool/out.o"}} {
		c, err := r.Resolve(context.Background(), ampersat.Query{Mention: m, Asker: person})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s (%s)\n%s", c.Name, c.Note, c.Text)
	}
	// Output:
	// ./ ()
	// .gitignore
	// cmd/
	//   tool/
	//     run.go
	// go.mod
	// cmd/tool/out.o (ignored by .gitignore:1:*.o)
	// [ELF program (application/x-elf), 4 bytes: not text]
}

// A miss says where it was looked for.
func ExampleResolver_Resolve_missing() {
	r := fs.Over(fstest.MapFS{"docs/a.md": {Data: []byte("see @b.md")}})
	_, err := r.Resolve(context.Background(), ampersat.Query{
		Mention: mention.File{Path: "b.md"},
		Base:    "docs",
		Asker:   access.Asker{Origin: access.FromPerson},
	})
	fmt.Println(err)
	// Output:
	// resolve @b.md: nothing there; looked in docs, ., .ampersat/context
}

// What a person mentions in a conversation is read once: a file that the model
// can still see as it is is not sent again.
func ExampleOver_conversation() {
	files := fstest.MapFS{"notes.md": {Data: []byte("Buy bread.")}}
	conversation, err := agent.Start(agent.Config{
		Provider: echo.Provider{},
		Model:    echo.Name,
		Pipeline: &ampersat.Pipeline{Resolver: fs.Over(files)},
	}, session.Meta{})
	if err != nil {
		panic(err)
	}
	watch := func(e agent.Event) {
		if resolved, ok := e.(agent.Resolved); ok {
			for _, report := range resolved.Stack.Reports {
				fmt.Println(report.Written, "is", report.Outcome)
			}
		}
	}
	for _, text := range []string{"Sum up @notes.md and @plan.md", "What is missing in @notes.md?"} {
		if _, err := conversation.Turn(context.Background(), ampersat.Ask(text), watch); err != nil {
			panic(err)
		}
	}
	for _, m := range conversation.View().Messages {
		if m.Role != message.Assistant {
			fmt.Printf("%s: %s\n", m.Role, message.Flatten(m.Rendered().Content))
		}
	}
	// Output:
	// @notes.md is loaded
	// @plan.md is missing
	// @notes.md is unchanged
	// developer: <context_file paths="notes.md">
	// Buy bread.
	// </context_file>
	// user: Sum up @notes.md and @plan.md
	// developer: <context_file paths="notes.md" shown="reference only">
	// [unchanged since turn 1, shown there]
	// </context_file>
	// user: What is missing in @notes.md?
}
