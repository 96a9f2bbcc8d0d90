package config

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/google/go-cmp/cmp"
)

func (w *world) trustPath() string { return w.path("~/.ampersat/trust.json") }

func (w *world) read(path string) string {
	w.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// TestRecordsAreTheOwnersAlone and leave nothing else behind.
func TestRecordsAreTheOwnersAlone(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	w.trust()
	w.write(t, "AGENTS.md", "y")
	if err := os.Chmod(w.trustPath(), 0o644); err != nil {
		t.Fatal(err)
	}
	w.trust()
	info, err := os.Stat(w.trustPath())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(w.trustPath()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"trust.json", "trust.json.lock"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestUnknownMembersOfRecordsSurvive at every level.
func TestUnknownMembersOfRecordsSurvive(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	w.trust()
	text := w.read(w.trustPath())
	text = strings.Replace(text, `"version": 1,`, `"version": 1, "later": {"a": [1]},`, 1)
	text = strings.Replace(text, `"digest": "sha256:`, `"mood": "good", "digest": "sha256:`, 1)
	text = strings.Replace(text, `"projects": {`, `"projects": {"/elsewhere": {"whatever": 3, "digest": "sha256:x"},`, 1)
	w.write(t, "~/.ampersat/trust.json", text)
	w.write(t, "AGENTS.md", "y")
	w.trust()
	have := w.read(w.trustPath())
	for _, want := range []string{`"later": {`, `"mood": "good"`, `"whatever": 3`, `"digest": "sha256:x"`} {
		if !strings.Contains(have, want) {
			t.Errorf("%s is lost:\n%s", want, have)
		}
	}
}

// TestACorruptedFileIsAnErrorAndStays as it is.
func TestACorruptedFileIsAnErrorAndStays(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"version": 1, "projects": []}`, `{"version": 2}`, `{"version":1,"version":1}`, "\x00"} {
		w := newWorld(t, map[string]string{"AGENTS.md": "x", "~/.ampersat/trust.json": text, projectConfig: everything})
		if _, err := Load(w.options()); err == nil || !strings.Contains(err.Error(), "trust.json") || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%q: load: %v", text, err)
		}
		s, err := ProjectDigest(w.project)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.open().Agree(s, testTime); err == nil {
			t.Errorf("%q: agreed", text)
		}
		if _, err := w.records().List(); err == nil {
			t.Errorf("%q: listed", text)
		}
		consent := NewConsent(w.open())
		if consent.Load() == nil || consent.Remember(access.Path{Path: "/x"}) == nil || len(consent.Paths()) > 0 {
			t.Errorf("%q: consent", text)
		}
		if have := w.read(w.trustPath()); have != text {
			t.Errorf("%q became %q", text, have)
		}
	}
}

// TestManyWritersAtOnce lose nothing of each other's. The writers are processes,
// since a lock may hold between processes and not inside of one, and each of
// them has some goroutines.
func TestManyWritersAtOnce(t *testing.T) {
	if dir := os.Getenv("AMPERSAT_TEST_WRITER"); dir != "" {
		writeRecords(t, dir, os.Getenv("AMPERSAT_TEST_NAME"))
		return
	}
	w := newWorld(t, nil)
	const processes = 4
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			command := exec.Command(os.Args[0], "-test.run=^TestManyWritersAtOnce$")
			command.Env = append(os.Environ(), "AMPERSAT_TEST_WRITER="+filepath.Join(w.home, ".ampersat"), fmt.Sprintf("AMPERSAT_TEST_NAME=%d", i))
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	records, err := w.records().List()
	if err != nil || len(records) != processes*writersEach {
		t.Errorf("%d records, %v", len(records), err)
	}
}

const writersEach = 10

func writeRecords(t *testing.T, dir, name string) {
	var all sync.WaitGroup
	for i := range writersEach {
		all.Go(func() {
			project := OpenProject(filepath.Join(t.TempDir(), fmt.Sprintf("gone-%s-%d", name, i)), RecordsIn(dir))
			if err := project.Agree(Snapshot{Digest: digestOf(nil)}, testTime); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestRevoke(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	w.trust()
	p := w.open()
	for _, want := range []bool{true, false} {
		if found, err := p.Revoke(); err != nil || found != want {
			t.Errorf("%v %v, want %v", found, err, want)
		}
	}
	if trusted, err := p.Trusted(); trusted || err != nil || w.trusted() {
		t.Error("still trusted", err)
	}
}

// TestAProjectIsTheSameByWhateverLink it was entered, and another is not.
func TestAProjectIsTheSameByWhateverLink(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	w.trust()
	link := filepath.Join(filepath.Dir(w.project), "link")
	if err := os.Symlink(w.project, link); err != nil {
		t.Fatal(err)
	}
	if trusted, err := OpenProject(link, w.records()).Trusted(); !trusted || err != nil {
		t.Error(trusted, err)
	}
	copied := filepath.Join(filepath.Dir(w.project), "copy")
	if err := os.CopyFS(copied, os.DirFS(w.project)); err != nil {
		t.Fatal(err)
	}
	if trusted, err := OpenProject(copied, w.records()).Trusted(); trusted || err != nil {
		t.Error("a copy is trusted", err)
	}
}

// TestRemembered grants count in the project they were given in, as long as it
// is as it was.
func TestRemembered(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	address := &url.URL{Scheme: "https", Host: "a.example", Path: "/x/y"}
	path, prefix := access.Path{Path: "/srv/notes"}, access.URL{Prefix: "https://a.example/x"}

	consent := NewConsent(w.open())
	denied, ok := access.IsDenied(consent.Remember(path))
	if !ok || denied.Reason != access.ReasonTrust {
		t.Errorf("an untrusted project: %v", denied)
	}
	if _, err := os.Stat(w.trustPath()); err == nil {
		t.Error("something was written")
	}

	w.trust()
	consent = NewConsent(w.open())
	for _, err := range []error{consent.Remember(path), consent.Remember(path), consent.Remember(prefix), consent.RememberPermission("shell(make)")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	allows := func(c *Consent) bool {
		permissions, err := c.Permissions()
		if err != nil {
			t.Fatal(err)
		}
		have := []bool{slices.Equal(c.Paths(), []string{"/srv/notes"}), c.URL(address), slices.Equal(permissions, []string{"shell(make)"})}
		if slices.Contains(have, true) == slices.Contains(have, false) {
			t.Errorf("some are allowed: %v", have)
		}
		return have[0]
	}
	if !allows(consent) || !allows(NewConsent(w.open())) {
		t.Error("not remembered")
	}
	other := newWorld(t, nil)
	if allows(NewConsent(OpenProject(other.project, w.records()))) {
		t.Error("remembered in another project")
	}

	w.write(t, "AGENTS.md", "changed")
	if allows(NewConsent(w.open())) {
		t.Error("remembered although the project changed")
	}
	w.trust()
	if !allows(NewConsent(w.open())) {
		t.Error("forgotten although it was agreed to")
	}
}

// TestRememberedWhereThereIsNothingToTrust: it counts until there is.
func TestRememberedWhereThereIsNothingToTrust(t *testing.T) {
	w := newWorld(t, nil)
	if err := NewConsent(w.open()).RememberPermission("fetch(a.example)"); err != nil {
		t.Fatal(err)
	}
	have := func() []string {
		permissions, err := NewConsent(w.open()).Permissions()
		if err != nil {
			t.Fatal(err)
		}
		return permissions
	}
	if !slices.Equal(have(), []string{"fetch(a.example)"}) || w.trusted() {
		t.Errorf("%q, trusted %v", have(), w.trusted())
	}
	w.write(t, "AGENTS.md", "use it well")
	if len(have()) > 0 {
		t.Errorf("%q", have())
	}
}

// TestSecretsAreNeverRemembered, nor what is not well formed.
func TestSecretsAreNeverRemembered(t *testing.T) {
	w := newWorld(t, nil)
	consent := NewConsent(w.open())
	for _, g := range []access.Grant{
		access.Secret{Name: "/x/.env"}, access.Secret{ID: "0123456789ab"}, access.Trust{Project: "/x", Digest: digestOf(nil)},
		access.Path{Path: "relative"}, access.URL{Prefix: "ftp://x"}, nil,
	} {
		if err := consent.Remember(g); err == nil {
			t.Errorf("%v is remembered", g)
		}
	}
	if err := consent.RememberPermission(""); err == nil {
		t.Error("nothing is remembered")
	}
	if _, err := os.Stat(w.trustPath()); err == nil {
		t.Error("something was written")
	}
	// What somebody else wrote into the file is not believed.
	digest := string(digestOf(nil))
	w.write(t, "~/.ampersat/trust.json", `{"version":1,"projects":{"`+w.open().identity()+`":{"digest":"`+digest+`","allow":["secret:/x/.env"]}}}`)
	if err := NewConsent(w.open()).Load(); err == nil {
		t.Error("a secret is allowed for good")
	}
}

// TestConsentKnowsTrust in the very state, and what was allowed in the run.
func TestConsentKnowsTrust(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	p := w.open()
	trust, err := p.Trust()
	if err != nil {
		t.Fatal(err)
	}
	consent := NewConsent(p)
	if consent.Trusted(trust) {
		t.Error("trusted before")
	}
	s, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Agree(s, testTime); err != nil {
		t.Fatal(err)
	}
	other := trust
	other.Digest = digestOf(nil)
	if !consent.Trusted(trust) || consent.Trusted(other) || consent.Trusted(access.Trust{}) {
		t.Error("trust in another state")
	}
	if err := consent.Allow(access.Path{Path: "/srv"}); err != nil || !slices.Equal(consent.Paths(), []string{"/srv"}) {
		t.Error(err, consent.Paths())
	}
}

// TestWithoutAHome nothing is recorded, and that is said.
func TestWithoutAHome(t *testing.T) {
	p := OpenProject(t.TempDir(), RecordsIn(""))
	if trusted, err := p.Trusted(); trusted || err != nil {
		t.Error(trusted, err)
	}
	if err := p.Agree(Snapshot{}, testTime); err == nil || !strings.Contains(err.Error(), "AMPERSAT_HOME") {
		t.Error(err)
	}
	l, err := Load(Options{Project: p, Lookup: func(string) (string, bool) { return "", false }})
	if err != nil || l.Model != DefaultModel {
		t.Error(err)
	}
}

func TestStates(t *testing.T) {
	w := newWorld(t, map[string]string{"AGENTS.md": "x"})
	w.trust()
	state := func() string {
		records, err := w.records().List()
		if err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		return records[0].State()
	}
	if have := state(); have != "trusted" {
		t.Error(have)
	}
	if w.write(t, "AGENTS.md", "y"); state() != "changed" {
		t.Error(state())
	}
	if err := os.Rename(w.project, w.project+"-moved"); err != nil || state() != "gone" {
		t.Error(state(), err)
	}
	empty := newWorld(t, nil)
	if err := NewConsent(empty.open()).RememberPermission("x"); err != nil {
		t.Fatal(err)
	}
	records, err := empty.records().List()
	if err != nil || len(records) != 1 || records[0].State() != "remembered" {
		t.Error(records, err)
	}
}
