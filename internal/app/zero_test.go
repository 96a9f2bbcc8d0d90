package app

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mcp"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/protocol/zed"
	"github.com/ampersat/ampersat/provider/anthropic"
	"github.com/ampersat/ampersat/provider/echo"
	"github.com/ampersat/ampersat/provider/gemini"
	"github.com/ampersat/ampersat/provider/openai"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/ampersat/ampersat/source/command"
	"github.com/ampersat/ampersat/source/editor"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/git"
	"github.com/ampersat/ampersat/source/history"
	"github.com/ampersat/ampersat/source/symbol"
	"github.com/ampersat/ampersat/source/web"
	"github.com/ampersat/ampersat/store/sqlite"
	tokens "github.com/ampersat/ampersat/token"
	"github.com/ampersat/ampersat/tool"
	"github.com/go-json-experiment/json/jsontext"
)

// public is every function and every type with methods that a program can call
// which imports Ampersat.
func public() []any {
	return []any{
		ampersat.Ask, ampersat.EncodeReports, new(ampersat.Memory), new(ampersat.Miss), new(ampersat.Mux), new(ampersat.Outcome), new(ampersat.Pipeline), new(ampersat.Query),
		new(ampersat.ResolverFunc), new(ampersat.Stack), new(ampersat.View),
		access.AllowFlag, access.CheckName, access.CheckSecrets, access.CheckTrust, access.Inside, access.IsDenied, access.NewRoots, access.ParseGrant, access.Redact,
		access.RefuseURL, access.Scan, access.ScanString, new(access.Asker), new(access.Denied), new(access.File), new(access.Finding), new(access.Listing),
		new(access.Memory), new(access.Path), new(access.Roots), new(access.Secret), new(access.Trust), new(access.URL),
		agent.Collect, agent.Origin, agent.EncodeEvent, agent.LastTurn, agent.ParseAllowed, agent.ParseMode, agent.Respond, agent.Resume, agent.RuleFor, agent.Shown, agent.Start,
		new(agent.Compacted), new(agent.Conversation), new(agent.Ended), new(agent.Endpoint), new(agent.NotKeptError), new(agent.PanicError), new(agent.Permissions), new(agent.Refused),
		new(agent.Requested), new(agent.Resolved), new(agent.Rule), new(agent.Secret), new(agent.Streamed), new(agent.ToolEnded), new(agent.ToolOutput),
		new(agent.ToolStarted),
		blob.FromSum, blob.Of, blob.Parse, new(blob.Digest), new(blob.Late), new(blob.Memory),
		mcp.New, new(mcp.Client),
		mention.Decode, mention.Encode, mention.Find, new(mention.Agent), new(mention.Custom), new(mention.Diagnostics), new(mention.Directory),
		new(mention.File), new(mention.GitDiff), new(mention.Glob), new(mention.Image), new(mention.Ref), new(mention.Resource), new(mention.Selection),
		new(mention.Session), new(mention.Subtask), new(mention.Symbol), new(mention.Terminal), new(mention.URL), new(mention.Unknown),
		message.Adopt, message.AtURL, message.Call, message.Cut, message.Decode, message.DecodeEvent, message.DecodeInstruction, message.DecodePart,
		message.DecodeRequest, message.DecodeResponse, message.Delegate, message.Encode, message.EncodeEvent, message.EncodeInstruction, message.EncodePart,
		message.EncodeRequest, message.EncodeResponse, message.Flatten, message.FromStatus, message.InBlob, message.Inline, message.Of,
		message.ParseRetryAfter, message.PartResult, message.Prefix, message.ReadForeign, message.Say, message.TextResult, message.ValueResult,
		message.WriteRendered, new(message.Content), new(message.Context), new(message.Degradation), new(message.DelegateReasoning), new(message.Document),
		new(message.Error), new(message.ErrorKind), new(message.Failure), new(message.Image), new(message.Intermediate), new(message.Message),
		new(message.MessageEnd), new(message.MessageStart), new(message.Reasoning), new(message.RedactedThinking), new(message.Ref), new(message.Request),
		new(message.Response), new(message.ResponseFormat), new(message.ReturnControl), new(message.Source), new(message.Stamp), new(message.Text),
		new(message.TextDelta), new(message.Thinking), new(message.ThinkingDelta), new(message.ToolCall), new(message.ToolCallDelta),
		new(message.ToolCallEnd), new(message.ToolCallStart), new(message.ToolResult), new(message.ToolSpec), new(message.Unknown),
		new(message.UnknownEvent), new(message.UnknownInstruction), new(message.Usage),
		model.Default, model.Read, new(model.Card), new(model.Price), new(model.Table),
		zed.FindLinks, zed.Link, zed.Name, zed.Parse, zed.ParseLink, zed.ParseLinkLiteral, zed.URI, new(zed.ParseError), new(zed.Style),
		anthropic.Encode, anthropic.New, new(anthropic.Provider),
		echo.Account, new(echo.Provider),
		gemini.Encode, gemini.New, new(gemini.Provider),
		openai.Encode, openai.EncodeChat, openai.New, openai.NewAzure, openai.NewChat, new(openai.Provider),
		session.AtTop, session.Begin, session.Decode, session.DecodeStored, session.Encode, session.Fates, session.Hold, session.InSystem, session.Lines, session.NewID, session.NewLease,
		session.NewPolicy, session.Open, session.ParseID, session.Pin, session.Prepare, session.Search, session.Sent, session.Stamp, session.Take, session.ToUTF8,
		session.Turns, session.Undo, session.Unpin, new(session.Compacted), new(session.ConflictError), new(session.Cursor), new(session.Delegated),
		new(session.HeldError), new(session.Holding), new(session.Lease), new(session.Memory), new(session.Meta), new(session.Note), new(session.Policy), new(session.Prepared),
		new(session.Query), new(session.Record), new(session.Returned), new(session.Said), new(session.Span), new(session.TooLargeError),
		new(session.Unknown), new(session.View),
		export.Markdown, export.Read, export.Write, new(export.Line),
		command.New, new(command.Resolver),
		editor.New, editor.NewTerminal, editor.Plain, editor.Servers, new(editor.Diagnostics), new(editor.Terminal),
		fs.Kinds, fs.New, fs.Over, new(fs.Pictures), new(fs.Resolver),
		git.New, new(git.Resolver),
		history.New, new(history.Resolver),
		symbol.Outline, new(symbol.Resolver),
		web.New, new(web.Resolver),
		sqlite.Open, sqlite.Prune, sqlite.Salvage, new(sqlite.Store),
		tokens.Estimate, tokens.NewModels, tokens.ParseCount, new(tokens.Area), new(tokens.Calibration), new(tokens.Estimator), new(tokens.Models), new(tokens.Tiles),
		tool.ListFilesSpec, tool.New, tool.ReadFileSpec, tool.Undo,
	}
}

// Somebody who begins with the library leaves out what they do not know of yet.
// They are told what is missing by an error: whatever is called with nothing, or
// with something that has nothing in it, does not panic.
func TestNothingPanicsForWantOfAnything(t *testing.T) {
	newWorld(t, nil) // a home and a working directory without anything in them
	t.Chdir(t.TempDir())
	w := &walker{t: t, failed: map[string]bool{}}
	for _, p := range public() {
		v := reflect.ValueOf(p)
		if v.Kind() == reflect.Func {
			w.call(nameOf(v), v, 2)
			continue
		}
		w.methods(v, 2)
		w.methods(madeUp(v.Type(), 4), 2)
	}
}

// A function that is new is walked too.
func TestThePublicFunctionsAreAllWalked(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range public() {
		v := reflect.ValueOf(p)
		if v.Kind() == reflect.Func {
			listed[nameOf(v)] = true
		} else {
			listed[v.Type().Elem().String()] = true
		}
	}
	for _, folder := range strings.Fields(`. access agent blob mcp mention message model protocol/zed provider/anthropic provider/echo provider/gemini provider/openai
		session session/export source/command source/editor source/fs source/git source/history source/symbol source/web store/sqlite token tool`) {
		for _, name := range exported(t, filepath.Join("..", "..", folder)) {
			if !listed[name] {
				t.Errorf("%s is not in the list above", name)
			}
		}
	}
}

// exported returns the functions of a package and the types that have methods.
func exported(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				name = receiver.(*ast.Ident)
			}
			if name.IsExported() {
				names = append(names, parsed.Name.Name+"."+name.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nameOf is what a function is called, with its package: session.Open.
func nameOf(f reflect.Value) string {
	name := runtime.FuncForPC(f.Pointer()).Name()
	return path.Base(name)
}

// walker calls what it is given, and the methods of what that returns.
type walker struct {
	t *testing.T
	// failed are the functions that have panicked once already.
	failed map[string]bool
}

// call calls a function with nothing, then with each argument in turn being
// something that has nothing in it, and then with as much as can be made up.
func (w *walker) call(name string, f reflect.Value, depth int) {
	n := f.Type().NumIn()
	zero := make([]reflect.Value, n)
	for i := range n {
		zero[i] = reflect.Zero(f.Type().In(i))
	}
	w.with(name, f, zero, depth)
	made := make([]reflect.Value, n)
	for i := range n {
		made[i] = madeUp(f.Type().In(i), 4)
	}
	w.with(name, f, made, depth)
	for i := range n {
		for _, v := range samples(f.Type().In(i)) {
			arguments := slices.Clone(zero)
			arguments[i] = v
			w.with(name, f, arguments, depth)
		}
	}
}

func (w *walker) with(name string, f reflect.Value, arguments []reflect.Value, depth int) {
	defer func() {
		if r := recover(); r != nil && !w.failed[name] {
			w.failed[name] = true
			w.t.Errorf("%s(%.200v): panic: %v\n%s", name, arguments, r, debug.Stack())
		}
	}()
	ctx, done := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer done()
	for i := range arguments {
		if f.Type().In(i) == reflect.TypeFor[context.Context]() {
			arguments[i] = reflect.ValueOf(ctx)
		}
	}
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	for _, result := range call(arguments) {
		switch r := result.Interface().(type) {
		case agent.Stream:
			exhaust(r)
		case iter.Seq2[session.Record, error]:
			exhaust(r)
		case []agent.Tool:
			for _, tool := range r {
				w.methods(reflect.ValueOf(tool), depth-1)
			}
		case nil, error:
		default:
			if depth > 0 {
				w.methods(result, depth-1)
			}
		}
	}
}

func exhaust[K, V any](all iter.Seq2[K, V]) {
	for range all {
	}
}

// methods calls all methods of a value.
func (w *walker) methods(v reflect.Value, depth int) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.Pointer && v.IsNil() || !isOurs(v.Type()) {
		return
	}
	if v.Kind() != reflect.Pointer && v.CanAddr() {
		v = v.Addr()
	}
	for i := range v.NumMethod() {
		method := v.Type().Method(i)
		w.call(fmt.Sprintf("%s.%s", v.Type(), method.Name), v.Method(i), depth)
	}
}

// isOurs reports whether the methods of a type are for us to answer for.
func isOurs(of reflect.Type) bool {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return strings.HasPrefix(of.PkgPath(), "github.com/ampersat/ampersat")
}

// samples are values of a type with next to nothing in them.
func samples(of reflect.Type) (all []reflect.Value) {
	switch of {
	case reflect.TypeFor[context.Context]():
		return nil
	case reflect.TypeFor[jsontext.Value]():
		for _, text := range []string{"{}", "[]", "null", `{"kind":"said"}`, `{"type":"text"}`,
			`{"path":"a"}`, `{"path":"a","old":"a","new":"b"}`, `{"path":"a","content":"c"}`, `{"pattern":"x"}`, `{"command":"echo ran"}`, `{"url":"https://a.invalid/"}`} {
			all = append(all, reflect.ValueOf(jsontext.Value(text)))
		}
		return all
	case reflect.TypeFor[mention.Mention]():
		for _, m := range mentions() {
			all = append(all, reflect.ValueOf(m))
		}
		return all
	case reflect.TypeFor[ampersat.Query]():
		for _, m := range append(mentions(), nil) {
			all = append(all, reflect.ValueOf(ampersat.Query{Mention: m}), reflect.ValueOf(ampersat.Query{Mention: m, Asker: access.Asker{Origin: access.FromPerson}}))
		}
		return all
	case reflect.TypeFor[ampersat.Turn]():
		parts := ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Of(message.Ref{}, message.Context{}, nil)}}
		return []reflect.Value{reflect.ValueOf(ampersat.Ask("@a.md and @b/")), reflect.ValueOf(parts), madeUp(of, 4)}
	case reflect.TypeFor[message.Request]():
		spoken := message.Request{Messages: []message.Message{{Role: message.User, Content: message.Say("hello")}}}
		return []reflect.Value{reflect.ValueOf(spoken), madeUp(of, 4)}
	case reflect.TypeFor[agent.Call]():
		for _, input := range samples(reflect.TypeFor[jsontext.Value]()) {
			all = append(all, reflect.ValueOf(agent.Call{Input: input.Interface().(jsontext.Value)}))
		}
		return all
	case reflect.TypeFor[session.Store]():
		return []reflect.Value{reflect.ValueOf(new(session.Memory)), reflect.ValueOf(new(sqlite.Store))}
	case reflect.TypeFor[blob.Store]():
		return []reflect.Value{reflect.ValueOf(new(blob.Memory)), reflect.ValueOf(new(blob.Late))}
	}
	if of.Kind() == reflect.Interface || of.Kind() == reflect.Func {
		return nil
	}
	return []reflect.Value{madeUp(of, 4)}
}

func mentions() []mention.Mention {
	return []mention.Mention{
		mention.File{}, mention.File{Path: "a"}, mention.File{Namespace: "a", Path: "a"}, mention.Directory{}, mention.Directory{Path: "a"}, mention.Glob{}, mention.Glob{Pattern: "*"},
		mention.Selection{}, mention.Selection{Path: "a", First: 1, Last: 2}, mention.Symbol{}, mention.Symbol{Path: "a", Name: "b"}, mention.URL{}, mention.URL{URL: "https://a.invalid/"},
		mention.Image{}, mention.Image{Digest: blob.Of(nil)}, mention.Resource{}, mention.Resource{Server: "a", URI: "b:c"}, mention.Agent{}, mention.Subtask{}, mention.Diagnostics{},
		mention.Diagnostics{Errors: true}, mention.GitDiff{}, mention.Terminal{}, mention.Session{}, mention.Session{ID: "a"}, mention.Custom{}, mention.Custom{Scheme: "a", Arg: "b"}, mention.Unknown{},
	}
}

// madeUp is a value that has one of everything. Only what must be implemented is
// left out.
func madeUp(of reflect.Type, depth int) reflect.Value {
	v := reflect.New(of).Elem()
	if depth == 0 {
		return v
	}
	switch of.Kind() {
	case reflect.String:
		v.SetString("a")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
		v.Elem().Set(madeUp(of.Elem(), depth-1))
	case reflect.Slice:
		if of.Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.Append(v, madeUp(of.Elem(), depth-1)))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(madeUp(of.Key(), depth-1), madeUp(of.Elem(), depth-1))
	case reflect.Struct:
		for i := range of.NumField() {
			if of.Field(i).IsExported() {
				v.Field(i).Set(madeUp(of.Field(i).Type, depth-1))
			}
		}
	}
	return v
}
