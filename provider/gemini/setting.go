package gemini

import (
	"fmt"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

// names is which names of tools the API takes, and schemas which parameters.
var (
	names   = dialogue.NameRule{Longest: 64, Also: ".:", Letter: true}
	schemas = dialogue.SchemaRule{Alone: true}
)

func (e *encoder) tools() {
	var offered []message.ToolSpec
	if len(e.request.Tools) > 0 && !e.card.Tools {
		e.notes.Add("tools", "left out", "the model takes none")
	} else if len(e.request.Tools) > 0 {
		offered = e.notes.Tools(e.request.Tools, names, schemas)
		declared := make([]functionDeclaration, 0, len(offered))
		for _, spec := range offered {
			declared = append(declared, functionDeclaration{Name: spec.Name, Description: spec.Description, ParametersJSONSchema: spec.Parameters})
		}
		e.body.Tools = []tool{{FunctionDeclarations: declared}}
	}
	choice, name, known := dialogue.ReadChoice(e.request.ToolChoice)
	switch {
	case !known:
		e.notes.Add("tool choice "+string(e.request.ToolChoice), "the model chooses", "it is not known what it means")
	case choice == "":
	case len(e.body.Tools) == 0:
		e.notes.Add("tool choice "+string(choice), "no tools", "there are none to choose from")
	case (choice == dialogue.ChooseAny || choice == dialogue.ChooseTool) && !e.card.Forced:
		e.notes.Add("a call of a tool", "the model chooses", "the model cannot be made to call one")
	default:
		config := functionCallingConfig{Mode: mode(choice)}
		if choice == dialogue.ChooseTool {
			sent, is := dialogue.Offered(offered, name, names)
			if !is {
				e.notes.Add(fmt.Sprintf("a call of the tool %q", name), "the model chooses", "there is no such tool")
				return
			}
			config.AllowedFunctionNames = []string{sent}
		}
		e.body.ToolConfig = &toolConfig{FunctionCallingConfig: config}
	}
}

// mode is the API's word for a choice. A tool is chosen by its name beside ANY.
func mode(choice dialogue.Choice) string {
	switch choice {
	case dialogue.ChooseNone:
		return "NONE"
	case dialogue.ChooseAny, dialogue.ChooseTool:
		return "ANY"
	default:
		return "AUTO"
	}
}

// maxStops is how many stop sequences the API takes.
const maxStops = 5

// sample sets what steers the choice of words.
func (e *encoder) sample() {
	config := &e.body.GenerationConfig
	config.Temperature, config.TopP = e.request.Temperature, e.request.TopP
	if !e.card.Sampling {
		const reason = "the model takes no such setting"
		if config.Temperature != nil {
			e.notes.Add(fmt.Sprintf("temperature %g", *config.Temperature), "the model's own", reason)
		}
		if config.TopP != nil {
			e.notes.Add(fmt.Sprintf("top_p %g", *config.TopP), "the model's own", reason)
		}
		config.Temperature, config.TopP = nil, nil
	}
	if asked := config.Temperature; asked != nil && *asked > 2 {
		two := 2.0
		e.notes.Add(fmt.Sprintf("temperature %g", *asked), "2", "the API takes 0 to 2")
		config.Temperature = &two
	}
	for _, stop := range e.request.Stop {
		switch {
		case stop == "":
			e.notes.Add(`to stop at ""`, "not to", "the API takes no empty stop sequence")
		case len(config.StopSequences) == maxStops:
			e.notes.Add(fmt.Sprintf("to stop at %q", stop), "not to", fmt.Sprintf("the API takes %d stop sequences", maxStops))
		default:
			config.StopSequences = append(config.StopSequences, stop)
		}
	}
}

// formatWithTools is the first generation of models that can be held to a format
// while they have tools.
const formatWithTools = 3

// format sets the shape of the answer.
func (e *encoder) format() {
	format, config := e.request.ResponseFormat, &e.body.GenerationConfig
	if format == nil || format.Type == message.FormatText || format.Type == "" {
		return
	}
	asked := fmt.Sprintf("an answer of the format %q", format.Type)
	const anyShape = "an answer in any shape"
	switch {
	case format.Type != message.FormatJSON && format.Type != message.FormatJSONSchema:
		e.notes.Add(asked, anyShape, "the API does not know it")
	case len(e.body.Tools) > 0 && e.generation < formatWithTools:
		e.notes.Add(asked, anyShape, "the model cannot be held to one while it has tools")
	case format.Type == message.FormatJSON:
		config.ResponseMIMEType = "application/json"
	case len(format.Schema) == 0:
		config.ResponseMIMEType = "application/json"
		e.notes.Add(asked, "any JSON", "there is no schema")
	case !e.card.Schema:
		config.ResponseMIMEType = "application/json"
		e.notes.Add(asked, "any JSON", "the model cannot be held to a schema")
	default:
		config.ResponseMIMEType = "application/json"
		config.ResponseJSONSchema = format.Schema
	}
}

// The budgets for thinking that all models with budgets accept.
const (
	minThinking = 512
	maxThinking = 24_576
)

// think sets how hard the model is to think.
func (e *encoder) think() {
	effort, known := dialogue.ReadEffort(e.request.ReasoningEffort)
	asked := "reasoning effort " + e.request.ReasoningEffort
	const chooses = "the model chooses"
	switch {
	case !known:
		e.notes.Add(asked, chooses, "it is not known what it means")
	case effort == "":
	case effort == dialogue.NoEffort:
		e.unthink(asked)
	case e.card.Thinking == "":
		e.notes.Add(asked, chooses, "the model cannot be told")
	case e.card.Thinking == model.ThinkingBudget:
		most := e.body.GenerationConfig.MaxOutputTokens
		if most == 0 {
			most = max(e.card.MaxOutput, 2*maxThinking)
		}
		budget := effort.Budget(most)
		if budget < minThinking {
			e.notes.Add(asked, chooses, fmt.Sprintf("%d tokens of output leave no room for it", most))
			return
		}
		if budget > maxThinking {
			e.notes.Add(asked, fmt.Sprintf("%d tokens of thinking", maxThinking), "the model cannot be told more")
			budget = maxThinking
		}
		e.body.GenerationConfig.ThinkingConfig = &thinkingConfig{IncludeThoughts: true, ThinkingBudget: &budget}
	default:
		level := "HIGH"
		switch effort {
		case dialogue.LowEffort:
			level = "LOW"
		case dialogue.MediumEffort:
			level = "MEDIUM"
		case dialogue.HighEffort:
		default:
			e.notes.Add(asked, "reasoning effort high", "the API knows no more")
		}
		e.body.GenerationConfig.ThinkingConfig = &thinkingConfig{IncludeThoughts: true, ThinkingLevel: level}
	}
}

// unthink asks for no thinking. The card has the word for it: a level, or the
// budget zero.
func (e *encoder) unthink(asked string) {
	switch {
	case e.card.Thinking == "": // it does not think
	case e.card.ThinkingOff == "":
		e.notes.Add(asked, "the model chooses", "the model always thinks")
	case e.card.Thinking == model.ThinkingBudget:
		none := 0
		e.body.GenerationConfig.ThinkingConfig = &thinkingConfig{ThinkingBudget: &none}
	default:
		e.body.GenerationConfig.ThinkingConfig = &thinkingConfig{ThinkingLevel: e.card.ThinkingOff}
	}
}
