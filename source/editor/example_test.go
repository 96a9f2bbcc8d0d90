package editor_test

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/editor"
)

// Of a progress bar the last state is left, and no colours.
func ExamplePlain() {
	fmt.Print(editor.Plain("loading  10%\rloading  60%\rloading 100%\n\x1b[32mdone\x1b[0m\n"))
	// Output:
	// loading 100%
	// done
}

// A program that runs commands itself says what they wrote.
func ExampleTerminal() {
	var mux ampersat.Mux
	mux.Handle(editor.NewTerminal(editor.TerminalConfig{
		Output: func(lines int) (string, bool) { return "$ make\ncc main.c\nmain.c:3: error: expected ;\n", true },
	}), mention.KindTerminal)
	content, err := mux.Resolve(context.Background(), ampersat.Query{
		Mention: mention.Terminal{Lines: 1},
		Asker:   access.Asker{Origin: access.FromPerson},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(content.Text)
	// Output:
	// main.c:3: error: expected ;
}
