// Package union has a test that climbs.
package union
