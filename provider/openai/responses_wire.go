package openai

import (
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/go-json-experiment/json/jsontext"
)

// The request as the Responses API spells it. The order of the fields is the
// order in the body: what a cache is keyed by comes last, in the order in which
// it is.

type body struct {
	Model             string      `json:"model"`
	Stream            bool        `json:"stream"`
	Store             bool        `json:"store"`
	Include           []string    `json:"include,omitzero"`
	MaxOutputTokens   int         `json:"max_output_tokens,omitzero"`
	Temperature       *float64    `json:"temperature,omitzero"`
	TopP              *float64    `json:"top_p,omitzero"`
	Reasoning         *effort     `json:"reasoning,omitzero"`
	Text              *textConfig `json:"text,omitzero"`
	PromptCacheKey    string      `json:"prompt_cache_key,omitzero"`
	ParallelToolCalls *bool       `json:"parallel_tool_calls,omitzero"`
	ToolChoice        any         `json:"tool_choice,omitzero"` // a string or a namedTool
	Tools             []function  `json:"tools,omitzero"`
	Instructions      string      `json:"instructions,omitzero"`
	Input             []item      `json:"input"`
}

type effort struct {
	Effort  string `json:"effort,omitzero"`
	Summary string `json:"summary,omitzero"`
}

type textConfig struct {
	Format textFormat `json:"format"`
}

type textFormat struct {
	Type   string         `json:"type"`
	Name   string         `json:"name,omitzero"`
	Schema jsontext.Value `json:"schema,omitzero"`
	Strict *bool          `json:"strict,omitzero"`
}

type namedTool struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// function describes a tool. Strict is always sent: the API takes its absence for
// true, and then refuses most schemas.
type function struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters"`
	Strict      bool           `json:"strict"`
}

// item is one item of the input, of any type.
type item struct {
	Type string `json:"type"`

	// Of a message. Content is a string or a []content.
	Role    string `json:"role,omitzero"`
	Content any    `json:"content,omitzero"`
	Phase   string `json:"phase,omitzero"`

	// Of reasoning. Summary must be there even if it is empty.
	ID               string            `json:"id,omitzero"`
	Summary          *[]jsontext.Value `json:"summary,omitzero"`
	EncryptedContent string            `json:"encrypted_content,omitzero"`

	// Of a function call, and of its output, which is a string or a []content.
	CallID    string  `json:"call_id,omitzero"`
	Name      string  `json:"name,omitzero"`
	Arguments *string `json:"arguments,omitzero"`
	Output    any     `json:"output,omitzero"`
}

type content struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitzero"`
	Detail   string `json:"detail,omitzero"`
	ImageURL string `json:"image_url,omitzero"`
	Filename string `json:"filename,omitzero"`
	FileData string `json:"file_data,omitzero"`
	FileURL  string `json:"file_url,omitzero"`
}

// The events of a stream, as far as they are read.

type event struct {
	Type         string         `json:"type"`
	OutputIndex  int            `json:"output_index"`
	ContentIndex int            `json:"content_index"`
	SummaryIndex int            `json:"summary_index"`
	Delta        dialogue.Delta `json:"delta"`
	Item         jsontext.Value `json:"item"`
	Response     jsontext.Value `json:"response"`
}

type response struct {
	ID                string           `json:"id"`
	Model             string           `json:"model"`
	Status            string           `json:"status"`
	Error             jsontext.Value   `json:"error"`
	Output            []jsontext.Value `json:"output"`
	Usage             *usage           `json:"usage"`
	IncompleteDetails *struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

type usage struct {
	InputTokens        int `json:"input_tokens"`
	InputTokensDetails struct {
		CachedTokens     int `json:"cached_tokens"`
		CacheWriteTokens int `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	OutputTokens        int `json:"output_tokens"`
	OutputTokensDetails struct {
		ReasoningTokens int `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	TotalTokens int `json:"total_tokens"`
}

// outputItem is an item of an answer.
type outputItem struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Status string `json:"status"`

	Phase   string       `json:"phase"`
	Content []outputPart `json:"content"`

	Summary          []outputPart `json:"summary"`
	EncryptedContent string       `json:"encrypted_content"`

	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type outputPart struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}
