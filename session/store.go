package session

import (
	"context"
	"iter"
	"time"

	"github.com/ampersat/ampersat/blob"
)

// Store keeps sessions.
//
// Every method is safe for concurrent use, from several processes too if the
// store is one that outlives them. A method that is given a cancelled context
// does nothing and returns the context's error. Entries that close a cancelled
// turn (the half of an answer that came, the results of tools that were
// stopped) must not be lost for it: append them with a context of
// [context.WithoutCancel].
//
// What a store is given it copies, and what it returns is the caller's own.
// A session that does not exist is an [ErrNotFound], for every method; so is a
// store that was closed an [ErrClosed].
type Store interface {
	// Create begins a session. If m has no ID it gets one; if it has no time of
	// creation, that is now. Head and Updated are the store's. Parent and ForkOf
	// need not exist here. It returns the session as it was created.
	//
	// An ID that is taken is an [ErrExists]; one that [ParseID] refuses is an
	// error too.
	Create(ctx context.Context, m Meta) (Meta, error)

	// Get returns what is known about a session. Front ends call it to find
	// where to append: at its Head.
	Get(ctx context.Context, id ID) (Meta, error)

	// List returns the sessions that q asks for, the last changed first (see
	// [Meta.Compare]). Taking the [Meta.Cursor] of the last one and asking again
	// gives the next. A session that changes meanwhile moves to the front, and
	// is not met a second time further down.
	//
	// A cursor that is none is an [ErrCursor].
	List(ctx context.Context, q Query) ([]Meta, error)

	// Rename changes the title. It is no change of the log: Updated stays, and
	// no lease is asked for.
	Rename(ctx context.Context, id ID, title string) error

	// Append adds entries directly after the entry after, which must be the
	// last one; zero if the log is empty. Either all are added, next to each
	// other, or none; a reader sees all or none. It returns the new head. When
	// it has returned, the entries are there to stay.
	//
	// The token is that of the caller's lease, or [NoLease]. The errors, in the
	// order in which they are looked for: an entry that [Encode] refuses; the
	// session is not found; it is held by somebody else and the caller has
	// NoLease ([*HeldError]), or the lease of the token is lost ([ErrLost], and
	// the HeldError too if somebody else has it now); after is not the last
	// entry ([*ConflictError]).
	//
	// Without entries it only checks.
	Append(ctx context.Context, id ID, after Seq, token Token, entries ...Entry) (Seq, error)

	// Read returns the records of a session in order, beginning with from, or
	// with the first if from is less than that. It ends with the one that was
	// the last when the iteration began. An error is the last thing it yields.
	// Each iteration reads anew.
	//
	// The body of the loop may call any method of the store.
	Read(ctx context.Context, id ID, from Seq) iter.Seq2[Record, error]

	// Last returns the last record whose entry is of a kind. For [KindPrepared]
	// and [KindCompacted] it takes no longer in a long log than in a short one:
	// a [View] begins with them. If there is none it is an [ErrNoEntry].
	Last(ctx context.Context, id ID, kind Kind) (Record, error)

	// Restore adds a session with its whole log, as it was when it was exported:
	// the ID, the times and the order are those that are given, Head is that of
	// the last record. The records are numbered from one, without gaps. Either
	// all of it is added or nothing.
	//
	// An ID that is taken is an [ErrExists]. An error that records yields is
	// returned.
	Restore(ctx context.Context, m Meta, records iter.Seq2[Record, error]) (Meta, error)

	// Fork begins a session whose log is that of id up to the entry at, zero
	// for an empty one; the records keep their Seq and Time. From there on the
	// two know nothing of each other, and one may be deleted without the other.
	// ID, title, project and parent of the new session are those of m; title
	// and project, where empty, those of id. No lease is asked for.
	//
	// An at that is not in the log is an [ErrNoEntry], an ID that is taken an
	// [ErrExists].
	Fork(ctx context.Context, id ID, at Seq, m Meta) (Meta, error)

	// Delete removes a session and its log. Its forks, its children and all
	// blobs stay, those included that no other session names: what a mentioned
	// file held can still be read by its digest, unless the store has a way to
	// remove what nobody names.
	// While the session is held it is a [*HeldError], for the holder as well:
	// release first.
	Delete(ctx context.Context, id ID) error

	// Lease gives the session to holder for the time ttl. Whoever runs a turn
	// calls it first, renews at a third of ttl or so, and releases at the end.
	// It is a [*HeldError] if somebody has it, were it somebody of the same
	// name. The zero Lease, other than an error, is never returned.
	Lease(ctx context.Context, id ID, holder string, ttl time.Duration) (Lease, error)

	// Renew makes a lease last for ttl from now. It is an [ErrLost] if the lease
	// was released or somebody else has had one since; that it ran out is none.
	Renew(ctx context.Context, lease Lease, ttl time.Duration) (Lease, error)

	// Release ends a lease. One that is lost already is no error, and somebody
	// else's is not touched.
	Release(ctx context.Context, lease Lease) error

	// Blobs keeps the contents that entries name by digest, each once for all
	// sessions, and for good. Put them before the entry that names them is appended.
	Blobs() blob.Store
}
