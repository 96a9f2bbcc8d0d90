package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// record is a line of "session show --json", as its readers know it.
type record struct {
	Seq   session.Seq    `json:"seq"`
	Time  time.Time      `json:"time"`
	Entry jsontext.Value `json:"entry"`
}

// shownRecords reads what "session show --json" prints.
func shownRecords(t *testing.T, out string) (records []record, entries []session.Entry) {
	t.Helper()
	for line := range strings.Lines(out) {
		var r record
		if err := json.Unmarshal([]byte(line), &r, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		entry, err := session.Decode(r.Entry)
		if err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		records, entries = append(records, r), append(entries, entry)
	}
	return records, entries
}

// "session show --json" prints the log as it is, one record a line: what was said,
// what was sent, and after a compaction what it took out. For people the same is
// told in words.
func TestSessionShowTellsTheLog(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		piece(out, "An answer.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	if err := os.WriteFile(filepath.Join(p.dir, "long.md"), []byte(strings.Repeat("a line of something long\n", 2000)), 0o644); err != nil {
		t.Fatal(err)
	}
	began := time.Now().Add(-time.Second)
	p.run("ask", "--profile", "none", "first about @long.md")
	for _, prompt := range []string{"second", "third", "fourth"} {
		p.run("ask", "--profile", "none", "--continue", prompt)
	}

	records, entries := shownRecords(t, p.run("session", "show", "last", "--json"))
	var said []string
	requests := 0
	for i, entry := range entries {
		if records[i].Seq != session.Seq(i+1) || records[i].Time.Before(began) || records[i].Time.After(time.Now()) {
			t.Errorf("record %d is %d, of %s", i+1, records[i].Seq, records[i].Time)
		}
		switch e := entry.(type) {
		case session.Said:
			if e.Message.Role != message.Developer {
				said = append(said, message.Flatten(e.Message.Content))
			}
		case session.Prepared:
			requests++
		}
	}
	if want := "first about @long.md|An answer.|second|An answer.|third|An answer.|fourth|An answer."; strings.Join(said, "|") != want || requests != 4 {
		t.Errorf("%d requests, said %q", requests, said)
	}

	told := p.run("session", "compact", "last")
	saved := regexp.MustCompile(`^([0-9,]+) tokens saved: ([0-9,]+), now ([0-9,]+); (\d+) pieces? left out or shortened\n$`).FindStringSubmatch(told)
	if saved == nil {
		t.Fatalf("%q", told)
	}
	_, after := shownRecords(t, p.run("session", "show", "last", "--json"))
	if len(after) != len(entries)+1 {
		t.Fatalf("%d records, want %d and the compaction", len(after), len(entries))
	}
	compacted, ok := after[len(after)-1].(session.Compacted)
	if !ok || compacted.Reason != "asked for" || wording.Number(compacted.TokensBefore) != saved[2] || wording.Number(compacted.TokensAfter) != saved[3] || fmt.Sprint(len(compacted.Decisions)) != saved[4] {
		t.Fatalf("%+v, and was told %s", after[len(after)-1], told)
	}

	shown := p.run("session", "show", "last")
	for _, want := range []string{
		"first about @long.md\n", "\nfourth\n", // the log keeps all of it
		fmt.Sprintf("%s: %s → %s tokens; asked for\n", compacted.Strategy, saved[2], saved[3]),
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in:\n%s", want, shown)
		}
	}
	for _, d := range compacted.Decisions {
		if want := fmt.Sprintf("   entry %d: %s %s\n", d.Seq, d.Action, d.Reason); !strings.Contains(shown, want) {
			t.Errorf("no %q in:\n%s", want, shown)
		}
	}
	if len(compacted.Decisions) == 0 || compacted.TokensAfter >= compacted.TokensBefore {
		t.Errorf("%+v", compacted)
	}

	// What was sent before is told as it was sent, and what is sent next is less.
	p.run("ask", "--profile", "none", "--continue", "fifth")
	long := "a line of something long"
	if before := p.run("session", "show", "last", "--turn", "4"); strings.Count(before, long) != 2000 {
		t.Errorf("the fourth request is no longer what it was: %d lines", strings.Count(before, long))
	}
	if now := p.run("session", "show", "last", "--turn", "5"); strings.Count(now, long) >= 2000 {
		t.Errorf("the fifth request is not compacted: %d lines", strings.Count(now, long))
	}
}
