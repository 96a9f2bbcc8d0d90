package app

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// corpusItem is a text that people really wrote, with the mentions in it.
type corpusItem struct {
	ID        string           `json:"id"`
	Text      string           `json:"text"`
	Present   []string         `json:"files_present"`
	Agents    []string         `json:"agents"`
	Missing   []string         `json:"unresolved"`
	Ambiguous bool             `json:"ambiguous"`
	Note      string           `json:"note"`
	Expected  []jsontext.Value `json:"expected"`
}

// TestCorpusThroughResolution runs the labelled corpus with the files it says
// are there. What is resolved must be what people meant.
func TestCorpusThroughResolution(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "mention", "testdata", "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	right, wrong, missed, items := 0, 0, 0, 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var item corpusItem
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			t.Fatal(err)
		}
		if item.Ambiguous {
			continue
		}
		items++
		have := resolveItem(t, item)
		want := expectedRefs(t, item)
		for ref := range have {
			if want[ref] {
				right++
			} else {
				wrong++
				t.Logf("%s (%s): %q is not meant: %v", item.ID, item.Note, item.Text, ref)
			}
		}
		for ref := range want {
			if !have[ref] {
				missed++
				t.Logf("%s (%s): %q is not found: %v", item.ID, item.Note, item.Text, ref)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(right+missed)
	t.Logf("%d items: precision %.3f, recall %.3f", items, precision, recall)
	if items < 80 || precision < 0.98 || recall < 0.98 {
		t.Errorf("%d items: precision %.3f, recall %.3f, want 0.98", items, precision, recall)
	}
}

// span is a mention that was taken for one.
type span struct {
	start, end int
	kind       mention.Kind
}

func expectedRefs(t *testing.T, item corpusItem) map[span]bool {
	refs := map[span]bool{}
	for _, value := range item.Expected {
		var ref struct {
			Kind       mention.Kind
			Start, End int
		}
		if err := json.Unmarshal(value, &ref, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		refs[span{ref.Start, ref.End, ref.Kind}] = true
	}
	return refs
}

// resolveItem returns the mentions of an item that the model would get, or
// would be told about. Misses must be just those that people plainly meant.
func resolveItem(t *testing.T, item corpusItem) map[span]bool {
	base := t.TempDir()
	dir, home := filepath.Join(base, "project"), filepath.Join(base, "home")
	t.Setenv("HOME", home)
	t.Setenv("AMPERSAT_HOME", "")
	for _, folder := range []string{dir, home} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range item.Present {
		path := filepath.Join(dir, name)
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			path = filepath.Join(home, rest)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Repeat(name+"\n", 500)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := New(Options{Dir: dir, Allow: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	a.Pipeline.Agents = func(name string) bool {
		for _, agent := range item.Agents {
			if agent == name {
				return true
			}
		}
		return false
	}
	stack, err := a.Pipeline.Prepare(context.Background(), ampersat.Ask(item.Text))
	if err != nil {
		t.Fatal(err)
	}
	// What these name is not here: no repository, no network, no terminal.
	elsewhere := []mention.Kind{mention.KindGitDiff, mention.KindURL, mention.KindTerminal, mention.KindDiagnostics}
	found := map[span]bool{}
	missing := map[string]bool{}
	for _, r := range stack.Reports {
		switch {
		case r.Parent >= 0:
		case r.Outcome == ampersat.Missing && !slices.Contains(elsewhere, r.Mention.Kind()):
			missing[r.Written] = true
		default:
			found[span{r.Start, r.End, r.Mention.Kind()}] = true
		}
	}
	for _, written := range item.Missing {
		if !missing[written] {
			t.Errorf("%s (%s): %q: %s should be reported as missing", item.ID, item.Note, item.Text, written)
		}
		delete(missing, written)
	}
	for written := range missing {
		t.Errorf("%s (%s): %q: %s should be plain text", item.ID, item.Note, item.Text, written)
	}
	return found
}
