package mcp

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// What is said here of the protocol's messages is what is of use to us: what else
// there is in them is passed over, whatever form it has.

// The versions of the protocol. Those before modern begin with a handshake and are
// otherwise the same to us; from modern on each call says by itself who calls.
const (
	modern = "2026-07-28"
	// legacy is the version that is tried first: there is no server that does not
	// answer to it, if only to say that it is too old.
	legacy = "2025-11-25"
)

func isKnown(version string) bool {
	return slices.Contains([]string{modern, legacy, "2025-06-18", "2025-03-26", "2024-11-05"}, version)
}

// The notices that what a server has is not what it was.
const (
	toolsChanged     = "notifications/tools/list_changed"
	resourcesChanged = "notifications/resources/list_changed"
)

// implementation is what clients and servers say of themselves.
type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type initializeParams struct {
	ProtocolVersion string         `json:"protocolVersion"`
	Capabilities    struct{}       `json:"capabilities"` // none
	ClientInfo      implementation `json:"clientInfo"`
}

// abilities is what a server says that it can do.
type abilities struct {
	Resources   *changing      `json:"resources"`
	Tools       *changing      `json:"tools"`
	Completions jsontext.Value `json:"completions"`
}

// changing is an ability of which the server may say that it changed.
type changing struct {
	ListChanged bool `json:"listChanged"`
}

// changes is what the server says it will tell the changes of.
func (a abilities) changes() subscriptions {
	return subscriptions{
		Tools:     a.Tools != nil && a.Tools.ListChanged,
		Resources: a.Resources != nil && a.Resources.ListChanged,
	}
}

type initializeResult struct {
	ProtocolVersion string    `json:"protocolVersion"`
	Capabilities    abilities `json:"capabilities"`
}

type discoverResult struct {
	SupportedVersions []string  `json:"supportedVersions"`
	Capabilities      abilities `json:"capabilities"`
}

// params are the parameters of any call but the first.
type params struct {
	Meta      *meta            `json:"_meta,omitzero"`
	Cursor    string           `json:"cursor,omitzero"`
	URI       string           `json:"uri,omitzero"`
	Name      string           `json:"name,omitzero"`
	Arguments jsontext.Value   `json:"arguments,omitzero"`
	Ref       *reference       `json:"ref,omitzero"`
	Argument  *argument        `json:"argument,omitzero"`
	Context   *completionSoFar `json:"context,omitzero"`
	Listen    *subscriptions   `json:"notifications,omitzero"`
	RequestID jsontext.Value   `json:"requestId,omitzero"`
	Reason    string           `json:"reason,omitzero"`
}

// meta is what a call says about itself.
type meta struct {
	ProgressToken string          `json:"progressToken,omitzero"`
	Version       string          `json:"io.modelcontextprotocol/protocolVersion,omitzero"`
	Client        *implementation `json:"io.modelcontextprotocol/clientInfo,omitzero"`
	Capabilities  *struct{}       `json:"io.modelcontextprotocol/clientCapabilities,omitzero"`
}

// reference, argument and completionSoFar say what of a template is completed.
type (
	reference struct {
		Type string `json:"type"`
		URI  string `json:"uri"`
	}
	argument struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	completionSoFar struct {
		Arguments map[string]string `json:"arguments"`
	}
)

// subscriptions are the notices that a client wants.
type subscriptions struct {
	Tools     bool `json:"toolsListChanged,omitzero"`
	Resources bool `json:"resourcesListChanged,omitzero"`
}

// progress is the notice of how a call is getting on.
type progress struct {
	ProgressToken string `json:"progressToken"`
	Message       string `json:"message"`
}

type completeResult struct {
	Completion struct {
		Values []string `json:"values"`
	} `json:"completion"`
}

// page is a part of a list. Which of the lists it is of depends on what was asked.
type page struct {
	Resources  []*resource         `json:"resources"`
	Templates  []*resourceTemplate `json:"resourceTemplates"`
	Tools      []*toolSpec         `json:"tools"`
	NextCursor string              `json:"nextCursor"`
}

type resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	MIME        string `json:"mimeType"`
}

type resourceTemplate struct {
	URITemplate string `json:"uriTemplate"`
	Name        string `json:"name"`
	Description string `json:"description"`
	MIME        string `json:"mimeType"`
}

type toolSpec struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"`
	Annotations struct {
		ReadOnly  bool  `json:"readOnlyHint"`
		OpenWorld *bool `json:"openWorldHint"`
	} `json:"annotations"`
}

type readResult struct {
	Contents []*resourceContents `json:"contents"`
}

// resourceContents is a resource, as text or as bytes.
type resourceContents struct {
	URI  string       `json:"uri"`
	MIME string       `json:"mimeType"`
	Text string       `json:"text"`
	Blob *base64Bytes `json:"blob"`
}

type callResult struct {
	Content    []*content     `json:"content"`
	Structured jsontext.Value `json:"structuredContent"`
	IsError    bool           `json:"isError"`
}

// content is a piece of what a tool says.
type content struct {
	Type string `json:"type"`
	// text
	Text string `json:"text"`
	// image, audio
	Data base64Bytes `json:"data"`
	// resource
	Resource *resourceContents `json:"resource"`
	// resource_link
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description"`
	MIME        string `json:"mimeType"`
}

// base64Bytes are bytes that were sent as text. Servers break the lines of it, or
// leave out its padding.
type base64Bytes []byte

// UnmarshalText implements [encoding.TextUnmarshaler].
func (b *base64Bytes) UnmarshalText(text []byte) error {
	plain := strings.TrimRight(string(text), "=\r\n")
	data, err := base64.RawStdEncoding.DecodeString(plain)
	*b = data
	return err
}
