//go:build unix

package git_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/git"
)

func TestOverLimitSmallestFilesAreWholeAndTheRestIsNamed(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	files := map[string]string{}
	for i := range 10 {
		files[fmt.Sprintf("f%d", i)] = strings.Repeat("line\n", 1+i*200)
	}
	r.write(files)
	c, err := r.ask(mention.GitDiff{}, 10_000)
	must(t, err)
	if len(c.Text) > 10_000 || c.Source != "" || c.Shown != "4 of 10 files" || c.Size < 40_000 {
		t.Errorf("%d bytes, digest %q, shown %q, size %d", len(c.Text), c.Source, c.Shown, c.Size)
	}
	for i := range 10 {
		name := fmt.Sprintf("a/f%d b/f%d", i, i)
		whole := strings.Contains(c.Text, "diff --git "+name+"\n") && strings.Contains(c.Text, fmt.Sprintf("+++ b/f%d\n@@ -0,0 +1", i))
		named := strings.Contains(c.Text, "[not shown: "+name+", ")
		if whole != (i < 4) || named == whole {
			t.Errorf("%s: whole %t, named %t", name, whole, named)
		}
	}
	if got := strings.Count(c.Text, "\n+line"); got != 4+200*(1+2+3) {
		t.Errorf("%d lines", got)
	}
	// What no name fits in is counted.
	c, err = r.ask(mention.GitDiff{}, 500)
	must(t, err)
	if len(c.Text) > 500 || !strings.Contains(c.Text, "more files]\n") || !strings.HasSuffix(c.Shown, " of 10 files") {
		t.Errorf("shown %q:\n%s", c.Shown, c.Text)
	}
}

func TestOverLimitCommit(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"a": "1\n"})
	r.commit("second\n\n"+strings.Repeat("word ", 2000), map[string]string{"a": strings.Repeat("line\n", 2000), "b": "1\n"})
	c, err := r.ask(mention.GitDiff{Commit: "HEAD"}, 4000)
	must(t, err)
	if len(c.Text) > 4000 || c.Shown != "1 of 2 files" || c.Note != "its message is cut" {
		t.Errorf("%d bytes, shown %q, note %q", len(c.Text), c.Shown, c.Note)
	}
	wantParts(t, c, "    second\n", "the rest of the message is not shown", "[not shown: a/a b/a, ", "+++ b/b\n")
}

// A diff of 100 MB is read as it comes, and little of it is held.
func TestHugeDiff(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	r := newRepository(t)
	r.commit("first", map[string]string{"small": "1\n"})
	random := rand.New(rand.NewPCG(1, 2))
	line := make([]byte, 99)
	for i := range 10 {
		var text strings.Builder
		for text.Len() < 10<<20 {
			for j := range line {
				line[j] = 'a' + byte(random.IntN(26))
			}
			text.Write(append(line, '\n'))
		}
		r.write(map[string]string{fmt.Sprintf("big%d", i): text.String()})
	}
	// One line of 1 MB is longer than any buffer.
	r.write(map[string]string{"small": "2\n", "wide": strings.Repeat("x", 1<<20) + "\ndiff --git a/forged b/forged\n"})
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	c, err := r.ask(mention.GitDiff{}, 2<<20)
	must(t, err)
	runtime.ReadMemStats(&after)
	t.Logf("%d MB in %v, %d MB allocated", c.Size>>20, time.Since(begin), (after.TotalAlloc-before.TotalAlloc)>>20)
	if c.Shown != "2 of 12 files" || c.Size < 100<<20 || len(c.Text) > 2<<20 {
		t.Errorf("shown %q, %d of %d bytes", c.Shown, len(c.Text), c.Size)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 32<<20 {
		t.Errorf("%d bytes allocated", got)
	}
	wantParts(t, ampersat.Content{Text: c.Text[:2000]}, "[not shown: a/big9 b/big9, 10,")
}

// fakeGit puts a program in the place of git that starts another and waits.
func fakeGit(t testing.TB) (pidFile string) {
	t.Helper()
	bin := t.TempDir()
	pidFile = filepath.Join(bin, "pid")
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nsleep 60 &\necho $! >"+pidFile+"\nwait\n"), 0o755))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return pidFile
}

// startedBy returns the process that the program in the place of git started, if
// it came so far.
func startedBy(pidFile string) (pid string, ok bool) {
	text, err := os.ReadFile(pidFile)
	return strings.TrimSpace(string(text)), err == nil && strings.HasSuffix(string(text), "\n")
}

func wantEnded(t testing.TB, pid string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); alive(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what git started lives on")
		}
	}
}

// How soon it is started depends on the machine, so that a time that was too
// short for it is tried again as a longer one.
func TestTimeLimitEndsAllThatGitStarted(t *testing.T) {
	r := changed(t)
	pidFile := fakeGit(t)
	for limit := 300 * time.Millisecond; limit < 5*time.Minute; limit *= 5 {
		_, err := git.New(git.Config{Dir: r.dir, Timeout: limit}).Resolve(t.Context(), ampersat.Query{Mention: mention.GitDiff{}, Asker: person})
		miss := (*ampersat.Miss)(nil)
		if !errors.As(err, &miss) || miss.Outcome != ampersat.Failed || miss.Reason != "git did not end within "+limit.String() {
			t.Errorf("error %v", err)
		}
		if pid, ok := startedBy(pidFile); ok {
			wantEnded(t, pid)
			return
		}
	}
	t.Error("git was not started")
}

func TestCancelEndsAllThatGitStarted(t *testing.T) {
	r := changed(t)
	pidFile := fakeGit(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := git.New(git.Config{Dir: r.dir, Timeout: time.Minute}).Resolve(ctx, ampersat.Query{Mention: mention.GitDiff{}, Asker: person})
		ended <- err
	}()
	for {
		select {
		case err := <-ended:
			t.Fatalf("it ended before it was cancelled: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
		if pid, ok := startedBy(pidFile); ok {
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			wantEnded(t, pid)
			return
		}
	}
}

// git opens a .gitignore that is a pipe, and waits for somebody to write.
func TestAttackGitThatHangs(t *testing.T) {
	r := changed(t)
	must(t, os.Remove(filepath.Join(r.dir, ".gitignore")))
	pipe(t, filepath.Join(r.dir, ".gitignore"))
	_, err := git.New(git.Config{Dir: r.dir, Timeout: 500 * time.Millisecond}).Resolve(t.Context(), ampersat.Query{Mention: mention.GitDiff{}, Asker: person})
	if err == nil || !strings.Contains(err.Error(), "git did not end within 500ms") {
		t.Errorf("error %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	r := changed(t)
	want := r.load(mention.GitDiff{})
	resolver := git.New(git.Config{Dir: r.dir})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			c, err := resolver.Resolve(t.Context(), ampersat.Query{Mention: mention.GitDiff{}, Asker: person})
			if err != nil || c.Text != want.Text {
				t.Errorf("error %v, text:\n%s", err, c.Text)
			}
		})
	}
	group.Wait()
}

func TestManyUntrackedFiles(t *testing.T) {
	r := newRepository(t)
	r.commit("first", map[string]string{"gone": "x\n"})
	must(t, os.Remove(filepath.Join(r.dir, "gone")))
	files := map[string]string{}
	for i := range 3000 {
		files[fmt.Sprintf("d%d/f%d", i%50, i)] = fmt.Sprintln(i)
	}
	r.write(files)
	begin := time.Now()
	c := r.load(mention.GitDiff{})
	t.Logf("%d files in %v", len(files), time.Since(begin))
	if got := strings.Count(c.Text, "\nnew file mode"); got != 3000 {
		t.Errorf("%d files", got)
	}
}
