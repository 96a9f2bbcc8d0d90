package command_test

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/command"
)

// A person has configured that @upper:word is the word in capitals.
func Example() {
	resolver := command.New(command.Scheme{Name: "upper", Command: []string{"sh", "-c", `printf %s "$1" | tr a-z A-Z`, "upper"}})
	mux := new(ampersat.Mux)
	mux.Handle(resolver, mention.KindCustom)
	for _, namespace := range resolver.Namespaces() {
		if err := mux.Name(namespace); err != nil {
			panic(err)
		}
	}
	pipeline := &ampersat.Pipeline{Resolver: mux}
	stack, err := pipeline.Prepare(context.Background(), ampersat.Ask("What is @upper:nato?"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(message.Flatten(stack.Messages[0].Rendered().Content))
	// Output:
	// <context_file paths="upper:nato" kind="custom">
	// NATO
	// </context_file>
}
