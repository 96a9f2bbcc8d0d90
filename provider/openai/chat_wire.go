package openai

import (
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/go-json-experiment/json/jsontext"
)

// The request as Chat Completions spell it.

type chatBody struct {
	Model               string         `json:"model"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitzero"`
	MaxTokens           int            `json:"max_tokens,omitzero"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitzero"`
	Temperature         *float64       `json:"temperature,omitzero"`
	TopP                *float64       `json:"top_p,omitzero"`
	Stop                []string       `json:"stop,omitzero"`
	ReasoningEffort     string         `json:"reasoning_effort,omitzero"`
	ResponseFormat      *chatFormat    `json:"response_format,omitzero"`
	ParallelToolCalls   *bool          `json:"parallel_tool_calls,omitzero"`
	ToolChoice          any            `json:"tool_choice,omitzero"` // a string or a chatChoice
	Tools               []chatTool     `json:"tools,omitzero"`
	Messages            []chatMessage  `json:"messages"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatFormat struct {
	Type       string      `json:"type"`
	JSONSchema *chatSchema `json:"json_schema,omitzero"`
}

type chatSchema struct {
	Name   string         `json:"name"`
	Schema jsontext.Value `json:"schema,omitzero"`
	Strict *bool          `json:"strict,omitzero"`
}

type chatChoice struct {
	Type     string   `json:"type"`
	Function chatName `json:"function"`
}

type chatName struct {
	Name string `json:"name"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters"`
	Strict      bool           `json:"strict,omitzero"`
}

// chatMessage is one message. Content is a string or a []chatPart; an assistant
// that only calls tools has none.
type chatMessage struct {
	Role       string     `json:"role"`
	Name       string     `json:"name,omitzero"`
	ToolCallID string     `json:"tool_call_id,omitzero"`
	Content    any        `json:"content,omitzero"`
	ToolCalls  []chatCall `json:"tool_calls,omitzero"`
}

type chatPart struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitzero"`
	ImageURL *chatURL  `json:"image_url,omitzero"`
	File     *chatFile `json:"file,omitzero"`
}

type chatURL struct {
	URL string `json:"url"`
}

type chatFile struct {
	Filename string `json:"filename"`
	FileData string `json:"file_data"`
}

type chatCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
}

type chatCallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// The chunks of a stream, as far as they are read. Servers differ in what they
// put where; what may be of several types is read when it is needed.

type chunk struct {
	ID      string         `json:"id"`
	Model   string         `json:"model"`
	Choices []choice       `json:"choices"`
	Usage   *chatUsage     `json:"usage"`
	Error   jsontext.Value `json:"error"`
}

type choice struct {
	Delta        chatDelta `json:"delta"`
	FinishReason string    `json:"finish_reason"`
}

type chatDelta struct {
	Content jsontext.Value `json:"content"` // a string, or a list of parts
	Refusal dialogue.Delta `json:"refusal"`
	// Servers agree that a model reasons and not on what that is called.
	ReasoningContent dialogue.Delta `json:"reasoning_content"`
	Reasoning        dialogue.Delta `json:"reasoning"`
	ToolCalls        []callDelta    `json:"tool_calls"`
	// FunctionCall is the only call, as older servers tell it: an object. Anything
	// else says nothing.
	FunctionCall jsontext.Value `json:"function_call"`
}

type callDelta struct {
	Index    *int          `json:"index"`
	ID       string        `json:"id"`
	Function functionDelta `json:"function"`
}

type functionDelta struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"` // a string, or the object itself
}

type chatUsage struct {
	PromptTokens        int `json:"prompt_tokens"`
	PromptTokensDetails struct {
		CachedTokens     int `json:"cached_tokens"`
		CacheWriteTokens int `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionTokens        int `json:"completion_tokens"`
	CompletionTokensDetails struct {
		ReasoningTokens int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	TotalTokens int `json:"total_tokens"`
	// CacheHitTokens is what DeepSeek calls cached tokens.
	CacheHitTokens int `json:"prompt_cache_hit_tokens"`
}
