package tool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/tool"
	"github.com/go-json-experiment/json/jsontext"
)

// project makes a folder with one file in it, and the tools for it.
func project() (dir string, roots access.Roots, tools map[string]agent.Tool) {
	dir, err := os.MkdirTemp("", "project")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "greeting.txt"), []byte("Hello, world.\n"), 0o644); err != nil {
		panic(err)
	}
	if roots, err = access.NewRoots(access.Root{Path: dir, Place: access.Project}); err != nil {
		panic(err)
	}
	pipeline := &ampersat.Pipeline{Resolver: fs.New(fs.Config{Dir: dir, Roots: roots})}
	tools = map[string]agent.Tool{}
	for _, t := range tool.New(tool.Config{Pipeline: pipeline, Roots: roots, Dir: dir}) {
		tools[t.Spec().Name] = t
	}
	return dir, roots, tools
}

// A model asks for something, a person may look at what it would do, and the
// model gets what came of it.
func ExampleNew() {
	dir, _, tools := project()
	defer os.RemoveAll(dir)
	input := jsontext.Value(`{"path":"greeting.txt","old":"world","new":"reader"}`)
	action, err := tools["edit_file"].Plan(input)
	fmt.Println(action.Effect, action.Summary, err)
	fmt.Print(action.Detail)

	result, err := tools["edit_file"].Run(context.Background(), agent.Call{Input: input})
	fmt.Println(len(result.Changes), "change", err)

	result, err = tools["read_file"].Run(context.Background(), agent.Call{Input: jsontext.Value(`{"path":"greeting.txt"}`)})
	fmt.Println(message.Flatten(message.Of(result.Parts...).Rendered()), err)
	// Output:
	// write edit greeting.txt <nil>
	// --- a/greeting.txt
	// +++ b/greeting.txt
	// @@ -1 +1 @@
	// -Hello, world.
	// +Hello, reader.
	// 1 change <nil>
	// <context_file paths="greeting.txt">
	// Hello, reader.
	//
	// </context_file> <nil>
}

// What tools have written can be taken back, from what their results hold.
func ExampleUndo() {
	ctx := context.Background()
	dir, roots, tools := project()
	defer os.RemoveAll(dir)
	result, err := tools["write_file"].Run(ctx, agent.Call{Input: jsontext.Value(`{"path":"new.txt","content":"new\n"}`)})
	if err != nil {
		panic(err)
	}
	var blobs blob.Memory
	for _, data := range result.Blobs {
		if _, err := blobs.Put(ctx, data); err != nil {
			panic(err)
		}
	}
	report, err := tool.Undo(ctx, roots, result.Changes, &blobs, false)
	for _, undone := range report {
		fmt.Println(filepath.Base(undone.Change.Path), undone.Reason == "", err)
	}
	_, err = os.Stat(filepath.Join(dir, "new.txt"))
	fmt.Println(os.IsNotExist(err))
	// Output:
	// new.txt true <nil>
	// true
}
