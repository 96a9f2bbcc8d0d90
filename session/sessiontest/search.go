package sessiontest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

func search(k *kit) {
	older := k.create(session.Meta{ID: "older", Title: "Needles, and how to find them", Dir: "/a"})
	k.append(older.ID, 0, say("nothing here"), session.Note{Name: "needle"}, say("a needle\nin a haystack"))
	k.clock.advance(time.Second)
	newer := k.create(session.Meta{ID: "newer", Dir: "/b"})
	call := message.ToolCall{ID: "1", Name: "look", Input: jsontext.Value(`{"for":"the \u004eEEDLE"}`)}
	k.append(newer.ID, 0,
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(message.Text{Text: "NEE"}, message.Text{Text: "DLE"}, call)}},
		session.Said{Message: message.Message{Role: message.Tool, ToolCallID: "1", Content: message.Say("found: nEedle_100%")}},
		session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"needle.md"}, Text: "haystack"})}},
		say("ÄRGER with \"quotes\" and \\ and 日本語"),
		session.Said{Message: message.Message{Role: message.User, Content: message.Of(message.Text{Text: "see "}, message.Ref{Mention: mention.File{Path: "a/b.go"}, Written: "@a/b.go"})}},
	)
	for _, c := range []struct {
		text string
		want string
	}{
		{"needle", "newer/2 newer/3 older/0 older/3"},
		{"NEEDLE", "newer/2 newer/3 older/0 older/3"},
		{"haystack", "older/3"},
		{"needle in", ""},
		{"nEedle_1", "newer/2"},
		{"needle_", "newer/2"},
		{"100%", "newer/2"},
		{"%", "newer/2"},
		{"needles,", "older/0"},
		{"ärger", "newer/4"},
		{`"quotes" and \`, "newer/4"},
		{"日本", "newer/4"},
		{"see @a/b.go", "newer/5"},
		{"message", ""}, // a member, which nobody said
		{"missing", ""},
	} {
		hits, err := session.Search(k.ctx, k.store, session.Query{}, c.text, 0)
		if err != nil {
			k.Errorf("Search %q: %v", c.text, err)
		}
		var have []string
		for _, h := range hits {
			have = append(have, fmt.Sprintf("%s/%d", h.Session.ID, h.Seq))
			if match := h.Snippet[h.Start:h.End]; !strings.EqualFold(match, c.text) {
				k.Errorf("Search %q found %q in %q", c.text, match, h.Snippet)
			}
		}
		// What stands in JSON by another spelling need not be found.
		have = slices.DeleteFunc(have, func(at string) bool { return at == "newer/1" })
		if got := strings.Join(have, " "); got != c.want {
			k.Errorf("Search %q: have %s, want %s", c.text, got, c.want)
		}
	}
	hits, err := session.Search(k.ctx, k.store, session.Query{}, "haystack", 0)
	if err != nil || len(hits) != 1 || hits[0].Role != message.User || hits[0].Snippet != "a needle in a haystack" || hits[0].Time != session.Stamp(k.clock.Now().Add(-time.Second)) || hits[0].Session.ID != "older" {
		k.Errorf("Search: have %+v, %v", hits, err)
	}
	hits, err = session.Search(k.ctx, k.store, session.Query{Dir: "/a"}, "needle", 1)
	if err != nil || len(hits) != 1 || hits[0].Seq != 0 {
		k.Errorf("Search for one in /a: have %+v, %v", hits, err)
	}
	if _, err := session.Search(k.ctx, k.store, session.Query{}, " ", 0); err == nil {
		k.Errorf("Search for nothing found something")
	}
	_, err = session.Search(k.ctx, k.store, session.Query{After: "?"}, "x", 0)
	k.wantError("Search after what is no cursor", err, session.ErrCursor)
}
