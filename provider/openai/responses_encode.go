package openai

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode returns the body that asks the Responses API for an answer to the
// request, and what in it differs from what was asked. The card is that of the
// request's model.
//
// It opens nothing: the bytes of images and documents are taken from the request.
func Encode(request message.Request, card model.Card) (jsontext.Value, []message.Degradation, error) {
	return encode(request, card, request.Model, "")
}

// encode is Encode, with the name that the model has on the wire, and the summary
// of its reasoning that it is asked for.
func encode(request message.Request, card model.Card, name, summary string) (jsontext.Value, []message.Degradation, error) {
	said, common, err := read(request, card)
	if err != nil {
		return nil, nil, err
	}
	e := &responsesEncoder{encoder: common}
	e.body = body{
		Model: cmp.Or(name, request.Model), Stream: true,
		Instructions:   strings.Join(said.System, "\n\n"),
		PromptCacheKey: cacheKey(request.ConversationID),
	}
	e.settings(summary)
	// A turn is an item, and some are two.
	e.body.Input = make([]item, 0, len(said.Turns)*3/2)
	for i := range said.Turns {
		e.turn(&said.Turns[i])
	}
	if len(e.body.Input) == 0 {
		return nil, nil, errNothing
	}
	if e.body.Text != nil && e.unworded(&e.body.Text.Format, said) {
		e.add(item{Type: "message", Role: "user", Content: []content{{Type: "input_text", Text: inWords}}})
	}
	return e.write(&e.body)
}

type responsesEncoder struct {
	*encoder
	body body
}

// minOutput is the smallest limit that the API accepts.
const minOutput = 16

func (e *responsesEncoder) settings(summary string) {
	e.body.MaxOutputTokens = e.notes.Limit(e.request.MaxOutputTokens, e.card.MaxOutput)
	if asked := e.body.MaxOutputTokens; asked > 0 && asked < minOutput {
		e.notes.Add(fmt.Sprintf("at most %d tokens of output", asked), fmt.Sprint(minOutput), "the API takes no less")
		e.body.MaxOutputTokens = minOutput
	}
	e.body.Tools = e.tools()
	word, name := e.choice(e.body.Tools)
	switch {
	case name != "":
		e.body.ToolChoice = namedTool{Type: "function", Name: name}
	case word != "":
		e.body.ToolChoice = word
	}
	e.body.ParallelToolCalls = e.parallel(e.body.Tools)
	e.body.Temperature, e.body.TopP = e.sampling()
	if word := e.effort(); word != "" {
		e.body.Reasoning = &effort{Effort: word}
	}
	if e.card.Thinking != "" {
		// Nothing is stored, so what the model thought can only come back from
		// here, encrypted. Models that do not think refuse to be asked.
		e.body.Include = []string{"reasoning.encrypted_content"}
		if summary != "" {
			if e.body.Reasoning == nil {
				e.body.Reasoning = &effort{}
			}
			e.body.Reasoning.Summary = summary
		}
	}
	if format := e.format(); format != nil {
		e.body.Text = &textConfig{Format: *format}
	}
	if len(e.request.Stop) > 0 {
		e.notes.Add(fmt.Sprintf("to stop at %q", e.request.Stop), "not to", "the API knows no stop sequences")
	}
}

// maxKey is how long the key of a cache may be.
const maxKey = 64

// cacheKey keeps the requests of one conversation on the same cache.
func cacheKey(conversation string) string {
	if len(conversation) > maxKey {
		return dialogue.Digest(conversation)
	}
	return conversation
}

func (e *responsesEncoder) add(sent item) { e.body.Input = append(e.body.Input, sent) }

func (e *responsesEncoder) turn(said *dialogue.Turn) {
	if said.Name != "" {
		e.notes.AddAt(said.Message, "the name of a participant", "left out", "the API knows no names")
	}
	switch said.Role {
	case message.Assistant:
		end := leads(said.Parts)
		for i, part := range said.Parts {
			e.assistant(said.Message, part, i < end)
		}
	case message.Tool:
		for _, result := range said.Results {
			e.add(item{Type: "function_call_output", CallID: result.CallID, Output: e.output(said.Message, result)})
		}
	default:
		if contents := e.contents(said.Message, said.Parts); len(contents) > 0 {
			e.add(item{Type: "message", Role: "user", Content: contents})
		}
	}
}

// leads returns how many of the parts lead to something: what is left are only
// thoughts.
func leads(parts []message.Part) int {
	end := len(parts)
	for ; end > 0; end-- {
		switch parts[end-1].(type) {
		case message.Thinking, message.Reasoning, message.RedactedThinking:
		default:
			return end
		}
	}
	return end
}

// assistant encodes what the model said. Leads says that something follows in the
// same answer.
func (e *responsesEncoder) assistant(index int, part message.Part, leads bool) {
	switch part := part.(type) {
	case message.Text:
		e.add(item{Type: "message", Role: "assistant", Content: part.Text, Phase: member[string](part.Extra, phase)})
	case message.ToolCall:
		arguments := string(part.Input)
		e.add(item{Type: "function_call", CallID: part.ID, Name: part.Name, Arguments: &arguments})
	case message.Thinking:
		e.reasoning(index, ofThinking(part), stampOf(part.Extra), leads)
	case message.Reasoning:
		e.reasoning(index, ofReasoning(part), stampOf(part.Extra), leads)
	case message.RedactedThinking:
		e.notes.AddAt(index, "reasoning", "left out", "it is of another provider")
	default:
		e.add(item{Type: "message", Role: "assistant", Content: e.notes.Omitted(index, part, "the API takes none from the model").Text})
	}
}

// reasoning sends reasoning back if the API will take it.
func (e *responsesEncoder) reasoning(index int, reasoned item, by stamp, leads bool) {
	var why string
	switch {
	case reasoned.EncryptedContent == "":
		why = "it is not encrypted by OpenAI, and nothing else is taken back"
	case by.Model != "" && by.Model != e.request.Model:
		why = "it is of another model"
	case by.Provider != "" && e.card.Provider != "" && by.Provider != e.card.Provider:
		why = "it is of another provider"
	case e.card.Thinking == "":
		why = "the model does not reason"
	case !leads:
		why = "nothing that it led to follows, and the API refuses it alone"
	default:
		e.add(reasoned)
		return
	}
	e.notes.AddAt(index, "reasoning", "left out", why)
}

// contents encodes what a user or a tool says.
func (e *responsesEncoder) contents(index int, parts []message.Part) []content {
	contents := make([]content, 0, len(parts))
	text := func(text string) { contents = append(contents, content{Type: "input_text", Text: text}) }
	for _, part := range parts {
		switch part := part.(type) {
		case message.Text:
			text(part.Text)
		case message.Image:
			url, instead := e.image(index, part)
			if url == "" {
				text(instead)
				continue
			}
			contents = append(contents, content{Type: "input_image", Detail: "auto", ImageURL: url})
		case message.Document:
			media, instead := e.document(index, part)
			switch {
			case instead != "":
				text(instead)
			case !e.card.Documents:
				text(e.notes.Omitted(index, part, "the model takes no documents").Text)
			case media.URL != "":
				contents = append(contents, content{Type: "input_file", FileURL: media.URL})
			default:
				contents = append(contents, content{Type: "input_file", Filename: filename(part), FileData: dataURL(media)})
			}
		}
	}
	return contents
}

// output encodes the result of a call: a text as it is, anything else as a list.
func (e *responsesEncoder) output(index int, result dialogue.Result) any {
	contents := e.contents(index, result.Parts)
	if result.Failed {
		if len(contents) > 0 && contents[0].Type == "input_text" {
			contents[0].Text = failure + "\n" + contents[0].Text
		} else {
			contents = append([]content{{Type: "input_text", Text: failure}}, contents...)
		}
	}
	switch {
	case len(contents) == 0:
		return ""
	case len(contents) == 1 && contents[0].Type == "input_text":
		return contents[0].Text
	default:
		return contents
	}
}

// phase is the member in which a text keeps whether it was a comment on the way
// or the answer; models want to be told when they read it again.
const phase = "phase"
