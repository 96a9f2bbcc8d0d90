package ampersat_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Whoever resolves it: what is in the bytes of a part is found, and what a
// resolver found in them counts.
func TestAttackSecretInThePartOfAnyResolver(t *testing.T) {
	key := "AKIA" + "Q3EGRTHBXVWPL5ZS"
	part := func(data string, found ...access.Finding) ampersat.Content {
		digest := blob.Of([]byte(data))
		return ampersat.Content{
			ID: "/shot.png", Text: "a picture", Secrets: found,
			Parts: []message.Part{message.Image{Source: message.InBlob("image/png", digest)}},
			Blobs: map[blob.Digest][]byte{digest: []byte(data)},
		}
	}
	with := func(source message.Source) ampersat.Content {
		return ampersat.Content{ID: "/shot.png", Text: "a picture", Parts: []message.Part{message.Document{Source: source}}}
	}
	packed := access.Finding{Rule: "jwt", ID: "0123456789ab", In: "a packed part", Preview: "…, 9 bytes"}
	for name, c := range map[string]struct {
		content ampersat.Content
		reason  string
	}{
		"neither":  {part("\x89PNG"), ""},
		"bytes":    {part("\x89PNG\x00" + key + "\x00"), "aws-access-key in its bytes"},
		"inline":   {with(message.Inline("image/png", []byte("\x89PNG\x00"+key+"\x00"))), "aws-access-key in its bytes"},
		"address":  {with(message.AtURL("https://example.org/?key=" + key)), "aws-access-key in its bytes"},
		"resolver": {part("\x89PNG", packed), "jwt in a packed part"},
		"both":     {part("\x89PNG\x00"+key+"\x00", packed), "jwt in a packed part"},
	} {
		consent := new(access.Memory)
		p := &ampersat.Pipeline{Consent: consent, Resolver: ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) { return c.content, nil })}
		stack := prepare(t, p, ampersat.Ask("@shot.png"))
		if r := stack.Reports[0]; (r.Outcome == ampersat.Blocked) != (c.reason != "") || !strings.Contains(r.Reason, c.reason) || (len(stack.Blobs) > 0) != (c.reason == "") {
			t.Errorf("%s: %s, %s, %d parts are sent", name, r.Outcome, r.Reason, len(stack.Blobs))
		}
		if err := consent.Allow(access.Secret{Name: "/shot.png", Once: true}); err != nil {
			t.Fatal(err)
		}
		if r := prepare(t, p, ampersat.Ask("@shot.png")).Reports[0]; r.Outcome != ampersat.Loaded {
			t.Errorf("%s, allowed: %s, %s", name, r.Outcome, r.Reason)
		}
	}
}

// A grant for one time is for one content, however it is mentioned.
func TestAGrantForOneTimeIsForOneContent(t *testing.T) {
	secret := func() ampersat.Content {
		return ampersat.Content{Mention: mention.File{Path: "a.md"}, Name: "a.md", ID: "/p/a.md", Text: "token " + aToken + "\n"}
	}
	consent := new(access.Memory)
	if err := consent.Allow(access.Secret{Name: "/p/a.md", Once: true}); err != nil {
		t.Fatal(err)
	}
	p := &ampersat.Pipeline{Consent: consent, Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		if q.Mention.Kind() == mention.KindGlob {
			return ampersat.Content{Name: "*.md", Files: []ampersat.Content{secret()}}, nil
		}
		return secret(), nil
	})}
	for turn, want := range []bool{true, false} {
		for _, r := range prepare(t, p, ampersat.Ask("@a.md and @./a.md and @x/../a.md and @x/*.md")).Reports {
			if r.Mention.Kind() == mention.KindFile && (r.Outcome != ampersat.Blocked) != want {
				t.Errorf("turn %d: %s is %s, %s", turn+1, r.Written, r.Outcome, r.Reason)
			}
		}
	}
}

// A program gets the findings of what is blocked, and can ask a person about them.
func TestReportsHaveTheErrorOfWhatIsBlocked(t *testing.T) {
	p := &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		if q.Mention.(mention.File).Path == "gone.md" {
			return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "nothing there"}
		}
		return ampersat.Content{ID: "/p/" + q.Mention.(mention.File).Path, Text: "token " + aToken + "\n"}, nil
	}), Consent: new(access.Memory)}
	reports := prepare(t, p, ampersat.Ask("@a.md @gone.md")).Reports
	denied, ok := access.IsDenied(reports[0].Err)
	if !ok || len(denied.Findings) != 1 {
		t.Fatalf("%+v", reports[0])
	}
	if miss, ok := errors.AsType[*ampersat.Miss](reports[1].Err); !ok || miss.Outcome != ampersat.Missing {
		t.Errorf("%+v", reports[1])
	}
	if err := p.Consent.(*access.Memory).Allow(access.Secret{ID: denied.Findings[0].ID}); err != nil {
		t.Fatal(err)
	}
	if r := prepare(t, p, ampersat.Ask("@a.md")).Reports[0]; r.Outcome != ampersat.Loaded || r.Err != nil {
		t.Errorf("%+v", r)
	}
}
