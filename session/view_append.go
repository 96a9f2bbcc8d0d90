package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Append appends entries to the session after [View.Head], and to the view,
// together with what was staged. It fails like [Store.Append], and then the view
// is as it was: after an [ErrConflict] call [View.Refresh].
func (v *View) Append(ctx context.Context, lease Token, entries ...Entry) (Seq, error) {
	records, err := v.records(entries)
	if err != nil {
		return 0, err
	}
	if v.store == nil {
		return 0, fmt.Errorf("append to view: %w", errNoStore)
	}
	after := v.head - Seq(len(v.staged))
	head, err := v.store.Append(ctx, v.id, after, lease, slices.Concat(v.staged, entries)...)
	if err != nil {
		return 0, err
	}
	v.staged = nil
	return head, v.Extend(records...)
}

// Stage adds entries to the view that the next [View.Append] writes to the log
// with its own, all or none, so that one transaction does for both.
// [View.Unstage] takes them back.
func (v *View) Stage(entries ...Entry) error {
	records, err := v.records(entries)
	if err != nil {
		return err
	}
	v.staged = append(v.staged, entries...)
	return v.Extend(records...)
}

// Unstage takes back what was staged and not written, by reading the log again.
func (v *View) Unstage(ctx context.Context) error {
	if len(v.staged) == 0 {
		return nil
	}
	again, err := Open(ctx, v.store, v.id, v.policy)
	if errors.Is(err, ErrNotFound) {
		again, err = Begin(v.store, v.id, v.policy)
	}
	if err != nil {
		return err
	}
	*v = *again
	return nil
}

// records returns entries as the store would return them, which is not always
// how it was given them: text is UTF-8 then.
func (v *View) records(entries []Entry) ([]Record, error) {
	records := make([]Record, len(entries))
	for i, e := range entries {
		data, err := Encode(e)
		if err != nil {
			return nil, fmt.Errorf("append to session %.40q: entry %d of %d: %w", string(v.id), i+1, len(entries), err)
		}
		stored, err := Decode(data)
		if err != nil {
			return nil, fmt.Errorf("append to session %.40q: entry %d of %d: %w", string(v.id), i+1, len(entries), err)
		}
		records[i] = Record{Seq: v.head + Seq(i) + 1, Entry: stored}
	}
	return records, nil
}
