// Package symbol knows the declarations in source code.
//
// [Outline] shortens a file that is too long for its share of the budget: the
// declarations stay, their bodies go, except for those that the prompt is
// about. It reads nothing but indentation, which every language that people
// write by hand has in common.
package symbol
