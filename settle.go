package ampersat

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// accept takes what a resolver returns. A resolver may be anybody's: what it left
// out is filled in, and a mistake of it, a panic included, fails its mention and
// nothing else.
func (x *expansion) accept(ctx context.Context, q Query, resolve func() (Content, error)) (c *Content, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = new(Content), panicked(q.Mention, r)
		}
	}()
	got, err := resolve()
	if err != nil {
		return new(Content), readable(q.Mention, err)
	}
	return &got, x.settle(ctx, q.Mention, &got, q.followed)
}

// abandoned is the miss of a mention whose resolver ended its goroutine.
func abandoned(m mention.Mention) *Miss {
	return &Miss{Mention: m, Outcome: Failed, Reason: "its resolver ended without an answer"}
}

// panicked is the miss of a mention whose resolver, or something beside it,
// panicked.
func panicked(m mention.Mention, with any) *Miss {
	return &Miss{Mention: m, Outcome: Failed, Reason: fmt.Sprintf("its resolver panicked: %v", with)}
}

// readable returns an error that can be looked into. A nil pointer in an error is
// an error to Go, and nearly always meant to be none.
func readable(m mention.Mention, err error) error {
	var (
		nothing string
		miss    *Miss
		denied  *access.Denied
	)
	switch {
	case errors.As(err, &miss) && miss == nil:
		nothing = "*ampersat.Miss"
	case errors.As(err, &denied) && denied == nil:
		nothing = "*access.Denied"
	default:
		return err
	}
	return &Miss{Mention: m, Outcome: Failed, Reason: "its resolver returns a nil " + nothing + " as its error; return nil itself"}
}

// settle checks a content, and those in it, and fills in what can be told from
// the rest. With an error it still says whose it is.
func (x *expansion) settle(ctx context.Context, m mention.Mention, c *Content, followed bool) error {
	if c.Mention != nil {
		m = c.Mention
	}
	if c.Name == "" {
		c.Name = nameOf(m)
	}
	mistake := func(format string, args ...any) error {
		return &Miss{Mention: m, Outcome: Failed, Reason: "its resolver made a mistake: " + fmt.Sprintf(format, args...)}
	}
	if _, err := blob.Parse(string(c.Source)); c.Source != "" && err != nil {
		return mistake("Content.Source is %.40q, which is no digest; leave it empty, or set blob.Of of the whole text", string(c.Source))
	}
	if c.Source == "" && c.isAllText() {
		c.Source = blob.Of([]byte(c.Text))
	}
	for digest, data := range c.Blobs {
		if blob.Of(data) != digest {
			return mistake("bytes in Content.Blobs are there under a digest that is not theirs; use blob.Of of them")
		}
	}
	for _, digest := range blobsOf(c.Parts) {
		if _, given := c.Blobs[digest]; given {
			continue
		}
		data, err := x.blob(ctx, digest)
		if err != nil {
			return mistake("the bytes of %s, which a part names, are not in Content.Blobs", digest.Short())
		}
		c.Blobs = maps.Clone(c.Blobs)
		if c.Blobs == nil {
			c.Blobs = map[blob.Digest][]byte{}
		}
		c.Blobs[digest] = data
	}
	if !c.isWithin() {
		return mistake("Content.Text is not what stands at Content.At in Content.Within")
	}
	err := x.scan(c)
	c.letGo()
	if err != nil {
		return err
	}
	c.tokens = x.p.counter().Count(c.Text)
	if c.Tree != "" && followed {
		c.found = findIn(c.Text)
	}
	c.Files = slices.Clone(c.Files) // the resolver may give the same list to others
	for i := range c.Files {
		file := &c.Files[i]
		if file.Mention == nil {
			file.Mention = m
		}
		if file.Name == "" {
			file.Name = fmt.Sprintf("%s (%d)", c.Name, i+1)
		}
		file.denied = x.settle(ctx, file.Mention, file, followed)
	}
	return nil
}

// isAllText reports whether nothing says that a content is more than its text.
func (c *Content) isAllText() bool {
	return c.Tail == "" && c.Lines == "" && c.Symbol == "" && c.Shown == "" && len(c.Parts) == 0 && len(c.Files) == 0 &&
		(c.Size == 0 || c.Size == int64(len(c.Text)))
}

// blob returns bytes that were kept.
func (x *expansion) blob(ctx context.Context, digest blob.Digest) ([]byte, error) {
	if x.p.Blobs == nil {
		return nil, blob.ErrNotFound
	}
	return x.p.Blobs.Get(ctx, digest)
}

// blobsOf returns the digests that parts name in place of their bytes.
func blobsOf(parts []message.Part) (digests []blob.Digest) {
	for _, part := range parts {
		if source := sourceOf(part); source.Type == message.SourceBlob {
			digests = append(digests, source.Digest)
		}
	}
	return digests
}

// nameOf is what a mention is called where nobody gave what it names a name: as
// it is written.
func nameOf(m mention.Mention) string {
	if written := strings.TrimPrefix(m.String(), "@"); written != "" {
		return written
	}
	switch m := m.(type) {
	case mention.Custom:
		return m.Scheme
	case mention.Image:
		if m.Name != "" {
			return m.Name
		}
	}
	return string(m.Kind())
}
