package sqlite

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

// witness hears what a child says, until it ends.
type witness struct {
	t       *testing.T
	command *exec.Cmd
	ended   chan struct{}

	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed and replaced with each line
}

func hear(t *testing.T, command *exec.Cmd, lines *bufio.Scanner) *witness {
	w := &witness{t: t, command: command, ended: make(chan struct{}), more: make(chan struct{})}
	go func() {
		defer close(w.ended)
		for lines.Scan() {
			w.mu.Lock()
			w.lines = append(w.lines, lines.Text())
			close(w.more)
			w.more = make(chan struct{})
			w.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill() // if the test failed
		<-w.ended
		_ = command.Wait()
	})
	return w
}

func (w *witness) heard() (lines []string, more <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines[:len(w.lines):len(w.lines)], w.more
}

// until waits until what was said is enough.
func (w *witness) until(enough func(lines []string) bool) {
	w.t.Helper()
	late := time.After(time.Minute)
	for {
		lines, more := w.heard()
		if enough(lines) {
			return
		}
		select {
		case <-more:
		case <-w.ended:
			_ = w.command.Wait()
			w.t.Fatalf("the child ended by itself: %v\n%s", w.command.ProcessState, w.command.Stderr)
		case <-late:
			_ = w.command.Process.Kill()
			w.t.Fatalf("the child said only %q", lines)
		}
	}
}

// kill kills the child and returns all that it said.
func (w *witness) kill() []string {
	w.t.Helper()
	if err := w.command.Process.Kill(); err != nil {
		w.t.Errorf("the child ended by itself: %v", err)
	}
	<-w.ended
	if err := w.command.Wait(); err == nil || w.command.ProcessState.Exited() {
		w.t.Fatalf("the child ended by itself: %v\n%s", err, w.command.Stderr)
	}
	lines, _ := w.heard()
	return lines
}

// room is the variable that tells a child how many pages it may add; without it
// the disk is really full some time.
const room = "AMPERSAT_SQLITE_TEST_ROOM"

// appendUntilFull is as [appendUntilKilled], but goes on when there is no room,
// which it says once.
func appendUntilFull(path string) error {
	fmt.Println("begun")
	store, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	m, err := store.Create(ctx, session.Meta{ID: "s"})
	if err != nil {
		return err
	}
	lease, err := store.Lease(ctx, m.ID, "child", leaseTime)
	if err != nil {
		return err
	}
	if more, err := strconv.Atoi(os.Getenv(room)); err == nil {
		var pages int
		if err := store.writer.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
			return err
		}
		if _, err := store.writer.ExecContext(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+more)); err != nil {
			return err
		}
	}
	full := false
	for head := m.Head; ; {
		entries, content := batch(head)
		_, err := store.Blobs().Put(ctx, content)
		if err == nil {
			var next session.Seq
			if next, err = store.Append(ctx, m.ID, head, lease.Token, entries...); err == nil {
				head = next
				fmt.Println(head)
			}
		}
		if err == nil {
			var renewed session.Lease
			if renewed, err = store.Renew(ctx, lease, leaseTime); err == nil {
				lease = renewed
			}
		}
		if err != nil && !errors.Is(err, ErrFull) {
			return err
		}
		if err != nil && !full {
			full = true
			fmt.Println("full")
		}
	}
}

// killWhileFull starts a child that fills the disk, and kills it: now and then
// before it is full, and mostly after, while it tries again and again. It returns
// what was acknowledged.
func killWhileFull(t *testing.T, path string, kill int) (acknowledged session.Seq) {
	t.Helper()
	sign := "full"
	if kill%4 == 0 {
		sign = "begun"
	}
	command, lines := child(t, "fill", path, nil)
	w := hear(t, command, lines)
	w.until(func(lines []string) bool {
		for _, line := range lines {
			if line == sign {
				return true
			}
		}
		return false
	})
	time.Sleep(rand.N(slower * 20 * time.Millisecond))
	for _, line := range w.kill() {
		if head, err := strconv.ParseInt(line, 10, 64); err == nil {
			acknowledged = session.Seq(head)
		}
	}
	if sign == "full" && acknowledged == 0 {
		t.Fatalf("kill %d: nothing fitted", kill)
	}
	return acknowledged
}

// A process that is killed while the disk is full loses nothing either of what it
// was told is kept.
func TestKilledProcessOnAFullDisk(t *testing.T) {
	t.Setenv(room, "40")
	for kill := range kills {
		path := file(t)
		survived(t, path, killWhileFull(t, path, kill), kill)
	}
}

// fightTime is how long a lease lasts in the fight that some do not survive.
const fightTime = slower * 40 * time.Millisecond

// fightUntilKilled takes the lease, appends its token in two steps, and releases
// the lease, again and again. It says what it appended, and when it lost the lease
// because it took too long.
func fightUntilKilled(path string) error {
	store, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	turn := func() error {
		lease, err := store.Lease(ctx, "s", strconv.Itoa(os.Getpid()), fightTime)
		if err != nil {
			return err
		}
		m, err := store.Get(ctx, "s")
		if err != nil {
			return err
		}
		for step := range 2 {
			head, err := store.Append(ctx, "s", m.Head+session.Seq(step), lease.Token, note("%d", lease.Token))
			if err != nil {
				return ranOut(lease, err)
			}
			fmt.Println("appended", lease.Token, head)
		}
		return ranOut(lease, store.Release(ctx, lease))
	}
	for {
		if err := turn(); err != nil && !errors.Is(err, session.ErrHeld) {
			return err
		}
		time.Sleep(rand.N(time.Millisecond))
	}
}

// ranOut says that a lease is lost, if that is what the error means. Before its
// time is over nobody may take it.
func ranOut(lease session.Lease, err error) error {
	if !errors.Is(err, session.ErrLost) && !errors.Is(err, session.ErrConflict) {
		return err
	}
	if left := time.Until(lease.Until); left > 0 {
		return fmt.Errorf("somebody else has taken lease %d, which had another %v: %w", lease.Token, left, err)
	}
	fmt.Println("lost", lease.Token)
	return nil
}

// Two processes fight for a lease, and one is killed, maybe while it has it. The
// other goes on; nobody came between the steps of the other, and nothing that was
// acknowledged is gone.
func TestKilledProcessFightsForALease(t *testing.T) {
	orphans := 0
	for kill := range kills {
		path := file(t)
		store := must[*Store](t)(Open(ctx, path, Options{}))
		must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
		var fighters [2]*witness
		for i := range fighters {
			command, lines := child(t, "fight on", path, nil)
			fighters[i] = hear(t, command, lines)
		}
		after := func(more int) func([]string) bool {
			return func(lines []string) bool { return len(lines) >= more }
		}
		for _, f := range fighters {
			f.until(after(1))
		}
		time.Sleep(rand.N(slower * 10 * time.Millisecond))
		first := fighters[kill%2].kill()
		// The other one may have to wait until the lease has run out.
		other := fighters[1-kill%2]
		lines, _ := other.heard()
		other.until(after(len(lines) + 4))
		second := other.kill()
		if checkFight(t, store, kill, first, second) {
			orphans++
		}
		integrity(t, store)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d were killed between their two steps", orphans, kills)
}

// checkFight holds the log against what two fighters said, and reports whether
// the first of them left something half done.
func checkFight(t *testing.T, store *Store, kill int, first, second []string) (orphan bool) {
	t.Helper()
	acknowledged := map[int]string{} // the token at each entry
	lost := map[string]bool{}        // tokens whose holder knows that it lost the lease
	last := [2]string{}              // the token that each had when it was killed
	for i, lines := range [][]string{first, second} {
		for _, line := range lines {
			var token, seq string
			if n, _ := fmt.Sscan(strings.TrimPrefix(line, "appended "), &token, &seq); n == 2 && strings.HasPrefix(line, "appended ") {
				at, err := strconv.Atoi(seq)
				if err != nil || acknowledged[at] != "" {
					t.Fatalf("kill %d: entry %q was acknowledged twice, %v", kill, seq, err)
				}
				acknowledged[at], last[i] = token, token
			} else {
				lost[strings.TrimPrefix(line, "lost ")] = true
			}
		}
	}
	log := records(t, store, "s")
	for at, token := range acknowledged {
		if at > len(log) || log[at-1].Entry.(session.Note).Name != token {
			t.Fatalf("kill %d: entry %d of the lease %s was acknowledged and is not there", kill, at, token)
		}
	}
	before := 0
	for i := 0; i < len(log); {
		name := log[i].Entry.(session.Note).Name
		token, err := strconv.Atoi(name)
		if err != nil || token <= before {
			t.Fatalf("kill %d: the lease %q comes after %d, %v", kill, name, before, err)
		}
		before = token
		steps := 1
		if i+1 < len(log) && log[i+1].Entry.(session.Note).Name == name {
			steps = 2
		}
		// What was appended before the kill may not have been said any more: the
		// last of each may be one whose token nobody told.
		told := acknowledged[i+1] != ""
		if steps == 1 && told && !lost[name] && name != last[0] && name != last[1] {
			t.Fatalf("kill %d: somebody came between the steps of the lease %s", kill, name)
		}
		orphan = orphan || steps == 1 && (name == last[0] || !told)
		i += steps
	}
	return orphan
}
