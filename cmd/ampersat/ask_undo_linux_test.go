package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session/export"
	"github.com/go-json-experiment/json"
)

// callsAll is an answer that calls several tools: name, then arguments, in turn.
func callsAll(out http.ResponseWriter, namesAndArguments ...string) {
	for i, call := 0, 0; i < len(namesAndArguments); i, call = i+2, call+1 {
		fmt.Fprintf(out, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"index\":%d,\"id\":\"call_%d\",\"type\":\"function\",\"function\":{\"name\":%q,\"arguments\":%q}}]},\"finish_reason\":null}]}\n\n",
			call, call, namesAndArguments[i], namesAndArguments[i+1])
	}
	piece(out, "", `"tool_calls"`)
	fmt.Fprint(out, "data: [DONE]\n\n")
}

// asksFor has a model call some tools, and then come to its end.
func asksFor(t *testing.T, namesAndArguments ...string) *person {
	var asked atomic.Bool
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		if !asked.CompareAndSwap(false, true) {
			piece(out, "Finished.", `"stop"`)
			fmt.Fprint(out, "data: [DONE]\n\n")
			return
		}
		callsAll(out, namesAndArguments...)
	})
	return newPerson(t, server.URL)
}

// files are those of the project, each with what is in it.
func (p *person) files() (all []string) {
	p.t.Helper()
	err := filepath.WalkDir(p.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.Name() == ".git" {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(p.dir, path)
		if entry.IsDir() {
			all = append(all, rel+"/")
			return nil
		}
		data, err := os.ReadFile(path)
		all = append(all, rel+"="+string(bytes.TrimSpace(data)))
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all[1:]
}

// The program is killed while the second of two calls runs. What the first one
// wrote can be undone, and what the second one did is named.
func TestAKillBetweenTwoCallsLosesNothing(t *testing.T) {
	p := asksFor(t,
		"write_file", `{"path":"notes.md","content":"overwritten\n"}`,
		"write_file", `{"path":"new/er/file.md","content":"new\n"}`,
		"shell", `{"command":"touch began; sleep 60"}`)
	asking := p.start("ask", "--profile", "dev", "--permissions", "all", "change @notes.md")
	p.waitsFor("began")
	if err := asking.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = asking.Wait()
	if have := p.files(); !slices.Equal(have, []string{"began=", "new/", "new/er/", "new/er/file.md=new", "notes.md=overwritten"}) {
		t.Fatalf("%q", have)
	}
	out := p.run("session", "undo")
	if want := "the last turn is undone, but not what 1 call did\n"; !strings.HasSuffix(out, want) || !strings.Contains(out, "restored ") || !strings.Contains(out, "removed ") {
		t.Errorf("%s, want %s", out, want)
	}
	if want := "not taken back: run touch began; sleep 60 (it did not come to its end)\n"; !strings.Contains(p.stder.String(), want) {
		t.Errorf("%s, want %s", p.stder.String(), want)
	}
	if have := p.files(); !slices.Equal(have, []string{"began=", "notes.md=a note"}) {
		t.Errorf("%q", have)
	}
}

// A file that was being written when the program was killed may be anything. It
// is not said to be undone, and by force it is.
func TestUndoOfAFileThatWasBeingWritten(t *testing.T) {
	p := asksFor(t, "write_file", `{"path":"notes.md","content":"overwritten\n"}`)
	p.run("ask", "--profile", "dev", "--permissions", "all", "change @notes.md")
	// As if it had been killed in the middle of it: what comes after is not there.
	p.meddle(`DELETE FROM entry WHERE place > (SELECT place FROM entry WHERE body LIKE '%"name":"changing"%')`, "UPDATE session SET head = (SELECT max(seq) FROM log)")()
	notes := filepath.Join(p.dir, "notes.md")
	if err := os.WriteFile(notes, []byte("overwri"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := p.start("session", "undo").Wait(); err == nil || !strings.Contains(p.stder.String(), "it was being written when the program ended") || !strings.Contains(p.stder.String(), "--force") {
		t.Errorf("%v %s", err, p.stder.String())
	}
	if out := p.run("session", "undo", "--force"); !strings.Contains(out, "restored") {
		t.Error(out)
	}
	if have := p.files(); !slices.Equal(have, []string{"notes.md=a note"}) {
		t.Errorf("%q", have)
	}
}

// A link that a person has put where a file was leads to a file of theirs. Force is
// not offered, and does not help.
func TestUndoOfAFileThatIsALinkByNow(t *testing.T) {
	p := asksFor(t, "write_file", `{"path":"new.md","content":"new\n"}`)
	p.run("ask", "--profile", "dev", "--permissions", "all", "make it")
	path := filepath.Join(p.dir, "new.md")
	if err := errors.Join(os.Remove(path), os.Symlink("notes.md", path)); err != nil {
		t.Fatal(err)
	}
	for _, force := range []string{"--force=false", "--force"} {
		err := p.start("session", "undo", force).Wait()
		said := p.stder.String()
		if err == nil || strings.Contains(said, "--force") || !strings.Contains(said, "nothing was taken back") || !strings.Contains(said, "move the link away") {
			t.Errorf("%s: %v %s", force, err, said)
		}
		if have := p.files(); !slices.Equal(have, []string{"new.md=a note", "notes.md=a note"}) {
			t.Errorf("%s: %q", force, have)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out := p.run("session", "undo"); out != "the last turn is undone\n" {
		t.Error(out)
	}
}

// If what one of the files was is not in the store any more, nothing is undone, and
// by force the others are.
func TestUndoOfAFileThatIsNotKept(t *testing.T) {
	p := asksFor(t,
		"write_file", `{"path":"notes.md","content":"overwritten\n"}`,
		"edit_file", `{"path":"notes.md","old":"overwritten","new":"edited"}`,
		"write_file", `{"path":"new.md","content":"new\n"}`)
	p.run("ask", "--profile", "dev", "--permissions", "all", "change @notes.md")
	p.meddle(`DELETE FROM blob WHERE CAST(data AS TEXT) = 'a note' || char(10)`, "SELECT 1")()
	const left = "notes.md: what it was before is not kept any more\n"
	now := []string{"new.md=new", "notes.md=edited"}
	for range 2 {
		err := p.start("session", "undo").Wait()
		said := p.stder.String()
		if err == nil || strings.Count(said, left) != 1 || !strings.Contains(said, "nothing was taken back") || !strings.Contains(said, "(--force leaves it as it is, and takes back the rest)") {
			t.Errorf("%v %s", err, said)
		}
		if have := p.files(); !slices.Equal(have, now) || strings.Contains(said, "restored") {
			t.Fatalf("%q %s", have, said)
		}
	}
	// A folder in the place of another file is not taken away by force.
	path := filepath.Join(p.dir, "new.md")
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, force := range []string{"--force=false", "--force"} {
		err := p.start("session", "undo", force).Wait()
		if said := p.stder.String(); err == nil || strings.Contains(said, "--force") || !strings.Contains(said, "new.md: it is a folder; nothing was taken back") {
			t.Errorf("%s: %v %s", force, err, said)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	out := p.run("session", "undo", "--force")
	if out != "the last turn is undone, but not 1 file\n" || strings.Count(p.stder.String(), left) != 1 {
		t.Errorf("%s%s", out, p.stder.String())
	}
	if have := p.files(); !slices.Equal(have, now[1:]) {
		t.Errorf("%q", have)
	}
	if err := p.start("session", "undo").Wait(); err == nil || !strings.Contains(p.stder.String(), "there is no turn to undo") {
		t.Errorf("%v %s", err, p.stder.String())
	}
}

// A turn is undone in the project that it was about. From elsewhere it is said
// how, and nothing is offered that does not help.
func TestUndoFromAnotherFolder(t *testing.T) {
	p := asksFor(t, "write_file", `{"path":"notes.md","content":"overwritten\n"}`, "shell", `{"command":"echo ran"}`)
	p.run("ask", "--profile", "dev", "--permissions", "all", "change @notes.md")
	id := sessionOf(t, p.run("session", "export", "--json", "last"))
	there := p.dir
	p.dir = t.TempDir()
	for _, force := range []string{"--force=false", "--force"} {
		err := p.start("session", "undo", force, id).Wait()
		said := p.stder.String()
		if err == nil || strings.Contains(said, "--force") || !strings.Contains(said, "ampersat session undo -C '"+there+"' ") {
			t.Errorf("%s: %v %s", force, err, said)
		}
	}
	out := p.run("session", "undo", "-C", there, id)
	if !strings.Contains(out, "restored") || !strings.Contains(p.stder.String(), "not taken back: run echo ran\n") {
		t.Errorf("%s%s", out, p.stder.String())
	}
	p.dir = there
	if have := p.files(); !slices.Equal(have, []string{"notes.md=a note"}) {
		t.Errorf("%q", have)
	}
}

// A log of an older version does not say what was run. Undo does not say either
// that all is taken back.
func TestUndoOfATurnOfAnOlderVersion(t *testing.T) {
	p := asksFor(t, "write_file", `{"path":"notes.md","content":"overwritten\n"}`, "read_file", `{"path":"notes.md"}`, "shell", `{"command":"echo ran"}`)
	p.run("ask", "--profile", "dev", "--permissions", "all", "change @notes.md")
	log := p.run("session", "export", "--json", "last")
	older := strings.NewReplacer(`,"notes":true`, "", `"name":"acting"`, `"name":"another"`, `"name":"changing"`, `"name":"another"`).Replace(log)
	if strings.Count(log, `"name":"acting"`) != 1 || !strings.Contains(log, `,"notes":true`) {
		t.Fatalf("it is as older versions write it: %s", log)
	}
	file := filepath.Join(t.TempDir(), "older.jsonl")
	if err := os.WriteFile(file, []byte(older), 0o600); err != nil {
		t.Fatal(err)
	}
	p.run("session", "rm", "--yes", "last")
	p.run("session", "import", file)
	out := p.run("session", "undo")
	if want := "the last turn is undone, but not what 1 call did\n"; !strings.HasSuffix(out, want) || !strings.Contains(out, "restored ") {
		t.Errorf("%s, want %s", out, want)
	}
	if want := `not taken back: shell {"command":"echo ran"} (if it was run: `; strings.Count(p.stder.String(), "not taken back") != 1 || !strings.Contains(p.stder.String(), want) {
		t.Errorf("%s, want %s", p.stder.String(), want)
	}
}

// A command that was refused, by whomever, did nothing that would have to be taken
// back.
func TestUndoOfACommandThatWasRefused(t *testing.T) {
	for _, c := range []struct{ permissions, input, why string }{
		{"ask", `{"command":"echo ran"}`, "nobody"},
		{"all", `{"command":"echo ran","dir":"/"}`, "it is outside the project"},
		{"all", `{"command":"echo ran","dir":"gone"}`, "there is no such folder"},
		{"all", `{"command":"echo ran","dir":"notes.md"}`, "it is not a folder"},
	} {
		p := asksFor(t, "shell", c.input)
		p.run("ask", "--profile", "dev", "--permissions", c.permissions, "run it")
		if said := p.stder.String(); !strings.Contains(said, c.why) {
			t.Errorf("%s: %s", c.input, said)
		}
		if out := p.run("session", "undo"); out != "the last turn is undone\n" || strings.Contains(p.stder.String(), "not taken back") {
			t.Errorf("%s: %s%s", c.input, out, p.stder.String())
		}
	}
}

// sessionOf is the id of the session in an export.
func sessionOf(t *testing.T, exported string) string {
	t.Helper()
	var line export.Line
	first, _, _ := strings.Cut(exported, "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil || line.Session == "" {
		t.Fatalf("%v in %s", err, first)
	}
	return string(line.Session)
}

// At whatever point of a turn the program is killed, the turn can be undone: the
// project is what it was, with nothing left beside.
func TestAKillAtAnyTimeCanBeUndone(t *testing.T) {
	for range turnsKilled {
		files, delay := rand.IntN(6), time.Duration(rand.IntN(15_000))*time.Microsecond
		t.Run(fmt.Sprintf("%s after %d files", delay, files+1), func(t *testing.T) {
			t.Parallel()
			var calls []string
			for i := range 6 {
				calls = append(calls, "write_file", fmt.Sprintf(`{"path":"new/%d/file.md","content":"new"}`, i),
					"write_file", fmt.Sprintf(`{"path":"notes.md","content":"overwritten %d"}`, i))
			}
			p := asksFor(t, calls...)
			asking := p.start("ask", "--profile", "dev", "--permissions", "all", "change @notes.md")
			p.waitsFor(fmt.Sprintf("new/%d/file.md", files))
			time.Sleep(delay)
			_ = asking.Process.Kill() // it may have come to its end
			_ = asking.Wait()
			if out := p.run("session", "undo"); !strings.HasSuffix(out, "the last turn is undone\n") {
				t.Error(out)
			}
			if have := p.files(); !slices.Equal(have, []string{"notes.md=a note"}) {
				t.Errorf("%q", have)
			}
		})
	}
}

// waitsFor waits until there is a file.
func (p *person) waitsFor(name string) {
	p.t.Helper()
	for deadline := time.Now().Add(tooLong); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(p.dir, name)); err == nil {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("there is no %s: %s", name, p.stder.String())
		}
	}
}
