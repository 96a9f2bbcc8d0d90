// Package terminal is what text needs to be shown on a terminal: control
// characters made visible ([Show]), the columns it takes ([Width]), and
// Markdown rendered while it comes ([Markdown]).
//
// It writes escape sequences of its own and lets none through that come from
// elsewhere.
package terminal
