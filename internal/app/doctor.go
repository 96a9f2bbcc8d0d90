package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/source/editor"
)

// Check is one thing that was looked at.
type Check struct {
	// Group is what sort of thing it is: kind, program, server, provider, ground.
	Group string `json:"group"`
	Name  string `json:"name"`
	State State  `json:"state"`
	// Detail says more, for people.
	Detail string `json:"detail,omitzero"`
	// Fix is what to type or to do.
	Fix string `json:"fix,omitzero"`
}

// State is what was found.
type State string

// The states.
const (
	// Fine: it works, as far as can be seen without trying.
	Fine State = "ok"
	// Absent: it is not there, and nothing that was configured needs it.
	Absent State = "missing"
	// Withheld: it is there and waits for the person's consent.
	Withheld State = "blocked"
	// Broken: it was configured, and does not work.
	Broken State = "broken"
)

// Diagnose looks at what can be resolved here, and at what is missing for the
// rest. Nothing is started, and no address is asked. More are checks of the front
// end's own. An error means that there is no place to look at.
func Diagnose(ctx context.Context, o Options, more ...Check) ([]Check, error) {
	ground, err := Locate(o.Dir)
	if err != nil {
		return nil, err
	}
	d := &diagnosis{ctx: ctx, ground: ground}
	a, err := New(o)
	if err != nil {
		d.programs(nil)
		d.checks = append(d.checks, more...)
		d.add("ground", "configuration", Broken, inOneLine(err), "ampersat config path shows the files")
		return d.checks, nil
	}
	d.app = a
	d.kinds()
	d.programs(a.Config)
	d.checks = append(d.checks, more...)
	d.servers()
	d.providers()
	d.about()
	d.conversation()
	return d.checks, a.Close()
}

// diagnosis gathers checks.
type diagnosis struct {
	ctx    context.Context
	ground Ground
	app    *App
	checks []Check
}

func (d *diagnosis) add(group, name string, state State, detail, fix string) {
	if state == Fine {
		fix = ""
	}
	d.checks = append(d.checks, Check{group, name, state, detail, fix})
}

// kinds says of each kind of mention whether it can be resolved.
func (d *diagnosis) kinds() {
	mux, _ := d.app.Pipeline.Resolver.(*ampersat.Mux)
	for _, kind := range []mention.Kind{
		mention.KindFile, mention.KindDirectory, mention.KindGlob, mention.KindSelection, mention.KindSymbol, mention.KindURL, mention.KindImage,
		mention.KindResource, mention.KindAgent, mention.KindSubtask, mention.KindDiagnostics, mention.KindGitDiff, mention.KindTerminal,
		mention.KindSession, mention.KindCustom,
	} {
		state, detail, fix := Fine, "", ""
		switch kind {
		case mention.KindAgent, mention.KindSubtask:
			agents, _ := d.app.Library.Agents()
			detail = fmt.Sprintf("%d agents, which are found and not run yet", len(agents))
		case mention.KindGitDiff:
			state, detail, fix = needs("git", "git")
		case mention.KindTerminal:
			state, detail, fix = terminalState()
		case mention.KindDiagnostics:
			state, detail, fix = d.diagnostics()
		case mention.KindResource:
			state, detail, fix = some(len(d.app.Config.MCP), len(d.app.Config.Withheld.MCP), "MCP server", "mcp")
		case mention.KindCustom:
			state, detail, fix = some(len(d.app.Config.Custom), len(d.app.Config.Withheld.Custom), "scheme", "custom")
		}
		if mux != nil && !mux.Handles(kind) && kind != mention.KindAgent && kind != mention.KindSubtask {
			state, detail, fix = Absent, "this version reads none", ""
		}
		d.add("kind", string(kind), state, detail, fix)
	}
}

// some is the state of a kind of which there is what was configured.
func some(configured, withheld int, what, key string) (state State, detail, fix string) {
	switch {
	case configured > 0:
		return Fine, fmt.Sprintf("%d %ss are configured", configured, what), ""
	case withheld > 0:
		return Withheld, fmt.Sprintf("%d %ss of the project", withheld, what), "ampersat trust"
	}
	return Absent, "no " + what + " is configured", "write one under " + key + ": in " + config.FileName
}

// needs is the state of what needs a program, which is in a package of some
// name.
func needs(program, from string) (state State, detail, fix string) {
	path, err := exec.LookPath(program)
	if err != nil {
		return Absent, program + " is not installed", install(from)
	}
	return Fine, path, ""
}

// install is the command that installs a package here.
func install(from string) string {
	for _, by := range [...][2]string{
		{"apt-get", "install"}, {"dnf", "install"}, {"pacman", "-S"}, {"apk", "add"}, {"zypper", "install"}, {"brew", "install"}, {"winget", "install"},
	} {
		if _, err := exec.LookPath(by[0]); err == nil {
			return by[0] + " " + by[1] + " " + from
		}
	}
	return "install " + from
}

// terminalState is whether there is a terminal whose output can be read.
func terminalState() (state State, detail, fix string) {
	if os.Getenv("TMUX") != "" {
		return needs("tmux", "tmux")
	}
	fix = "run it in tmux, or name a file with --terminal"
	if _, err := exec.LookPath("tmux"); err != nil {
		return Absent, "tmux is not installed", install("tmux") + "; or name a file with --terminal"
	}
	return Absent, "this is no pane of tmux", fix
}

// languages are the language servers for what is at the root of the project.
func (d *diagnosis) languages() []editor.Server {
	var here []editor.Server
	for _, server := range allLanguages(d.app.Config) {
		isHere := func(mark string) bool {
			_, err := os.Stat(filepath.Join(d.ground.Root, mark))
			return err == nil
		}
		if slices.ContainsFunc(server.Marks, isHere) {
			here = append(here, server)
		}
	}
	return here
}

// allLanguages are the servers that were configured, then those that are known.
func allLanguages(c *config.Loaded) []editor.Server {
	var all []editor.Server
	if c != nil {
		all = languageServers(c.LanguageServers)
	}
	for _, known := range editor.Servers() {
		if !slices.ContainsFunc(all, func(s editor.Server) bool { return s.Language == known.Language }) {
			all = append(all, known)
		}
	}
	return slices.DeleteFunc(all, func(s editor.Server) bool { return len(s.Command) == 0 })
}

func (d *diagnosis) diagnostics() (state State, detail, fix string) {
	here := d.languages()
	if len(here) == 0 {
		return Absent, "there is no project of a known language at " + d.ground.Root, "configure language_servers"
	}
	var found, not []string
	for _, server := range here {
		if _, err := exec.LookPath(server.Command[0]); err == nil {
			found = append(found, server.Command[0])
		} else {
			not = append(not, server.Command[0])
			fix = server.Install
		}
	}
	switch {
	case len(found) == 0:
		return Absent, strings.Join(not, ", ") + " is not installed", fix
	case !d.app.trusts():
		return Withheld, strings.Join(found, ", ") + " would run", "ampersat trust"
	}
	return Fine, strings.Join(found, ", "), ""
}

// programs says which programs are there. One that was configured and is not is
// broken.
func (d *diagnosis) programs(c *config.Loaded) {
	for _, program := range []struct{ name, from, why string }{
		{"git", "git", "for @diff and @commit"}, {"tmux", "tmux", "for @terminal"}, {"rg", "ripgrep", "which makes searching faster"},
	} {
		state, detail, fix := needs(program.name, program.from)
		if state == Absent {
			detail = program.why
		}
		d.add("program", program.name, state, detail, fix)
	}
	for _, server := range allLanguages(c) {
		path, err := exec.LookPath(server.Command[0])
		state := Fine
		if err != nil {
			state, path = Absent, "for @diagnostics of "+server.Language
			if c != nil && len(c.LanguageServers[server.Language].Command) > 0 {
				state = Broken
			}
		}
		d.add("program", server.Command[0], state, path, server.Install)
	}
}

// servers says of each MCP server and each custom scheme whether it could be
// started.
func (d *diagnosis) servers() {
	c := d.app.Config
	for _, name := range entries(c.MCP, c.Withheld.MCP) {
		set, configured := c.MCP[name]
		if _, both := c.Custom[name]; configured && d.ambiguous("mcp", name, both, "a custom scheme") {
			continue
		}
		d.startable("mcp "+name, configured, set.Command, set.URL, set.Env, set.Headers)
	}
	for _, name := range entries(c.Custom, c.Withheld.Custom) {
		set, configured := c.Custom[name]
		if _, both := c.MCP[name]; configured && d.ambiguous("custom", name, both, "an MCP server") {
			continue
		}
		program := ""
		if len(set.Command) > 0 {
			program = set.Command[0]
		}
		d.startable("custom "+name, configured, program, set.URL)
	}
}

// ambiguous reports whether a mention of a name could mean something else too,
// and notes it.
func (d *diagnosis) ambiguous(group, name string, both bool, other string) bool {
	if where, firm := d.app.findCollection(name); firm {
		both, other = true, "a collection ("+where+")"
	}
	if both {
		d.add("server", group+" "+name, Broken, "@"+name+": could also mean "+other, "rename one of them")
	}
	return both
}

func (d *diagnosis) startable(name string, configured bool, program, address string, texts ...map[string]config.Text) {
	if !configured {
		d.add("server", name, Withheld, "the project is not trusted as it is now", "ampersat trust")
		return
	}
	for _, set := range texts {
		if _, err := read(d.app.Config, set); err != nil {
			d.add("server", name, Broken, err.Error(), "set it, or change the configuration")
			return
		}
	}
	if program == "" {
		d.add("server", name, Fine, address+", which was not asked", "")
		return
	}
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		program = filepath.Join(d.ground.Root, program)
	}
	path, err := exec.LookPath(program)
	if err != nil {
		d.add("server", name, Broken, program+" is not installed", "install it, or change the configuration")
		return
	}
	d.add("server", name, Fine, path, "")
}

// providers says which providers have a key, and never which key.
func (d *diagnosis) providers() {
	c := d.app.Config
	selected, _ := c.Selected()
	names := []string{"anthropic", "openai", "gemini", "azure"}
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		key := c.Providers[name].Key
		used := isChosen(c) && name == selected
		switch {
		case key.IsZero() && c.APIOf(name) == "chat":
			d.add("provider", name, Fine, "no key is set, and many such servers need none", "")
		case key.IsZero() && used:
			d.add("provider", name, Broken, "it is the one that answers, and no key is set", setKey(name))
		case key.IsZero():
			d.add("provider", name, Absent, "no key is set", setKey(name))
		default:
			if _, err := key.Read(c.Lookup); err != nil {
				d.add("provider", name, Broken, err.Error(), "set it, or change the configuration")
				continue
			}
			d.add("provider", name, Fine, "a key is set", "")
		}
	}
}

// setKey is what to do about a key that is not set.
func setKey(provider string) string {
	switch provider {
	case "anthropic", "openai", "gemini":
		return "set " + strings.ToUpper(provider) + "_API_KEY"
	case "azure":
		return "set AZURE_OPENAI_API_KEY"
	}
	return "write where it is, such as providers." + provider + ".key: {env: NAME}, in " + config.FileName
}

// about says what the ground is like: the configuration, the trust, the store.
func (d *diagnosis) about() {
	var there []string
	for _, file := range d.app.Config.Files {
		if _, err := os.Stat(file); err == nil {
			there = append(there, file)
		}
	}
	d.add("ground", "configuration", Fine, "no file; what is built in counts", "")
	if len(there) > 0 {
		d.checks[len(d.checks)-1].Detail = strings.Join(there, ", ")
	}
	switch trusted, err := d.ground.Project.Trusted(); {
	case err != nil:
		d.add("ground", "trust", Broken, err.Error(), "")
	case trusted:
		d.add("ground", "trust", Fine, d.ground.Root+" is trusted as it is", "")
	case len(d.app.Config.Blocked) > 0:
		d.add("ground", "trust", Withheld, fmt.Sprintf("%d settings of the project wait for it", len(d.app.Config.Blocked)), "ampersat trust")
	default:
		d.add("ground", "trust", Fine, d.ground.Root+" is not trusted, and nothing waits for it", "")
	}
	if err := d.store(); err != nil {
		d.add("ground", "store", Broken, err.Error(), "")
		return
	}
	d.add("ground", "store", Fine, filepath.Join(d.ground.UserDir, storeName), "")
}

// conversation looks whether a conversation could begin: with the profile that is
// configured, and with somebody who answers.
func (d *diagnosis) conversation() {
	name, m, err := d.app.wantedProfile()
	if err != nil {
		d.add("ground", "profile", Broken, inOneLine(err), "ampersat profile list shows which there are; ampersat config show where it was named")
		return
	}
	if name == "" {
		d.add("ground", "profile", Fine, "none, as it was configured", "")
	} else if err := d.app.checkSettings(name); err != nil {
		d.add("ground", "profile", Broken, inOneLine(err), "ampersat profile check "+name+" shows all that is wrong with it")
	} else {
		d.add("ground", "profile", Fine, name, "")
	}
	if _, err := d.app.choose(m, "", nil); err != nil {
		d.add("ground", "model", Broken, inOneLine(err), "ampersat config show says where it was named")
		return
	}
	who, why, err := d.app.Answers()
	if err != nil {
		d.add("ground", "model", Broken, inOneLine(err), "")
		return
	}
	if why != "" {
		who += ": " + why
	}
	d.add("ground", "model", Fine, who, "")
}

// inOneLine is an error with several lines as a table has room for it.
func inOneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n  ", "; ") }

// store looks whether sessions can be kept. Where there are none yet, no store
// is made.
func (d *diagnosis) store() error {
	if d.ground.UserDir == "" {
		return errors.New("there is no home folder; set AMPERSAT_HOME to a folder of your own")
	}
	_, err := os.Stat(filepath.Join(d.ground.UserDir, storeName))
	if err == nil {
		store, err := d.app.Store(d.ctx)
		if err != nil {
			return err
		}
		if err := store.ReadOnly(); err != nil {
			return err
		}
		_, err = store.List(d.ctx, session.Query{Limit: 1})
		return err
	}
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	dir := d.ground.UserDir
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	probe, err := os.CreateTemp(dir, ".ampersat-")
	if err != nil {
		return fmt.Errorf("nothing can be kept in %s: %w", dir, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
