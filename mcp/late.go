package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json"
)

// A server that hangs takes all of its time, and a turn that has nothing to do with
// it would wait for that each time. So it is remembered that it was late, beside the
// lists of tools, for a few minutes in which it is not asked for its tools.

// lateFor is how long a server that was late is left alone.
const lateFor = 5 * time.Minute

// lateness is what is remembered of a server that was late. What it complained is
// not: that may be anything.
type lateness struct {
	What string `json:"what"`
}

// errLate is that a server was late a while ago.
var errLate = errors.New("the server was late a while ago")

// lateFile is the file that says so: another one for each time that a server may
// take, so that one that is given more is tried.
func (s *server) lateFile() string {
	list := s.listFile()
	if list == "" {
		return ""
	}
	return fmt.Sprintf("%s.%v.late", list, s.config.Timeout)
}

// wasLate returns the failure of a server that was late a while ago, nil for any
// other. Whatever has to do with the server and not only with its list goes to the
// server itself, and so tries again at once.
func (s *server) wasLate() error {
	data, at, ok := s.kept(s.lateFile(), lateFor)
	var was lateness
	if !ok || json.Unmarshal(data, &was) != nil {
		return nil
	}
	until := at.Add(lateFor).Local().Format("15:04:05")
	what := fmt.Sprintf("%s at %s, so that its tools are left out until %s; a mention of something of it (@%s:…) tries again at once",
		was.What, at.Local().Format("15:04:05"), until, s.config.Name)
	return &failure{server: s.config.Name, what: what, err: errLate}
}

// noteLate remembers a server that took more time than there was.
func (s *server) noteLate(err error) {
	f := (*failure)(nil)
	if s.client.config.CacheDir == "" || !errors.As(err, &f) || !errors.Is(err, errTime) && !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	if data, err := json.Marshal(lateness{What: f.what}); err == nil {
		s.keep(s.lateFile(), data)
	}
}

// noteInTime forgets that a server was late.
func (s *server) noteInTime() {
	if s.client.config.CacheDir == "" {
		return
	}
	root, err := os.OpenRoot(s.client.config.CacheDir)
	if err != nil {
		return
	}
	defer root.Close()
	_ = root.Remove(s.lateFile()) // mostly there is none
}
