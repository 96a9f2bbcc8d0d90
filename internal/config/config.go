package config

// Config is everything that can be configured. Its keys are the names in YAML;
// docs/config.md tells them to people, and a test holds the two together.
//
// A field tagged trust counts in a project's file only if the project is
// trusted. A field tagged adds is a set: later layers add to it, where other
// values are replaced. A map of entries tagged whole is one where the entry of
// a later layer replaces an entry of the same name, and not only the keys that
// it sets, because half of one server and half of another make none.
type Config struct {
	// Provider is whose models are used: one that is built in, or one of
	// Providers. Empty means the one that Model names.
	Provider string `key:"provider"`
	// Model is NAME or PROVIDER/NAME. See [Config.Selected].
	Model string `key:"model"`
	// Profile is the profile to work under; empty means none.
	Profile string `key:"profile"`
	// Place is where contents go: before, system, top or tool.
	Place string `key:"place"`

	Budget      Budget      `key:"budget"`
	Context     Context     `key:"context"`
	Permissions Permissions `key:"permissions" trust:"permit"`
	Allow       Allow       `key:"allow" trust:"read"`

	// Providers are by name. Those that are built in need not be here.
	Providers map[string]Provider `key:"providers" trust:"reach"`
	// MCP are the servers of the Model Context Protocol by the name that
	// mentions use.
	MCP map[string]MCPServer `key:"mcp" trust:"run" whole:"true"`
	// Custom are kinds of mentions by their scheme: jira for @jira:ABC-1.
	Custom map[string]Custom `key:"custom" trust:"run" whole:"true"`
	// LanguageServers are by the language: go, typescript.
	LanguageServers map[string]LanguageServer `key:"language_servers" trust:"run" whole:"true"`

	Web      Web      `key:"web"`
	Terminal Terminal `key:"terminal"`
}

// Budget is in tokens.
type Budget struct {
	// Turn is for all contents of a turn; zero means half of the window.
	Turn Tokens `key:"turn"`
	// Item is for a single content; zero means that only Turn counts.
	Item Tokens `key:"item"`
}

// Context says when and how a conversation is compacted.
type Context struct {
	// Strategy is simple or smart.
	Strategy string `key:"strategy"`
	// CompactThreshold is the part of the window that may be full before
	// compaction, CompactTarget the part that is full after it.
	CompactThreshold float64   `key:"compact_threshold"`
	CompactTarget    float64   `key:"compact_target"`
	Retention        Retention `key:"retention"`
}

// Retention is what compaction leaves alone.
type Retention struct {
	// Recent is the part of the conversation, from its end.
	Recent float64 `key:"recent"`
	// ToolResults is how many of the last results stay whole.
	ToolResults int `key:"tool_results"`
}

// Permissions say what tools may do without asking.
type Permissions struct {
	// Mode is ask, auto-read or all.
	Mode string `key:"mode"`
	// Allow are tools that need not ask, as the tools spell it.
	Allow []string `key:"allow" adds:"true"`
}

// Allow is what may be read although it is outside of the project.
type Allow struct {
	// Paths are files and folders.
	Paths []Path `key:"paths" adds:"true"`
	// URLs are addresses, also private ones; everything below is allowed too.
	URLs []string `key:"urls" adds:"true" trust:"reach"`
}

// Provider says how to reach a provider.
type Provider struct {
	// API is how it is spoken to: anthropic, openai, azure, chat, gemini or echo.
	// Empty means the API of that name, and chat for other names.
	API string `key:"api"`
	// BaseURL replaces the provider's own address.
	BaseURL string `key:"base_url"`
	// Key is where the key is found.
	Key Secret `key:"key"`
	// Model is the one to use if only the provider is named.
	Model string `key:"model"`
	// Models add to what is known about models, by name.
	Models map[string]Model `key:"models"`
	// Attempts is how often a request is sent if it fails in a way that may
	// pass; zero means five times.
	Attempts int `key:"attempts"`
	// Timeout is how long nothing at all may come; zero means five minutes.
	Timeout Duration `key:"timeout"`

	// Organization and Project say who pays, for the API openai.
	Organization string `key:"organization"`
	Project      string `key:"project"`
	// Summary asks for a summary of the thinking, for the APIs openai and azure:
	// auto, concise or detailed.
	Summary string `key:"summary"`
	// Beta lists features that must be asked for, for the API anthropic.
	Beta []string `key:"beta"`
	// Resource, Deployment and APIVersion are those of the API azure.
	Resource   string `key:"resource"`
	Deployment string `key:"deployment"`
	APIVersion string `key:"api_version"`
}

// Model is what is known about a model. Nil and empty mean what is known
// already.
type Model struct {
	Window    Tokens `key:"window"`
	Output    Tokens `key:"output"`
	Images    *bool  `key:"images"`
	Documents *bool  `key:"documents"`
	Tools     *bool  `key:"tools"`
	Schema    *bool  `key:"schema"`
	Sampling  *bool  `key:"sampling"`
	Thinking  string `key:"thinking"`
	// Price is in US dollars for a million tokens.
	Price Price `key:"price"`
}

// Price is in US dollars for a million tokens.
type Price struct {
	Input      Decimal `key:"input"`
	Output     Decimal `key:"output"`
	CacheRead  Decimal `key:"cache_read"`
	CacheWrite Decimal `key:"cache_write"`
}

// MCPServer is a server of the Model Context Protocol: a program that is
// started, or an address.
type MCPServer struct {
	Command string `key:"command"`
	// Args and Env are for the command. It gets Env on top of the environment.
	Args []string        `key:"args"`
	Env  map[string]Text `key:"env"`
	URL  string          `key:"url"`
	// Headers are sent with each request to the URL.
	Headers map[string]Text `key:"headers"`
	// Timeout is how long a mention may take, and the server to start;
	// ToolTimeout is for a call of a tool. Zero means the usual ones.
	Timeout     Duration `key:"timeout"`
	ToolTimeout Duration `key:"tool_timeout"`
}

// Custom is a kind of mention of the user's own: a program whose output is the
// content, or an address that is fetched. What stands after the colon comes in
// place of {}; a command without one gets it as its last word.
type Custom struct {
	Command []string `key:"command"`
	URL     string   `key:"url"`
	// Timeout and Limit are for one mention; zero means the usual ones.
	Timeout Duration `key:"timeout"`
	Limit   Size     `key:"limit"`
	// MIME is the type of the content; empty means that it is looked at.
	MIME string `key:"mime"`
}

// LanguageServer says how to start the server of a language.
type LanguageServer struct {
	Command []string `key:"command"`
	// Extensions are the files it is for, such as .go.
	Extensions []string `key:"extensions"`
	// RootMarkers are the files that tell where a workspace begins.
	RootMarkers []string `key:"root_markers"`
	// Timeout is how long diagnostics may take to settle.
	Timeout Duration `key:"timeout"`
}

// Web says how addresses are fetched.
type Web struct {
	UserAgent string `key:"user_agent"`
	// Cache keeps pages on disk; the server is asked whether they changed.
	Cache bool `key:"cache"`
	// Timeout and Limit are for one address.
	Timeout Duration `key:"timeout"`
	Limit   Size     `key:"limit"`
}

// Terminal says what a mention of the terminal takes.
type Terminal struct {
	// Lines is how many lines @terminal means.
	Lines int `key:"lines"`
}

// DefaultModel is the model that is used if nobody names one.
const DefaultModel = "anthropic/claude-sonnet-5-5"

// Defaults returns what is built in.
func Defaults() Config {
	return Config{
		Model: DefaultModel,
		Place: "before",
		Context: Context{
			Strategy: "simple", CompactThreshold: 0.92, CompactTarget: 0.5,
			Retention: Retention{Recent: 0.3, ToolResults: 5},
		},
		Permissions: Permissions{Mode: "auto-read"},
		Web:         Web{Cache: true, Timeout: 30e9, Limit: 32 << 20},
		Terminal:    Terminal{Lines: 200},
	}
}
