package mcp_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// faultyServer is a server on standard input and output, written without a
// library, so that it can do everything wrong.
type faultyServer struct {
	fault string
	in    *bufio.Reader
	reads int
	lists int
	file  string // where it leaves what a test wants to know
}

type request struct {
	ID     jsontext.Value `json:"id,omitzero"`
	Method string         `json:"method"`
	Params struct {
		ProtocolVersion string         `json:"protocolVersion"`
		URI             string         `json:"uri"`
		Name            string         `json:"name"`
		Cursor          string         `json:"cursor"`
		Arguments       jsontext.Value `json:"arguments"`
		RequestID       jsontext.Value `json:"requestId"`
		Meta            struct {
			ProgressToken jsontext.Value `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

func serveFault(fault string) {
	s := &faultyServer{fault: fault, in: bufio.NewReaderSize(os.Stdin, 1<<20), file: "told"}
	switch fault {
	case "nothing, by a library":
		if err := librarian().Run(context.Background(), new(sdk.StdioTransport)); err != nil {
			complain(err.Error())
		}
		return
	case "ends at once":
		complain("reading the configuration\nno licence found")
		os.Exit(3)
	case "complains without end", "complains about its key":
		complain("the token " + os.Getenv("TOKEN") + " is refused")
		if fault == "complains about its key" {
			os.Exit(1)
		}
		for range 160 {
			complain(strings.Repeat("x", 1<<16))
		}
		complain("that was ten megabytes")
		os.Exit(1)
	case "hangs":
		s.tell("started")
		complain("waiting for the database")
		time.Sleep(time.Hour)
	case "starts others":
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			complain(err.Error())
			os.Exit(1)
		}
		s.tell(strconv.Itoa(child.Process.Pid))
	}
	for {
		line, err := s.in.ReadBytes('\n')
		if err != nil {
			if fault == "starts others" {
				time.Sleep(time.Hour) // nor does it end when it is asked to
			}
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			complain(err.Error())
			os.Exit(9)
		}
		s.answer(r)
	}
}

func complain(text string) { fmt.Fprintln(os.Stderr, text) }

// tell leaves a line for the test.
func (s *faultyServer) tell(text string) {
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		complain(err.Error())
		return
	}
	defer f.Close()
	fmt.Fprintln(f, text)
}

func (s *faultyServer) say(text string) { fmt.Println(text) }

func (s *faultyServer) result(r request, result string) {
	s.say(`{"jsonrpc":"2.0","id":` + string(r.ID) + `,"result":` + result + `}`)
}

func (s *faultyServer) refuse(r request, code int, text string) {
	s.say(`{"jsonrpc":"2.0","id":` + string(r.ID) + `,"error":{"code":` + strconv.Itoa(code) + `,"message":"` + text + `"}}`)
}

func (s *faultyServer) answer(r request) {
	switch r.Method {
	case "initialize":
		if s.fault == "knows only what is new" {
			s.refuse(r, -32601, "method not found")
			return
		}
		if s.fault == "prints what is no message" {
			s.say("server is up\n\n   [1/3] loading")
		}
		if s.fault == "stops reading, and ends" {
			os.Stdin.Close()
			complain("the license server is away")
			defer os.Exit(6)
			defer time.Sleep(200 * time.Millisecond) // longer than one that misbehaves is given
		}
		s.result(r, `{"protocolVersion":"2025-11-25","capabilities":{"resources":{"listChanged":true},"tools":{"listChanged":true}},"serverInfo":{"name":"faulty","version":"1"}}`)
	case "server/discover":
		s.tell("discovered")
		s.result(r, `{"supportedVersions":["2026-07-28"],"capabilities":{"resources":{}}}`)
	case "resources/read":
		s.reads++
		s.read(r)
	case "resources/list":
		s.list(r)
	case "resources/templates/list":
		s.refuse(r, -32601, "method not found")
	case "tools/list":
		s.tools(r)
	case "tools/call":
		s.call(r)
	case "notifications/cancelled":
		s.tell("cancelled")
	}
}

func text(uri, text string) string {
	quoted, _ := json.Marshal(text)
	return `{"uri":"` + uri + `","mimeType":"text/plain","text":` + string(quoted) + `}`
}

func (s *faultyServer) read(r request) {
	contents := text(r.Params.URI, "read "+strconv.Itoa(s.reads))
	switch s.fault {
	case "adds a tool":
		s.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	case "changes":
		s.say(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`)
	case "hangs when read":
		complain("the index is locked")
		time.Sleep(time.Hour)
	case "hangs once":
		if _, err := os.Stat(s.file); err != nil {
			s.tell("hung")
			time.Sleep(time.Hour)
		}
	case "ends when read":
		complain("the disk is on fire")
		os.Exit(4)
	case "ends in the middle":
		fmt.Print(`{"jsonrpc":"2.0","id":` + string(r.ID) + `,"result":{"contents":[{"uri":"a:b","te`)
		complain("out of memory")
		os.Exit(5)
	case "ends after one answer":
		defer os.Exit(0)
	case "answers nonsense":
		complain("who needs quotes")
		s.say(`{jsonrpc: nonsense}`)
		time.Sleep(time.Hour)
	case "answers with the wrong shape":
		contents = `"all of it"`
	case "answers with nulls":
		contents = `null, ` + contents + `, null`
	case "answers with nothing":
		contents = ``
	case "answers somebody else":
		r.ID = jsontext.Value(`"never asked"`)
	case "answers twice":
		s.result(r, `{"contents":[`+contents+`]}`)
		s.say(`{"jsonrpc":"2.0","id":77,"result":{}}`)
		contents = text(r.Params.URI, "again")
	case "says much":
		s.say(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"…"}}`+"\n", 20_000))
	case "asks much":
		// Nor does it read the answers meanwhile.
		s.say(strings.Repeat(`{"jsonrpc":"2.0","id":"are you there","method":"ping"}`+"\n", 20_000))
	case "asks":
		contents = text(r.Params.URI, s.ask("ping")+s.ask("sampling/createMessage")+s.ask("roots/list"))
	case "answers too much":
		contents = text(r.Params.URI, strings.Repeat("y", 2<<20))
	case "prints what is no message":
		s.say(strings.Repeat("no message ", 20_000))
	case "sends several":
		picture := base64.StdEncoding.EncodeToString(png())
		contents = text("a:1", "one") + `,{"uri":"a:2","mimeType":"text/plain","blob":"` + picture + `"},{"uri":"a:3","blob":"` + base64.StdEncoding.EncodeToString([]byte("\x7fELF\x00")) + `"}`
	}
	s.result(r, `{"contents":[`+contents+`]}`)
}

// ask asks the client, and returns its answer.
func (s *faultyServer) ask(method string) string {
	s.say(`{"jsonrpc":"2.0","id":"` + method + `","method":"` + method + `","params":{}}`)
	line, err := s.in.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return line
}

func (s *faultyServer) list(r request) {
	from, _ := strconv.Atoi(r.Params.Cursor)
	var all []string
	page := 100
	last := 10_000
	switch s.fault {
	case "lists without end":
		page, last = 10, 1<<30
	case "lists in a circle":
		last, from = 300, from%300
	case "changes":
		s.lists++
		page, last = 100, s.lists // there is more each time that it is asked
	}
	for i := from; i < min(from+page, last); i++ {
		all = append(all, fmt.Sprintf(`{"uri":"a:%d","name":"thing %d"}`, i, i))
	}
	next := ""
	if from+page < last || s.fault == "lists in a circle" {
		next = `,"nextCursor":"` + strconv.Itoa(from+page) + `"`
	}
	s.result(r, `{"resources":[`+strings.Join(all, ",")+`]`+next+`}`)
}

func (s *faultyServer) tools(r request) {
	var all []string
	if s.fault == "adds a tool" && s.reads > 0 {
		all = append(all, `{"name":"new","inputSchema":{"type":"object"}}`)
	}
	for _, name := range []string{"wait", "shout", "show", "say nothing", "a.b", "a/b", strings.Repeat("long", 30), "deaf"} {
		schema := `{"type":"object","properties":{"zebra":{"type":"integer","maximum":9007199254740993},"ant":{"type":"string"}}}`
		if name == "deaf" {
			schema = `true`
		}
		all = append(all, `{"name":"`+name+`","description":"`+strings.Repeat("d", 20_000)+`","inputSchema":`+schema+`,"annotations":{"readOnlyHint":true}}`)
	}
	s.result(r, `{"tools":[`+strings.Join(all, ",")+`,null]}`)
	if s.fault == "goes deaf" {
		time.Sleep(time.Hour)
	}
}

func (s *faultyServer) call(r request) {
	switch r.Params.Name {
	case "wait":
		s.tell("called")
	case "deaf":
		time.Sleep(time.Hour)
	case "shout":
		if token := r.Params.Meta.ProgressToken; token != nil {
			s.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(token) + `,"progress":1,"message":"half way"}}`)
		}
		s.result(r, `{"content":[{"type":"text","text":"`+strings.Repeat("é", 100_000)+`"},{"type":"text","text":"and more"}]}`)
	case "show":
		one := `{"type":"image","mimeType":"image/gif","data":"` + base64.StdEncoding.EncodeToString(png()) + `"}`
		s.result(r, `{"content":[`+strings.Repeat(one+",", 24)+one+`,{"type":"audio","mimeType":"audio/wav","data":"UklGRiQAAABXQVZF"}],"isError":true}`)
	case "say nothing":
		s.result(r, `{"content":[]}`)
	default:
		s.refuse(r, -32602, `there is no tool called \u001b[31m`+r.Params.Name)
	}
}

// png is a picture of one pixel.
func png() []byte {
	data, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		complain(err.Error())
	}
	return data
}
