package session

import (
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/blob"
)

// The rules here are asked twice. An entry that breaks one is not written, so
// that its author learns of it; found in a store, it is read as an [Unknown],
// so that one bad entry does not make a session unreadable.

func (s Said) validate() error {
	if s.Message.Role == "" {
		return errors.New("message: no role")
	}
	return notNegative(field{"prepared", int64(s.Prepared)})
}

func (p Prepared) validate() error {
	if p.Provider == "" {
		return errors.New("provider: it is missing")
	}
	if _, err := blob.Parse(string(p.Digest)); err != nil {
		return fmt.Errorf("digest: %w", err)
	}
	for i, digest := range p.Blobs {
		if _, err := blob.Parse(string(digest)); err != nil {
			return fmt.Errorf("blob %d: %w", i, err)
		}
	}
	if p.Base == 0 && (p.Kept != 0 || p.SameTools || p.Links != 0) {
		return errors.New("base: it is missing, though something of it is kept")
	}
	if p.SameTools && p.Request.Tools != nil {
		return errors.New("same_tools: the request has tools of its own")
	}
	return notNegative(field{"base", int64(p.Base)}, field{"kept", int64(p.Kept)}, field{"links", int64(p.Links)},
		field{"through", int64(p.Through)}, field{"epoch", int64(p.Epoch)}, field{"tokens", int64(p.Tokens)})
}

func (c Compacted) validate() error {
	if c.Epoch < 1 {
		return fmt.Errorf("epoch: they are counted from one, have %d", c.Epoch)
	}
	for i, d := range c.Decisions {
		if err := d.validate(); err != nil {
			return fmt.Errorf("decision %d: %w", i, err)
		}
	}
	if c.Summary != nil && c.Summary.Role == "" {
		return errors.New("summary: no role")
	}
	if c.Resume != nil {
		if err := c.Resume.validate(); err != nil {
			return fmt.Errorf("resume: %w", err)
		}
	}
	return notNegative(field{"through", int64(c.Through)}, field{"notice_before", int64(c.NoticeBefore)}, field{"tokens_before", int64(c.TokensBefore)},
		field{"tokens_after", int64(c.TokensAfter)}, field{"tokens_target", int64(c.TokensTarget)})
}

func (r Resume) validate() error {
	last := Seq(0)
	for i, s := range r.Spans {
		if s.First <= last || s.Last < s.First {
			return fmt.Errorf("span %d: from %d to %d, after one that ends at %d", i, s.First, s.Last, last)
		}
		last = s.Last
	}
	for i, d := range r.Decisions {
		if err := d.validate(); err != nil {
			return fmt.Errorf("decision %d: %w", i, err)
		}
	}
	for i, seq := range r.Pinned {
		if seq < 1 {
			return fmt.Errorf("pin %d: entries are counted from one, have %d", i, seq)
		}
	}
	return notNegative(field{"turns", int64(r.Turns)})
}

func (d Decision) validate() error {
	if d.Seq < 1 {
		return fmt.Errorf("seq: entries are counted from one, have %d", d.Seq)
	}
	if d.Action == "" {
		return errors.New("action: it is missing")
	}
	return notNegative(field{"part", int64(d.Part)})
}

func (d Delegated) validate() error {
	if d.Agent == "" && len(d.Prompt.Parts) == 0 {
		return errors.New("agent: there is neither an agent nor a prompt")
	}
	return nil
}

func (r Returned) validate() error {
	if r.Outcome == "" {
		return errors.New("outcome: it is missing")
	}
	return notNegative(field{"delegated", int64(r.Delegated)})
}

func (n Note) validate() error {
	if n.Name == "" {
		return errors.New("name: it is missing")
	}
	return nil
}

type field struct {
	name  string
	value int64
}

func notNegative(fields ...field) error {
	for _, f := range fields {
		if f.value < 0 {
			return fmt.Errorf("%s: it must not be negative, have %d", f.name, f.value)
		}
	}
	return nil
}
