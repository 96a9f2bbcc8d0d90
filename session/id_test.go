package session_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/session"
	"pgregory.net/rapid"
)

func TestNewIDSortsByTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		millis := rapid.Int64Range(0, 1<<48-1)
		a, b := millis.Draw(t, "a"), millis.Draw(t, "b")
		x, y := session.NewID(time.UnixMilli(a)), session.NewID(time.UnixMilli(b))
		if a < b && x >= y || a > b && x <= y || x == y {
			t.Fatalf("%d gives %s and %d gives %s", a, x, b, y)
		}
	})
	at := time.Now()
	seen := map[session.ID]bool{}
	for range 10_000 {
		id := session.NewID(at)
		if seen[id] || len(id) != 26 {
			t.Fatalf("%s came up again, or is not 26 characters long", id)
		}
		seen[id] = true
	}
}

// An id is written in a mention, a URL and a file name as it is.
func TestNewIDNeedsNoQuotes(t *testing.T) {
	for range 100 {
		id := session.NewID(time.Now())
		if _, err := session.ParseID(string(id)); err != nil {
			t.Fatal(err)
		}
		if strings.Trim(string(id), "0123456789abcdefghjkmnpqrstvwxyz") != "" {
			t.Fatalf("%s has characters that are misread", id)
		}
		refs := mention.Find("as in @session:" + string(id) + ", where")
		if len(refs) != 1 || refs[0].Mention != (mention.Session{ID: string(id)}) {
			t.Fatalf("%s is found as %+v", id, refs)
		}
	}
}

func TestCursorIsThePlaceOfASession(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := session.Meta{ID: session.NewID(time.Now()), Updated: time.UnixMicro(rapid.Int64Range(-1<<50, 1<<52).Draw(t, "updated")).UTC()}
		updated, id, err := m.Cursor().Place()
		if err != nil || id != m.ID || updated != m.Updated {
			t.Fatalf("%s is the place %v %s, %v", m.Cursor(), updated, id, err)
		}
	})
}

func TestStampIsUTCToTheMicrosecond(t *testing.T) {
	given := time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.FixedZone("east", 3600))
	want := time.Date(2026, 1, 2, 2, 4, 5, 123456000, time.UTC)
	if have := session.Stamp(given); have != want {
		t.Errorf("have %v, want %v", have, want)
	}
	if now := session.Stamp(time.Now()); now != session.Stamp(now) || strings.Contains(now.String(), "m=") {
		t.Errorf("%v is not what stores keep", now)
	}
}

func TestMetaOrdersTheLastChangedFirst(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	list := []session.Meta{{ID: "a", Updated: early}, {ID: "b", Updated: late}, {ID: "c", Updated: early}, {ID: "a", Updated: late}}
	slices.SortFunc(list, session.Meta.Compare)
	var have string
	for _, m := range list {
		have += string(m.ID)
	}
	if have != "baca" {
		t.Errorf("have %s", have)
	}
}
