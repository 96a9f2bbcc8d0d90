package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func user(text string) message.Message {
	return message.Message{Role: message.User, Content: message.Say(text)}
}

// conversation sends requests as an agent does: each is prepared, made short
// and appended before the next.
type conversation struct {
	store session.Memory
	id    session.ID
	head  session.Seq

	last     session.Prepared
	lastSent message.Request
	sent     map[session.Seq]string // the whole requests, encoded
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func begin(t failer) *conversation {
	c := &conversation{sent: map[session.Seq]string{}}
	m, err := c.store.Create(ctx, session.Meta{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	c.id = m.ID
	return c
}

func (c *conversation) send(t failer, r message.Request) session.Prepared {
	t.Helper()
	for _, data := range r.Blobs {
		if _, err := c.store.Blobs().Put(ctx, data); err != nil {
			t.Fatalf("%v", err)
		}
	}
	whole, err := session.Prepare("echo", r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	short, err := whole.Since(c.head, c.last, c.lastSent)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if c.head, err = c.store.Append(ctx, c.id, c.head, session.NoLease, short); err != nil {
		t.Fatalf("%v", err)
	}
	encoded, err := message.EncodeRequest(r)
	if err != nil {
		t.Fatalf("%v", err)
	}
	c.last, c.lastSent, c.sent[c.head] = short, r, string(encoded)
	return short
}

func (c *conversation) check(t failer) {
	t.Helper()
	for seq, want := range c.sent {
		r, err := session.Sent(ctx, &c.store, c.id, seq)
		if err != nil {
			t.Fatalf("%v", err)
		}
		have, err := message.EncodeRequest(r)
		if err != nil || string(have) != want {
			t.Fatalf("request %d: have %s, %v\nwant %s", seq, have, err, want)
		}
	}
}

func TestSentIsTheWholeRequest(t *testing.T) {
	c := begin(t)
	picture := []byte("picture")
	digest := blob.Of(picture)
	tools := []message.ToolSpec{{Name: "read", Parameters: jsontext.Value(`{"type": "object", "d":"\u00e9"}`)}}
	r := message.Request{Model: "m", Tools: tools, Messages: []message.Message{{Role: message.System, Content: message.Say("be brief")}, user("one")}}
	if p := c.send(t, r); p.Base != 0 || len(p.Request.Messages) != 2 {
		t.Errorf("the first does not stand alone: %+v", p)
	}

	r.Messages = append(r.Messages[:2:2], user("two"), message.Message{Role: message.User, Content: message.Of(message.Image{Source: message.InBlob("image/png", digest)})})
	r.Blobs = map[blob.Digest][]byte{digest: picture}
	p := c.send(t, r)
	if p.Base != 1 || p.Kept != 2 || !p.SameTools || p.Links != 1 || len(p.Request.Messages) != 2 || p.Request.Tools != nil || len(p.Blobs) != 1 || p.Blobs[0] != digest {
		t.Errorf("the second is not what is new: %+v", p)
	}
	again, err := session.Sent(ctx, &c.store, c.id, 2)
	if err != nil || !bytes.Equal(again.Blobs[digest], picture) {
		t.Errorf("have blobs %q, %v", again.Blobs, err)
	}

	r.Tools = append(tools[:1:1], message.ToolSpec{Name: "write", Parameters: jsontext.Value(`{}`)})
	if p := c.send(t, r); p.SameTools || len(p.Request.Tools) != 2 || p.Kept != 4 {
		t.Errorf("other tools: %+v", p)
	}
	r.Tools = []message.ToolSpec{r.Tools[0], {Name: "write", Parameters: jsontext.Value(`{ }`)}}
	if p := c.send(t, r); p.SameTools {
		t.Errorf("tools that are spelled differently: %+v", p)
	}
	r.Tools = nil
	if p := c.send(t, r); p.SameTools || p.Kept != 4 {
		t.Errorf("no tools: %+v", p)
	}

	// A compaction rewrites what was sent: only the beginning is kept.
	r.Messages = []message.Message{r.Messages[0], user("a summary"), user("three")}
	r.Temperature = new(0.25)
	if p := c.send(t, r); p.Kept != 1 || len(p.Request.Messages) != 2 {
		t.Errorf("after a compaction: %+v", p)
	}
	r.Messages = []message.Message{user("something else")}
	if p := c.send(t, r); p.Base != 0 || p.Links != 0 {
		t.Errorf("nothing in common: %+v", p)
	}
	c.check(t)
}

func TestRequestsOfALongSessionStaySmallAndNear(t *testing.T) {
	c := begin(t)
	var r message.Request
	var kept, whole int
	for turn := range 300 {
		r.Messages = append(r.Messages, user(fmt.Sprintf("question %d: %s", turn, strings.Repeat("x", 200))))
		p := c.send(t, r)
		if p.Links > 32 {
			t.Fatalf("request %d is spread over %d entries", turn, p.Links+1)
		}
		data, err := session.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		kept += len(data)
		whole += len(c.sent[c.head])
	}
	c.check(t)
	if kept*15 > whole {
		t.Errorf("%d bytes are kept of %d", kept, whole)
	}
	t.Logf("%d bytes are kept of %d", kept, whole)
}

func TestAnyRequestsAreSentAgainAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := begin(t)
		var r message.Request
		for range rapid.IntRange(1, 12).Draw(t, "requests") {
			keep := rapid.IntRange(0, len(r.Messages)).Draw(t, "keep")
			r.Messages = r.Messages[:keep:keep]
			for range rapid.IntRange(0, 3).Draw(t, "new") {
				r.Messages = append(r.Messages, user(rapid.StringN(0, 3, -1).Draw(t, "text")))
			}
			r.Tools = rapid.SampledFrom([][]message.ToolSpec{nil, {}, {{Name: "a", Parameters: jsontext.Value(`{}`)}}, {{Name: "b", Parameters: jsontext.Value(`{"x":"\u0061"}`)}}}).Draw(t, "tools")
			r.Model = rapid.SampledFrom([]string{"", "m"}).Draw(t, "model")
			c.send(t, r)
		}
		c.check(t)
	})
}

func TestSentRefuses(t *testing.T) {
	c := begin(t)
	c.send(t, message.Request{Messages: []message.Message{user("one")}})
	digest := blob.Of([]byte("never put"))
	add := func(e session.Entry) session.Seq {
		t.Helper()
		head, err := c.store.Append(ctx, c.id, c.head, session.NoLease, e)
		if err != nil {
			t.Fatal(err)
		}
		c.head = head
		return head
	}
	note := add(session.Note{Name: "n"})
	ofNote := add(session.Prepared{Provider: "p", Digest: digest, Base: note, Links: 1})
	itself := add(session.Prepared{Provider: "p", Digest: digest, Base: c.head + 1, Links: 1})
	tooMuch := add(session.Prepared{Provider: "p", Digest: digest, Base: 1, Kept: 2, Links: 1})
	noBlob := add(session.Prepared{Provider: "p", Digest: digest, Blobs: []blob.Digest{digest}})
	for at, reason := range map[session.Seq]string{
		note: "not a request", ofNote: "not a request", itself: "not before it", tooMuch: "keeps 2 of 1", noBlob: "blob: not found",
		0: "no such entry", -1: "entry 1", c.head + 1: "no such entry",
	} {
		r, err := session.Sent(ctx, &c.store, c.id, at)
		if err == nil || !strings.Contains(err.Error(), reason) || r.Messages != nil {
			t.Errorf("entry %d: have %+v, %v; want an error that says %q", at, r, err, reason)
		}
	}
	if _, err := session.Sent(ctx, &c.store, "missing", 1); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("a session that is not there: %v", err)
	}

	// What differs is returned all the same, and said to differ.
	changed := add(session.Prepared{Provider: "p", Digest: digest, Request: message.Request{Messages: []message.Message{user("two")}}})
	r, err := session.Sent(ctx, &c.store, c.id, changed)
	if !errors.Is(err, session.ErrInexact) || len(r.Messages) != 1 {
		t.Errorf("have %+v, %v; want the request and ErrInexact", r, err)
	}
}
