package message

import (
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is what a provider is asked: REQUEST_ENVELOPE_V1.
type Request struct {
	Messages []Message
	// Tools is nil if the member is absent.
	Tools          []ToolSpec
	ResponseFormat *ResponseFormat
	// Temperature and TopP are nil if the provider is to choose.
	Temperature *float64
	TopP        *float64
	// MaxOutputTokens is zero if the provider is to choose.
	MaxOutputTokens int
	ConversationID  string
	Stream          bool
	// Metadata is the caller's own, a JSON object, nil if there is none.
	Metadata jsontext.Value
	Model    string
	// ToolChoice is a JSON string ("auto") or an object that names a tool, nil
	// if the provider is to choose.
	ToolChoice      jsontext.Value
	Stop            []string
	ReasoningEffort string
	// Timeout is in seconds in JSON; zero means none was set.
	Timeout time.Duration
	// Blobs holds the bytes that [SourceBlob] sources name, so that whoever
	// encodes the request opens nothing. It is not part of the JSON.
	Blobs map[blob.Digest][]byte
	Extra jsontext.Value
}

// ToolSpec describes a tool to the model.
type ToolSpec struct {
	Name        string
	Description string
	// Parameters is the JSON schema of the arguments, an object.
	Parameters jsontext.Value
	Extra      jsontext.Value
}

// ResponseFormat says what shape the answer must have.
type ResponseFormat struct {
	Type FormatType
	// Schema is a JSON schema, for [FormatJSONSchema].
	Schema jsontext.Value
	Strict bool
	Extra  jsontext.Value
}

// FormatType names a [ResponseFormat].
type FormatType string

// The types of response formats.
const (
	FormatText       FormatType = "text"
	FormatJSON       FormatType = "json"
	FormatJSONSchema FormatType = "json_schema"
)
