// Verdict reads the output of go test -json and tells a person what matters:
// a line per package, everything a failed test said, and each skipped test with
// its reason. Its last line counts them.
//
// It fails when a test failed. With AMPERSAT_REQUIRE=all in the environment it
// also fails when a test was skipped, for a check that did not run has not
// passed.
package main

import (
	"fmt"
	"os"
)

func main() {
	report, err := read(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "verdict: %v\n", err)
		os.Exit(1)
	}
	report.close(os.Stdout)
	if !report.good(os.Getenv("AMPERSAT_REQUIRE") == "all") {
		os.Exit(1)
	}
}
