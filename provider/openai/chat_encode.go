package openai

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

// Dialect is what differs between servers of Chat Completions. The zero value is
// what most understand.
type Dialect struct {
	// CompletionTokens says that the limit of output is called
	// max_completion_tokens, as OpenAI's own servers want it, and not max_tokens.
	CompletionTokens bool
	// PDFText returns the text of a PDF, which is all of it that most servers can
	// be told. It must be a pure function. Without it a PDF is left out.
	PDFText func(pdf []byte) (string, error)
}

// EncodeChat returns the body that asks a server of Chat Completions for an
// answer to the request, and what in it differs from what was asked. The card is
// that of the request's model.
//
// It opens nothing: the bytes of images and documents are taken from the request.
func EncodeChat(request message.Request, card model.Card, dialect Dialect) (jsontext.Value, []message.Degradation, error) {
	said, common, err := read(request, card)
	if err != nil {
		return nil, nil, err
	}
	e := &chatEncoder{encoder: common, dialect: dialect}
	e.body = chatBody{Model: request.Model, Stream: true, StreamOptions: &streamOptions{IncludeUsage: true}}
	e.settings()
	e.body.Messages = make([]chatMessage, 0, len(said.Turns)+1)
	if len(said.System) > 0 {
		e.add(chatMessage{Role: "system", Content: strings.Join(said.System, "\n\n")})
	}
	before := len(e.body.Messages)
	for i := range said.Turns {
		e.turn(&said.Turns[i])
	}
	if len(e.body.Messages) == before {
		return nil, nil, errNothing
	}
	if e.unworded(e.asked, said) {
		e.add(chatMessage{Role: "user", Content: inWords})
	}
	return e.write(&e.body)
}

type chatEncoder struct {
	*encoder
	dialect Dialect
	body    chatBody
	asked   *textFormat
}

// maxStops is how many stop sequences the API accepts.
const maxStops = 4

func (e *chatEncoder) settings() {
	limit := e.notes.Limit(e.request.MaxOutputTokens, e.card.MaxOutput)
	if e.dialect.CompletionTokens {
		e.body.MaxCompletionTokens = limit
	} else {
		e.body.MaxTokens = limit
	}
	tools := e.tools()
	for _, tool := range tools {
		e.body.Tools = append(e.body.Tools, chatTool{Type: "function", Function: chatFunction{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters, Strict: tool.Strict,
		}})
	}
	word, name := e.choice(tools)
	switch {
	case name != "":
		e.body.ToolChoice = chatChoice{Type: "function", Function: chatName{Name: name}}
	case word != "":
		e.body.ToolChoice = word
	}
	e.body.ParallelToolCalls = e.parallel(tools)
	e.body.Temperature, e.body.TopP = e.sampling()
	e.body.ReasoningEffort = e.effort()
	if e.asked = e.format(); e.asked != nil {
		e.body.ResponseFormat = &chatFormat{Type: e.asked.Type}
		if e.asked.Schema != nil {
			e.body.ResponseFormat.JSONSchema = &chatSchema{Name: e.asked.Name, Schema: e.asked.Schema, Strict: e.asked.Strict}
		}
	}
	e.body.Stop = e.request.Stop
	if n := len(e.request.Stop); n > maxStops {
		e.notes.Add(fmt.Sprintf("to stop at %d sequences", n), fmt.Sprintf("the first %d", maxStops), "the API takes no more")
		e.body.Stop = e.request.Stop[:maxStops]
	}
}

func (e *chatEncoder) add(sent chatMessage) { e.body.Messages = append(e.body.Messages, sent) }

func (e *chatEncoder) turn(said *dialogue.Turn) {
	switch said.Role {
	case message.Assistant:
		e.assistant(said)
	case message.Tool:
		e.results(said)
	default:
		if parts := e.parts(said.Message, said.Parts); len(parts) > 0 {
			e.add(chatMessage{Role: "user", Name: e.name(said), Content: plain(parts)})
		}
	}
}

// name returns the name of a participant if the API takes it.
func (e *chatEncoder) name(said *dialogue.Turn) string {
	if said.Name == "" || names.Fit(said.Name) == said.Name {
		return said.Name
	}
	e.notes.AddAt(said.Message, "the name of a participant", "left out", names.String())
	return ""
}

// assistant encodes an answer: what was said is one text, and the calls follow.
func (e *chatEncoder) assistant(said *dialogue.Turn) {
	sent := chatMessage{Role: "assistant"}
	var texts []string
	for _, part := range said.Parts {
		switch part := part.(type) {
		case message.Text:
			if len(sent.ToolCalls) > 0 {
				e.notes.AddAt(said.Message, "what was said after a tool call", "said before it", "the API knows no other order")
			}
			texts = append(texts, part.Text)
		case message.ToolCall:
			sent.ToolCalls = append(sent.ToolCalls, chatCall{ID: part.ID, Type: "function", Function: chatCallFunction{
				Name: part.Name, Arguments: string(part.Input),
			}})
		case message.Thinking:
			if !e.own(part) {
				e.notes.AddAt(said.Message, "reasoning", "left out", "the API has no place for it")
			}
		case message.RedactedThinking, message.Reasoning:
			e.notes.AddAt(said.Message, "reasoning", "left out", "the API has no place for it")
		default:
			texts = append(texts, e.notes.Omitted(said.Message, part, "the API takes none from the model").Text)
		}
	}
	if len(texts) > 0 {
		sent.Content = strings.Join(texts, "\n\n")
	}
	if sent.Content != nil || len(sent.ToolCalls) > 0 {
		sent.Name = e.name(said)
		e.add(sent)
	}
}

// own reports whether a thought came by this very wire. Servers do not want these
// back, and nobody is worse off without; any other was meant to be sent.
func (e *chatEncoder) own(thought message.Thinking) bool {
	return thought.Signature == "" && thought.Content == nil && thought.Extra != nil &&
		e.card.Provider != "" && stampOf(thought.Extra).Provider == e.card.Provider
}

// results encodes the results of an answer's calls, each in a message of its own.
// Such a message is text; pictures and files of the results follow all of them.
func (e *chatEncoder) results(said *dialogue.Turn) {
	var rest []chatPart
	for _, result := range said.Results {
		var texts []string
		if result.Failed {
			texts = append(texts, failure)
		}
		shown := 0
		for _, part := range e.parts(said.Message, result.Parts) {
			if part.Type == "text" {
				texts = append(texts, part.Text)
				continue
			}
			if shown++; shown == 1 {
				rest = append(rest, chatPart{Type: "text", Text: "Part of the result of the tool call " + result.CallID + ":"})
				texts = append(texts, "[part of this result follows after the results]")
				e.notes.AddAt(said.Message, "an image or a file in the result of a tool call", "said by the user after the results",
					"the API takes only text in results")
			}
			rest = append(rest, part)
		}
		e.add(chatMessage{Role: "tool", ToolCallID: result.CallID, Content: strings.Join(texts, "\n")})
	}
	if len(rest) > 0 {
		e.add(chatMessage{Role: "user", Content: rest})
	}
}

// parts encodes what a user or a tool says.
func (e *chatEncoder) parts(index int, parts []message.Part) []chatPart {
	sent := make([]chatPart, 0, len(parts))
	text := func(text string) { sent = append(sent, chatPart{Type: "text", Text: text}) }
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
			sent = append(sent, chatPart{Type: "image_url", ImageURL: &chatURL{URL: url}})
		case message.Document:
			media, instead := e.document(index, part)
			switch {
			case instead != "":
				text(instead)
			case media.URL != "":
				text(e.notes.Omitted(index, part, "the API fetches no documents").Text)
			case e.card.Documents:
				sent = append(sent, chatPart{Type: "file", File: &chatFile{Filename: filename(part), FileData: dataURL(media)}})
			default:
				text(e.pdfText(index, part, media))
			}
		}
	}
	return sent
}

// pdfText returns what is said in place of a PDF.
func (e *chatEncoder) pdfText(index int, document message.Document, media dialogue.Media) string {
	if e.dialect.PDFText == nil {
		return e.notes.Omitted(index, document, "the server takes no documents").Text
	}
	raw, err := base64.StdEncoding.DecodeString(media.Base64)
	if err != nil {
		return e.notes.Omitted(index, document, err.Error()).Text
	}
	text, err := e.dialect.PDFText(raw)
	switch {
	case err != nil:
		return e.notes.Omitted(index, document, "its text could not be read: "+err.Error()).Text
	case strings.TrimSpace(text) == "":
		return e.notes.Omitted(index, document, "there is no text in it").Text
	}
	e.notes.AddAt(index, "a PDF", "its text", "the server takes no documents")
	return asText(document, text)
}

// plain returns content that is nothing but text as a string, which every server
// understands, and anything else as a list.
func plain(parts []chatPart) any {
	texts := make([]string, 0, len(parts))
	for _, part := range parts {
		if part.Type != "text" {
			return parts
		}
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, "\n\n")
}
