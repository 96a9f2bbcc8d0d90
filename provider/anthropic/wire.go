package anthropic

import (
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/go-json-experiment/json/jsontext"
)

// The request as the API spells it. The order of the fields is the order in the
// body: what a cache is keyed by comes last, in the order in which it is.

type body struct {
	Model         string        `json:"model"`
	MaxTokens     int           `json:"max_tokens"`
	Stream        bool          `json:"stream"`
	Temperature   *float64      `json:"temperature,omitzero"`
	TopP          *float64      `json:"top_p,omitzero"`
	StopSequences []string      `json:"stop_sequences,omitzero"`
	Thinking      *thinking     `json:"thinking,omitzero"`
	OutputConfig  *outputConfig `json:"output_config,omitzero"`
	ToolChoice    *toolChoice   `json:"tool_choice,omitzero"`
	Tools         []tool        `json:"tools,omitzero"`
	System        []block       `json:"system,omitzero"`
	Messages      []turn        `json:"messages"`
}

type thinking struct {
	Type         string `json:"type"`
	BudgetTokens int    `json:"budget_tokens,omitzero"`
	Display      string `json:"display,omitzero"`
}

type outputConfig struct {
	Effort string        `json:"effort,omitzero"`
	Format *outputFormat `json:"format,omitzero"`
}

type outputFormat struct {
	Type   string         `json:"type"`
	Schema jsontext.Value `json:"schema"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name,omitzero"`
}

type tool struct {
	Name         string         `json:"name"`
	Description  string         `json:"description,omitzero"`
	InputSchema  jsontext.Value `json:"input_schema"`
	CacheControl *cacheControl  `json:"cache_control,omitzero"`
}

type turn struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is a content block of any type. Text and Thinking are pointers because an
// empty thinking text must be sent.
type block struct {
	Type string `json:"type"`

	Text *string `json:"text,omitzero"`

	Thinking  *string `json:"thinking,omitzero"`
	Signature string  `json:"signature,omitzero"`
	Data      string  `json:"data,omitzero"`

	ID    string         `json:"id,omitzero"`
	Name  string         `json:"name,omitzero"`
	Input jsontext.Value `json:"input,omitzero"`

	ToolUseID string  `json:"tool_use_id,omitzero"`
	IsError   bool    `json:"is_error,omitzero"`
	Content   []block `json:"content,omitzero"`

	Source *source `json:"source,omitzero"`
	Title  string  `json:"title,omitzero"`

	CacheControl *cacheControl `json:"cache_control,omitzero"`
}

type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type,omitzero"`
	Data      string `json:"data,omitzero"`
	URL       string `json:"url,omitzero"`
}

type cacheControl struct {
	Type string `json:"type"`
}

// The events of a stream, as far as they are read.

type event struct {
	Type         string         `json:"type"`
	Index        int            `json:"index"`
	Message      messageHead    `json:"message"`
	ContentBlock jsontext.Value `json:"content_block"`
	Delta        delta          `json:"delta"`
	Usage        usage          `json:"usage"`
}

type messageHead struct {
	ID    string `json:"id"`
	Model string `json:"model"`
	Usage usage  `json:"usage"`
}

type startedBlock struct {
	Type      string         `json:"type"`
	Text      dialogue.Delta `json:"text"`
	Thinking  dialogue.Delta `json:"thinking"`
	Signature string         `json:"signature"`
	Data      string         `json:"data"`
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Input     jsontext.Value `json:"input"`
	// Citations is a list in a text, and may be anything in what is not known.
	Citations jsontext.Value `json:"citations"`
}

type delta struct {
	Type         string         `json:"type"`
	Text         dialogue.Delta `json:"text"`
	Thinking     dialogue.Delta `json:"thinking"`
	Signature    string         `json:"signature"`
	PartialJSON  dialogue.Delta `json:"partial_json"`
	StopReason   string         `json:"stop_reason"`
	StopSequence string         `json:"stop_sequence"`
	Citation     jsontext.Value `json:"citation"`
	// Rest is what is not read here.
	Rest jsontext.Value `json:",embed"`
}

// usage counts are pointers: an event may tell of some and not of others.
type usage struct {
	InputTokens              *int `json:"input_tokens"`
	OutputTokens             *int `json:"output_tokens"`
	CacheReadInputTokens     *int `json:"cache_read_input_tokens"`
	CacheCreationInputTokens *int `json:"cache_creation_input_tokens"`
	OutputTokensDetails      *struct {
		ThinkingTokens int `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
}
