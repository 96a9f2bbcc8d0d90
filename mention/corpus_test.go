package mention

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

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

type corpusRef struct {
	Mention    Mention
	Written    string
	Start, End int
}

func corpusRefs(t *testing.T, item corpusItem) []corpusRef {
	var refs []corpusRef
	for _, value := range item.Expected {
		var at struct {
			Written string `json:"written"`
			Start   int    `json:"start"`
			End     int    `json:"end"`
		}
		if err := json.Unmarshal(value, &at); err != nil {
			t.Fatal(err)
		}
		m, _, err := Decode(value)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := m.(Diagnostics); ok {
			d.Errors = true // the corpus does not spell defaults out
			m = d
		}
		refs = append(refs, corpusRef{m, at.Written, at.Start, at.End})
	}
	return refs
}

// TestCorpus checks what syntax alone can tell: every mention that is to be
// found is one of the readings, and everything else that was found turns out
// to be plain text if nothing of that name exists.
func TestCorpus(t *testing.T) {
	file, err := os.Open("testdata/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	count := 0
	for lines.Scan() {
		var item corpusItem
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			t.Fatal(err)
		}
		count++
		t.Run(item.ID, func(t *testing.T) {
			report := t.Errorf
			if item.Ambiguous {
				report = t.Logf // the grammar decides, the label advises
			}
			refs := Find(item.Text)
			for _, want := range corpusRefs(t, item) {
				if !slices.ContainsFunc(refs, func(r Ref) bool { return covers(r, want) }) {
					report("%s\n%q: %s at %d:%d not found in %+v", item.Note, item.Text, want.Mention, want.Start, want.End, refs)
				}
			}
			for _, ref := range refs {
				expected := slices.ContainsFunc(corpusRefs(t, item), func(want corpusRef) bool { return covers(ref, want) })
				missing := slices.Contains(item.Missing, ref.Written)
				if ref.Meant() && !expected && !missing {
					report("%s\n%q: %s would be reported as missing", item.Note, item.Text, ref.Written)
				}
				if missing && !ref.Meant() {
					report("%s\n%q: %s would be taken for plain text", item.Note, item.Text, ref.Written)
				}
			}
			for _, missing := range item.Missing {
				if !slices.ContainsFunc(refs, func(r Ref) bool { return r.Written == missing }) {
					report("%s\n%q: %s not found", item.Note, item.Text, missing)
				}
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if count < 100 {
		t.Errorf("only %d items were read", count)
	}
}

// covers reports whether one of the ref's readings is want, or is refined to
// it when it is resolved: a bare word to an agent, a path to a folder.
func covers(ref Ref, want corpusRef) bool {
	if ref.Start != want.Start {
		return false
	}
	readings := append([]Reading{{ref.Mention, ref.End}}, ref.Alternatives...)
	return slices.ContainsFunc(readings, func(r Reading) bool {
		if r.End != want.End {
			return false
		}
		if r.Mention == want.Mention {
			return true
		}
		file, isFile := r.Mention.(File)
		switch m := want.Mention.(type) {
		case Agent:
			return isFile && ref.Bare && file.Path == m.Name
		case Directory:
			return isFile && file.Path == strings.TrimSuffix(m.Path, "/")
		case Selection:
			s, ok := r.Mention.(Selection)
			s.Column = 0
			return ok && s == m
		case Glob:
			g, ok := r.Mention.(Glob)
			return ok && m.Pattern == "" && g.Pattern != "" // labelled with a path
		}
		return false
	})
}
