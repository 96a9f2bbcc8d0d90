package ampersat

import (
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// scan refuses content with secrets in it, or in its name, that nobody allowed.
func (x *expansion) scan(c *Content) error {
	name := c.ID
	if name == "" {
		name = c.Name
	}
	consent := x.p.Consent
	if consent == nil {
		consent = new(access.Memory)
	}
	if len(access.ScanString("", c.Name)) > 0 {
		if err := x.judge(name, "called "+c.Name, func() error { return access.CheckName(consent, name, c.Name) }); err != nil {
			return err
		}
	}
	if c.Judged {
		return nil
	}
	var found []access.Finding
	texts := []string{c.Text, c.Tail}
	if c.Within != "" {
		found = overlapping(x.findings(name, c.Within), c.At, c.At+len(c.Text))
		texts = texts[1:]
	}
	for _, text := range texts {
		if text == "" && c.Tail == "" && len(c.Parts) == 0 {
			break
		}
		found = append(found, access.ScanString(name, text)...)
	}
	found = append(found, secretsInParts(name, c)...)
	if len(found) == 0 {
		return nil
	}
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i] = f.ID
	}
	return x.judge(name, strings.Join(ids, " "), func() error { return access.CheckSecrets(consent, name, found) })
}

// judgeKey is what was found in something.
type judgeKey struct{ name, found string }

// judge asks whether something may be sent with what was found in it, once in a turn
// however it is mentioned: a grant for one time is for all of that.
func (x *expansion) judge(name, found string, check func() error) error {
	_, err := x.memory.Once(judgeKey{name, found}, func() (any, int, error) { return nil, 0, check() })
	return err
}

// withoutSecrets takes secrets out of what an item is called that nobody wrote:
// it may not be sent, and what is said of it may be.
func (it *item) withoutSecrets() {
	c := *it.content
	c.Name, c.ID = access.Redact(c.Name), access.Redact(c.ID)
	it.content = &c
	if file, ok := it.ref.Mention.(mention.File); ok {
		file.Path = access.Redact(file.Path)
		it.ref.Mention = file
	}
}

// isWithin reports whether the text is where its resolver says.
func (c *Content) isWithin() bool {
	return c.Within == "" || c.At >= 0 && c.At <= len(c.Within) && strings.HasPrefix(c.Within[c.At:], c.Text)
}

// letGo forgets what a content was cut from.
func (c *Content) letGo() {
	if c.Within != "" && len(c.Text) < len(c.Within)/2 {
		c.Text = strings.Clone(c.Text) // or it would hold on to the whole
	}
	c.Within, c.At = "", 0
}

// scanKey is a text that was scanned, by where it is in memory: the memory
// holds on to it, so that nothing else can come to be there.
type scanKey struct {
	name string
	at   *byte
	size int
}

type scanned struct {
	text  string
	found []access.Finding
}

// findings scans a text once, however many parts of it are mentioned.
func (x *expansion) findings(name, text string) []access.Finding {
	value, _ := x.memory.Once(scanKey{name, unsafe.StringData(text), len(text)}, func() (any, int, error) {
		return scanned{text, access.ScanString(name, text)}, len(text), nil
	})
	return value.(scanned).found
}

// overlapping returns the findings that have a byte between two places, and
// those that the name tells, which are about all of it.
func overlapping(found []access.Finding, from, to int) []access.Finding {
	var some []access.Finding
	for _, f := range found {
		if f.Line == 0 || f.Start < to && f.End > from {
			some = append(some, f)
		}
	}
	return some
}

// secretsInParts returns the secrets in what is sent besides the text: in the
// bytes of pictures and documents as they are, and what the resolver found packed
// in them.
func secretsInParts(name string, c *Content) []access.Finding {
	if len(c.Blobs)+len(c.Parts) == 0 {
		return c.Secrets
	}
	found := slices.Clone(c.Secrets)
	look := func(data []byte) {
		for _, f := range access.Scan(name, data) {
			if f.Line == 0 {
				continue // the name tells, which the scan of the text says
			}
			f.Line, f.Start, f.End, f.In = 0, 0, 0, "its bytes"
			found = append(found, f)
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(c.Blobs)) {
		look(c.Blobs[digest])
	}
	for _, part := range c.Parts {
		switch source := sourceOf(part); source.Type {
		case message.SourceBase64:
			if data, err := source.Bytes(nil); err == nil {
				look(data)
			}
		case message.SourceURL:
			look([]byte(source.URL))
		}
	}
	return found
}

// sourceOf is where the bytes of a part are, the zero value if it has none.
func sourceOf(part message.Part) message.Source {
	switch part := part.(type) {
	case message.Image:
		return part.Source
	case message.Document:
		return part.Source
	}
	return message.Source{}
}
