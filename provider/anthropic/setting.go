package anthropic

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

// minThinking is the smallest budget that the API accepts.
const minThinking = 1024

// think sets how hard the model is to think.
func (e *encoder) think() {
	effort, known := dialogue.ReadEffort(e.request.ReasoningEffort)
	asked := "reasoning effort " + e.request.ReasoningEffort
	switch {
	case !known:
		e.notes.Add(asked, "the model chooses", "it is not known what it means")
	case effort == "":
	case effort == dialogue.NoEffort:
		if e.card.ThinkingOff != "" {
			e.body.Thinking = &thinking{Type: e.card.ThinkingOff}
		} else if e.card.Thinking == model.ThinkingAdaptive {
			e.notes.Add(asked, "the model chooses", "the model always thinks")
		}
	case e.card.Thinking == model.ThinkingAdaptive:
		// Without display many models return only signatures, and there is
		// nothing to show.
		e.body.Thinking = &thinking{Type: "adaptive", Display: "summarized"}
		e.output().Effort = string(effort)
	case e.card.Thinking == model.ThinkingBudget:
		budget := effort.Budget(e.body.MaxTokens)
		switch {
		case budget < minThinking:
			e.notes.Add(asked, "no thinking", fmt.Sprintf("%d tokens of output leave no room for it", e.body.MaxTokens))
		case unthought(e.body.Messages):
			e.notes.Add(asked, "no thinking", "the turn began without it, or with thinking that cannot be sent back")
		default:
			e.body.Thinking = &thinking{Type: "enabled", BudgetTokens: budget}
		}
	default:
		e.notes.Add(asked, "the model chooses", "the model cannot be told")
	}
}

// unthought reports whether the turn that is going on has an answer which does not
// begin with thinking. The API refuses to think on from there: what belongs to one
// turn is everything since the user last said something.
func unthought(turns []turn) bool {
	for i := len(turns) - 1; i >= 0; i-- {
		first := turns[i].Content[0].Type
		switch {
		case turns[i].Role == "assistant" && first != "thinking" && first != "redacted_thinking":
			return true
		case turns[i].Role == "user" && first != "tool_result":
			return false
		}
	}
	return false
}

func (e *encoder) output() *outputConfig {
	if e.body.OutputConfig == nil {
		e.body.OutputConfig = &outputConfig{}
	}
	return e.body.OutputConfig
}

// sample sets what steers the choice of words.
func (e *encoder) sample() {
	temperature, topP := e.request.Temperature, e.request.TopP
	drop := func(reason string) {
		if temperature != nil {
			e.notes.Add(fmt.Sprintf("temperature %g", *temperature), "the model's own", reason)
		}
		if topP != nil {
			e.notes.Add(fmt.Sprintf("top_p %g", *topP), "the model's own", reason)
		}
		temperature, topP = nil, nil
	}
	if !e.card.Sampling {
		drop("the model takes no such setting")
	}
	thinks := e.body.Thinking != nil && e.body.Thinking.Type != "disabled"
	if thinks {
		drop("the API takes no such setting together with thinking")
	}
	if temperature != nil && *temperature > 1 {
		one := 1.0
		e.notes.Add(fmt.Sprintf("temperature %g", *temperature), "1", "the API takes 0 to 1")
		temperature = &one
	}
	if temperature != nil && topP != nil {
		e.notes.Add(fmt.Sprintf("top_p %g", *topP), "the model's own", "the API takes temperature or top_p, not both")
		topP = nil
	}
	e.body.Temperature, e.body.TopP = temperature, topP
	for _, stop := range e.request.Stop {
		if strings.TrimSpace(stop) == "" {
			e.notes.Add(fmt.Sprintf("to stop at %q", stop), "not to", "the API takes no stop sequence of white space")
			continue
		}
		e.body.StopSequences = append(e.body.StopSequences, stop)
	}
	if thinks && e.body.ToolChoice != nil && (e.body.ToolChoice.Type == "any" || e.body.ToolChoice.Type == "tool") {
		e.notes.Add("a call of a tool", "the model chooses", "the API takes no such demand together with thinking")
		e.body.ToolChoice = &toolChoice{Type: "auto"}
	}
}

// format sets the shape of the answer.
func (e *encoder) format() {
	format := e.request.ResponseFormat
	switch {
	case format == nil || format.Type == message.FormatText || format.Type == "":
	case format.Type == message.FormatJSONSchema && e.card.Schema && len(format.Schema) > 0:
		e.output().Format = &outputFormat{Type: "json_schema", Schema: format.Schema}
	case format.Type == message.FormatJSONSchema:
		e.notes.Add("an answer in the shape of a schema", "an answer in any shape", "the model cannot be held to one")
	default:
		e.notes.Add(fmt.Sprintf("an answer of the format %q", format.Type), "an answer in any shape", "the API holds answers to schemas only")
	}
}

// breakpoints marks where the provider is to cache, four places at most: after the
// tools, which outlive a change of the system text; after the system text; where
// the request before this one ended, which is what is in the cache now; and at the
// end, which the next request will begin with. The API looks a little way back
// from a breakpoint for what it has, but not as far as a turn can be long.
func (e *encoder) breakpoints() {
	mark := &cacheControl{Type: "ephemeral"}
	if n := len(e.body.Tools); n > 0 {
		e.body.Tools[n-1].CacheControl = mark
	}
	if n := len(e.body.System); n > 0 {
		e.body.System[n-1].CacheControl = mark
	}
	last := len(e.body.Messages) - 1
	for i := last; i > 0; i-- {
		if e.body.Messages[i].Role == "assistant" && e.body.Messages[i-1].Role == "user" {
			markLast(e.body.Messages[i-1].Content, mark)
			break
		}
	}
	if last >= 0 {
		markLast(e.body.Messages[last].Content, mark)
	}
}

// markLast marks the last block that can carry a mark, which thinking cannot.
func markLast(blocks []block, mark *cacheControl) {
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].Type != "thinking" && blocks[i].Type != "redacted_thinking" {
			blocks[i].CacheControl = mark
			return
		}
	}
}
