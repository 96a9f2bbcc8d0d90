package mcp

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"github.com/ampersat/ampersat/blob"
)

// What a server's tools are changes seldom, and a turn that calls none of them
// should not wait for the server. So the list is kept from one run of the program
// to the next, for a while: the server is started when a tool of it is called.

const (
	// remembered is how long a list counts. A server that is called is asked again
	// in any case.
	remembered = time.Hour
	// maxRemembered is the most bytes of a list that are read.
	maxRemembered = 8 << 20
)

// listFile is the file with the tools of a server: another one for each way in
// which it is started, for each state of the program, and for each version of
// ours, which may read a list otherwise.
func (s *server) listFile() string {
	of := struct {
		Command, Dir, URL, Version string
		Args                       []string
		Env, Headers               map[string]string
		Size                       int64
		Changed                    time.Time
	}{
		Command: s.config.Command, Dir: s.config.Dir, URL: s.config.URL, Version: s.client.config.Version,
		Args: s.config.Args, Env: s.config.Env, Headers: s.config.Headers,
	}
	if path, err := exec.LookPath(s.config.Command); err == nil {
		if info, err := os.Stat(path); err == nil {
			of.Size, of.Changed = info.Size(), info.ModTime()
		}
	}
	key, err := json.Marshal(of, json.Deterministic(true))
	if err != nil {
		return "" // a program with such a name is not started either
	}
	return strings.TrimPrefix(string(blob.Of(key)), "sha256:") + ".json"
}

// recall returns the tools that the server had a while ago. Whatever is wrong
// with the list, it is as if there were none.
func (s *server) recall() (tools []*toolSpec, ok bool) {
	data, _, ok := s.kept(s.listFile(), remembered)
	if !ok || json.Unmarshal(data, &tools) != nil {
		return nil, false
	}
	return present(tools), true
}

// kept returns a file of what is remembered, and when it was written, unless it is
// too old.
func (s *server) kept(name string, oldest time.Duration) (data []byte, at time.Time, ok bool) {
	if s.client.config.CacheDir == "" {
		return nil, at, false
	}
	root, err := os.OpenRoot(s.client.config.CacheDir)
	if err != nil {
		return nil, at, false
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()).Abs() > oldest {
		return nil, at, false
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, at, false
	}
	defer file.Close()
	data, err = io.ReadAll(io.LimitReader(file, maxRemembered))
	return data, info.ModTime(), err == nil
}

// remember keeps the tools of the server. That it fails is no harm: the server is
// asked again.
func (s *server) remember(tools []*toolSpec) {
	if s.client.config.CacheDir == "" {
		return
	}
	if data, err := json.Marshal(tools); err == nil {
		s.keep(s.listFile(), data)
	}
}

// keep writes a file of what is remembered, all of it or nothing.
func (s *server) keep(name string, data []byte) {
	if name == "" || len(data) > maxRemembered || os.MkdirAll(s.client.config.CacheDir, 0o700) != nil {
		return
	}
	root, err := os.OpenRoot(s.client.config.CacheDir)
	if err != nil {
		return
	}
	defer root.Close()
	forgetOld(root)
	aside := uuid.NewString() + ".new"
	if err = root.WriteFile(aside, data, 0o600); err == nil {
		err = root.Rename(aside, name)
	}
	if err != nil {
		_ = root.Remove(aside)
	}
}

// forgetOld removes lists that nobody has written for a day: of servers that are
// started otherwise by now, and what a program that was killed left behind.
func forgetOld(root *os.Root) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > 24*time.Hour {
			_ = root.Remove(entry.Name()) // another process may have been faster
		}
	}
}
