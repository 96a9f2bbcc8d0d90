package sqlite

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// child starts this program in a role.
func child(t *testing.T, name, path string, in *os.File) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, path)
	command.Env = append(os.Environ(), role+"="+name)
	command.Stderr = &bytes.Buffer{}
	if in != nil {
		command.Stdin = in
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, bufio.NewScanner(out)
}

// batch returns one to four entries that belong together: each names the first
// and the last of them. The last one names a blob.
func batch(after session.Seq) (entries []session.Entry, content []byte) {
	first := after + 1
	last := first + first%4
	content = bytes.Repeat(fmt.Appendf(nil, "%d ", first), 200)
	for seq := first; seq <= last; seq++ {
		entries = append(entries, note("%d of %d to %d %s %s", seq, first, last, blob.Of(content), strings.Repeat("x", int(seq%13)*300)))
	}
	return entries, content
}

const leaseTime = 30 * time.Millisecond

// appendUntilKilled says "begun", and then the head after each append that was
// acknowledged.
func appendUntilKilled(path string) error {
	fmt.Println("begun")
	store, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	m, err := store.Get(ctx, "s")
	if errors.Is(err, session.ErrNotFound) {
		m, err = store.Create(ctx, session.Meta{ID: "s"})
	}
	if err != nil {
		return err
	}
	lease, err := store.Lease(ctx, m.ID, "child", leaseTime)
	if err != nil {
		return err
	}
	for head := m.Head; ; {
		entries, content := batch(head)
		if _, err := store.Blobs().Put(ctx, content); err != nil {
			return err
		}
		if head, err = store.Append(ctx, m.ID, head, lease.Token, entries...); err != nil {
			return err
		}
		fmt.Println(head)
		if lease, err = store.Renew(ctx, lease, leaseTime); err != nil {
			return err
		}
	}
}

// A process that is killed at any moment loses nothing that it was told is
// kept, leaves nothing half written, and does not keep the session for itself.
func TestKilledProcessLosesNothing(t *testing.T) {
	path := file(t)
	var acknowledged session.Seq
	busy := 0
	for kill := range kills {
		command, lines := child(t, "append", path, nil)
		before := acknowledged
		begun := make(chan struct{})
		appended := make(chan struct{})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for n := 0; lines.Scan(); n++ {
				switch n {
				case 0:
					close(begun)
					continue
				case 1:
					close(appended)
				}
				if head, err := strconv.ParseInt(lines.Text(), 10, 64); err == nil {
					acknowledged = session.Seq(head)
				}
			}
		}()
		// Every other one is killed somewhere between the middle of opening and
		// some dozen appends; the others have appended, however long that takes.
		since := begun
		if kill%2 == 1 {
			since = appended
		}
		select {
		case <-since:
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("the child does not begin")
		}
		time.Sleep(rand.N(slower * 60 * time.Millisecond))
		if err := command.Process.Kill(); err != nil {
			t.Errorf("the child ended by itself: %v", err)
		}
		<-ended
		if err := command.Wait(); err == nil || command.ProcessState.Exited() {
			t.Fatalf("the child ended by itself: %v\n%s", err, command.Stderr)
		}
		if acknowledged > before {
			busy++
		}
		survived(t, path, acknowledged, kill)
		acknowledged = head(t, path)
	}
	if busy < kills/2 {
		t.Errorf("only %d of %d kills met a child that had appended", busy, kills)
	}
	t.Logf("%d kills, %d of them while appending, %d entries", kills, busy, acknowledged)
}

func head(t *testing.T, path string) session.Seq {
	store := must[*Store](t)(Open(ctx, path, Options{}))
	defer store.Close()
	m, err := store.Get(ctx, "s")
	if err != nil && !errors.Is(err, session.ErrNotFound) {
		t.Fatal(err)
	}
	return m.Head
}

// survived checks what a killed child has left.
func survived(t *testing.T, path string, acknowledged session.Seq, kill int) {
	t.Helper()
	store := must[*Store](t)(Open(ctx, path, Options{}))
	defer store.Close()
	integrity(t, store)
	m, err := store.Get(ctx, "s")
	if errors.Is(err, session.ErrNotFound) && acknowledged == 0 {
		return // it did not come so far
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.Head < acknowledged {
		t.Fatalf("kill %d: entry %d was acknowledged, the log is at %d", kill, acknowledged, m.Head)
	}
	log := records(t, store, "s")
	if len(log) != int(m.Head) {
		t.Fatalf("kill %d: %d records, the log is at %d", kill, len(log), m.Head)
	}
	for at := 0; at < len(log); {
		entries, content := batch(session.Seq(at))
		if at+len(entries) > len(log) {
			t.Fatalf("kill %d: the log ends at %d, within what was appended at once", kill, len(log))
		}
		for i, e := range entries {
			if have := log[at+i]; have.Seq != session.Seq(at+i+1) || have.Entry.(session.Note).Name != e.(session.Note).Name {
				t.Fatalf("kill %d: record %d is %+v", kill, at+i+1, have)
			}
		}
		if at > len(log)-50 { // the others were looked at before
			if _, err := store.Blobs().Get(ctx, blob.Of(content)); err != nil {
				t.Fatalf("kill %d: %v", kill, err)
			}
		}
		at += len(entries)
	}
	takeOver(t, store)
}

// takeOver waits until the lease of a dead process has run out.
func takeOver(t *testing.T, store *Store) {
	t.Helper()
	lease, err := store.Lease(ctx, "s", "parent", time.Minute)
	if held, ok := errors.AsType[*session.HeldError](err); ok {
		if wait := time.Until(held.Until); wait > leaseTime {
			t.Fatalf("the lease lasts another %v", wait)
		}
		time.Sleep(time.Until(held.Until))
		lease, err = store.Lease(ctx, "s", "parent", time.Minute)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Release(ctx, lease); err != nil {
		t.Fatal(err)
	}
}

const (
	fighters = 3
	rounds   = 25
)

// fightForLease waits for the start. It then takes the lease, appends its number in two steps between which
// others must not come, and releases it, again and again.
func fightForLease(path string) error {
	store, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	for round := 0; round < rounds; {
		lease, err := store.Lease(ctx, "s", strconv.Itoa(os.Getpid()), time.Minute)
		if errors.Is(err, session.ErrHeld) {
			time.Sleep(rand.N(time.Millisecond))
			continue
		}
		if err != nil {
			return err
		}
		m, err := store.Get(ctx, "s")
		if err != nil {
			return err
		}
		for step := range 2 {
			if _, err := store.Append(ctx, "s", m.Head+session.Seq(step), lease.Token, note("%d %d", os.Getpid(), lease.Token)); err != nil {
				return err
			}
		}
		if err := store.Release(ctx, lease); err != nil {
			return err
		}
		round++
		time.Sleep(rand.N(time.Millisecond))
	}
	return store.Close()
}

func TestProcessesFightForALease(t *testing.T) {
	path := file(t)
	store := opened(t, path, Options{})
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	var children []*exec.Cmd
	start, shot, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for range fighters {
		command, lines := child(t, "fight", path, start)
		children = append(children, command)
		lines.Scan() // ready
	}
	if err := errors.Join(start.Close(), shot.Close()); err != nil {
		t.Fatal(err)
	}
	for _, command := range children {
		if err := command.Wait(); err != nil {
			t.Errorf("%v\n%s", err, command.Stderr)
		}
	}
	log := records(t, store, "s")
	if len(log) != 2*fighters*rounds {
		t.Fatalf("have %d records, want %d", len(log), 2*fighters*rounds)
	}
	var last, changes int
	before := ""
	for i := 0; i < len(log); i += 2 {
		first, second := log[i].Entry.(session.Note).Name, log[i+1].Entry.(session.Note).Name
		if first != second {
			t.Errorf("record %d is %q and the next %q: two had the lease", i+1, first, second)
		}
		pid, text, _ := strings.Cut(first, " ")
		token, err := strconv.Atoi(text)
		if err != nil || token <= last {
			t.Errorf("the token %q comes after %d, %v", text, last, err)
		}
		if pid != before {
			changes++
		}
		last, before = token, pid
	}
	if changes <= fighters {
		t.Errorf("the lease went from one to another %d times: there was no fight", changes)
	}
}
