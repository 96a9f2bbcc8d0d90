package editor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/ampersat/ampersat/internal/process"
)

// client speaks to a language server that runs.
type client struct {
	spec Server
	root string // absolute

	cmd    *exec.Cmd
	conn   *jsonrpc2.Conn
	frames *frames
	said   *tail
	board  *board
	kill   context.CancelFunc
	// gone is closed when the process has ended, and state says how.
	gone    chan struct{}
	stopped atomic.Bool
	// offer is set if the server can be asked for diagnostics.
	offer atomic.Pointer[diagnosticOptions]

	// turn lets one mention at a time use the server.
	turn chan struct{}
	docs map[string]document
	seen map[string]stamp
}

// document is a file that the server has open.
type document struct {
	version int
	text    string
}

// stamp tells whether a file on disk has changed.
type stamp struct {
	size    int64
	changed time.Time
}

// failure is what went wrong with a server, for people.
type failure struct {
	what string
	said string // its last words
	err  error
}

func (f *failure) Error() string {
	if f.said == "" {
		return f.what
	}
	return f.what + "; it said last: " + f.said
}
func (f *failure) Unwrap() error { return f.err }

// launch starts a server and makes its acquaintance.
func launch(ctx context.Context, spec Server, root string) (*client, error) {
	program, err := find(spec)
	if err != nil {
		return nil, err
	}
	alive, kill := context.WithCancel(context.WithoutCancel(ctx))
	p := &client{
		spec: spec, root: root, kill: kill, said: &tail{max: maxSaid}, board: newBoard(),
		gone: make(chan struct{}), turn: make(chan struct{}, 1), docs: map[string]document{}, seen: map[string]stamp{},
	}
	p.cmd = exec.CommandContext(alive, program, spec.Command[1:]...)
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = root, p.said, time.Second
	p.cmd.Env = append(os.Environ(), spec.Env...)
	process.Alone(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		kill()
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = process.Start(p.cmd)
	}
	if err != nil {
		kill()
		in.Close()
		return nil, &failure{what: fmt.Sprintf("%s cannot be started: %v", spec.program(), cause(err)), err: err}
	}
	p.frames = newFrames(out, in, p.board.notified)
	p.conn = jsonrpc2.NewConn(alive, p.frames, handler{p}, jsonrpc2.SetLogger(silent{}))
	go func() {
		<-p.conn.DisconnectNotify() // it closed its output, or sent nonsense
		if !p.stopped.Load() {
			kill()
		}
	}()
	go func() {
		defer close(p.gone)
		_ = p.cmd.Wait()        // how it ended does not matter: that it did, does
		_ = process.Kill(p.cmd) // and what it started ends with it
		kill()
		p.conn.Close()
	}()
	if err := p.greet(ctx); err != nil {
		p.stop(0)
		return nil, p.explain(ctx, err)
	}
	return p, nil
}

// find looks for the program of a server. One that lies in the current folder
// only is none.
func find(spec Server) (string, error) {
	if len(spec.Command) == 0 {
		return "", &failure{what: "no command is configured for the server of " + spec.Language}
	}
	program, err := exec.LookPath(spec.Command[0])
	switch {
	case err == nil:
		return filepath.Abs(program)
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		what := spec.program() + " is not installed"
		if spec.Install != "" {
			what += "; to install it: " + spec.Install
		}
		return "", &failure{what: what, err: err}
	}
	return "", &failure{what: fmt.Sprintf("%s cannot be started: %v", spec.program(), err), err: err}
}

// greet is the handshake.
func (p *client) greet(ctx context.Context) error {
	params := initializeParams{
		ProcessID: os.Getpid(), ClientInfo: clientInfo{"ampersat"}, RootURI: uriOf(p.root),
		WorkspaceFolders: []workspaceFolder{{uriOf(p.root), filepath.Base(p.root)}},
	}
	if p.spec.Options != nil {
		params.InitializationOptions = p.spec.Options
	}
	params.Capabilities.Workspace.Configuration = true
	params.Capabilities.Workspace.WorkspaceFolders = true
	params.Capabilities.TextDocument.Synchronization.DidSave = true
	params.Capabilities.TextDocument.PublishDiagnostics.VersionSupport = true
	params.Capabilities.Window.WorkDoneProgress = true
	params.Capabilities.TextDocument.Diagnostic.DynamicRegistration = true
	var result initializeResult
	if err := p.call(ctx, "initialize", params, &result); err != nil {
		return err
	}
	p.offer.Store(result.Capabilities.DiagnosticProvider)
	return p.notify(ctx, "initialized", struct{}{})
}

// call asks the server something. It returns soon after ctx ends, even if the
// server does not read what it is sent.
func (p *client) call(ctx context.Context, method string, params, result any) error {
	done := make(chan error, 1)
	go func() { done <- p.conn.Call(ctx, method, params, result) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// notify tells the server something, under the same conditions.
func (p *client) notify(ctx context.Context, method string, params any) error {
	done := make(chan error, 1)
	go func() { done <- p.conn.Notify(ctx, method, params) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// explain says for people why a server failed.
func (p *client) explain(ctx context.Context, err error) error {
	name := p.spec.program()
	answer := (*jsonrpc2.Error)(nil)
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case errors.As(err, new(*failure)):
		return err
	case p.frames.fault() != nil:
		return &failure{what: name + " does not speak the protocol: " + p.frames.fault().Error(), said: p.words(), err: err}
	case errors.As(err, &answer):
		return &failure{what: name + " refused: " + oneLine(answer.Message, 300), said: p.words(), err: err}
	}
	select {
	case <-p.gone: // then all that it said is here
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return &failure{what: name + " ended", said: p.words(), err: err}
}

// words is the last that the server wrote to its standard error.
func (p *client) words() string { return oneLine(p.said.lastLine(), 300) }

// ended reports whether the process is no more.
func (p *client) ended() bool {
	select {
	case <-p.gone:
		return true
	case <-p.conn.DisconnectNotify():
		return true
	default:
		return false
	}
}

// stop ends the server: politely, if there is time for that, and then at once.
// Nothing of it is left when stop returns.
func (p *client) stop(grace time.Duration) {
	p.stopped.Store(true)
	if grace > 0 && !p.ended() {
		ctx, cancel := context.WithTimeout(context.Background(), grace)
		if p.call(ctx, "shutdown", nil, nil) == nil && p.notify(ctx, "exit", nil) == nil {
			select {
			case <-p.gone:
			case <-ctx.Done():
			}
		}
		cancel()
	}
	p.kill()
	<-p.gone
}

// handler answers what a server asks of an editor.
type handler struct{ p *client }

// Handle implements [jsonrpc2.Handler].
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	defer h.p.board.heard()
	var params jsontext.Value
	if r.Params != nil {
		params = jsontext.Value(*r.Params)
	}
	result, known := h.answer(r.Method, params)
	// If it cannot be sent the connection has ended, which others see.
	if known {
		_ = conn.Reply(ctx, r.ID, result)
	} else {
		_ = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "not supported: " + r.Method})
	}
}

// notified takes in what a server tells without asking.
func (b *board) notified(method string, params jsontext.Value) {
	defer b.heard()
	switch method {
	case "textDocument/publishDiagnostics":
		var p publishParams
		if json.Unmarshal(params, &p, lenient()) == nil {
			b.publish(p)
		}
	case "$/progress":
		var p progressParams
		if json.Unmarshal(params, &p, lenient()) == nil {
			b.progress(p)
		}
	}
}

func (h handler) answer(method string, params jsontext.Value) (result any, known bool) {
	switch method {
	case "workspace/configuration":
		var p configurationParams
		if json.Unmarshal(params, &p, lenient()) != nil {
			return nil, false
		}
		settings := make([]any, len(p.Items))
		for i, item := range p.Items {
			if setting, ok := h.p.spec.Settings[item.Section]; ok {
				settings[i] = setting
			}
		}
		return settings, true
	case "workspace/workspaceFolders":
		return []workspaceFolder{{uriOf(h.p.root), filepath.Base(h.p.root)}}, true
	case "workspace/applyEdit":
		return map[string]bool{"applied": false}, true
	case "window/showDocument":
		return map[string]bool{"success": false}, true
	case "client/registerCapability":
		h.registered(params)
		return nil, true
	case "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest",
		"workspace/diagnostic/refresh", "workspace/semanticTokens/refresh", "workspace/codeLens/refresh", "workspace/inlayHint/refresh",
		"workspace/inlineValue/refresh", "workspace/foldingRange/refresh":
		return nil, true
	}
	return nil, false
}

// registered takes in that the server can be asked after all.
func (h handler) registered(params jsontext.Value) {
	var p registrationParams
	if json.Unmarshal(params, &p, lenient()) != nil {
		return // of something else
	}
	for _, r := range p.Registrations {
		if r.Method == "textDocument/diagnostic" {
			h.p.offer.Store(&r.Options)
		}
	}
}

// silent is a logger that says nothing: what goes wrong is told by [failure].
type silent struct{}

// Printf implements [jsonrpc2.Logger].
func (silent) Printf(string, ...any) {}
