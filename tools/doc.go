// Package tools is the module of what Ampersat is developed with: staticcheck
// and deadcode, pinned in go.mod, and verdict, which reads the output of go
// test. It is a module of its own, so that none of this enters the product's
// dependencies. Run the pinned ones from the root of the repository:
//
//	go tool -modfile=tools/go.mod staticcheck ./...
package tools
