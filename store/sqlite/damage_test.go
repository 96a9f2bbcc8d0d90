package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/ampersat/ampersat/session/sessiontest"
)

// long writes a store of three logs of 400 entries each, which lie page after
// page, and a blob.
func long(t *testing.T) string {
	t.Helper()
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	for i := range 3 {
		id := session.ID(fmt.Sprintf("s%d", i))
		must[session.Meta](t)(store.Create(ctx, session.Meta{ID: id}))
		var entries []session.Entry
		for n := range 400 {
			entries = append(entries, note("%s entry %d %s", id, n+1, strings.Repeat("x", 200)))
		}
		must[session.Seq](t)(store.Append(ctx, id, 0, session.NoLease, entries...))
	}
	if _, err := store.Blobs().Put(ctx, []byte("the blob of the store")); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// edit changes the bytes of a file.
func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// pageOf returns where the page begins that has the text.
func pageOf(t *testing.T, data []byte, text string) int {
	t.Helper()
	at := bytes.Index(data, []byte(text))
	if at < 0 {
		t.Fatalf("%q is not in the file", text)
	}
	return at / 4096 * 4096
}

// readAll opens a store and reads everything in it.
func readAll(path string) error {
	store, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	list, err := store.List(ctx, session.Query{})
	if err != nil {
		return err
	}
	for _, m := range list {
		for _, err := range store.Read(ctx, m.ID, 1) {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// salvage returns the lines of an export.
func salvage(t *testing.T, path string) (lines []export.Line, result Salvaged) {
	t.Helper()
	var out bytes.Buffer
	result, err := Salvage(ctx, path, &out)
	if err != nil {
		t.Fatal(err)
	}
	for text := range bytes.Lines(out.Bytes()) {
		var line export.Line
		if err := json.Unmarshal(text, &line, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lines = append(lines, line)
	}
	counted := Salvaged{}
	for _, line := range lines {
		switch line.Type {
		case "session":
			counted.Sessions++
		case "entry":
			counted.Entries++
		case "blob":
			counted.Blobs++
		case "lost":
			if line.Seq > 0 {
				counted.Lost += int(line.Through-line.Seq) + 1
			} else {
				counted.LostElse++
			}
		}
	}
	if counted != result {
		t.Errorf("the report is %+v, the lines are %+v", result, counted)
	}
	return lines, result
}

// accounted checks that each entry of the three logs is either saved as it was
// written or said to be lost, and returns how many are lost.
func accounted(t *testing.T, lines []export.Line) (lost int) {
	t.Helper()
	told := map[string]int{}
	for _, line := range lines {
		switch {
		case line.Type == "entry":
			told[fmt.Sprint(line.Session, line.Seq)]++
			entry, err := session.Decode(line.Entry)
			if err != nil {
				t.Error(err)
			} else if name := entry.(session.Note).Name; !strings.HasPrefix(name, fmt.Sprintf("%s entry %d x", line.Session, line.Seq)) {
				t.Errorf("entry %d of %s is %q", line.Seq, line.Session, name)
			}
		case line.Type == "lost" && line.Seq > 0:
			if line.Reason == "" {
				t.Errorf("no reason: %+v", line)
			}
			for seq := line.Seq; seq <= line.Through; seq++ {
				told[fmt.Sprint(line.Session, seq)]++
				lost++
			}
		}
	}
	for i := range 3 {
		for n := range 400 {
			if key := fmt.Sprintf("s%d%d", i, n+1); told[key] != 1 {
				t.Fatalf("entry %s is told of %d times", key, told[key])
			}
		}
	}
	return lost
}

func TestDamageIsToldAndTheRestSaved(t *testing.T) {
	garbage := bytes.Repeat([]byte("garbage!"), 4096/8)
	for name, c := range map[string]struct {
		change   func(t *testing.T, data []byte) []byte
		min, max int // entries lost
	}{
		"nothing": {func(t *testing.T, data []byte) []byte { return data }, 0, 0},
		"a page of entries": {func(t *testing.T, data []byte) []byte {
			copy(data[pageOf(t, data, "s1 entry 200 "):], garbage)
			return data
		}, 1, 40},
		"two pages of entries": {func(t *testing.T, data []byte) []byte {
			copy(data[pageOf(t, data, "s0 entry 20 "):], garbage)
			copy(data[pageOf(t, data, "s2 entry 399 "):], make([]byte, 4096))
			return data
		}, 2, 80},
		"a letter": {func(t *testing.T, data []byte) []byte {
			return bytes.Replace(data, []byte("s1 entry 7 x"), []byte("s1 entry 7 y"), 1)
		}, 1, 1},
		"the end is cut off": {func(t *testing.T, data []byte) []byte {
			return data[:pageOf(t, data, "s2 entry 100 ")]
		}, 200, 400},
		"cut within a page": {func(t *testing.T, data []byte) []byte {
			return data[:pageOf(t, data, "s2 entry 350 ")+1000]
		}, 20, 100},
	} {
		t.Run(name, func(t *testing.T) {
			path := long(t)
			edit(t, path, func(data []byte) []byte { return c.change(t, data) })
			err := readAll(path)
			if c.max == 0 && err != nil {
				t.Fatal(err)
			}
			if c.max > 0 && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "Salvage")) {
				t.Errorf("have %v, want an ErrDamaged with the path and what to do", err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines, result := salvage(t, path)
			if lost := accounted(t, lines); lost < c.min || lost > c.max {
				t.Errorf("%d entries are lost, want %d to %d", lost, c.min, c.max)
			}
			if result.Sessions != 3 || (result.Lost+result.LostElse == 0) != (c.max == 0) {
				t.Errorf("have %+v", result)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}

// An entry is exported in its stored form, byte for byte.
func TestSalvageKeepsEntriesAsTheyAre(t *testing.T) {
	path := file(t)
	store := opened(t, path, Options{})
	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s", Title: "title", Dir: "/project"}))
	entries := append(sessiontest.Entries(), session.Unknown{Name: "later", Raw: jsontext.Value("{\r\n\"kind\":\"later\",\n\"a\":\"\\n\"}")})
	must[session.Seq](t)(store.Append(ctx, m.ID, 0, session.NoLease, entries...))
	if _, err := store.Blobs().Put(ctx, nil); err != nil {
		t.Fatal(err)
	}
	m = must[session.Meta](t)(store.Get(ctx, m.ID))
	log := records(t, store, m.ID)

	// While it is in use.
	lines, result := salvage(t, path)
	if result != (Salvaged{Sessions: 1, Entries: len(entries), Blobs: 1}) {
		t.Fatalf("have %+v", result)
	}
	if diff := cmp.Diff(&m, lines[0].Meta); diff != "" {
		t.Errorf("the session differs:\n%s", diff)
	}
	for i, e := range entries {
		line := lines[1+i]
		want := strings.NewReplacer("\r", " ", "\n", " ").Replace(string(must[jsontext.Value](t)(session.Encode(e))))
		if string(line.Entry) != want || line.Seq != log[i].Seq || !line.Time.Equal(log[i].Time) {
			t.Errorf("entry %d is\n%s\nwant\n%s", line.Seq, line.Entry, want)
		}
	}
	if last := lines[len(lines)-1]; last.Digest != blob.Of(nil) || last.Data == nil || len(*last.Data) != 0 {
		t.Errorf("the blob is %+v", last)
	}
}

// A log outlives the row of its session.
func TestSalvageWithoutSessions(t *testing.T) {
	path := long(t)
	change(t, path, `DELETE FROM session WHERE id = 's1'`)
	lines, result := salvage(t, path)
	saved := 0
	for _, line := range lines {
		if line.Type == "entry" && line.Session == "lost-2" {
			saved++
		}
	}
	if saved != 400 || result != (Salvaged{Sessions: 2, Entries: 1200, Blobs: 1, LostElse: 1}) {
		t.Errorf("have %d entries without a session, %+v", saved, result)
	}
}

// What was salvaged is read into a new store, under the same numbers.
func TestSalvagedIsImported(t *testing.T) {
	path := long(t)
	change(t, path, `DELETE FROM session WHERE id = 's1'`)
	change(t, path, `DELETE FROM entry WHERE place & 4294967295 BETWEEN 7 AND 9 OR place & 4294967295 > 390`)
	change(t, path, `UPDATE entry SET body = '{"kind":"note","name":"forged"}' WHERE place & 4294967295 = 20`)
	var out bytes.Buffer
	result := must[Salvaged](t)(Salvage(ctx, path, &out))
	store := opened(t, file(t), Options{})
	imported := must[export.Imported](t)(export.Read(ctx, &out, store, export.Options{}))
	if imported.Entries != 3*390 || imported.Lost != result.Lost || imported.LostElse != result.LostElse || imported.Lost != 3*4+2*10 || imported.Blobs != 1 || len(imported.Sessions) != 3 || result.Entries != 3*386 {
		t.Errorf("of %+v there are %d sessions, %d entries, %d blobs, %d lost", result, len(imported.Sessions), imported.Entries, imported.Blobs, imported.Lost)
	}
	for _, id := range []session.ID{"s0", "lost-2", "s2"} {
		log := records(t, store, id)
		for _, r := range log {
			name := r.Entry.(session.Note).Name
			if lost := r.Seq >= 7 && r.Seq <= 9 || r.Seq == 20; lost != (name == export.LostNote) || !lost && !strings.Contains(name, fmt.Sprintf("entry %d ", r.Seq)) {
				t.Errorf("entry %d of %s is %q", r.Seq, id, name)
			}
		}
		if lost := string(log[19].Entry.(session.Note).Value); !strings.Contains(lost, "not what was written") || !strings.Contains(lost, "forged") {
			t.Errorf("entry 20 of %s says %s", id, lost)
		}
	}
}

// A blob that has changed is not handed out.
func TestBlobIsChecked(t *testing.T) {
	path := long(t)
	change(t, path, `UPDATE blob SET data = ?`, []byte("the blob of the store!"))
	store := opened(t, path, Options{})
	digest, err := store.Blobs().Put(ctx, []byte("the blob of the store"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Blobs().Get(ctx, digest); !errors.Is(err, ErrDamaged) {
		t.Errorf("have %v, want an ErrDamaged", err)
	}
	if _, result := salvage(t, path); result.Blobs != 0 || result.LostElse != 1 {
		t.Errorf("have %+v", result)
	}
}

// A damaged index hides no content: it is read, exported and salvaged.
func TestContentsAreFoundWithoutTheirIndex(t *testing.T) {
	path := long(t)
	store := opened(t, path, Options{})
	digest := must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("the blob of the store")))
	other := must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("another")))
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "names"}))
	said := session.Said{Message: message.Message{Role: message.User, Content: message.Of(message.Image{Source: message.InBlob("image/png", digest)})}}
	must[session.Seq](t)(store.Append(ctx, "names", 0, session.NoLease, said))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, func(data []byte) []byte {
		const page, leafOfIndex = 4096, 10
		for at := 0; at < len(data); at += page {
			if found := bytes.Index(data[at:at+page], []byte(digest)); found >= 0 && data[at] == leafOfIndex {
				data[at+found+20]--
				return data
			}
		}
		t.Fatal("the index does not have it")
		return nil
	})
	store = opened(t, path, Options{})
	var held int
	if err := store.reader.QueryRow(hasBlob, string(digest)).Scan(&held); err != nil || held != 0 {
		t.Fatalf("the index finds it: %d, %v", held, err)
	}
	for digest, want := range map[blob.Digest]string{digest: "the blob of the store", other: "another"} {
		if data, err := store.Blobs().Get(ctx, digest); err != nil || string(data) != want {
			t.Errorf("have %q, %v; want %q", data, err, want)
		}
	}
	if _, err := store.Blobs().Get(ctx, blob.Of([]byte("never kept"))); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("have %v", err)
	}
	var out bytes.Buffer
	if err := export.Write(ctx, &out, store, "names"); err != nil || !strings.Contains(out.String(), `"type":"blob"`) {
		t.Errorf("%v: %s", err, out.String())
	}
	if _, result := salvage(t, path); result.Blobs != 2 || result.LostElse != 0 {
		t.Errorf("have %+v", result)
	}
	// And nothing is removed that only seems to be named by nobody.
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if removed, err := Prune(ctx, path); !errors.Is(err, ErrDamaged) || removed != 0 {
		t.Errorf("removed %d, %v", removed, err)
	}
	if data, err := opened(t, path, Options{}).Blobs().Get(ctx, digest); err != nil {
		t.Errorf("have %q, %v", data, err)
	}
}

func TestSalvageNamesWhatItCannotRead(t *testing.T) {
	path := long(t)
	edit(t, path, func(data []byte) []byte {
		copy(data, bytes.Repeat([]byte{7}, 4096))
		return data
	})
	for call, err := range map[string]error{
		"Open": readAll(path), "Salvage": second(Salvage(ctx, path, &bytes.Buffer{})), "Salvage of nothing": second(Salvage(ctx, path+".not", &bytes.Buffer{})),
	} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// A page of the contents that cannot be read is the fault of those in it. What was
// never kept is still not there.
func TestWhatWasNeverKeptIsNotDamaged(t *testing.T) {
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	for i := range 200 {
		must[blob.Digest](t)(store.Blobs().Put(ctx, fmt.Appendf(nil, "content %d %s", i, bytes.Repeat([]byte("x"), 300))))
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, func(data []byte) []byte {
		data[pageOf(t, data, "content 100 ")] = 99 // no sort of page
		return data
	})
	again := opened(t, path, Options{})
	if _, err := again.Blobs().Get(ctx, blob.Of([]byte("never kept"))); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("have %v, want not found", err)
	}
	lost := blob.Of(fmt.Appendf(nil, "content %d %s", 100, bytes.Repeat([]byte("x"), 300)))
	if _, err := again.Blobs().Get(ctx, lost); !errors.Is(err, ErrDamaged) {
		t.Errorf("have %v, want damage", err)
	}
}
