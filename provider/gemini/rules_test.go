package gemini

import (
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// check returns why the API would refuse a body for the model. It reads the rules
// off the API's documentation and its error messages, on plain JSON.
func check(model string, body jsontext.Value) error {
	modern := strings.HasPrefix(model, "gemini-3")
	var b struct {
		Config map[string]any `json:"generationConfig"`
		Tools  []struct {
			Declared []struct {
				Name       string         `json:"name"`
				Parameters jsontext.Value `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		ToolConfig *struct {
			Calling struct {
				Mode    string   `json:"mode"`
				Allowed []string `json:"allowedFunctionNames"`
			} `json:"functionCallingConfig"`
		} `json:"toolConfig"`
		System *struct {
			Parts []map[string]any `json:"parts"`
		} `json:"systemInstruction"`
		Contents []struct {
			Role  string           `json:"role"`
			Parts []map[string]any `json:"parts"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	if b.System != nil && len(b.System.Parts) == 0 {
		return errors.New("system_instruction.parts: contents must not be empty")
	}
	if len(b.Contents) == 0 {
		return errors.New("contents is not specified")
	}
	if err := checkConfig(b.Config, modern, len(b.Tools) > 0); err != nil {
		return err
	}
	var named []string
	for _, tool := range b.Tools {
		for _, declared := range tool.Declared {
			if !namePattern.MatchString(declared.Name) || slices.Contains(named, declared.Name) {
				return fmt.Errorf("tools.function_declarations.name: invalid or duplicate function name %q", declared.Name)
			}
			if declared.Parameters != nil && declared.Parameters.Kind() != '{' {
				return fmt.Errorf("tools.function_declarations.parameters_json_schema: %s", declared.Parameters)
			}
			var schema map[string]any
			if declared.Parameters != nil {
				if err := json.Unmarshal(declared.Parameters, &schema); err != nil {
					return err
				}
			}
			for member := range schema {
				if schema["$ref"] != nil && !strings.HasPrefix(member, "$") {
					return fmt.Errorf("tools.function_declarations.parameters_json_schema: %s beside $ref", member)
				}
			}
			named = append(named, declared.Name)
		}
	}
	if c := b.ToolConfig; c != nil {
		for _, name := range c.Calling.Allowed {
			if !slices.Contains(named, name) {
				return fmt.Errorf("allowed_function_names: %q is not declared", name)
			}
		}
		switch {
		case len(b.Tools) == 0:
			return errors.New("function calling config is set without function_declarations")
		case !slices.Contains([]string{"AUTO", "ANY", "NONE"}, c.Calling.Mode):
			return fmt.Errorf("function_calling_config.mode: %q", c.Calling.Mode)
		case len(c.Calling.Allowed) > 0 && c.Calling.Mode != "ANY":
			return errors.New("allowed_function_names should only be set when mode is ANY")
		}
	}
	var waiting []string // names of the calls before, not answered yet
	before := ""
	for i, c := range b.Contents {
		at := fmt.Sprintf("contents[%d]", i)
		if c.Role != "user" && c.Role != "model" {
			return fmt.Errorf("%s: please use a valid role: user, model", at)
		}
		if len(c.Parts) == 0 {
			return fmt.Errorf("%s.parts must not be empty", at)
		}
		var calls []string
		responses := 0
		for j, p := range c.Parts {
			at := fmt.Sprintf("%s.parts[%d]", at, j)
			if err := checkPart(p, c.Role, modern); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			if call, is := p["functionCall"].(map[string]any); is {
				if name, _ := call["name"].(string); !namePattern.MatchString(name) {
					return fmt.Errorf("%s: function_call.name: %q", at, name)
				}
				if modern && len(calls) == 0 && p["thoughtSignature"] == nil {
					return fmt.Errorf("%s: function call is missing a thought_signature", at)
				}
				calls = append(calls, fmt.Sprint(call["name"], call["id"]))
			}
			if response, is := p["functionResponse"].(map[string]any); is {
				name := fmt.Sprint(response["name"], response["id"])
				if responses >= len(waiting) || waiting[responses] != name {
					return fmt.Errorf("%s: function response %s, waiting for %v from %d", at, name, waiting, responses)
				}
				responses++
			}
		}
		switch {
		case responses != len(waiting):
			return fmt.Errorf("%s: the number of function response parts must be equal to the number of function call parts", at)
		case responses > 0 && responses != len(c.Parts):
			return fmt.Errorf("%s: something else beside function responses", at)
		case len(calls) > 0 && before != "user":
			return fmt.Errorf("%s: function call turn must come immediately after a user turn or after a function response turn", at)
		}
		waiting, before = calls, c.Role
	}
	if len(waiting) > 0 {
		return fmt.Errorf("calls without responses at the end: %v", waiting)
	}
	return nil
}

var namePattern = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`)

func checkConfig(config map[string]any, modern, tools bool) error {
	if n, has := config["maxOutputTokens"].(float64); has && (n < 1 || n > 65536) {
		return fmt.Errorf("max_output_tokens must be in the range [1, 65537), not %g", n)
	}
	if t, has := config["temperature"].(float64); has && (t < 0 || t > 2) {
		return fmt.Errorf("temperature must be in the range [0, 2], not %g", t)
	}
	if stops, _ := config["stopSequences"].([]any); len(stops) > 5 || slices.Contains(stops, any("")) {
		return fmt.Errorf("stop_sequences: %q", stops)
	}
	mime, _ := config["responseMimeType"].(string)
	switch {
	case config["responseJsonSchema"] != nil && mime != "application/json":
		return errors.New("response_json_schema without response_mime_type application/json")
	case mime != "" && tools && !modern:
		return errors.New("function calling with a response mime type 'application/json' is unsupported")
	}
	if thinking, has := config["thinkingConfig"].(map[string]any); has {
		level, _ := thinking["thinkingLevel"].(string)
		budget, budgeted := thinking["thinkingBudget"].(float64)
		switch {
		case budgeted == (level != ""):
			return errors.New("thinking wants a level or a budget, and not both")
		case budgeted && budget != 0 && (budget < 1 || budget > 24576):
			return fmt.Errorf("the thinking budget %g is invalid: choose a value between 1 and 24576", budget)
		case modern && !slices.Contains([]string{"MINIMAL", "LOW", "MEDIUM", "HIGH"}, level):
			return fmt.Errorf("thinking level %q", level)
		case !modern && !budgeted:
			return errors.New("thinking level is not supported for this model")
		}
	}
	return nil
}

func checkPart(p map[string]any, role string, modern bool) error {
	var kinds []string
	for name, value := range p {
		switch name {
		case "text", "inlineData", "fileData", "functionCall", "functionResponse":
			kinds = append(kinds, name)
		case "thought":
			if p["text"] == nil || role != "model" {
				return errors.New("a thought that is no text of the model")
			}
		case "thoughtSignature":
			if _, err := base64.StdEncoding.DecodeString(value.(string)); err != nil || role != "model" {
				return fmt.Errorf("thought_signature by %s: %w", role, err)
			}
		default:
			return fmt.Errorf("unknown name %q", name)
		}
	}
	if len(kinds) != 1 {
		return fmt.Errorf("required oneof field 'data' must have one initialized field, has %v", kinds)
	}
	switch kinds[0] {
	case "text":
		if p["text"] == "" && p["thoughtSignature"] == nil {
			return errors.New("an empty text")
		}
	case "inlineData":
		return checkInline(p["inlineData"].(map[string]any))
	case "fileData":
		if uri, _ := p["fileData"].(map[string]any)["fileUri"].(string); uri == "" {
			return errors.New("file_data.file_uri is empty")
		}
	case "functionCall":
		call := p["functionCall"].(map[string]any)
		if _, is := call["args"].(map[string]any); !is || call["name"] == "" || role != "model" {
			return fmt.Errorf("function_call by %s: %v", role, call)
		}
	case "functionResponse":
		response := p["functionResponse"].(map[string]any)
		if _, is := response["response"].(map[string]any); !is || response["name"] == "" || role != "user" {
			return fmt.Errorf("function_response by %s: %v", role, response)
		}
		parts, has := response["parts"].([]any)
		if has && !modern {
			return errors.New("multimodal function responses are not supported for this model")
		}
		for _, part := range parts {
			data, is := part.(map[string]any)["inlineData"].(map[string]any)
			if !is {
				return errors.New("function_response.parts take inline_data")
			}
			if err := checkInline(data); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkInline(data map[string]any) error {
	mime, _ := data["mimeType"].(string)
	if !strings.HasPrefix(mime, "text/") && !slices.Contains([]string{"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "application/pdf"}, mime) {
		return fmt.Errorf("unsupported MIME type: %s", mime)
	}
	text, _ := data["data"].(string)
	if _, err := base64.StdEncoding.DecodeString(text); err != nil || text == "" {
		return fmt.Errorf("inline_data: %q: %w", text, err)
	}
	return nil
}
