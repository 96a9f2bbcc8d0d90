package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/ampersat/ampersat/session"
)

// keep writes the last lease of a session.
func (t *transaction) keep(key int64, lease session.Lease) error {
	var until int64
	if lease.Token != session.NoLease {
		until = lease.Until.UnixMicro()
	}
	_, err := t.exec(updateLease, int64(lease.Token), lease.Holder, until, key)
	return err
}

// Lease implements [session.Store].
func (s *Store) Lease(ctx context.Context, id session.ID, holder string, ttl time.Duration) (lease session.Lease, err error) {
	err = s.write(ctx, func(t *transaction) error {
		found, err := t.find("lease", id)
		if err != nil {
			return err
		}
		now := session.Stamp(s.now())
		if err := found.lease.Held(now); err != nil {
			return fmt.Errorf("lease session %s: %w", id, err)
		}
		var token int64
		if err := t.row(nextToken).Scan(&token); err != nil {
			return err
		}
		if lease, err = session.NewLease(id, holder, session.Token(token), now, ttl); err != nil {
			return err
		}
		return t.keep(found.key, lease)
	})
	if err != nil {
		return session.Lease{}, within(err, "lease session %.40q", string(id))
	}
	return lease, nil
}

// Renew implements [session.Store].
func (s *Store) Renew(ctx context.Context, lease session.Lease, ttl time.Duration) (renewed session.Lease, err error) {
	err = s.write(ctx, func(t *transaction) error {
		found, err := t.find("renew the lease of", lease.Session)
		if err != nil {
			return err
		}
		if lease.Token == session.NoLease || lease.Token != found.lease.Token {
			return fmt.Errorf("renew the lease of session %s: %w", lease.Session, session.ErrLost)
		}
		renewed, err = session.NewLease(lease.Session, found.lease.Holder, lease.Token, session.Stamp(s.now()), ttl)
		if err != nil {
			return err
		}
		return t.keep(found.key, renewed)
	})
	if err != nil {
		return session.Lease{}, within(err, "renew the lease of session %.40q", string(lease.Session))
	}
	return renewed, nil
}

// Release implements [session.Store].
func (s *Store) Release(ctx context.Context, lease session.Lease) error {
	err := s.write(ctx, func(t *transaction) error {
		found, err := t.find("release", lease.Session)
		if err != nil || lease.Token == session.NoLease || lease.Token != found.lease.Token {
			return err
		}
		return t.keep(found.key, session.Lease{})
	})
	return within(err, "release session %.40q", string(lease.Session))
}
