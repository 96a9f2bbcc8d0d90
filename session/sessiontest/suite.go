package sessiontest

import (
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

// Open returns an empty store that tells the time by now. It is called once per
// check; what must be closed is closed in a cleanup of t.
type Open func(t testing.TB, now func() time.Time) session.Store

// Run checks that the stores which open returns keep what [session.Store]
// promises.
func Run(t *testing.T, open Open) {
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.run(start(t, open))
		})
	}
}

// check is one promise.
type check struct {
	name string
	run  func(*kit)
}

func checks() []check {
	return []check{
		{"created sessions are found", created},
		{"an id is taken once", takenOnce},
		{"ids that cannot be written are refused", badIDs},
		{"sessions that do not exist are not found", notFound},
		{"a new title is kept and moves nothing", renamed},
		{"names are kept as UTF-8", namesAreUTF8},
		{"a deleted session is gone", deleted},
		{"many sessions stay apart", manySessions},

		{"entries of every kind come back as they were", roundTrip},
		{"text comes back, and what is not UTF-8 is marked", textComesBack},
		{"entries are numbered from one and stamped", numbered},
		{"an entry may have five megabytes", hugeEntry},
		{"an append without entries only checks", emptyAppend},
		{"an append is refused where the log has moved", conflict},
		{"of many appends after one entry one is taken", oneWinner},
		{"nothing is lost among many writers", manyWriters},
		{"an append is refused as a whole", refusedWhole},
		{"a reader sees appends as a whole", seenWhole},
		{"a caller may change what it appended", appendedIsCopied},
		{"a caller may change what it read", readIsCopied},

		{"reading begins where it is told", readFrom},
		{"reading ends where the log ended", readEnds},
		{"reading can be left and begun again", readAgain},
		{"the body of a loop may call the store", readReenters},

		{"the last entry of a kind is found", lastOfKind},
		{"a log is restored as it was", restored},
		{"a log is restored whole or not at all", badRestore},

		{"the last changed session is listed first", listOrder},
		{"a list can be had in pages", listPages},
		{"a list can be narrowed", listFilter},
		{"a cursor outlives its session", cursorOutlives},
		{"a cursor that is none is refused", badCursor},

		{"what was said is found", search},

		{"a fork has the past in common", forkPast},
		{"a fork has a future of its own", forkFuture},
		{"a fork can be forked", forkOfFork},
		{"a fork outlives its origin", forkOutlives},
		{"a fork is refused beyond the log", forkBeyond},
		{"a fork takes what it is given", forkGiven},

		{"a held session is refused, with the holder's name", leaseHeld},
		{"one of many gets the lease", leaseOneWinner},
		{"a lease that ran out can be taken", leaseExpires},
		{"a lease that ran out is good until it is taken", leaseOutlives},
		{"a renewed lease lasts", leaseRenewed},
		{"a released lease can be taken", leaseReleased},
		{"a lost lease cannot append", leaseFencing},
		{"a lease is its session's alone", leaseApart},
		{"tokens are never given twice", tokensOnce},
		{"leases that make no sense are refused", badLease},

		{"blobs are kept by digest", blobs},
		{"a cancelled context changes nothing", cancelled},
		{"any history agrees with the model", agrees},
	}
}
