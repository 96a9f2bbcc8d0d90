package export_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/ampersat/ampersat/session/sessiontest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// clock returns a time that goes on by a second with each call.
func clock() func() time.Time {
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// dump returns everything in a store, as text that can be compared.
func dump(t rapid.TB, store session.Store) (all []string) {
	t.Helper()
	list, err := store.List(ctx, session.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		all = append(all, fmt.Sprintf("%+v", m))
		for r, err := range store.Read(ctx, m.ID, 1) {
			if err != nil {
				t.Fatal(err)
			}
			data, err := session.Encode(r.Entry)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%d %v %s", r.Seq, r.Time, data))
		}
	}
	return all
}

func exported(t rapid.TB, store session.Store, ids ...session.ID) string {
	t.Helper()
	var out bytes.Buffer
	if err := export.Write(ctx, &out, store, ids...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What is exported and read again is the same to the byte and to the
// microsecond.
func TestNothingIsLostOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := &session.Memory{Now: clock()}
		var ids []session.ID
		for i := range rapid.IntRange(1, 3).Draw(t, "sessions") {
			id := session.ID(fmt.Sprintf("s%d", i))
			ids = append(ids, id)
			if _, err := store.Create(ctx, session.Meta{ID: id, Title: "title\n" + string(id), Dir: "/p", Parent: "s0"}); err != nil {
				t.Fatal(err)
			}
			entries := rapid.SliceOfN(sessiontest.AnyEntry(), 0, 8).Draw(t, "entries")
			if i == 0 {
				entries = append(entries, sessiontest.Entries()...)
			}
			for j, e := range entries {
				if _, err := store.Append(ctx, id, session.Seq(j), session.NoLease, e); err != nil {
					t.Fatal(err)
				}
			}
		}
		text := exported(t, store, ids...)
		again := &session.Memory{Now: clock()}
		imported, err := export.Read(ctx, strings.NewReader(text), again, export.Options{})
		if err != nil {
			t.Fatal(err)
		}
		have, want := dump(t, again), dump(t, store)
		// Only line breaks between the tokens of unknown entries may go.
		for i := range want {
			want[i] = strings.NewReplacer("\n", " ", "\r", " ").Replace(want[i])
		}
		for i := range have {
			have[i] = strings.NewReplacer("\n", " ", "\r", " ").Replace(have[i])
		}
		if diff := cmp.Diff(want, have); diff != "" || len(imported.Sessions) != len(ids) || imported.Lost != 0 || imported.Skipped != 0 {
			t.Fatalf("%+v\n%s", imported, diff)
		}
		if exported(t, again, ids...) != text {
			t.Fatal("exported again it differs")
		}
	})
}

// The contents that entries name come with them, once, wherever they are named.
func TestContentsAreExported(t *testing.T) {
	store := &session.Memory{}
	var digests []blob.Digest
	for i := range 4 {
		digest, err := store.Blobs().Put(ctx, []byte(strings.Repeat("content", i)))
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	if _, err := store.Create(ctx, session.Meta{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	said := session.Said{Message: message.Message{Role: message.User, Content: message.Of(
		message.Image{Source: message.InBlob("image/png", digests[0])},
		message.Context{Names: []string{"a"}, Source: digests[1], Body: blob.Of([]byte("never kept")), Text: "sha256:cut"},
	)}}
	later := session.Unknown{Name: "later", Raw: []byte(`{"kind":"later","content":["` + string(digests[2]) + `","` + string(digests[0]) + `"]}`)}
	if _, err := store.Append(ctx, "s", 0, session.NoLease, said, later); err != nil {
		t.Fatal(err)
	}
	again := &session.Memory{}
	imported, err := export.Read(ctx, strings.NewReader(exported(t, store, "s")), again, export.Options{})
	if err != nil || imported.Blobs != 3 {
		t.Fatalf("%+v, %v", imported, err)
	}
	for i, digest := range digests {
		data, err := again.Blobs().Get(ctx, digest)
		if i == 3 && err == nil || i < 3 && (err != nil || string(data) != strings.Repeat("content", i)) {
			t.Errorf("blob %d: %q, %v", i, data, err)
		}
	}
}

func TestNewIDs(t *testing.T) {
	store := &session.Memory{Now: clock()}
	for _, m := range []session.Meta{{ID: "parent"}, {ID: "child", Parent: "parent", ForkOf: "elsewhere", ForkAt: 3}} {
		if _, err := store.Create(ctx, m); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Append(ctx, "parent", 0, session.NoLease, session.Delegated{Child: "child", Agent: "a"}, session.Returned{Child: "child", Outcome: session.Done}); err != nil {
		t.Fatal(err)
	}
	text := exported(t, store, "parent", "child")
	imported, err := export.Read(ctx, strings.NewReader(text), store, export.Options{NewIDs: true})
	if err != nil || len(imported.Sessions) != 2 {
		t.Fatalf("%+v, %v", imported, err)
	}
	parent, child := imported.Sessions[0], imported.Sessions[1]
	if parent.ID == "parent" || child.Parent != parent.ID || child.ForkOf != "elsewhere" || child.ForkAt != 3 {
		t.Errorf("have %+v and %+v", parent, child)
	}
	for r, err := range store.Read(ctx, parent.ID, 1) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := r.Entry.(type) {
		case session.Delegated:
			if e.Child != child.ID {
				t.Errorf("delegated to %s", e.Child)
			}
		case session.Returned:
			if e.Child != child.ID {
				t.Errorf("returned from %s", e.Child)
			}
		}
	}
}

// wholeIn are the sessions, of two entries each but one that is empty, of which all
// lines are in an export that is cut.
func wholeIn(text string, cut int, ids ...session.ID) (whole []session.ID) {
	lines := text[:strings.LastIndexByte(text[:cut], '\n')+1]
	if text[cut] == '\n' {
		lines = text[:cut]
	}
	for _, id := range ids {
		entries := strings.Count(lines, fmt.Sprintf(`{"type":"entry","session":%q`, id))
		if known := strings.Contains(lines, fmt.Sprintf(`{"type":"session","session":%q`, id)); known && (entries == 2 || id == "empty") {
			whole = append(whole, id)
		}
	}
	return whole
}

func idsOf(metas []session.Meta) (ids []session.ID) {
	for _, m := range metas {
		ids = append(ids, m.ID)
	}
	return ids
}

// An import that was cut off anywhere can be done again: what is there is passed
// over, what is there with another log is named, and all others come in.
func TestImportIsCompleted(t *testing.T) {
	store := &session.Memory{Now: clock()}
	ids := []session.ID{"a", "b", "c", "empty"}
	picture, err := store.Blobs().Put(ctx, []byte("picture"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if _, err := store.Create(ctx, session.Meta{ID: id, Title: "Öl €"}); err != nil {
			t.Fatal(err)
		}
		if id == "empty" {
			break
		}
		later := session.Unknown{Name: "later", Raw: []byte("{\r\n\"kind\":\"later\", \"of\":\"" + string(id) + string(picture) + "\"}")}
		if _, err := store.Append(ctx, id, 0, session.NoLease, session.Note{Name: "n"}, later); err != nil {
			t.Fatal(err)
		}
	}
	text := exported(t, store, ids...)
	for cut := range len(text) {
		again := &session.Memory{Now: clock()}
		first, err := export.Read(ctx, strings.NewReader(text[:cut]), again, export.Options{})
		if want := wholeIn(text, cut, ids...); !slices.Equal(idsOf(first.Sessions), want) {
			t.Fatalf("cut at %d: %q came in, want %q", cut, idsOf(first.Sessions), want)
		}
		// Between two lines there is nothing to see of a cut but what is missing.
		torn := cut > 0 && text[cut-1] != '\n' && text[cut] != '\n'
		if cutOff := err != nil && strings.Contains(err.Error(), "the file is cut off"); torn && !cutOff || err == nil && len(first.Sessions) < len(ids) {
			t.Fatalf("cut at %d: %+v, %v", cut, first, err)
		}
		second, err := export.Read(ctx, strings.NewReader(text), again, export.Options{})
		if err != nil || len(second.Same) != len(first.Sessions) || len(second.Same)+len(second.Sessions) != len(ids) {
			t.Fatalf("cut at %d there were %d sessions, and then %+v, %v", cut, len(first.Sessions), second, err)
		}
		if exported(t, again, ids...) != strings.ReplaceAll(text, "\r\n", "  ") {
			t.Fatalf("cut at %d: what came in differs", cut)
		}
	}

	again := &session.Memory{Now: clock()}
	for _, id := range []session.ID{"a", "c"} {
		if _, err := again.Create(ctx, session.Meta{ID: id}); err != nil {
			t.Fatal(err)
		}
		if _, err := again.Append(ctx, id, 0, session.NoLease, session.Note{Name: "something else"}); err != nil {
			t.Fatal(err)
		}
	}
	imported, err := export.Read(ctx, strings.NewReader(text), again, export.Options{})
	if !errors.Is(err, session.ErrExists) || !strings.Contains(err.Error(), "with another log: a, c") || len(imported.Sessions) != 2 || imported.Blobs != 1 {
		t.Errorf("%+v, %v", imported, err)
	}
}

// Exports can stand one after the other, and have the same session: it comes in once,
// and so do all others. One that has grown meanwhile is named.
func TestASessionThatIsInAFileTwice(t *testing.T) {
	store := &session.Memory{Now: clock()}
	text := map[session.ID]string{}
	for _, id := range []session.ID{"a", "b", "empty"} {
		if _, err := store.Create(ctx, session.Meta{ID: id, Parent: "a"}); err != nil {
			t.Fatal(err)
		}
		if id != "empty" {
			if _, err := store.Append(ctx, id, 0, session.NoLease, session.Note{Name: "of " + string(id)}, session.Delegated{Child: "b", Agent: "x"}); err != nil {
				t.Fatal(err)
			}
		}
		text[id] = exported(t, store, id)
	}
	if _, err := store.Append(ctx, "a", 2, session.NoLease, session.Note{Name: "more"}); err != nil {
		t.Fatal(err)
	}
	text["a+"], text["all"] = exported(t, store, "a"), exported(t, store, "a", "b", "empty")
	lost := `{"type":"session","session":"l","meta":{"id":"l","created":"2026-05-04T03:02:01Z","updated":"2026-05-04T03:02:01Z","head":4}}
{"type":"lost","session":"l","seq":1,"reason":"torn page"}
{"type":"entry","session":"l","seq":2,"time":"2026-05-04T03:02:01Z","entry":{"kind":"note","name":"n"}}
{"type":"lost","session":"l","seq":3,"through":4,"reason":"not there"}
`
	for _, c := range []struct {
		text     string
		sessions int
		entries  int
		lost     int
		twice    string
	}{
		{text["a"] + text["b"] + text["a"], 2, 4, 0, ""},
		{text["a"] + text["a"] + text["b"], 2, 4, 0, ""},
		{text["empty"] + text["a"] + text["empty"] + text["b"] + text["empty"], 3, 4, 0, ""},
		{text["all"] + text["all"], 3, 5, 0, ""},
		{text["a"] + text["a+"] + text["b"], 2, 4, 0, "a"},
		{text["a"] + text["all"], 3, 4, 0, "a"},
		{text["b"] + text["a+"] + text["a"] + text["empty"], 3, 5, 0, "a"},
		{lost + text["b"] + lost + text["a"], 3, 6, 3, ""},
	} {
		for _, newIDs := range []bool{false, true} {
			again := &session.Memory{Now: clock()}
			imported, err := export.Read(ctx, strings.NewReader(c.text), again, export.Options{NewIDs: newIDs})
			if (err != nil) != (c.twice != "") || err != nil && (errors.Is(err, session.ErrExists) || !strings.Contains(err.Error(), "in the file twice, with different logs: "+c.twice+";")) {
				t.Errorf("%s\nnew IDs %v: have %v, want %q", c.text, newIDs, err, c.twice)
			}
			list, err := again.List(ctx, session.Query{})
			if err != nil || len(list) != c.sessions || len(imported.Sessions) != c.sessions || len(imported.Same) != 0 || imported.Entries != c.entries || imported.Lost != c.lost {
				t.Errorf("%s\nnew IDs %v: %+v, %v", c.text, newIDs, imported, err)
			}
			if c.twice != "" || newIDs {
				continue
			}
			// And again: all of it is there, and each is counted once.
			if imported, err = export.Read(ctx, strings.NewReader(c.text), again, export.Options{}); err != nil || len(imported.Same) != c.sessions || len(imported.Sessions) != 0 {
				t.Errorf("%s\nagain: %+v, %v", c.text, imported, err)
			}
		}
	}
}

// An export that cannot be read says where, and leaves no half of a session.
func TestBadExports(t *testing.T) {
	const meta = `{"type":"session","session":"s","meta":{"id":"s","created":"2026-05-04T03:02:01Z","updated":"2026-05-04T03:02:01Z","head":2}}` + "\n"
	entry := func(id string, seq int) string {
		return fmt.Sprintf(`{"type":"entry","session":%q,"seq":%d,"time":"2026-05-04T03:02:01Z","entry":{"kind":"note","name":"n"}}`+"\n", id, seq)
	}
	for _, c := range []struct {
		text, want string
		sessions   int
	}{
		{"", "there is no session in it", 0},
		{"{}", "line 1: it is no line of an export", 0},
		{`{"type":"later"}`, "there is no session in it", 0},
		{`{"type":"entry","seq":1,"entry":{"kind":"note","name":"n"}}`, "line 1: an entry without its session", 0},
		{"\n\n" + meta + entry("s", 1) + entry("s", 2) + "\n" + `{"type":"later"}`, "", 1},
		{strings.TrimSuffix(meta+entry("s", 1)+entry("s", 2), "\n"), "", 1},
		{meta, "the file is cut off: it does not have all of s", 0},
		{meta + entry("s", 1), "the file is cut off: it does not have all of s", 0},
		{meta + entry("s", 1) + entry("t", 1), "the file is cut off: it does not have all of s", 1},
		{meta + entry("s", 3), "", 1},
		{entry("t", 1), "", 1},
		{`{"type":"sess`, "the file is cut off in line 1", 0},
		{meta + entry("s", 1) + entry("s", 2) + `{"type":"blob","dig`, "the file is cut off in line 4; import it again when it is whole, or contents are missing", 1},
		{meta + entry("s", 1) + entry("s", 2) + `{"type":"blob","dig` + "\n", "line 4: it is no line of an export", 0},
		// Of a log whose session is lost nobody knows whether it goes on.
		{meta + entry("s", 1) + entry("s", 2) + entry("t", 1) + `{"type":"entry","session":"t"`, "the file is cut off: it does not have all of t", 1},
		{"no JSON", "line 1:", 0},
		{meta + meta, "the file is cut off: it does not have all of s", 0},
		{meta + meta + entry("s", 1) + entry("s", 2), "", 1},
		// What is there in part comes in from where it is whole.
		{meta + entry("s", 1) + meta + entry("s", 1) + entry("s", 2), "", 1},
		{meta + entry("s", 1) + entry("s", 2) + meta + entry("s", 1), "the file is cut off: it does not have all of s", 1},
		{entry("s", 1) + entry("s", 2) + entry("t", 1) + meta + entry("s", 1) + entry("s", 2), "", 2},
		{`{"type":"session"}`, "line 1: a session without its meta", 0},
		{meta + entry("s", 2) + entry("s", 1), "line 3: entry 1 of session s comes after entry 2", 0},
		{meta + entry("s", 1) + entry("t", 1) + entry("s", 2), "line 4: the entries of session s do not stand together", 1},
		{meta + entry("s", 1<<30), "line 2: session s lacks its entries", 0},
		{meta + `{"type":"entry","session":"s","seq":1,"entry":{"no":"kind"}}`, "line 2: decode entry", 0},
		{`{"type":"blob","digest":"` + string(blob.Of([]byte("x"))) + `","data":"eXl5"}`, "is not what it says it is", 0},
		{`{"type":"blob","digest":"sha256:x"}`, "a blob without its data", 0},
		{strings.Replace(strings.Replace(meta, `"id":"s"`, `"id":"a/b"`, 1), `"head":2`, `"head":0`, 1), "parse session id", 0},
	} {
		store := &session.Memory{}
		imported, err := export.Read(ctx, strings.NewReader(c.text), store, export.Options{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.200s: have %v, want %q", c.text, err, c.want)
		}
		list, err := store.List(ctx, session.Query{})
		if err != nil || len(list) != c.sessions || len(imported.Sessions) != c.sessions {
			t.Errorf("%.200s: have %d sessions, %v", c.text, len(list), err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := export.Read(cancelled, strings.NewReader(meta), &session.Memory{}, export.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v", err)
	}
	if err := export.Write(ctx, &bytes.Buffer{}, &session.Memory{}, "missing"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("have %v", err)
	}
}

// Lost entries in the middle leave a note, so that the others keep their places.
func TestLostEntriesLeaveANote(t *testing.T) {
	text := `{"type":"session","session":"s","meta":{"id":"s","created":"2026-05-04T03:02:01Z","updated":"2026-05-04T03:02:01Z","head":9}}
{"type":"lost","session":"s","seq":1,"through":2,"reason":"torn page"}
{"type":"entry","session":"s","seq":3,"time":"2026-05-04T03:02:01Z","entry":{"kind":"note","name":"n"}}
{"type":"entry","session":"t","seq":1,"time":"2026-05-04T03:02:01Z","entry":{"kind":"note","name":"n"}}
{"type":"lost","session":"s","seq":4,"through":9,"reason":"not there"}
{"type":"lost","reason":"blobs: gone"}
`
	store := &session.Memory{}
	imported, err := export.Read(ctx, strings.NewReader(text), store, export.Options{})
	if err != nil || imported.Lost != 8 || imported.LostElse != 1 || imported.Entries != 4 {
		t.Fatalf("%+v, %v", imported, err)
	}
	var names []string
	for r, err := range store.Read(ctx, "s", 1) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Entry.(session.Note).Name+string(r.Entry.(session.Note).Value))
	}
	if want := []string{`lost{"reason":"torn page"}`, `lost{"reason":"torn page"}`, "n"}; !slices.Equal(names, want) {
		t.Errorf("have %q", names)
	}
}
