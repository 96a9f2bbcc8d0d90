// Package util is on no floor.
package util
