// Package wording writes what is said to people and models about how many there
// are: "5,204", "1 file", "a.md, b.md and 1,203 more".
package wording
