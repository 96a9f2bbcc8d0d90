package ampersat

import (
	"strings"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// reports lists what became of each mention.
func (x *expansion) reports() []Report {
	count := 0
	x.walk(func(*item) { count++ })
	reports := make([]Report, 0, count)
	flat := message.Flatten(x.turn.Message.Content)
	x.walk(func(it *item) {
		r := Report{
			Mention: it.ref.Mention, Written: it.ref.Written, Start: it.ref.Start, End: it.ref.End,
			Outcome: it.outcome, Reason: it.reason, Err: it.err, Parent: -1, Name: it.content.Name, ID: it.content.ID, Digest: it.content.Source,
		}
		switch {
		case it.parent == nil:
			r.Written = flat[it.ref.Start:it.ref.End]
		case it.ref.Written == "": // a file of a glob, which nobody wrote
			r.Written = it.ref.Mention.String()
		default:
			r.Written = it.within[r.Start:r.End]
		}
		if it.parent != nil {
			r.Parent = it.parent.reported
		}
		switch {
		case it.outcome != "":
		case it.same != nil:
			r.Outcome = Duplicate
			r.Reason, r.Name = "the same as "+it.same.ref.Mention.String(), it.same.content.Name
			if it.isInside(it.same) {
				r.Reason = "it mentions itself"
			}
		case it.block != nil && it.block.items[0] != it:
			r.Outcome = Duplicate
			r.Reason = sameContent(it.block)
			if it.block.outcome == Partial {
				r.Shown = it.block.context.Shown
			}
		case it.block != nil:
			r.describe(it.block)
		default:
			describeFiles(&r, it)
		}
		if it.content.Note != "" {
			r.Reason = strings.TrimPrefix(r.Reason+"; "+it.content.Note, "; ")
		}
		it.reported = len(reports)
		reports = append(reports, r)
	})
	return reports
}

// describe fills in what is sent for a block.
func (r *Report) describe(b *block) {
	r.Outcome, r.Reason = b.outcome, b.reason
	r.Shown = b.context.Shown
	r.Bytes, r.Tokens = len(b.context.Text), b.tokens
	switch {
	case b.outcome == Unchanged:
		r.Shown = ""
		r.Reason = strings.Trim(b.context.Text, "[]")
	case b.context.Base != "":
		r.Reason = "sent as a diff to what was shown in " + b.context.ChangedSince
	case b.context.ChangedSince != "" && isReference(b.context):
		r.Shown = ""
		r.Reason = "changed since " + b.context.ChangedSince + "; " + b.reason
	case b.outcome == Duplicate:
		r.Shown = ""
	case b.context.ChangedSince != "":
		r.Reason = "changed since " + b.context.ChangedSince
	}
}

func sameContent(b *block) string { return "the same content as " + b.names[0] }

// describeFiles fills in what became of a mention of several files. What they
// cost is in their own reports.
func describeFiles(r *Report, it *item) {
	r.Outcome, r.Shown = Loaded, it.content.Shown
	if it.content.Shown != "" {
		r.Outcome = Partial
	}
	for _, child := range it.children {
		if child.outcome.Bad() || child.block != nil && child.block.outcome == Partial {
			r.Outcome = Partial
		}
	}
}

// isInside reports whether an item is nested in another.
func (it *item) isInside(other *item) bool {
	for p := it.parent; p != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

// message returns the message with its mentions in place, typed. Flattened it
// is the message that came.
func (x *expansion) message() message.Message {
	byPart := map[int][]mention.Ref{}
	for _, it := range x.typed {
		if !it.plain {
			byPart[it.part] = append(byPart[it.part], it.ref)
		}
	}
	said := x.turn.Message
	if len(byPart) == 0 {
		return said
	}
	var parts []message.Part
	offset := 0
	for i, part := range said.Content.Parts {
		switch part := part.(type) {
		case message.Ref:
			if refs := byPart[i]; len(refs) == 1 {
				part.Mention = refs[0].Mention
			}
			parts = append(parts, part)
			offset += len(part.Written)
		case message.Text:
			refs := byPart[i]
			for r := range refs {
				refs[r].Start -= offset
				refs[r].End -= offset
				refs[r].Written = part.Text[refs[r].Start:refs[r].End]
			}
			if len(refs) == 0 {
				parts = append(parts, part)
			} else {
				parts = append(parts, message.Cut(part.Text, refs).Parts...)
			}
			offset += len(part.Text)
		default:
			parts = append(parts, part)
		}
	}
	said.Content.Parts = parts
	return said
}
