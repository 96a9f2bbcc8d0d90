// Package broken does not compile: a language server has something to find in it.
package broken

func broken() {
	nobodyReadsThis := 1
}
