package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ampersat/ampersat/session"
)

// state is what decides whether a session may be changed.
type state struct {
	key   int64
	head  session.Seq
	lease session.Lease
}

// find returns the state of a session.
func (t *transaction) find(operation string, id session.ID) (state, error) {
	var found state
	var holder string
	var token, until int64
	err := t.row(selectState, string(id)).Scan(&found.key, &found.head, &token, &holder, &until)
	if err != nil {
		return state{}, notFound(operation, id, err)
	}
	if token != 0 {
		found.lease = session.Lease{Session: id, Holder: holder, Token: session.Token(token), Until: fromMicro(until)}
	}
	return found, nil
}

// notFound says so if err means that there was no row.
func notFound(operation string, id session.ID, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%s session %.40q: %w", operation, string(id), session.ErrNotFound)
	}
	return err
}

func fromMicro(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// scanMeta reads metaColumns.
func scanMeta(scan func(...any) error) (m session.Meta, err error) {
	var id, title, dir, parent, forkOf string
	var forkAt, created, updated, head number
	if err := scan(&id, &title, &dir, &parent, &forkOf, &forkAt, &created, &updated, &head); err != nil {
		return session.Meta{}, err
	}
	return session.Meta{
		ID: session.ID(id), Title: title, Dir: dir, Parent: session.ID(parent),
		ForkOf: session.ID(forkOf), ForkAt: session.Seq(forkAt),
		Created: fromMicro(int64(created)), Updated: fromMicro(int64(updated)), Head: session.Seq(head),
	}, nil
}

// number is a column that database/sql need not reflect upon, which is a tenth
// of what a long list takes.
type number int64

// Scan implements [sql.Scanner].
func (n *number) Scan(value any) error {
	integer, ok := value.(int64)
	if !ok {
		return fmt.Errorf("want an integer, have %T", value)
	}
	*n = number(integer)
	return nil
}

// add keeps a new session and returns its key.
func (t *transaction) add(m session.Meta) (key int64, err error) {
	created := m.Created.UnixMicro()
	if !fromMicro(created).Equal(m.Created) {
		return 0, fmt.Errorf("create session %s: created in the year %d, which is too far away", m.ID, m.Created.Year())
	}
	result, err := t.exec(insertSession, string(m.ID), m.Title, m.Dir, string(m.Parent),
		string(m.ForkOf), int64(m.ForkAt), created, m.Updated.UnixMicro(), int64(m.Head))
	if err != nil {
		return 0, err
	}
	if added, err := result.RowsAffected(); err != nil {
		return 0, err
	} else if added == 0 {
		return 0, fmt.Errorf("create session %s: %w", m.ID, session.ErrExists)
	}
	key, err = result.LastInsertId()
	if err == nil && key >= 1<<31 {
		err = fmt.Errorf("create session %s: the store has had %d sessions, and has no place for more", m.ID, key)
	}
	return key, err
}

// Create implements [session.Store].
func (s *Store) Create(ctx context.Context, m session.Meta) (session.Meta, error) {
	if err := s.ready(ctx); err != nil {
		return session.Meta{}, err
	}
	m, err := m.New(s.now())
	if err != nil {
		return session.Meta{}, fmt.Errorf("create session: %w", err)
	}
	err = s.write(ctx, func(t *transaction) error {
		_, err := t.add(m)
		return err
	})
	if err != nil {
		return session.Meta{}, within(err, "create session %s", m.ID)
	}
	return m, nil
}

// Get implements [session.Store].
func (s *Store) Get(ctx context.Context, id session.ID) (m session.Meta, err error) {
	err = s.read(ctx, func() error {
		m, err = scanMeta(s.reader.QueryRowContext(ctx, selectMeta, string(id)).Scan)
		return notFound("get", id, err)
	})
	if err != nil {
		return session.Meta{}, within(err, "get session %.40q", string(id))
	}
	return m, nil
}

// List implements [session.Store].
func (s *Store) List(ctx context.Context, q session.Query) ([]session.Meta, error) {
	query, args, err := listing(q)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var list []session.Meta
	err = s.read(ctx, func() error {
		list = nil
		rows, err := s.reader.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			m, err := scanMeta(rows.Scan)
			if err != nil {
				return err
			}
			list = append(list, m)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, within(err, "list sessions")
	}
	return list, nil
}

// listing writes a query out.
func listing(q session.Query) (query string, args []any, err error) {
	var conditions []string
	where := func(condition string, values ...any) {
		conditions = append(conditions, condition)
		args = append(args, values...)
	}
	switch {
	case q.Dir != "" && q.AlsoDir != "":
		where("dir IN (?, ?)", session.ToUTF8(q.Dir), session.ToUTF8(q.AlsoDir))
	case q.Dir != "":
		where("dir = ?", session.ToUTF8(q.Dir))
	}
	if q.Parent != "" {
		where("parent = ?", string(q.Parent))
	}
	if q.TopLevel {
		where("parent = ''")
	}
	if q.After != "" {
		updated, id, err := q.After.Place()
		if err != nil {
			return "", nil, err
		}
		where("(updated, id) < (?, ?)", updated.UnixMicro(), string(id))
	}
	query = selectMetas
	if len(conditions) > 0 {
		query += " WHERE " + strings.Join(conditions, " AND ")
	}
	query += listOrder
	if q.Limit > 0 {
		query += " LIMIT ?"
		args = append(args, q.Limit)
	}
	return query, args, nil
}

// Rename implements [session.Store].
func (s *Store) Rename(ctx context.Context, id session.ID, title string) error {
	err := s.write(ctx, func(t *transaction) error {
		if _, err := t.find("rename", id); err != nil {
			return err
		}
		_, err := t.exec(updateTitle, session.ToUTF8(title), string(id))
		return err
	})
	return within(err, "rename session %.40q", string(id))
}

// Fork implements [session.Store]. It copies the entries, so that either of the
// two can be deleted, or damaged, without the other.
func (s *Store) Fork(ctx context.Context, id session.ID, at session.Seq, given session.Meta) (fork session.Meta, err error) {
	err = s.write(ctx, func(t *transaction) error {
		origin, err := t.find("fork", id)
		if err != nil {
			return err
		}
		m, err := scanMeta(t.row(selectMeta, string(id)).Scan)
		if err != nil {
			return err
		}
		fork, err = m.NewFork(at, given, s.now())
		if err != nil {
			return fmt.Errorf("fork session %s: %w", id, err)
		}
		key, err := t.add(fork)
		if err != nil {
			return err
		}
		copied, err := t.exec(copyEntries, place(key, 0)-place(origin.key, 0), place(origin.key, 1), place(origin.key, at))
		if err != nil {
			return err
		}
		if n, err := copied.RowsAffected(); err != nil {
			return err
		} else if n != int64(at) {
			return s.damaged("session %s has %d of its first %d entries", id, n, at)
		}
		_, err = t.exec(forkLandmarks, place(key, 1), place(key, at), key)
		return err
	})
	if err != nil {
		return session.Meta{}, within(err, "fork session %.40q", string(id))
	}
	return fork, nil
}

// Delete implements [session.Store].
func (s *Store) Delete(ctx context.Context, id session.ID) error {
	err := s.write(ctx, func(t *transaction) error {
		found, err := t.find("delete", id)
		if err != nil {
			return err
		}
		if err := found.lease.Held(session.Stamp(s.now())); err != nil {
			return fmt.Errorf("delete session %s: %w", id, err)
		}
		if _, err := t.exec(deleteEntries, place(found.key, 0), place(found.key, maxSeq)); err != nil {
			return err
		}
		_, err = t.exec(deleteSession, found.key)
		return err
	})
	return within(err, "delete session %.40q", string(id))
}
