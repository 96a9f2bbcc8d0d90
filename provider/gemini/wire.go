package gemini

import (
	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/go-json-experiment/json/jsontext"
)

// The request as the API spells it; the model is in the address. The order of the
// fields is the order in the body: what a cache is keyed by comes last, in the
// order in which it is.

type body struct {
	GenerationConfig  generationConfig `json:"generationConfig,omitzero"`
	ToolConfig        *toolConfig      `json:"toolConfig,omitzero"`
	Tools             []tool           `json:"tools,omitzero"`
	SystemInstruction *content         `json:"systemInstruction,omitzero"`
	Contents          []content        `json:"contents"`
}

type generationConfig struct {
	Temperature        *float64        `json:"temperature,omitzero"`
	TopP               *float64        `json:"topP,omitzero"`
	MaxOutputTokens    int             `json:"maxOutputTokens,omitzero"`
	StopSequences      []string        `json:"stopSequences,omitzero"`
	ResponseMIMEType   string          `json:"responseMimeType,omitzero"`
	ResponseJSONSchema jsontext.Value  `json:"responseJsonSchema,omitzero"`
	ThinkingConfig     *thinkingConfig `json:"thinkingConfig,omitzero"`
}

func (c generationConfig) IsZero() bool {
	return c.Temperature == nil && c.TopP == nil && c.MaxOutputTokens == 0 && c.StopSequences == nil &&
		c.ResponseMIMEType == "" && c.ResponseJSONSchema == nil && c.ThinkingConfig == nil
}

// thinkingConfig has a level or a budget; the budget zero means no thinking.
type thinkingConfig struct {
	IncludeThoughts bool   `json:"includeThoughts,omitzero"`
	ThinkingLevel   string `json:"thinkingLevel,omitzero"`
	ThinkingBudget  *int   `json:"thinkingBudget,omitzero"`
}

type toolConfig struct {
	FunctionCallingConfig functionCallingConfig `json:"functionCallingConfig"`
}

type functionCallingConfig struct {
	Mode                 string   `json:"mode"`
	AllowedFunctionNames []string `json:"allowedFunctionNames,omitzero"`
}

type tool struct {
	FunctionDeclarations []functionDeclaration `json:"functionDeclarations"`
}

type functionDeclaration struct {
	Name                 string         `json:"name"`
	Description          string         `json:"description,omitzero"`
	ParametersJSONSchema jsontext.Value `json:"parametersJsonSchema,omitzero"`
}

// content is what one side says.
type content struct {
	Role  string `json:"role,omitzero"`
	Parts []part `json:"parts"`
}

const (
	roleUser  = "user"
	roleModel = "model"
)

// part is a piece of a content, of one kind. Text is a pointer because an empty
// text can carry a signature.
type part struct {
	Text             *string           `json:"text,omitzero"`
	Thought          bool              `json:"thought,omitzero"`
	InlineData       *inlineData       `json:"inlineData,omitzero"`
	FileData         *fileData         `json:"fileData,omitzero"`
	FunctionCall     *functionCall     `json:"functionCall,omitzero"`
	FunctionResponse *functionResponse `json:"functionResponse,omitzero"`
	ThoughtSignature string            `json:"thoughtSignature,omitzero"`
}

type inlineData struct {
	MIMEType string `json:"mimeType"`
	Data     string `json:"data"`
}

type fileData struct {
	MIMEType string `json:"mimeType,omitzero"`
	FileURI  string `json:"fileUri"`
}

type functionCall struct {
	ID   string         `json:"id,omitzero"`
	Name string         `json:"name"`
	Args jsontext.Value `json:"args"`
}

type functionResponse struct {
	ID       string  `json:"id,omitzero"`
	Name     string  `json:"name"`
	Response outcome `json:"response"`
	Parts    []part  `json:"parts,omitzero"`
}

// outcome has one of the two names that the API knows in a response.
type outcome struct {
	Output *string `json:"output,omitzero"`
	Error  *string `json:"error,omitzero"`
}

// The events of a stream, as far as they are read.

type event struct {
	Candidates     []candidate     `json:"candidates"`
	PromptFeedback *promptFeedback `json:"promptFeedback"`
	UsageMetadata  *usageMetadata  `json:"usageMetadata"`
	ModelVersion   string          `json:"modelVersion"`
	ResponseID     string          `json:"responseId"`
	Error          jsontext.Value  `json:"error"`
}

type candidate struct {
	Index   int `json:"index"`
	Content struct {
		Parts []answerPart `json:"parts"`
	} `json:"content"`
	FinishReason      string         `json:"finishReason"`
	FinishMessage     string         `json:"finishMessage"`
	CitationMetadata  jsontext.Value `json:"citationMetadata"`
	GroundingMetadata jsontext.Value `json:"groundingMetadata"`
}

// answerPart is a part of an answer. Other holds what is not read here, such as
// code that the provider ran.
type answerPart struct {
	Text             *dialogue.Delta `json:"text"`
	Thought          bool            `json:"thought"`
	InlineData       *inlineData     `json:"inlineData"`
	FunctionCall     *functionCall   `json:"functionCall"`
	ThoughtSignature string          `json:"thoughtSignature"`
	Other            jsontext.Value  `json:",embed"`
}

type promptFeedback struct {
	BlockReason        string `json:"blockReason"`
	BlockReasonMessage string `json:"blockReasonMessage"`
}

// usageMetadata counts are pointers: an event may tell of some and not of others.
type usageMetadata struct {
	PromptTokenCount        *int `json:"promptTokenCount"`
	ToolUsePromptTokenCount *int `json:"toolUsePromptTokenCount"`
	CachedContentTokenCount *int `json:"cachedContentTokenCount"`
	CandidatesTokenCount    *int `json:"candidatesTokenCount"`
	ThoughtsTokenCount      *int `json:"thoughtsTokenCount"`
	TotalTokenCount         *int `json:"totalTokenCount"`
}
