// Package mention is told beside its code.
package mention
