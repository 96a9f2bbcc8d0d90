package providertest

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden bodies anew")

// Golden files are indented, for the reader; the body itself has no spaces.
const (
	bodySuffix     = ".body.json"
	degradedSuffix = ".degraded.json"
	streamSuffix   = ".stream.txt"
)

// golden holds the bodies of all scenarios, and what is said about them, to the
// files of the subject.
func golden(t *testing.T, s Subject) {
	var written []string
	for _, scenario := range Scenarios(s.Model) {
		t.Run(scenario.Name, func(t *testing.T) {
			before, err := message.EncodeRequest(scenario.Request)
			if err != nil {
				t.Fatal(err)
			}
			body, degradations, err := s.Encode(scenario.Request)
			if err != nil {
				t.Fatalf("%s: %v", scenario.Guards, err)
			}
			if again, _, err := s.Encode(scenario.Request); err != nil || !bytes.Equal(body, again) {
				t.Errorf("encoded twice, the body differs (%v)", err)
			}
			if after, err := message.EncodeRequest(scenario.Request); err != nil || !bytes.Equal(before, after) {
				t.Errorf("encoding changed the request (%v)", err)
			}
			if compact := body.Clone(); compact.Compact() != nil || !bytes.Equal(compact, body) {
				t.Error("the body is not compact JSON")
			}
			if err := s.Check(body); err != nil {
				t.Errorf("the API would refuse the body: %v", err)
			}
			compare(t, filepath.Join(s.Golden, scenario.Name+bodySuffix), body)
			written = append(written, scenario.Name+bodySuffix)
			if len(degradations) > 0 {
				told, err := json.Marshal(degradations, json.Deterministic(true))
				if err != nil {
					t.Fatal(err)
				}
				compare(t, filepath.Join(s.Golden, scenario.Name+degradedSuffix), told)
				written = append(written, scenario.Name+degradedSuffix)
			}
		})
	}
	if s.Wire != nil {
		// What the fake server says is kept as well, for the provider's own client to
		// read: see the folder conformance.
		for name, reply := range map[string]Reply{"answer-text": said, "answer-tools": thought} {
			goldenText(t, filepath.Join(s.Golden, name+streamSuffix), strings.Join(s.Wire(reply), ""))
			written = append(written, name+streamSuffix)
		}
	}
	entries, err := os.ReadDir(s.Golden)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(written, entry.Name()) {
			t.Errorf("%s: no scenario writes it", filepath.Join(s.Golden, entry.Name()))
		}
	}
}

func compare(t *testing.T, path string, have jsontext.Value) {
	t.Helper()
	have = have.Clone()
	if err := have.Indent(jsontext.AllowInvalidUTF8(true)); err != nil {
		t.Fatal(err)
	}
	goldenText(t, path, string(have)+"\n")
}

func goldenText(t *testing.T, path, have string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s is missing: run the test with -update, and read what it writes", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), have); diff != "" {
		t.Errorf("%s (-want +have):\n%s", path, diff)
	}
}
