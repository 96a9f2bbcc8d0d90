// Package pages holds what source/web takes for the content of a page against
// readability, the program by which browsers decide that for their reader view.
//
// The pages are those that readability is tested with, saved from some hundred
// and thirty sites. We keep what it keeps, nearly all of it, and not much else.
package pages
