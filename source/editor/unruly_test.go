package editor_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/ampersat/ampersat/source/editor"
)

// The test binary is also a language server, which behaves as it is told after
// this word.
const behave = "behave"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == behave {
		unruly{bufio.NewReader(os.Stdin), os.Stdout}.serve(os.Args[2])
		os.Exit(0)
	}
	home, err := isolate()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(home)
		os.Exit(code)
	}))
}

// isolate keeps the settings of whoever runs the tests out of them, but for the
// caches.
func isolate() (home string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	settings := map[string]string{"GOPLSCACHE": filepath.Join(cache, "gopls"), "GOFLAGS": "-mod=mod"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return "", err
		}
		settings[name] = strings.TrimSpace(string(out))
	}
	if home, err = os.MkdirTemp("", "home"); err != nil {
		return "", err
	}
	settings["HOME"], settings["XDG_CACHE_HOME"], settings["XDG_CONFIG_HOME"] = home, home, home
	for name, value := range settings {
		if err := os.Setenv(name, value); err != nil {
			return "", err
		}
	}
	return home, nil
}

// unrulyServer is a server for files that end in .toy.
func unrulyServer(how string) editor.Server {
	return editor.Server{Language: "toy", Command: []string{os.Args[0], behave, how}, Marks: []string{"toy.mod"}, Files: map[string]string{".toy": "toy"}}
}

// unruly is the other side of the protocol, written anew: what is wrong in the
// client must not be wrong here in the same way.
type unruly struct {
	in  *bufio.Reader
	out io.Writer
}

type rpc struct {
	ID     jsontext.Value `json:"id,omitempty"`
	Method string         `json:"method,omitempty"`
	Params jsontext.Value `json:"params,omitempty"`
	Result jsontext.Value `json:"result,omitempty"`
	Error  jsontext.Value `json:"error,omitempty"`
}

func (u unruly) read() (m rpc, ok bool) {
	length := 0
	for {
		line, err := u.in.ReadString('\n')
		if err != nil {
			return rpc{}, false
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if _, value, ok := strings.Cut(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(value)
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(u.in, body); err != nil {
		return rpc{}, false
	}
	return m, json.Unmarshal(body, &m) == nil
}

func (u unruly) raw(body string) {
	fmt.Fprintf(u.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (u unruly) send(format string, args ...any) {
	u.raw(`{"jsonrpc":"2.0",` + fmt.Sprintf(format, args...) + `}`)
}

func (u unruly) publish(uri, more string, diagnostics ...string) {
	u.send(`"method":"textDocument/publishDiagnostics","params":{"uri":%q%s,"diagnostics":[%s]}`, uri, more, strings.Join(diagnostics, ","))
}

func (u unruly) progress(kind string) {
	u.send(`"method":"$/progress","params":{"token":"work","value":{"kind":%q,"title":"thinking"}}`, kind)
}

func fault(line int, message string) string {
	text, err := jsontext.AppendQuote(nil, message)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":4},"end":{"line":%d,"character":5}},"severity":1,"message":%s}`, line, line, text)
}

// forever does nothing until it is killed.
func forever() { time.Sleep(time.Hour) }

func (u unruly) serve(how string) {
	switch how {
	case "hangs":
		fmt.Fprintln(os.Stderr, "waiting for the moon")
		forever()
	case "ends at once":
		fmt.Fprintln(os.Stderr, "loading\n\x1b[31mtoy.mod:3: bad value\x1b[0m")
		os.Exit(3)
	case "greets in plain words":
		fmt.Fprintln(u.out, "Welcome to the toy server!")
		forever()
	case "sends a header without an end":
		for {
			if _, err := io.WriteString(u.out, strings.Repeat("x", 4096)); err != nil {
				return
			}
		}
	case "sends a gigantic message":
		fmt.Fprintf(u.out, "Content-Length: 999999999\r\n\r\n{")
		forever()
	case "sends no JSON":
		u.raw("{oops")
		forever()
	case "has children":
		child := exec.Command("sleep", "1000")
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile("child", []byte(strconv.Itoa(child.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
	case "does not want to end":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	for {
		m, ok := u.read()
		if !ok {
			if how == "does not want to end" {
				forever()
			}
			return
		}
		u.answer(how, m)
	}
}

func (u unruly) answer(how string, m rpc) {
	var params struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	_ = json.Unmarshal(m.Params, &params) // absent in some
	uri := params.TextDocument.URI
	switch m.Method {
	case "initialize":
		switch how {
		case "refuses":
			u.send(`"id":%s,"error":{"code":-32603,"message":"no licence"}`, m.ID)
		case "is asked":
			u.send(`"id":%s,"result":{"capabilities":{"diagnosticProvider":{"identifier":"toy","workspaceDiagnostics":true}}}`, m.ID)
		default:
			u.send(`"id":%s,"result":{"capabilities":{}}`, m.ID)
		}
		if how == "does not read" {
			forever()
		}
	case "shutdown":
		if how == "does not want to end" {
			return
		}
		if err := os.WriteFile("said goodbye", nil, 0o600); err != nil {
			panic(err)
		}
		u.send(`"id":%s,"result":null`, m.ID)
	case "exit":
		os.Exit(0)
	case "textDocument/diagnostic":
		if _, err := os.Stat("asked"); err != nil {
			if err := os.WriteFile("asked", nil, 0o600); err != nil {
				panic(err)
			}
			u.send(`"id":%s,"error":{"code":-32802,"message":"not yet"}`, m.ID)
			return
		}
		u.send(`"id":%s,"result":{"kind":"full","items":[%s]}`, m.ID, fault(0, "asked about "+filepath.Base(uri)))
	case "workspace/diagnostic":
		u.send(`"id":%s,"result":{"items":[{"kind":"full","uri":%q,"version":null,"items":[%s]}]}`, m.ID, "file://"+workDir()+"/other.toy", fault(1, "asked about all"))
	case "textDocument/didOpen", "textDocument/didChange":
		u.opened(how, uri, params.TextDocument.Version)
	}
}

func workDir() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}

func (u unruly) opened(how, uri string, version int) {
	switch how {
	case "ends later":
		if _, err := os.Stat("mended"); err == nil {
			u.publish(uri, "", fault(0, fmt.Sprintf("found by %d", os.Getpid())))
			return
		}
		fmt.Fprintln(os.Stderr, "panic: index out of range")
		os.Exit(2)
	case "says nothing":
	case "never finishes":
		u.progress("begin")
		u.publish(uri, "", fault(0, "found so far"))
	case "never finishes and finds nothing":
		u.progress("begin")
	case "takes its time":
		u.progress("begin")
		u.publish(uri, "")
		time.Sleep(time.Second)
		u.publish(uri, "", fault(0, "found in the end"))
		u.progress("end")
	case "speaks of an older version first":
		u.publish(uri, fmt.Sprintf(`,"version":%d`, version-1), fault(0, "stale"))
		time.Sleep(time.Second)
		u.publish(uri, fmt.Sprintf(`,"version":%d`, version), fault(0, "fresh"))
	case "asks questions":
		u.send(`"id":"c","method":"workspace/configuration","params":{"items":[{"section":"toy"},{"section":"none"}]}`)
		settings, _ := u.read()
		u.send(`"id":"f","method":"workspace/workspaceFolders"`)
		folders, _ := u.read()
		u.send(`"id":"x","method":"toy/unheard"`)
		unheard, _ := u.read()
		u.publish(uri, "", fault(0, fmt.Sprintf("%s %t %t", settings.Result, strings.Contains(string(folders.Result), "file:///"), unheard.Error != nil)))
	case "floods":
		list := make([]string, 1000)
		for line := range list {
			list[line] = fault(line, "one of many")
		}
		for file := range floodedFiles {
			u.publish(fmt.Sprintf("file://%s/%d.toy", workDir(), file), "", list...)
		}
		u.publish(uri, "")
	case "floods in one message":
		one := fault(0, "one of many")
		u.publish(uri, "", one, strings.Repeat(one+",", 200_000)+one)
		forever()
	case "floods without an end":
		for {
			u.publish(uri, "", fault(0, "again"))
		}
	case "says odd things":
		u.send(`"method":"textDocument/publishDiagnostics","params":{"uri":"untitled:1","diagnostics":[%s]}`, fault(0, "not a file"))
		u.send(`"method":"textDocument/publishDiagnostics","params":[]`)
		u.send(`"method":"$/progress","params":{"token":1,"value":[]}`)
		u.send(`"id":99,"result":{}`)
		u.publish("file:///elsewhere/x.toy", "", fault(0, "not of this project"))
		u.publish(uri, "",
			fault(2, "twice"), fault(2, "twice"), fault(1, "first\n  because\x1b[31m of this"),
			`{"range":{"start":{"line":4,"character":0}},"message":{"kind":"markdown","value":"marked"},"source":"lint"}`,
			`{"range":{"start":{"line":5,"character":0}},"severity":2,"message":"warned"}`,
			`{"range":{"start":{"line":6,"character":0}},"severity":3,"message":"informed"}`,
			`{"range":{"start":{"line":7,"character":0}},"severity":4,"message":"hinted"}`,
			`{"range":{"start":{"line":-5,"character":-5}},"severity":77,"message":7}`,
			`7`, `{"range":"nowhere"}`,
			fault(9, strings.Repeat("long ", 10_000)))
	default:
		u.publish(uri, "", fault(0, "found in "+filepath.Base(uri)))
	}
}
