package session_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
	"github.com/google/go-cmp/cmp"
)

// golden names the files that hold the entries of the suite, in their order.
var golden = []string{
	"said", "said-answer", "said-nothing", "prepared", "prepared-since", "compacted", "compacted-nothing", "compacted-resume", "delegated", "delegated-in-place",
	"returned", "returned-later", "note", "note-bare", "unknown", "unknown-said", "prepared-chosen", "compacted-noticed", "compacted-counted",
}

// The stored form is a promise: what is written today is read in ten years, by
// programs that this one does not know. If this test fails, existing stores are
// full of the form that is in testdata, and the new one is read by nobody who
// has an older version. Do not change a file. Add a member, and a file.
func TestStoredFormIsFrozen(t *testing.T) {
	entries := sessiontest.Entries()
	if len(entries) != len(golden) {
		t.Fatalf("%d entries and %d files", len(entries), len(golden))
	}
	for i, name := range golden {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(filepath.Join("testdata", "entry", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			stored := strings.TrimSuffix(string(file), "\n")
			written, err := session.Encode(entries[i])
			if err != nil {
				t.Fatal(err)
			}
			if string(written) != stored {
				t.Errorf("have %s\nwant %s", written, stored)
			}
			read, err := session.Decode([]byte(stored))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entries[i], read); diff != "" {
				t.Errorf("the file is read differently (-want +have):\n%s", diff)
			}
		})
	}
	files, err := filepath.Glob("testdata/entry/*.json")
	if err != nil || len(files) != len(golden) {
		t.Errorf("%d files for %d entries, %v", len(files), len(golden), err)
	}
}

// A field that is never set is in no file, and could be renamed unnoticed.
func TestFilesHaveEveryField(t *testing.T) {
	set := map[string]bool{}
	look := func(v reflect.Value) {
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			set[name] = set[name] || !v.Field(i).IsZero()
		}
	}
	for _, e := range sessiontest.Entries() {
		look(reflect.ValueOf(e))
		if c, is := e.(session.Compacted); is {
			for _, d := range c.Decisions {
				look(reflect.ValueOf(d))
			}
			if c.Resume != nil {
				look(reflect.ValueOf(*c.Resume))
			}
		}
	}
	for name, is := range set {
		if !is {
			t.Errorf("%s is set in none of the entries", name)
		}
	}
	if len(set) < 50 {
		t.Errorf("only %d fields were looked at", len(set))
	}
}
