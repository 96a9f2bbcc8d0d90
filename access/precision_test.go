package access

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Go's own source is a large amount of ordinary code that is known to hold no
// secrets but the test vectors of its cryptography. What is found elsewhere is
// a false alarm, and a false alarm stops somebody's work.
func TestFalseAlarmsInTheStandardLibrary(t *testing.T) {
	root := goSource(t)
	files, size, alarms := 0, 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			switch {
			case rel == "crypto", rel == "vendor", d.Name() == "testdata", rel == "cmd" && testing.Short():
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files, size = files+1, size+len(data)
		for _, f := range Scan(path, data) {
			alarms++
			t.Logf("%s: %v", rel, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d MB, %d findings", files, size>>20, alarms)
	if files < 1000 {
		t.Skipf("only %d files there: too few to judge", files)
	}
	// One in 20 MB.
	if alarms > max(2, size>>20/20) {
		t.Errorf("%d false alarms in %d files", alarms, files)
	}
}

// Prose about secrets is not secret.
func TestFalseAlarmsInDocumentation(t *testing.T) {
	text := strings.Repeat("Set the API key with `export API_KEY=...`, the token with --token TOKEN, or put password: hunter2 into config.yaml.\n"+
		"The secret key is derived as key = HKDF(secret, salt); see https://example.org/docs/authentication#api-key-rotation-v2 for the token format.\n"+
		"Keys look like ghp_ followed by 36 characters, or AKIA and 16 more; private keys begin with -----BEGIN PRIVATE KEY-----.\n", 100)
	if found := ScanString("README.md", text); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}
