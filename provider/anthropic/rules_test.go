package anthropic

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// check returns why the API would refuse a body. It reads the rules off the API's
// documentation and its error messages, on plain JSON.
func check(body jsontext.Value) error {
	var b struct {
		Model     string `json:"model"`
		MaxTokens int    `json:"max_tokens"`
		Thinking  *struct {
			Type   string `json:"type"`
			Budget int    `json:"budget_tokens"`
		} `json:"thinking"`
		Temperature *float64         `json:"temperature"`
		TopP        *float64         `json:"top_p"`
		System      []map[string]any `json:"system"`
		Tools       []map[string]any `json:"tools"`
		Choice      map[string]any   `json:"tool_choice"`
		Messages    []struct {
			Role    string           `json:"role"`
			Content []map[string]any `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return err
	}
	if most := model.Default().Find(Name, b.Model).MaxOutput; b.MaxTokens < 1 || most > 0 && b.MaxTokens > most {
		return fmt.Errorf("max_tokens: %d, which is not within 1 and %d", b.MaxTokens, most)
	}
	var named []any
	for _, tool := range b.Tools {
		name, _ := tool["name"].(string)
		schema, object := tool["input_schema"].(map[string]any)
		if !namePattern.MatchString(name) || slices.Contains(named, any(name)) || !object || schema["type"] != "object" {
			return fmt.Errorf("tools: %v: names must match the pattern and be unique, schemas are objects", tool)
		}
		for _, combination := range []string{"oneOf", "allOf", "anyOf"} {
			if schema[combination] != nil {
				return fmt.Errorf("tools: %s: input_schema does not support oneOf, allOf, or anyOf at the top level", name)
			}
		}
		properties, object := schema["properties"].(map[string]any)
		if schema["properties"] != nil && !object {
			return fmt.Errorf("tools: %s: JSON schema is invalid", name)
		}
		for key := range properties {
			if !keyPattern.MatchString(key) {
				return fmt.Errorf("tools: %s: property keys should match the pattern, %q does not", name, key)
			}
		}
		named = append(named, name)
	}
	if b.Choice != nil && b.Choice["type"] == "tool" && !slices.Contains(named, b.Choice["name"]) {
		return fmt.Errorf("tool_choice: %v not found in provided tools", b.Choice)
	}
	if n := strings.Count(string(body), `"cache_control":`); n > 4 {
		return fmt.Errorf("%d cache breakpoints, at most 4 are allowed", n)
	}
	if b.Temperature != nil && b.TopP != nil {
		return errors.New("temperature and top_p cannot both be specified")
	}
	if b.Thinking != nil && b.Thinking.Type == "enabled" {
		if b.Thinking.Budget < 1024 || b.Thinking.Budget >= b.MaxTokens {
			return fmt.Errorf("thinking.budget_tokens: %d, with max_tokens %d", b.Thinking.Budget, b.MaxTokens)
		}
		if b.Temperature != nil {
			return errors.New("temperature may only be set to 1 when thinking is enabled")
		}
	}
	if len(b.Messages) == 0 {
		return errors.New("messages: at least one message is required")
	}
	if b.Messages[0].Role != "user" {
		return errors.New("messages: first message must use the \"user\" role")
	}
	ids := map[string]bool{}
	var waiting []string // ids of the answer before, not answered yet
	for i, m := range b.Messages {
		if len(m.Content) == 0 {
			return fmt.Errorf("messages.%d: content is empty", i)
		}
		var calls []string
		past := false // something other than a result came
		for j, block := range m.Content {
			kind, _ := block["type"].(string)
			at := fmt.Sprintf("messages.%d.content.%d", i, j)
			switch kind {
			case "text":
				if text, _ := block["text"].(string); strings.TrimSpace(text) == "" {
					return fmt.Errorf("%s: text content blocks must contain non-whitespace text", at)
				}
				past = true
			case "thinking", "redacted_thinking":
				if m.Role != "assistant" {
					return fmt.Errorf("%s: thinking of the user", at)
				}
				if _, has := block["thinking"]; kind == "thinking" && (block["signature"] == nil || !has) {
					return fmt.Errorf("%s: signature: field required", at)
				}
				if block["cache_control"] != nil {
					return fmt.Errorf("%s: cache_control cannot be set for thinking blocks", at)
				}
			case "tool_use":
				id, _ := block["id"].(string)
				if m.Role != "assistant" || !callPattern.MatchString(id) || ids[id] {
					return fmt.Errorf("%s: tool_use %q by %s: ids must be unique and match the pattern", at, id, m.Role)
				}
				if name, _ := block["name"].(string); !namePattern.MatchString(name) {
					return fmt.Errorf("%s: tool_use.name: %q should match the pattern", at, name)
				}
				if _, is := block["input"].(map[string]any); !is {
					return fmt.Errorf("%s: input must be an object", at)
				}
				ids[id] = true
				calls = append(calls, id)
			case "tool_result":
				id, _ := block["tool_use_id"].(string)
				if m.Role != "user" || past {
					return fmt.Errorf("%s: results must come first in a user message", at)
				}
				if len(waiting) == 0 || waiting[0] != id {
					return fmt.Errorf("%s: unexpected tool_use_id %q: each tool_result must have a tool_use in the previous message, in order (%v)", at, id, waiting)
				}
				waiting = waiting[1:]
				contents, _ := block["content"].([]any)
				if block["is_error"] == true && len(contents) == 0 {
					return fmt.Errorf("%s: content cannot be empty if `is_error` is true", at)
				}
				for _, content := range contents {
					if text, is := content.(map[string]any)["text"].(string); is && strings.TrimSpace(text) == "" {
						return fmt.Errorf("%s: text content blocks must contain non-whitespace text", at)
					}
				}
			case "image", "document":
				if m.Role != "user" {
					return fmt.Errorf("%s: %s by %s", at, kind, m.Role)
				}
				past = true
			default:
				return fmt.Errorf("%s: unknown type %q", at, kind)
			}
		}
		if len(waiting) > 0 {
			return fmt.Errorf("messages.%d: tool_use ids were found without tool_result blocks immediately after: %v", i, waiting)
		}
		waiting = calls
	}
	if len(waiting) > 0 {
		return fmt.Errorf("tool_use ids without results at the end: %v", waiting)
	}
	if len(ids) > 0 && len(b.Tools) == 0 {
		return errors.New("requests which include tool_use or tool_result blocks must define tools")
	}
	return nil
}

var namePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

var keyPattern = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

var callPattern = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// regexpMarked finds the texts that carry a cache breakpoint.
var regexpMarked = regexp.MustCompile(`"text":"([^"]*)","cache_control"`)
