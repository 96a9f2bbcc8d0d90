package ampersat_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/aymanbagabas/go-udiff"
)

// files is a resolver of one's own: everything that is needed is one method.
// For files on disk there is package source/fs.
type files struct{ fstest.MapFS }

func (f files) Resolve(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
	file, ok := q.Mention.(mention.File)
	if !ok {
		return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Failed, Reason: "only files here"}
	}
	data, err := f.ReadFile(file.Path)
	if err != nil {
		return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there", Err: err}
	}
	return ampersat.Content{Name: file.Path, Text: string(data)}, nil
}

var project = files{fstest.MapFS{
	"docs/api.md": {Data: []byte("GET /orders lists them.")},
	"style.md":    {Data: []byte("Be brief.")},
}}

func print(messages []message.Message) {
	for _, m := range messages {
		rendered := m.Rendered()
		for _, part := range rendered.Content.Parts {
			fmt.Printf("%s: %s\n", m.Role, part.(message.Text).Text)
		}
	}
}

// Load what a text mentions: the contents stand before the message, and the
// mentions stay where they were written.
func ExamplePipeline_Prepare() {
	p := &ampersat.Pipeline{Resolver: project}
	stack, err := p.Prepare(context.Background(), ampersat.Ask("Explain @docs/api.md, please."))
	if err != nil {
		panic(err)
	}
	print(stack.All())
	// Output:
	// developer: <context_file paths="docs/api.md">
	// GET /orders lists them.
	// </context_file>
	// user: Explain @docs/api.md, please.
}

// A message is prepared without being changed: flattened, it is what it was.
// What became of each mention is in the reports.
func ExamplePipeline_Prepare_message() {
	p := &ampersat.Pipeline{Resolver: project}
	said := message.Message{Role: message.User, Content: message.Say("Compare @docs/api.md and @old.md")}
	stack, err := p.Prepare(context.Background(), ampersat.Turn{Message: said})
	if err != nil {
		panic(err)
	}
	for _, r := range stack.Reports {
		fmt.Printf("%s is %s\n", r.Written, r.Outcome)
	}
	last := stack.Messages[len(stack.Messages)-1]
	fmt.Println(message.Flatten(last.Content))
	// Output:
	// @docs/api.md is loaded
	// @old.md is missing
	// Compare @docs/api.md and @old.md
}

// A resolver of one's own takes a kind of mention, or a word before a colon.
func ExampleMux() {
	mux := new(ampersat.Mux)
	mux.Handle(project, mention.KindFile)
	mux.Handle(ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		ticket := q.Mention.(mention.Custom)
		return ampersat.Content{Name: "jira:" + ticket.Arg, Text: "The button is blue."}, nil
	}), mention.KindCustom)
	if err := mux.Name(ampersat.Namespace{
		Name: "jira", What: "tickets",
		Mention: func(rest string) mention.Mention { return mention.Custom{Scheme: "jira", Arg: rest} },
	}); err != nil {
		panic(err)
	}
	p := &ampersat.Pipeline{Resolver: mux}
	stack, err := p.Prepare(context.Background(), ampersat.Ask("Fix @jira:ABC-1 in the way of @style.md"))
	if err != nil {
		panic(err)
	}
	for _, r := range stack.Reports {
		fmt.Println(r.Mention.Kind(), r.Name, r.Outcome)
	}
	// Output:
	// custom jira:ABC-1 loaded
	// file style.md loaded
}

// tracker is a resolver for a scheme of one's own, @ticket:17. What it gives of a
// ticket is its name and its text; the pipeline knows from them what the model has
// seen already.
type tracker map[string]string

func (t tracker) Resolve(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
	ticket := q.Mention.(mention.Custom) // the mux hands over no other kind
	text, ok := t[ticket.Arg]
	if !ok {
		return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "there is no such ticket"}
	}
	return ampersat.Content{Name: "ticket " + ticket.Arg, Text: text}, nil
}

// A scheme of one's own, over two turns: a ticket that is mentioned again and has
// not changed is sent as a reference.
func ExampleResolver() {
	open := tracker{"17": "The button is blue.", "18": "The button is gone."}
	mux := new(ampersat.Mux)
	mux.Handle(open, mention.KindCustom)
	if err := mux.Name(ampersat.Namespace{
		Name: "ticket", What: "tickets of the tracker",
		Mention: func(rest string) mention.Mention { return mention.Custom{Scheme: "ticket", Arg: rest} },
	}); err != nil {
		panic(err)
	}
	p := &ampersat.Pipeline{Resolver: mux}
	var view []message.Message
	for _, text := range []string{"Fix @ticket:17", "Is @ticket:17 the cause of @ticket:18, or @ticket:19?"} {
		turn := ampersat.Ask(text)
		turn.View.Messages = view
		stack, err := p.Prepare(context.Background(), turn)
		if err != nil {
			panic(err)
		}
		for _, r := range stack.Reports {
			fmt.Println(r.Written, r.Outcome)
		}
		view = append(view, stack.Messages...)
	}
	// Output:
	// @ticket:17 loaded
	// @ticket:17 unchanged
	// @ticket:18 loaded
	// @ticket:19 missing
}

// With a place for what was read and a function that compares, the model is sent
// the difference to what it has seen.
func ExamplePipeline_diff() {
	list := tracker{"17": "1. Open the page.\n2. Press the button.\n3. Wait a while.\n4. See what happens.\n5. It is blue.\n6. It should be green.\n"}
	p := &ampersat.Pipeline{
		Resolver: list,
		Blobs:    new(blob.Memory),
		Diff: func(name, before, after string) string {
			return udiff.Unified("a/"+name, "b/"+name, before, after)
		},
	}
	said := message.Of(message.Ref{Mention: mention.Custom{Scheme: "ticket", Arg: "17"}, Written: "@ticket:17"})
	turn := ampersat.Turn{Message: message.Message{Role: message.User, Content: said}}
	first, err := p.Prepare(context.Background(), turn)
	if err != nil {
		panic(err)
	}
	list["17"] += "7. It is green now, and the others are not; look at the page of the orders.\n"
	turn.View.Messages = first.Messages
	second, err := p.Prepare(context.Background(), turn)
	if err != nil {
		panic(err)
	}
	print(second.Messages[:1])
	// Output:
	// developer: <context_file paths="ticket 17" kind="custom" changed-since="turn 1">
	// --- a/ticket 17
	// +++ b/ticket 17
	// @@ -4,3 +4,4 @@
	//  4. See what happens.
	//  5. It is blue.
	//  6. It should be green.
	// +7. It is green now, and the others are not; look at the page of the orders.
	//
	// </context_file>
}

// Contents can stand in the conversation as if the model had read them itself, by
// a tool that the request declares.
func ExamplePipeline_tools() {
	p := &ampersat.Pipeline{
		Resolver: project,
		Tools: func(m mention.Mention, name string) (string, any, bool) {
			return "read_file", map[string]string{"path": name}, m.Kind() == mention.KindFile
		},
	}
	turn := ampersat.Ask("Follow @style.md")
	turn.Place = ampersat.AsTool
	stack, err := p.Prepare(context.Background(), turn)
	if err != nil {
		panic(err)
	}
	for _, m := range stack.Messages {
		fmt.Println(m.Role)
	}
	call := stack.Messages[1].Content.Parts[0].(message.ToolCall)
	fmt.Println(call.Name, string(call.Input))
	// Output:
	// user
	// assistant
	// tool
	// read_file {"path":"style.md"}
}

// The text of a profile goes into the system message, contents first.
func ExamplePlacement() {
	p := &ampersat.Pipeline{Resolver: project}
	stack, err := p.Prepare(context.Background(), ampersat.Turn{
		Message: message.Message{Role: message.System, Content: message.Say("You are a reviewer. Follow @style.md.")},
		Place:   ampersat.InSystem,
	})
	if err != nil {
		panic(err)
	}
	print(stack.All())
	// Output:
	// system: <context_file paths="style.md">
	// Be brief.
	// </context_file>
	// system: You are a reviewer. Follow @style.md.
}

// OnPrepared sees every stack before it is used.
func ExamplePipeline_onPrepared() {
	p := &ampersat.Pipeline{Resolver: project}
	p.OnPrepared = func(s ampersat.Stack) {
		fmt.Printf("%d messages, %d mentions\n", len(s.All()), len(s.Reports))
	}
	if _, err := p.Prepare(context.Background(), ampersat.Ask("Explain @docs/api.md in the way of @style.md")); err != nil {
		panic(err)
	}
	// Output: 2 messages, 2 mentions
}

// A model is not sent twice what it can still see.
func ExampleView() {
	p := &ampersat.Pipeline{Resolver: project}
	first, err := p.Prepare(context.Background(), ampersat.Ask("Explain @docs/api.md"))
	if err != nil {
		panic(err)
	}
	again := ampersat.Ask("Shorter: @docs/api.md")
	again.View.Messages = first.Messages
	second, err := p.Prepare(context.Background(), again)
	if err != nil {
		panic(err)
	}
	print(second.Messages)
	// Output:
	// developer: <context_file paths="docs/api.md" shown="reference only">
	// [unchanged since turn 1, shown there]
	// </context_file>
	// user: Shorter: @docs/api.md
}
