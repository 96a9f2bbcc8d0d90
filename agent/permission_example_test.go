package agent_test

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat/agent"
)

// A person is asked once, and what they allow for the project is kept.
func ExamplePermissions() {
	permissions := &agent.Permissions{
		Mode:    agent.ModeAutoRead,
		Project: "/project",
		Ask: func(_ context.Context, q agent.Question) (agent.Decision, error) {
			fmt.Println("may I", q.Summary+"?")
			return agent.AllowForProject, nil
		},
		Remember: func(rule agent.Rule) { fmt.Println("from now on:", rule) },
	}
	for _, action := range []agent.Action{
		{Effect: agent.Reads, Subject: "/project/go.mod", Summary: "read go.mod"},
		{Effect: agent.Writes, Subject: "/project/docs/a.md", Summary: "edit docs/a.md"},
		{Effect: agent.Writes, Subject: "/project/docs/b.md", Summary: "edit docs/b.md"},
	} {
		if err := permissions.Check(context.Background(), agent.Question{Tool: "edit_file", Action: action}); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// may I edit docs/a.md?
	// from now on: write files in /project/docs
}
