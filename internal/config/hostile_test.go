package config

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestSensibleReadings are files that look odd and are plain enough.
func TestSensibleReadings(t *testing.T) {
	for name, text := range map[string]string{
		"BOM":                   "\ufeffprofile: dev\n",
		"CRLF":                  "profile: dev\r\nbudget:\r\n  turn: 5\r\n",
		"no line end":           "profile: dev",
		"a document's marks":    "---\nprofile: dev\n...\n",
		"a heading alone":       "profile: dev\nbudget:\nmcp:\nallow: {paths: }\n",
		"an alias":              "model: openai/x\nplace: &x top\nprofile: &d dev\n",
		"quotes":                "'profile': \"dev\"\n",
		"flow":                  "{profile: dev}",
		"comments":              "# mine\nprofile: dev # the usual\n",
		"a number that is text": "profile: dev\nproviders: {azure: {api_version: 2025-04-01}}\n",
	} {
		if l := newWorld(t, map[string]string{userConfig: text}).load(); l.Profile != "dev" {
			t.Errorf("%s: %+v", name, l.Config)
		}
	}
	for name, text := range map[string]string{"empty": "", "comment": "# nothing\n", "null": "~\n", "spaces": " \n\n"} {
		if l := newWorld(t, map[string]string{userConfig: text}).load(); l.Profile != "" {
			t.Errorf("%s: %+v", name, l.Config)
		}
	}
}

// TestAHugeFileIsRefused without being read.
func TestAHugeFileIsRefused(t *testing.T) {
	for _, name := range []string{userConfig, projectConfig} {
		w := newWorld(t, map[string]string{name: "profile: dev\n"})
		if err := os.Truncate(w.path(name), 50<<20); err != nil {
			t.Fatal(err)
		}
		if have := w.problems(); len(have) != 1 || !strings.HasSuffix(have[0], "it is larger than 1 MB, which no configuration is") {
			t.Errorf("%s: %q", name, have)
		}
	}
}

// TestAnAliasBomb must end at once, with a mistake that says so.
func TestAnAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("allow:\n  paths: &p [" + strings.Repeat("a, ", 300) + "a]\nmcp:\n")
	b.WriteString("  first: &s {command: x, args: *p}\n")
	for i := range 3000 {
		b.WriteString("  s" + strconv.Itoa(i) + ": *s\n")
	}
	have := newWorld(t, map[string]string{userConfig: b.String()}).problems()
	found := false
	for _, line := range have {
		found = found || strings.Contains(line, "too much configuration: more than 50000 values")
	}
	if !found {
		t.Errorf("%d problems, none of them about size", len(have))
	}
}

// TestNoFileTakesLong of the size that is read, however it is made. A file of
// 100,000 unknown keys once took a minute to tell what each was meant to be.
func TestNoFileTakesLong(t *testing.T) {
	var keys, entries strings.Builder
	for i := 0; keys.Len() < maxFile-20; i++ {
		fmt.Fprintf(&keys, "k%d: v\n", i)
	}
	entries.WriteString("mcp:\n")
	for i := range maxNodes/2 - 5 { // as many as are read
		fmt.Fprintf(&entries, "  m%d: {command: x}\n", i)
	}
	for name, text := range map[string]string{
		"unknown keys": keys.String(), "entries": entries.String(), "lists in lists": strings.Repeat("[", maxFile),
		"keys in keys": strings.Repeat("{a: ", maxFile/4), "tags": strings.Repeat("! ", maxFile/2), "items": strings.Repeat("- a\n", maxFile/4),
	} {
		start := time.Now()
		have := newWorld(t, map[string]string{userConfig: text}).problems()
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %v", name, took)
		}
		if name != "entries" && (len(have) == 0 || len(have) > maxMistakes) {
			t.Errorf("%s: %d mistakes", name, len(have))
		}
	}
}
