package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/message"
)

// View is what a model sees of a session. It is computed from the log and
// changes nothing in it:
//
//   - what was said, in order, the system message first; of several system
//     messages it is the last;
//   - without what was compacted or undone;
//   - with the summary of what is gone, if there is one, after the system
//     message, and the notice of the last compaction where that has put it;
//   - each tool call with its results. A call that the model made last stays
//     out of sight until all of its results are there; one that was never
//     answered gets a result that says so, and a result without its call is left
//     out.
//
// A view is opened once and then follows the log: what is appended is told to
// it ([View.Append], [View.Extend]) or read by it ([View.Refresh]). Between
// compactions messages are only added at its end, and those before stay as they
// are, to the byte; providers then find them in their cache. An undo shortens
// it, a new system message replaces the former, and signed thinking is gone where
// something new stands in front of it (see [View.Request]).
//
// It belongs to one goroutine at a time. [Open] and [Begin] make one.
type View struct {
	store  Store
	id     ID
	policy Policy
	head   Seq

	items []*item // in the order of the log
	stack stack
	// turns counts the messages of the role user that there were, less those that
	// were undone while they could be seen. What was undone after a compaction had
	// taken it out still counts: where it stood is in the log alone, and a view is
	// opened without reading that.
	turns  int
	pinned map[Seq]bool
	// broken says that something was said, after the last item, that the model
	// does not see.
	broken bool

	// last is the last compaction, at its place in the log.
	last   *Compacted
	lastAt Seq
	// base is what the view cost after it, less what was undone since.
	base int

	prepared prepared
	// staged are entries that the log does not have yet.
	staged []Entry
}

var errNoStore = errors.New("there is no store")

// Open returns the view of a session. It reads the entries that the model sees, a
// few at the start, and those since the last compaction; not the rest, however long
// the log is.
func Open(ctx context.Context, store Store, id ID, policy Policy) (*View, error) {
	v, err := Begin(store, id, policy)
	if err != nil {
		return nil, err
	}
	v.prepared.none = false
	if err := v.resume(ctx); err != nil {
		return nil, fmt.Errorf("open view of session %.40q: %w", string(id), err)
	}
	if err := v.Refresh(ctx); err != nil {
		return nil, err
	}
	return v, nil
}

// Begin returns the view of a session in which nothing was said yet. It reads
// nothing, and the session need not exist until something is appended.
func Begin(store Store, id ID, policy Policy) (*View, error) {
	if store == nil {
		return nil, fmt.Errorf("view session %.40q: %w", string(id), errNoStore)
	}
	if err := policy.Validate(); err != nil {
		return nil, err
	}
	v := &View{store: store, id: id, policy: policy, pinned: map[Seq]bool{}}
	v.prepared.none = true
	return v, nil
}

// resume reads what the last compaction left, if it says where that is.
func (v *View) resume(ctx context.Context) error {
	last, err := v.store.Last(ctx, v.id, KindCompacted)
	if errors.Is(err, ErrNoEntry) {
		return nil
	}
	if err != nil {
		return err
	}
	compacted, is := last.Entry.(Compacted)
	if !is || compacted.Resume == nil {
		return nil
	}
	if err := v.readSpans(ctx, compacted.Resume.Spans); err != nil {
		return err
	}
	v.head = compacted.Through
	v.decide(compacted.Resume.Decisions)
	for _, seq := range compacted.Resume.Pinned {
		v.pinned[seq] = true
	}
	v.turns = compacted.Resume.Turns
	return nil
}

// Refresh reads what was appended since.
func (v *View) Refresh(ctx context.Context) error {
	if v.store == nil {
		return fmt.Errorf("read view: %w", errNoStore)
	}
	for r, err := range v.store.Read(ctx, v.id, v.head+1) {
		if err != nil {
			return fmt.Errorf("read view of session %.40q: %w", string(v.id), err)
		}
		if err := v.extend(r); err != nil {
			return err
		}
	}
	return nil
}

// Extend tells the view what was appended: the records after [View.Head], as
// the store returns them.
func (v *View) Extend(records ...Record) error {
	for _, r := range records {
		if err := v.extend(r); err != nil {
			return err
		}
	}
	return nil
}

func (v *View) extend(r Record) error {
	if v.store == nil {
		return fmt.Errorf("extend view: %w", errNoStore)
	}
	if r.Seq != v.head+1 {
		return fmt.Errorf("extend view of session %.40q: entry %d does not follow entry %d", string(v.id), r.Seq, v.head)
	}
	v.head = r.Seq
	switch e := r.Entry.(type) {
	case Said:
		it := newItem(r.Seq, e)
		if e.Prepared == v.prepared.seq {
			it.asked = v.prepared.entry.asked()
		}
		v.said(it)
	case Prepared:
		v.prepared.add(r.Seq, e)
	case Compacted:
		v.compacted(r.Seq, e)
	case Note:
		v.note(e)
	}
	return nil
}

func (v *View) said(it *item) {
	if it.said.Role == message.User {
		v.turns++
	}
	it.joined = !v.broken
	v.broken = false
	v.items = append(v.items, it)
	// What stands in front changes what follows only where that is signed.
	if isSystem(it) || isInFront(it) && (v.stack.exchange != nil || slices.ContainsFunc(v.stack.messages, isSigned)) {
		v.restack()
		return
	}
	v.stack.add(it.shown)
}

func (v *View) note(n Note) {
	if seq, pinned, ok := n.Pins(); ok && pinned {
		v.pinned[seq] = true
	} else if ok {
		delete(v.pinned, seq)
	}
	if through, ok := n.Undoes(); ok {
		v.undo(through)
	}
}

// undo drops what was said after an entry. The first system message stays: what
// an agent is was not said in a turn.
func (v *View) undo(through Seq) {
	who, system := v.who(), v.baseSystem()
	v.drop(func(it *item) bool {
		if it.seq <= through || it == who {
			return false
		}
		if it.said.Role == message.User {
			v.turns--
		}
		if v.last != nil && it.seq <= v.last.Through && (!isSystem(it) || it == system) {
			v.base -= it.cost(v.policy)
		}
		return true
	})
	if former := v.baseSystem(); former != nil && former != system {
		v.base += former.cost(v.policy)
	}
	v.base = max(0, v.base)
	v.restack()
}

// baseSystem returns the system message that counts in base, or nil.
func (v *View) baseSystem() *item {
	for _, it := range slices.Backward(v.items) {
		if isSystem(it) && v.last != nil && it.seq <= v.last.Through {
			return it
		}
	}
	return nil
}

// drop takes items out of the view.
func (v *View) drop(gone func(*item) bool) {
	kept := v.items[:0:0]
	broken := false
	for _, it := range v.items {
		if gone(it) {
			broken = true
			continue
		}
		it.joined = it.joined && !broken
		broken = false
		kept = append(kept, it)
	}
	v.broken = v.broken || broken
	v.items = kept
}

// compacted applies a compaction.
func (v *View) compacted(at Seq, c Compacted) {
	v.last, v.lastAt, v.base = &c, at, c.TokensAfter
	v.decide(c.Decisions)
	v.broken = true // as for one who resumes here, and does not know
	v.restack()
}

// decide applies decisions to the items, and drops those of which nothing is
// left. Older versions have taken out the first system message when another had
// replaced it; it is not sent, and stays for when that one is undone.
func (v *View) decide(decisions []Decision) {
	about := make(map[Seq][]Decision, len(decisions))
	for _, d := range decisions {
		about[d.Seq] = append(about[d.Seq], d)
	}
	if who := v.who(); who != nil && who != v.system() {
		about[who.seq] = slices.DeleteFunc(about[who.seq], func(d Decision) bool { return d.Part == 0 && d.Action == Evict })
	}
	v.drop(func(it *item) bool {
		left := true
		for _, d := range about[it.seq] {
			left = it.decide(d)
		}
		return !left
	})
}

// restack puts the messages together from the beginning.
func (v *View) restack() {
	v.stack = stack{}
	system := v.system()
	if system != nil {
		v.stack.add(system.shown)
	}
	unbound := v.unbound()
	if v.last != nil && v.last.Summary != nil {
		v.stack.add(*v.last.Summary)
	}
	notice := v.noticePlace()
	for i, it := range v.items {
		if i == notice {
			v.stack.addAfter(v.last.notice())
		}
		switch {
		case it.said.Role == message.System:
		case i < unbound:
			if m := withoutSigned(it.shown); len(m.Content.Parts) > 0 {
				v.stack.add(m)
			}
		default:
			v.stack.add(it.shown)
		}
	}
	if notice == len(v.items) {
		v.stack.addAfter(v.last.notice())
	}
}

// noticePlace is the place of the item that the notice of the last compaction
// stands before, negative if there is none.
func (v *View) noticePlace() int {
	if v.last == nil || v.last.Notice == "" {
		return -1
	}
	before := cmp.Or(v.last.NoticeBefore, v.lastAt)
	place := slices.IndexFunc(v.items, func(it *item) bool { return it.seq >= before })
	if place < 0 {
		return len(v.items)
	}
	return place
}

// notice returns the message that tells of a compaction.
func (c Compacted) notice() message.Message {
	return message.Message{Role: message.Developer, Content: message.Say(c.Notice)}
}

// system returns the system message, or nil.
func (v *View) system() *item {
	for _, it := range slices.Backward(v.items) {
		if isSystem(it) {
			return it
		}
	}
	return nil
}

// who returns the first system message that says who the agent is, or nil.
func (v *View) who() *item {
	for _, it := range v.items {
		if saysWho(it.said) {
			return it
		}
	}
	return nil
}

func isSystem(it *item) bool { return it.said.Role == message.System }

// saysWho tells whether a message is one that says who the agent is. A system
// message of contents alone was made by a turn of an older version.
func saysWho(m message.Message) bool {
	parts := m.Content.Parts
	return m.Role == message.System && (len(parts) == 0 || slices.ContainsFunc(parts, func(p message.Part) bool { return !isContext(p) }))
}

// ID is that of the session.
func (v *View) ID() ID { return v.id }

// Head is the last entry that the view knows of: where to append.
func (v *View) Head() Seq { return v.head }

// Epoch is the number of the last compaction, zero if there was none.
func (v *View) Epoch() int {
	if v.last == nil {
		return 0
	}
	return v.last.Epoch
}

// Policy is what the view was opened with.
func (v *View) Policy() Policy { return v.policy }

// SetPolicy changes the policy, from the next compaction on: another model has
// another window.
func (v *View) SetPolicy(policy Policy) error {
	if err := policy.Validate(); err != nil {
		return err
	}
	v.policy = policy
	for _, it := range v.items {
		it.tokens = -1 // the counter may be another
	}
	return nil
}

// Messages returns what the model sees, in the order of the log; [View.Request] is
// what is sent. The messages are the view's own: do not change what is in them.
// Appending to the list is no change.
func (v *View) Messages() []message.Message { return slices.Clip(v.stack.messages) }

// FirstTurn is the number of the turn that the first message belongs to. Turns
// are counted by what the role user said. Where something in the middle is
// gone, it is chosen so that the numbers of the latest turns are right. Turns that
// were compacted and then undone still count, so that numbers are skipped.
func (v *View) FirstTurn() int {
	seen := 0
	for _, it := range v.items {
		if it.said.Role == message.User {
			seen++
		}
	}
	return max(1, v.turns-seen+1)
}
