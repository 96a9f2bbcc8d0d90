// Package token has no fault.
package token
