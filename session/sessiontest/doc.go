// Package sessiontest is the suite that every [session.Store] must pass. A
// driver's test is one call:
//
//	func TestStore(t *testing.T) {
//		sessiontest.Run(t, func(t testing.TB, now func() time.Time) session.Store {
//			return open(t, now)
//		})
//	}
//
// Each check is the promise of a comment in the interface. The suite is itself
// tested on stores that break one promise each.
//
// [Entries] and [AnyEntry] are there for whoever tests something that stands on
// a log.
package sessiontest
