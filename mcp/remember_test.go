package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mcp"
)

// Tools that are known are offered without starting the server; it is started
// when one of them is called.
func TestToolsAreRememberedFromOneRunToTheNext(t *testing.T) {
	t.Parallel()
	s := faulty(t, "nothing")
	script := filepath.Join(t.TempDir(), "server")
	must(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho started >>told\nexec '%s'\n", s.Command), 0o755))
	s.Command = script
	cache := filepath.Join(t.TempDir(), "cache", "mcp")
	starts := func() int {
		data, err := os.ReadFile(filepath.Join(s.Dir, "told"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.Count(string(data), "started")
	}
	// run lists the tools as a new process would, and may call one.
	run := func(s mcp.Server, call string) (names []string) {
		t.Helper()
		c := mcp.New(mcp.Config{Servers: []mcp.Server{s}, Version: "test", CacheDir: cache})
		defer c.Close()
		offered, err := c.Tools(t.Context())
		must(t, err)
		for _, tool := range offered {
			names = append(names, tool.Spec().Name)
			if tool.Spec().Name == call {
				_, err := tool.Run(t.Context(), agent.Call{ID: "1", Input: jsontext.Value(`{}`)})
				must(t, err)
			}
		}
		return names
	}
	first := run(s, "")
	if len(first) == 0 || starts() != 1 {
		t.Fatalf("tools %q, started %d times", first, starts())
	}
	if again := run(s, ""); !slices.Equal(again, first) || starts() != 1 {
		t.Errorf("tools %q, started %d times", again, starts())
	}
	called := slices.IndexFunc(first, func(name string) bool { return strings.HasPrefix(name, "faulty__say_nothing") })
	if run(s, first[called]); starts() != 2 {
		t.Errorf("started %d times after a call", starts())
	}

	listed := func() []string {
		all, err := filepath.Glob(filepath.Join(cache, "*"))
		must(t, err)
		return all
	}
	lists := listed()
	if len(lists) != 1 {
		t.Fatalf("%q", lists)
	}
	old := time.Now().Add(-2 * time.Hour)
	must(t, os.Chtimes(lists[0], old, old))
	if again := run(s, ""); !slices.Equal(again, first) || starts() != 3 {
		t.Errorf("an old list: tools %q, started %d times", again, starts())
	}
	must(t, os.WriteFile(lists[0], []byte(`[{"name":`), 0o600))
	if again := run(s, ""); !slices.Equal(again, first) || starts() != 4 {
		t.Errorf("a broken list: tools %q, started %d times", again, starts())
	}
	must(t, os.Chtimes(script, old, old))
	if again := run(s, ""); !slices.Equal(again, first) || starts() != 5 {
		t.Errorf("another program: tools %q, started %d times", again, starts())
	}
	other := s
	other.Args = []string{"--other"}
	if run(other, ""); starts() != 6 {
		t.Errorf("other arguments: started %d times", starts())
	}

	// Nothing is told of the tools of a server that is not trusted, known or not.
	s.Trust = func() error { return errors.New("not trusted") }
	c := mcp.New(mcp.Config{Servers: []mcp.Server{s}, Version: "test", CacheDir: cache})
	defer c.Close()
	if offered, err := c.Tools(t.Context()); len(offered) > 0 || err == nil {
		t.Errorf("%d tools, error %v", len(offered), err)
	}
}

func TestToolsThatAreNotThereInTime(t *testing.T) {
	t.Parallel()
	s := faulty(t, "hangs")
	s.Timeout = time.Minute
	c := client(t, s)
	const want = "the MCP server faulty: its tools were not there in time, and are left out; it said: waiting for the database"
	for begin := time.Now(); ; { // until what it complains has come
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := c.Tools(ctx)
		cancel()
		switch {
		case err != nil && err.Error() == want:
			return
		case err == nil || time.Since(begin) > 50*time.Second:
			t.Fatalf("error %v", err)
		}
	}
}

// A server that hangs is waited for once, and not by every turn: that it was late is
// remembered, told, and forgotten as soon as it has started.
func TestAServerThatHangsIsRemembered(t *testing.T) {
	t.Parallel()
	s := faulty(t, "nothing")
	script := filepath.Join(t.TempDir(), "server")
	must(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\necho started >>told\n[ -e well ] || { echo the login is swordfish >&2; exec sleep 600; }\nexec '%s'\n", s.Command), 0o755))
	s.Command, s.Timeout = script, 5*time.Second // in which it is begun, and well it has started
	cache := filepath.Join(t.TempDir(), "cache", "mcp")
	starts := func() int {
		data, err := os.ReadFile(filepath.Join(s.Dir, "told"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.Count(string(data), "started")
	}
	// run lists the tools as a new process would.
	run := func() ([]agent.Tool, error) {
		c := mcp.New(mcp.Config{Servers: []mcp.Server{s}, Version: "test", CacheDir: cache})
		defer c.Close()
		return c.Tools(t.Context())
	}
	if _, err := run(); err == nil || !strings.Contains(err.Error(), "did not start within 5s; it said: the login is swordfish") || starts() != 1 {
		t.Fatalf("error %v, started %d times", err, starts())
	}
	for range 2 {
		if _, err := run(); err == nil || !strings.Contains(err.Error(), "did not start within 5s at ") || !strings.Contains(err.Error(), "(@faulty:…) tries again at once") || starts() != 1 {
			t.Fatalf("error %v, started %d times", err, starts())
		}
	}
	// What it said may be anything, and is not kept.
	kept, err := filepath.Glob(filepath.Join(cache, "*"))
	must(t, err)
	if len(kept) != 1 {
		t.Fatalf("%q", kept)
	}
	if data, err := os.ReadFile(kept[0]); err != nil || strings.Contains(string(data), "swordfish") {
		t.Errorf("%s, error %v", data, err)
	}

	// A mention tries again, and what it finds out counts.
	must(t, os.WriteFile(filepath.Join(s.Dir, "well"), nil, 0o600))
	c := mcp.New(mcp.Config{Servers: []mcp.Server{s}, Version: "test", CacheDir: cache})
	defer c.Close()
	if _, err := ask(t, c, "faulty", "a:b"); err != nil || starts() != 2 {
		t.Fatalf("error %v, started %d times", err, starts())
	}
	if tools, err := run(); err != nil || len(tools) == 0 || starts() != 3 {
		t.Errorf("%d tools, error %v, started %d times", len(tools), err, starts())
	}
}

// After a few minutes it is tried again, and so is a server that is started otherwise
// or given more time.
func TestLatenessIsForgotten(t *testing.T) {
	t.Parallel()
	s := faulty(t, "hangs")
	s.Timeout = 300 * time.Millisecond
	cache := filepath.Join(t.TempDir(), "mcp")
	late := func(s mcp.Server) bool {
		t.Helper()
		c := mcp.New(mcp.Config{Servers: []mcp.Server{s}, Version: "test", CacheDir: cache})
		defer c.Close()
		_, err := c.Tools(t.Context())
		if err == nil {
			t.Fatal("there are tools")
		}
		return strings.Contains(err.Error(), "tries again at once")
	}
	if late(s) || !late(s) {
		t.Error("it is not remembered, or too early")
	}
	other := s
	other.Args = []string{"--other"}
	if late(other) {
		t.Error("it is remembered of another server")
	}
	patient := s
	patient.Timeout *= 2
	if late(patient) {
		t.Error("it is remembered although there is more time")
	}
	unnamed := s
	unnamed.Args = []string{"\xff"}
	for range 2 {
		if late(unnamed) {
			t.Error("it is remembered of a server that has no name in the cache")
		}
	}
	kept, err := filepath.Glob(filepath.Join(cache, "*"))
	must(t, err)
	old := time.Now().Add(-6 * time.Minute)
	for _, file := range kept {
		must(t, os.Chtimes(file, old, old))
	}
	if late(s) {
		t.Error("it is remembered for too long")
	}
}

// A server that runs is asked, whatever is remembered of it.
func TestToolsThatChangeWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	s := faulty(t, "adds a tool")
	c := mcp.New(mcp.Config{Servers: []mcp.Server{s}, Version: "test", CacheDir: filepath.Join(t.TempDir(), "mcp")})
	defer c.Close()
	before, err := c.Tools(t.Context())
	must(t, err)
	if content, err := ask(t, c, "faulty", "a:b"); err != nil {
		t.Fatal(content, err)
	}
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) { // until the notice has come
		after, err := c.Tools(t.Context())
		must(t, err)
		if len(after) == len(before)+1 {
			return
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d tools, %d before", len(after), len(before))
		}
	}
}
