package app

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/mcp"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/command"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/web"
)

// servers are what was configured besides what is built in: MCP servers, and
// custom mentions.
type servers struct {
	client *mcp.Client
	some   bool // there are MCP servers
	// idle are transports whose connections are closed at the end.
	idle []interface{ CloseIdleConnections() }
}

// handleServers adds the kinds that are configured. Nothing is started, and no
// secret is read, before something of theirs is mentioned.
//
// What a project configured and is not trusted with is there too, so that a
// mention of it is blocked and says what grants it.
func handleServers(mux *ampersat.Mux, c *config.Loaded, consent access.Consent, files *fs.Resolver, root, userDir string) *servers {
	s := new(servers)
	var known []mcp.Server
	for _, name := range entries(c.MCP, c.Withheld.MCP) {
		known = append(known, s.mcpServer(c, consent, root, name))
	}
	var schemes []command.Scheme
	for _, name := range entries(c.Custom, c.Withheld.Custom) {
		schemes = append(schemes, s.scheme(c, consent, root, name))
	}
	s.some = len(known) > 0
	set := mcp.Config{Servers: known, Version: Version(), Decode: files.Decode}
	if userDir != "" {
		set.CacheDir = filepath.Join(userDir, "cache", "mcp")
	}
	s.client = mcp.New(set)
	custom := command.New(schemes...)
	mux.Handle(s.client, mention.KindResource)
	mux.Handle(captured{custom, files}, mention.KindCustom)
	var names []ampersat.Namespace
	for _, n := range s.client.Namespaces() {
		_, configured := c.MCP[n.Name]
		names = append(names, claim(c, n, "mcp", configured))
	}
	for _, n := range custom.Namespaces() {
		_, configured := c.Custom[n.Name]
		names = append(names, claim(c, n, "custom", configured))
	}
	for _, n := range names {
		// A name that no mention can have is a problem of the configuration, and
		// told as one where that is read; of what is withheld, when it is trusted.
		_ = mux.Name(n)
	}
	return s
}

// claim is a namespace with what says where it was configured.
func claim(c *config.Loaded, n ampersat.Namespace, group string, configured bool) ampersat.Namespace {
	n.Withheld = !configured
	for _, key := range []string{"command", "url"} {
		if from := c.Origin(group + "." + n.Name + "." + key); from.Layer != config.BuiltIn {
			n.What += " (" + from.String() + ")"
		}
	}
	return n
}

// entries are the names of what is configured, withheld or not, in order.
func entries[T any](configured, withheld map[string]T) []string {
	all := maps.Clone(withheld)
	if all == nil {
		all = map[string]T{}
	}
	maps.Copy(all, configured)
	return slices.Sorted(maps.Keys(all))
}

// Version is that of the program, empty if it is not known: a build of one's own.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return ""
}

func (s *servers) mcpServer(c *config.Loaded, consent access.Consent, root, name string) mcp.Server {
	set, configured := c.MCP[name]
	if !configured {
		return mcp.Server{Name: name, Trust: func() error { return c.Denied("mcp", name) }}
	}
	return mcp.Server{
		Name: name, Command: set.Command, Args: set.Args, Dir: root,
		URL: set.URL, Transport: s.transport(consent, set.URL),
		Timeout: time.Duration(set.Timeout), ToolTimeout: time.Duration(set.ToolTimeout),
		Secrets: func() (env, headers map[string]string, err error) {
			if env, err = read(c, set.Env); err != nil {
				return nil, nil, err
			}
			headers, err = read(c, set.Headers)
			return env, headers, err
		},
		Vouched: c.Origin("mcp."+name+".command").Layer != config.ProjectFile && c.Origin("mcp."+name+".url").Layer != config.ProjectFile,
	}
}

// read returns texts with their secrets.
func read(c *config.Loaded, texts map[string]config.Text) (map[string]string, error) {
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		value, err := texts[name].Read(c.Lookup)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = string(value)
	}
	return values, nil
}

func (s *servers) scheme(c *config.Loaded, consent access.Consent, root, name string) command.Scheme {
	set, configured := c.Custom[name]
	if !configured {
		return command.Scheme{Name: name, Trust: func() error { return c.Denied("custom", name) }}
	}
	return command.Scheme{
		Name: name, Command: set.Command, Dir: root, URL: set.URL, Transport: s.transport(consent, set.URL),
		MIME: set.MIME, Timeout: time.Duration(set.Timeout), Limit: int(set.Limit),
	}
}

// transport is what requests to a configured address go by. The address itself
// is allowed, wherever it is: whoever configured it, or trusted the project with
// it, has seen it.
func (s *servers) transport(consent access.Consent, address string) http.RoundTripper {
	if address == "" {
		return nil
	}
	before, _, _ := strings.Cut(address, "{")
	origin, err := url.Parse(before)
	if err != nil {
		origin = new(url.URL) // which is no address, and is said when it is used
	}
	by := web.New(web.Config{Consent: configured{consent, origin}, Version: Version()}).Transport()
	if idle, ok := by.(interface{ CloseIdleConnections() }); ok {
		s.idle = append(s.idle, idle)
	}
	return by
}

// configured is a consent that also covers a host that was configured.
type configured struct {
	access.Consent
	origin *url.URL
}

// URL implements [access.Consent].
func (c configured) URL(u *url.URL) bool {
	if u != nil && c.origin.Host != "" && u.Scheme == c.origin.Scheme && u.Host == c.origin.Host {
		return true
	}
	return c.Consent.URL(u)
}

// close ends what was started.
func (s *servers) close() error {
	if s == nil {
		return nil
	}
	err := s.client.Close()
	for _, by := range s.idle {
		by.CloseIdleConnections()
	}
	return err
}

// serversTime is how long a conversation waits for tools of servers. Those of a
// server that takes longer are not in it.
const serversTime = 15 * time.Second

// serverTools returns the tools of the MCP servers, which it starts, unless the
// profile has no use for any. What keeps some of them away is told to warn.
func (a *App) serverTools(ctx context.Context, m profile.Merged, warn func(string)) []agent.Tool {
	if !a.hasServerTools(m) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, serversTime)
	defer cancel()
	tools, err := a.servers.client.Tools(ctx)
	if err != nil && warn != nil {
		for _, err := range parts(err) {
			warn(err.Error())
		}
	}
	for i, tool := range tools {
		tools[i] = scanned{tool, a.Consent, a.files.Decode}
	}
	return tools
}

// hasServerTools reports whether there are MCP servers whose tools a profile may
// have use for.
func (a *App) hasServerTools(m profile.Merged) bool {
	// The name of a server's tool has two underscores in it, and none of ours has.
	mayName := func(tool profile.Module) bool {
		return strings.Contains(tool.ID, "__") || strings.ContainsAny(tool.ID, "*?[")
	}
	return a.servers.some && (m.Tools == nil || slices.ContainsFunc(m.Tools, mayName))
}

// parts are the errors that were joined.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
