package openai

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What the APIs refuse, written from their references and their error messages.

var (
	lawfulName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	lawfulID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`)
)

// pairs follows calls and their results through a conversation.
type pairs struct {
	open map[string]bool
	seen map[string]bool
	// answering says that results have begun: no new call may come before all
	// are there.
	answering bool
}

func (p *pairs) call(id, name, arguments string) error {
	if p.open == nil {
		p.open, p.seen = map[string]bool{}, map[string]bool{}
	}
	switch {
	case !lawfulID.MatchString(id):
		return fmt.Errorf("call id %q", id)
	case p.seen[id]:
		return fmt.Errorf("call id %q is used twice", id)
	case p.answering && len(p.open) > 0:
		return fmt.Errorf("call %s comes between results", id)
	case !lawfulName.MatchString(name):
		return fmt.Errorf("name %q", name)
	}
	var object map[string]jsontext.Value
	if err := json.Unmarshal([]byte(arguments), &object); err != nil {
		return fmt.Errorf("arguments %q: %w", arguments, err)
	}
	p.open[id], p.seen[id], p.answering = true, true, false
	return nil
}

func (p *pairs) result(id string) error {
	if !p.open[id] {
		return fmt.Errorf("no call waits for the result %q", id)
	}
	delete(p.open, id)
	p.answering = true
	return nil
}

func (p *pairs) other() error {
	if len(p.open) > 0 {
		return fmt.Errorf("calls without a result: %v", p.open)
	}
	p.answering = false
	return nil
}

func blankText(text string) bool { return strings.TrimSpace(text) == "" }

// lawfulSchema says why OpenAI refuses the schema of a function.
func lawfulSchema(schema jsontext.Value) error {
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return err
	}
	for _, member := range []string{"oneOf", "anyOf", "allOf", "enum", "not"} {
		if root[member] != nil {
			return fmt.Errorf("schema must have type 'object' and not have %q at the top level", member)
		}
	}
	return itemed(root)
}

// itemed says where an array does not say what is in it. It does not tell schemas
// from values.
func itemed(value any) error {
	switch value := value.(type) {
	case map[string]any:
		if value["type"] == "array" && value["items"] == nil {
			return fmt.Errorf("array schema missing items: %v", value)
		}
		for _, inside := range value {
			if err := itemed(inside); err != nil {
				return err
			}
		}
	case []any:
		for _, inside := range value {
			if err := itemed(inside); err != nil {
				return err
			}
		}
	}
	return nil
}

func lawfulTools(tools []function, choice jsontext.Value) error {
	var names []string
	for _, tool := range tools {
		var schema struct {
			Type       string         `json:"type"`
			Properties jsontext.Value `json:"properties"`
		}
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			return err
		}
		if tool.Type != "function" || !lawfulName.MatchString(tool.Name) || schema.Type != "object" || schema.Properties.Kind() != '{' {
			return fmt.Errorf("tool %+v", tool)
		}
		if err := lawfulSchema(tool.Parameters); err != nil {
			return fmt.Errorf("tool %q: %w", tool.Name, err)
		}
		if length := utf8.RuneCountInString(tool.Description); length > 1024 {
			return fmt.Errorf("tool %q: string too long. Expected a string with maximum length 1024, but got a string with length %d instead", tool.Name, length)
		}
		if slices.Contains(names, tool.Name) {
			return fmt.Errorf("tool %q twice", tool.Name)
		}
		names = append(names, tool.Name)
	}
	if len(choice) == 0 {
		return nil
	}
	if len(tools) == 0 {
		return errors.New("a tool choice without tools")
	}
	var word string
	if json.Unmarshal(choice, &word) == nil {
		if !slices.Contains([]string{"auto", "none", "required"}, word) {
			return fmt.Errorf("tool choice %q", word)
		}
		return nil
	}
	var object struct {
		Name     string `json:"name"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if err := json.Unmarshal(choice, &object); err != nil {
		return err
	}
	if !slices.Contains(names, object.Name+object.Function.Name) {
		return fmt.Errorf("tool choice %s is none of %q", choice, names)
	}
	return nil
}

func checkResponses(raw jsontext.Value) error {
	var body struct {
		Model           string           `json:"model"`
		Stream          bool             `json:"stream"`
		Store           *bool            `json:"store"`
		MaxOutputTokens *int             `json:"max_output_tokens"`
		ToolChoice      jsontext.Value   `json:"tool_choice"`
		Tools           []function       `json:"tools"`
		Input           []jsontext.Value `json:"input"`
		Rest            jsontext.Value   `json:",embed"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}
	var rest map[string]jsontext.Value
	if len(body.Rest) > 0 {
		if err := json.Unmarshal(body.Rest, &rest); err != nil {
			return err
		}
	}
	for name := range rest {
		if !slices.Contains([]string{"instructions", "include", "temperature", "top_p", "reasoning", "text", "prompt_cache_key", "parallel_tool_calls"}, name) {
			return fmt.Errorf("%q is not to be sent", name)
		}
	}
	switch {
	case body.Model == "" || !body.Stream || body.Store == nil || *body.Store:
		return errors.New("model, stream, store")
	case body.MaxOutputTokens != nil && *body.MaxOutputTokens < 16:
		return fmt.Errorf("max_output_tokens %d", *body.MaxOutputTokens)
	case len(body.Input) == 0:
		return errors.New("no input")
	}
	if err := lawfulTools(body.Tools, body.ToolChoice); err != nil {
		return err
	}
	var calls pairs
	reasoned := false // the item before was reasoning
	for i, raw := range body.Input {
		var item struct {
			Type             string         `json:"type"`
			Role             string         `json:"role"`
			Content          jsontext.Value `json:"content"`
			CallID           string         `json:"call_id"`
			Name             string         `json:"name"`
			Arguments        string         `json:"arguments"`
			Output           jsontext.Value `json:"output"`
			ID               string         `json:"id"`
			Phase            string         `json:"phase"`
			Summary          jsontext.Value `json:"summary"`
			EncryptedContent string         `json:"encrypted_content"`
		}
		if err := json.Unmarshal(raw, &item, json.RejectUnknownMembers(true)); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
		var err error
		switch item.Type {
		case "message":
			switch item.Role {
			case "user":
				if err = calls.other(); err == nil {
					err = lawfulContent(item.Content)
				}
			case "assistant":
				var text string
				if err = json.Unmarshal(item.Content, &text); err == nil && blankText(text) {
					err = errors.New("a blank text")
				}
			default: // the role developer, above all
				err = fmt.Errorf("role %q", item.Role)
			}
		case "function_call":
			err = calls.call(item.CallID, item.Name, item.Arguments)
		case "function_call_output":
			if err = calls.result(item.CallID); err == nil && item.Output.Kind() != '"' {
				err = lawfulContent(item.Output)
			}
		case "reasoning":
			if item.EncryptedContent == "" || item.Summary.Kind() != '[' {
				err = errors.New("reasoning that is not stored and not encrypted either")
			}
		default:
			err = fmt.Errorf("type %q", item.Type)
		}
		if reasoned && item.Type != "reasoning" && item.Type != "function_call" && item.Role != "assistant" {
			err = errors.New("reasoning was provided without its required following item")
		}
		if err != nil {
			return fmt.Errorf("item %d: %w: %s", i, err, raw)
		}
		reasoned = item.Type == "reasoning"
	}
	if reasoned {
		return errors.New("reasoning was provided without its required following item")
	}
	return calls.other()
}

func lawfulContent(raw jsontext.Value) error {
	var list []content
	if err := json.Unmarshal(raw, &list, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("no content")
	}
	for _, part := range list {
		switch part.Type {
		case "input_text":
			if blankText(part.Text) {
				return errors.New("a blank text")
			}
		case "input_image":
			if !strings.HasPrefix(part.ImageURL, "data:image/") && !strings.HasPrefix(part.ImageURL, "https://") {
				return fmt.Errorf("image %q", part.ImageURL)
			}
		case "input_file":
			inline := strings.HasPrefix(part.FileData, "data:application/pdf;base64,") && part.Filename != "" && part.FileURL == ""
			fetched := strings.HasPrefix(part.FileURL, "https://") && part.FileData == "" && part.Filename == ""
			if !inline && !fetched {
				return fmt.Errorf("file %+v", part)
			}
		default:
			return fmt.Errorf("type %q", part.Type)
		}
	}
	return nil
}

func checkChat(raw jsontext.Value) error {
	var body struct {
		Model         string `json:"model"`
		Stream        bool   `json:"stream"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		Stop       []string       `json:"stop"`
		ToolChoice jsontext.Value `json:"tool_choice"`
		Tools      []struct {
			Type     string   `json:"type"`
			Function function `json:"function"`
		} `json:"tools"`
		Messages []struct {
			Role       string         `json:"role"`
			Name       string         `json:"name"`
			Content    jsontext.Value `json:"content"`
			ToolCallID string         `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string `json:"id"`
				Type     string `json:"type"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
			Rest jsontext.Value `json:",embed"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}
	if body.Model == "" || !body.Stream || !body.StreamOptions.IncludeUsage || len(body.Stop) > 4 {
		return errors.New("model, stream, stop")
	}
	var tools []function
	for _, tool := range body.Tools {
		tool.Function.Type = tool.Type
		tools = append(tools, tool.Function)
	}
	if err := lawfulTools(tools, body.ToolChoice); err != nil {
		return err
	}
	var calls pairs
	said := 0
	for i, m := range body.Messages {
		if len(m.Rest) > 2 {
			return fmt.Errorf("message %d: members that no server takes: %s", i, m.Rest)
		}
		if m.Name != "" && !lawfulName.MatchString(m.Name) {
			return fmt.Errorf("message %d: name %q", i, m.Name)
		}
		var err error
		var text string
		plain := json.Unmarshal(m.Content, &text) == nil && m.Content.Kind() == '"'
		switch m.Role {
		case "system":
			if i != 0 || !plain || blankText(text) {
				err = errors.New("a system message that is not the first, or blank")
			}
			said--
		case "user":
			if err = calls.other(); err == nil && plain && blankText(text) {
				err = errors.New("a blank text")
			}
			if err == nil && !plain {
				err = lawfulParts(m.Content)
			}
		case "assistant":
			if err = calls.other(); err == nil && (plain && blankText(text) || !plain && len(m.ToolCalls) == 0) {
				err = errors.New("an answer that says nothing")
			}
			for _, call := range m.ToolCalls {
				if err == nil {
					err = calls.call(call.ID, call.Function.Name, call.Function.Arguments)
				}
			}
		case "tool":
			if err = calls.result(m.ToolCallID); err == nil && !plain {
				err = errors.New("a result that is not text")
			}
		default: // the role developer, above all
			err = fmt.Errorf("role %q", m.Role)
		}
		if err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		said++
	}
	if said == 0 {
		return errors.New("nothing is said")
	}
	return calls.other()
}

func lawfulParts(raw jsontext.Value) error {
	var list []chatPart
	if err := json.Unmarshal(raw, &list, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("no content")
	}
	for _, part := range list {
		switch {
		case part.Type == "text" && !blankText(part.Text):
		case part.Type == "image_url" && part.ImageURL != nil && part.ImageURL.URL != "":
		case part.Type == "file" && part.File != nil && part.File.Filename != "" && part.File.FileData != "":
		default:
			return fmt.Errorf("part %+v", part)
		}
	}
	return nil
}
