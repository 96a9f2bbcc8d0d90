package mcp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mcp"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Whatever a server does, a mention of it ends, and says why.
func TestServersThatMisbehave(t *testing.T) {
	t.Parallel()
	// Long enough for a busy machine to get to where the server hangs.
	const short = 8 * time.Second
	for _, c := range []struct {
		fault   string
		timeout time.Duration
		limit   int
		reasons []string
	}{
		{fault: "ends at once", reasons: []string{"the MCP server faulty: it ended (exit status 3)", "it said: no licence found"}},
		{fault: "stops reading, and ends", reasons: []string{"the MCP server faulty: it ended (exit status 6)", "it said: the license server is away"}},
		{fault: "complains without end", reasons: []string{"it said: that was ten megabytes"}},
		{fault: "complains about its key", reasons: []string{"it said: the token … is refused"}},
		{fault: "hangs", timeout: short, reasons: []string{"did not start within 8s", "it said: waiting for the database"}},
		{fault: "hangs when read", timeout: short, reasons: []string{"did not answer within 8s", "it said: the index is locked"}},
		{fault: "ends when read", reasons: []string{"it ended (exit status 4)", "it said: the disk is on fire"}},
		{fault: "ends in the middle", reasons: []string{"it ended (exit status 5)", "it said: out of memory"}},
		{fault: "answers nonsense", reasons: []string{"not understood", "it said: who needs quotes"}},
		{fault: "answers with the wrong shape", reasons: []string{"not understood"}},
		{fault: "answers somebody else", timeout: short, reasons: []string{"did not answer within 8s"}},
		{fault: "answers too much", limit: 1 << 20, reasons: []string{"not understood", "maximum line length"}},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			s := faulty(t, c.fault)
			s.Secrets = func() (env, headers map[string]string, err error) {
				return map[string]string{"TOKEN": "hunter2hunter2"}, nil, nil
			}
			s.Limit = c.limit
			if c.timeout != 0 {
				s.Timeout = c.timeout
			}
			missed(t, client(t, s), "faulty", "a:b", ampersat.Failed, c.reasons...)
		})
	}
}

// A server is excused for what does no harm.
func TestServersThatAreForgiven(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"prints what is no message": "read 1",
		"answers with nulls":        "read 1",
		"knows only what is new":    "read 1",
		"nothing":                   "read 1",
		"answers twice":             "read 1",
		"says much":                 "read 1",
		"asks much":                 "read 1",
		"asks": `{"jsonrpc":"2.0","id":"ping","result":{}}` + "\n" +
			`{"jsonrpc":"2.0","id":"sampling/createMessage","error":{"code":-32601,"message":"method not found"}}` + "\n" +
			`{"jsonrpc":"2.0","id":"roots/list","error":{"code":-32601,"message":"method not found"}}` + "\n",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			c := client(t, faulty(t, fault))
			if content := load(t, c, "faulty", "a:b"); content.Text != want {
				t.Errorf("have %q, want %q", content.Text, want)
			}
			if again := load(t, c, "faulty", "a:b"); again.Text != strings.Replace(want, "read 1", "read 2", 1) {
				t.Errorf("the second time: %q", again.Text)
			}
		})
	}
	t.Run("answers with nothing", func(t *testing.T) {
		t.Parallel()
		missed(t, client(t, faulty(t, "answers with nothing")), "faulty", "a:b", ampersat.Missing, "has nothing there")
	})
}

func TestCommandsThatDoNotStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server mcp.Server
		reason string
	}{
		"no key": {mcp.Server{Command: "true", Secrets: func() (env, headers map[string]string, err error) {
			return nil, nil, errors.New("the variable TOKEN is not set")
		}}, "the MCP server docs: the variable TOKEN is not set"},
		"not installed":     {mcp.Server{Command: "ampersat-no-such-program"}, "its command ampersat-no-such-program is not installed"},
		"no program":        {mcp.Server{Command: t.TempDir()}, "its command does not start"},
		"both ways":         {mcp.Server{Command: "true", URL: "http://localhost"}, "a command and a URL"},
		"neither way":       {mcp.Server{}, "neither a command nor a URL"},
		"no address":        {mcp.Server{URL: "localhost:3000"}, "no address of a server"},
		"no folder to work": {mcp.Server{Command: "true", Dir: "/nothing/there"}, "its command does not start"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.server.Name = "docs"
			missed(t, client(t, c.server), "docs", "a:b", ampersat.Failed, c.reason)
		})
	}
}

// Twenty mentions of a server that hangs wait for it once.
func TestAServerThatHangsIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	s := faulty(t, "hangs")
	s.Timeout = 8 * time.Second
	c := client(t, s)
	for range 4 {
		missed(t, c, "faulty", "a:b", ampersat.Failed, "it said: waiting for the database")
	}
	if told := wait(t, s, 1); len(told) != 1 {
		t.Errorf("it was started %d times", len(told))
	}
}

func TestAServerIsStartedOnceAndKept(t *testing.T) {
	t.Parallel()
	c := client(t, faulty(t, "nothing"))
	var wait sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		wait.Go(func() {
			if content, err := ask(t, c, "faulty", "a:b"); err == nil {
				texts[i] = content.Text
			}
		})
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, text := range texts {
		seen[text] = true
	}
	// It counts what it is asked, so that each answer is another.
	if len(seen) != len(texts) || seen[""] {
		t.Errorf("answers %q", texts)
	}
}

func TestAServerThatEndedIsStartedAgain(t *testing.T) {
	t.Parallel()
	c := client(t, faulty(t, "ends after one answer"))
	for range 3 {
		if content := load(t, c, "faulty", "a:b"); content.Text != "read 1" {
			t.Errorf("it says %q", content.Text)
		}
	}
}

func TestAServerThatHangsIsReplaced(t *testing.T) {
	t.Parallel()
	s := faulty(t, "hangs once")
	s.Timeout = 8 * time.Second
	c := client(t, s)
	missed(t, c, "faulty", "a:b", ampersat.Failed, "did not answer within 8s")
	if content := load(t, c, "faulty", "a:b"); content.Text != "read 1" {
		t.Errorf("it says %q", content.Text)
	}
}

func TestListsOfAnyLength(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"lists ten thousand": "a:9999",
		"lists in a circle":  "a:299",
		"lists without end":  "a:9999",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			c := client(t, faulty(t, fault))
			name := "thing " + strings.TrimPrefix(want, "a:")
			content := load(t, c, "faulty", name)
			if content.Mention != mention.Mention(mention.Resource{Server: "faulty", URI: want}) {
				t.Errorf("it is %+v", content.Mention)
			}
			found, err := c.Complete(t.Context(), "faulty", "thing")
			if err != nil || len(found) != 100 {
				t.Errorf("%d completions, error %v", len(found), err)
			}
			more := "it has thing 0, thing 1"
			if fault == "lists without end" {
				more = "among its first 10000"
			}
			missed(t, c, "faulty", "no such thing", ampersat.Missing, more)
		})
	}
}

func TestAListThatChangesIsAskedForAgain(t *testing.T) {
	t.Parallel()
	c := client(t, faulty(t, "changes"))
	for range 3 { // it is asked once
		missed(t, c, "faulty", "thing 1", ampersat.Missing, "it has thing 0")
	}
	load(t, c, "faulty", "a:0") // whereupon it says that the list has changed
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if _, err := ask(t, c, "faulty", "thing 1"); err == nil {
			return
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatal("the list is still the old one")
		}
	}
}

func TestSeveralContentsAreSeveralFiles(t *testing.T) {
	t.Parallel()
	content := load(t, client(t, faulty(t, "sends several")), "faulty", "a:all")
	if len(content.Files) != 3 || content.Name != "faulty:a:all" {
		t.Fatalf("content %+v", content)
	}
	one, two, three := content.Files[0], content.Files[1], content.Files[2]
	if one.Text != "one" || one.Name != "faulty:a:1" || one.Mention != mention.Mention(mention.Resource{Server: "faulty", URI: "a:1"}) {
		t.Errorf("the first is %+v", one)
	}
	if len(two.Parts) != 1 || two.MIME != "image/png" || two.Text != "" {
		t.Errorf("the second is %+v", two)
	} else if image, ok := two.Parts[0].(message.Image); !ok || len(two.Blobs[image.Source.Digest]) == 0 {
		t.Errorf("the second has %+v", two.Parts)
	}
	if three.Shown != "described only" || !strings.Contains(three.Text, "ELF") {
		t.Errorf("the third is %+v", three)
	}
}

// Without something to decode them, bytes are text or described.
func TestBytesWithoutADecoder(t *testing.T) {
	t.Parallel()
	c := mcp.New(mcp.Config{Servers: []mcp.Server{faulty(t, "sends several")}})
	defer c.Close()
	content := load(t, c, "faulty", "a:all")
	if text := content.Files[1].Text; !strings.Contains(text, "[image/png, ") || content.Files[1].Shown == "" {
		t.Errorf("a picture is %q", text)
	}
}

func TestAMentionThatIsCancelledEnds(t *testing.T) {
	t.Parallel()
	c := client(t, faulty(t, "hangs when read"))
	load := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := c.Resolve(ctx, ampersat.Query{Mention: mention.Resource{Server: "faulty", URI: "a:b"}, Asker: person})
		load <- err
	}()
	time.AfterFunc(50*time.Millisecond, cancel)
	select {
	case err := <-load:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

func TestToolsOfAnUnrulyServer(t *testing.T) {
	t.Parallel()
	s := faulty(t, "nothing")
	c := client(t, s)
	all := tools(t, c)
	for _, want := range []string{
		"faulty__wait", "faulty__a_b_a9e8432c", "faulty__a_b_f83994fc", "faulty__say_nothing_7588389b",
	} {
		if all[want] == nil {
			var names []string
			for name := range all {
				names = append(names, name)
			}
			t.Errorf("no %s among %q", want, names)
		}
	}
	for name, tool := range all {
		spec := tool.Spec()
		if len(name) > 64 || len(spec.Description) > 9000 || spec.Parameters.Kind() != '{' {
			t.Errorf("%s: described in %d bytes, with %s", name, len(spec.Description), spec.Parameters)
		}
	}
	if all["faulty__wait"] == nil {
		t.FailNow()
	}
	if want := `{"properties":{"ant":{"type":"string"},"zebra":`; !strings.HasPrefix(string(all["faulty__wait"].Spec().Parameters), want) {
		t.Errorf("parameters %s", all["faulty__wait"].Spec().Parameters)
	}

	var shown []string
	shout, err := all["faulty__shout"].Run(t.Context(), agent.Call{ID: "call_9", Output: func(text string) { shown = append(shown, text) }})
	must(t, err)
	if len(shown) != 1 || shown[0] != "half way\n" {
		t.Errorf("shown while it ran: %q", shown)
	}
	text := said(shout)
	if !strings.HasSuffix(text, "é[cut: 131072 of 200008 bytes are shown]") || len(text) > 131_200 || shout.Failed {
		t.Errorf("%d bytes, ending in %q", len(text), text[max(0, len(text)-80):])
	}

	show := call(t, all["faulty__show"], `{}`)
	pictures := 0
	for _, part := range show.Parts {
		if image, ok := part.(message.Image); ok {
			pictures++
			if image.Source.MIME != "image/png" {
				t.Errorf("a picture is %q, which the server says and its bytes do not", image.Source.MIME)
			}
		}
	}
	if pictures != 20 || !show.Failed || !strings.Contains(said(show), "[5 more pictures are not shown]") {
		t.Errorf("%d pictures, failed is %t: %s", pictures, show.Failed, said(show))
	}
	if text := said(call(t, all["faulty__say_nothing_7588389b"], `{}`)); text != "[it says nothing]" {
		t.Errorf("it says %q", text)
	}

	_, err = all["faulty__a_b_a9e8432c"].Run(t.Context(), agent.Call{})
	if err == nil || !strings.Contains(err.Error(), `it answers: there is no tool called \x1b[31ma.b`) {
		t.Errorf("error %v", err)
	}
}

// wait returns what a server told, once it has told so many lines.
func wait(t testing.TB, s mcp.Server, lines int) []string {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(filepath.Join(s.Dir, "told"))
		if told := strings.Fields(string(data)); err == nil && len(told) >= lines {
			return told
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("it told %q, error %v", data, err)
		}
	}
}

func TestACallThatIsCancelledIsToldTheServer(t *testing.T) {
	t.Parallel()
	s := faulty(t, "nothing")
	c := client(t, s)
	tool := tools(t, c)["faulty__wait"]
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := tool.Run(ctx, agent.Call{})
		done <- err
	}()
	wait(t, s, 1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if told := wait(t, s, 2); told[1] != "cancelled" {
		t.Errorf("it told %q", told)
	}
	// The server is still there.
	if content := load(t, c, "faulty", "a:b"); content.Text != "read 1" {
		t.Errorf("it says %q", content.Text)
	}
}

// A server that reads nothing blocks whoever writes to it.
func TestACallOfAServerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	s := faulty(t, "nothing")
	s.ToolTimeout = 500 * time.Millisecond
	c := client(t, s)
	deaf := tools(t, c)["faulty__deaf"]
	if _, err := deaf.Run(t.Context(), agent.Call{}); err == nil || !strings.Contains(err.Error(), "did not answer within 500ms") {
		t.Errorf("error %v", err)
	}
	input := jsontext.Value(`{"text":"` + strings.Repeat("z", 4<<20) + `"}`)
	// Its time is over, or it has been found out meanwhile.
	if _, err := deaf.Run(t.Context(), agent.Call{Input: input}); err == nil || !strings.Contains(err.Error(), "did not answer within 500ms") && !strings.Contains(err.Error(), "did not react any more") {
		t.Errorf("error %v", err)
	}
	// It was given up, and another is there.
	if content := load(t, c, "faulty", "a:b"); content.Text != "read 1" {
		t.Errorf("it says %q", content.Text)
	}
}

// Nor does it help that the call is given up: who writes is still blocked.
func TestAServerThatGoesDeafBlocksNobody(t *testing.T) {
	t.Parallel()
	s := faulty(t, "goes deaf")
	s.ToolTimeout = 500 * time.Millisecond
	tool := tools(t, client(t, s))["faulty__wait"]
	done := make(chan error, 1)
	go func() {
		_, err := tool.Run(t.Context(), agent.Call{Input: jsontext.Value(`{"text":"` + strings.Repeat("z", 4<<20) + `"}`)})
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "did not answer within 500ms") {
			t.Errorf("error %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it is still blocked")
	}
}

func TestNothingIsStartedWithoutTrust(t *testing.T) {
	t.Parallel()
	s := faulty(t, "starts others")
	trusted := false
	s.Trust = func() error {
		if trusted {
			return nil
		}
		return access.CheckTrust(new(access.Memory), "the MCP server faulty", access.Trust{Project: "/p"})
	}
	c := client(t, s)
	_, err := ask(t, c, "faulty", "a:b")
	if denied, ok := access.IsDenied(err); !ok || denied.Grant != "ampersat trust" {
		t.Errorf("error %v", err)
	}
	if offered, err := c.Tools(t.Context()); len(offered) != 0 || err == nil {
		t.Errorf("%d tools, error %v", len(offered), err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "told")); err == nil {
		t.Error("it was started")
	}
	if _, err := c.Resolve(t.Context(), ampersat.Query{Mention: mention.Resource{Server: "faulty", URI: "a:b"}, Asker: access.Asker{Origin: access.FromFile}}); err == nil {
		t.Error("a file may mention it")
	}
	trusted = true
	load(t, c, "faulty", "a:b")
}

// Who waits for an answer is told when the client is closed.
func TestCloseEndsCallsThatAreUnderWay(t *testing.T) {
	t.Parallel()
	s := faulty(t, "nothing")
	c := mcp.New(mcp.Config{Servers: []mcp.Server{s}})
	tool := tools(t, c)["faulty__wait"]
	done := make(chan error, 1)
	go func() {
		_, err := tool.Run(context.Background(), agent.Call{})
		done <- err
	}()
	wait(t, s, 1)
	must(t, c.Close())
	if err := <-done; err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("error %v", err)
	}
}
