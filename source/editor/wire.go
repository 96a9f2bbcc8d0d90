package editor

import (
	"github.com/go-json-experiment/json/jsontext"
)

// What follows are the messages of the Language Server Protocol 3.17 that are
// needed here, as they are on the wire.

type initializeParams struct {
	ProcessID             int                `json:"processId"`
	ClientInfo            clientInfo         `json:"clientInfo"`
	RootURI               string             `json:"rootUri"`
	Capabilities          clientCapabilities `json:"capabilities"`
	InitializationOptions any                `json:"initializationOptions,omitempty"`
	WorkspaceFolders      []workspaceFolder  `json:"workspaceFolders"`
}

type clientInfo struct {
	Name string `json:"name"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type clientCapabilities struct {
	Workspace struct {
		Configuration         bool     `json:"configuration"`
		WorkspaceFolders      bool     `json:"workspaceFolders"`
		DidChangeWatchedFiles struct{} `json:"didChangeWatchedFiles"`
	} `json:"workspace"`
	TextDocument struct {
		Synchronization struct {
			DidSave bool `json:"didSave"`
		} `json:"synchronization"`
		PublishDiagnostics struct {
			VersionSupport bool `json:"versionSupport"`
		} `json:"publishDiagnostics"`
		Diagnostic struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"diagnostic"`
	} `json:"textDocument"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
	} `json:"window"`
}

type initializeResult struct {
	Capabilities struct {
		// DiagnosticProvider is absent if the server cannot be asked, or will say
		// later that it can.
		DiagnosticProvider *diagnosticOptions `json:"diagnosticProvider"`
	} `json:"capabilities"`
}

type diagnosticOptions struct {
	Identifier           string `json:"identifier"`
	WorkspaceDiagnostics bool   `json:"workspaceDiagnostics"`
}

type registrationParams struct {
	Registrations []struct {
		Method  string            `json:"method"`
		Options diagnosticOptions `json:"registerOptions"`
	} `json:"registrations"`
}

type textDocument struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId,omitempty"`
	Version    int    `json:"version,omitempty"`
	Text       string `json:"text,omitempty"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   textDocument    `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

// contentChange without a range is the whole document.
type contentChange struct {
	Text string `json:"text"`
}

type watchedFilesParams struct {
	Changes []fileEvent `json:"changes"`
}

type fileEvent struct {
	URI  string `json:"uri"`
	Type int    `json:"type"`
}

const (
	fileCreated = 1
	fileChanged = 2
	fileDeleted = 3
)

type publishParams struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
	// Diagnostics is a list of [wireDiagnostic]. There may be very many, of which
	// only some are looked at.
	Diagnostics jsontext.Value `json:"diagnostics"`
}

type wireDiagnostic struct {
	Range struct {
		Start struct {
			Line      int `json:"line"`
			Character int `json:"character"`
		} `json:"start"`
	} `json:"range"`
	Severity int    `json:"severity"`
	Source   string `json:"source"`
	// Message is a string, or since 3.18 an object with a value.
	Message jsontext.Value `json:"message"`
}

type diagnosticParams struct {
	TextDocument textDocument `json:"textDocument"`
	Identifier   string       `json:"identifier,omitempty"`
}

// documentReport is the answer to a question for diagnostics.
type documentReport struct {
	// URI is only in the answer for a workspace.
	URI   string         `json:"uri"`
	Kind  string         `json:"kind"`
	Items jsontext.Value `json:"items"`
}

type workspaceDiagnosticParams struct {
	Identifier        string   `json:"identifier,omitempty"`
	PreviousResultIDs []string `json:"previousResultIds"`
}

type workspaceReport struct {
	Items []documentReport `json:"items"`
}

// codes of errors after which a question may be asked again.
const (
	codeServerCancelled = -32802
	codeContentModified = -32801
)

type commandParams struct {
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

type progressParams struct {
	Token jsontext.Value `json:"token"`
	Value struct {
		Kind string `json:"kind"`
	} `json:"value"`
}

type configurationParams struct {
	Items []struct {
		Section string `json:"section"`
	} `json:"items"`
}
