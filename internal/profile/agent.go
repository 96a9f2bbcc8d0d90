package profile

import "go.yaml.in/yaml/v4"

// Agent is somebody that work can be handed to.
type Agent struct {
	Source
	Description string
	// Tools are those that it may use of its caller's, and ToolsAt where that is
	// written.
	Tools   Choice
	ToolsAt Position
	// Models are the models it would like to work with, the best first, each
	// written provider/model. Empty means that of its caller.
	Models []string
	Budget Budget
	// Callers are those who may hand work to it: "person", "model" for the
	// assistant itself, and the names of other agents.
	Callers Choice

	// Body is its instruction, and BodyLine the line that it begins in.
	Body     string
	BodyLine int
	// Withheld is what an untrusted project wanted and does not get.
	Withheld []Withheld
}

// Budget is what one piece of work may cost an agent. Nil means that nobody
// said.
type Budget struct {
	Tokens *int `json:"tokens,omitzero"`
	// Steps is how often it may ask its model.
	Steps *int `json:"steps,omitzero"`
}

// The callers that are not agents.
const (
	CallerPerson = "person"
	CallerModel  = "model"
)

// Lines returns the position of a byte of the body in its file.
func (a Agent) Lines(at int) Position { return bodyPosition(a.File, a.Body, a.BodyLine, at) }

// readAgent reads the front matter of an agent.
func readAgent(file string, doc document) (Agent, Problems) {
	a := Agent{
		Tools: Choice{All: true}, Callers: Choice{All: true},
		Body: doc.body, BodyLine: doc.bodyLine,
	}
	f := newFields(file, doc)
	if doc.front != nil {
		f.mapping(doc.front, "an agent",
			field{"meta", func(n *yaml.Node) {
				f.mapping(n, "meta",
					field{"name", func(n *yaml.Node) { f.name(n, &a.Name) }},
					field{"description", func(n *yaml.Node) { f.text(n, "description", &a.Description) }})
			}},
			field{"tools", func(n *yaml.Node) { a.Tools, a.ToolsAt = f.choice(n, "tools").Choice, f.at(n) }},
			field{"model", func(n *yaml.Node) {
				f.list(n, func(item *yaml.Node) {
					var model string
					if f.model(item, &model) {
						a.Models = append(a.Models, model)
					}
				})
			}},
			field{"budget", func(n *yaml.Node) {
				if follow(n).Kind != yaml.MappingNode {
					f.tokens(n, "budget", &a.Budget.Tokens)
					return
				}
				f.mapping(n, "budget",
					field{"tokens", func(n *yaml.Node) { f.tokens(n, "tokens", &a.Budget.Tokens) }},
					field{"steps", func(n *yaml.Node) { f.count(n, "steps", 1, &a.Budget.Steps) }})
			}},
			field{"callers", func(n *yaml.Node) { a.Callers = f.choice(n, "callers").Choice }},
		)
	}
	if a.Body == "" && len(f.problems) == 0 {
		f.problems = append(f.problems, &Problem{At: Position{File: file}, What: "it has no body; write what the agent is to do"})
	}
	return a, f.problems
}

// withhold takes out what an untrusted project may not choose: where what the
// agent reads is sent to.
func (a *Agent) withhold(at Position) {
	if len(a.Models) > 0 {
		a.Models = nil
		a.Withheld = append(a.Withheld, Withheld{at, "model"})
	}
}
