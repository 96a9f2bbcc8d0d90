// A minimal program that reads and hashes the files of a folder, one after the
// other: what the work costs without everything around it.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
)

func main() {
	entries, err := os.ReadDir(os.Args[1])
	if err != nil {
		panic(err)
	}
	var sum [sha256.Size]byte
	for _, entry := range entries {
		data, err := os.ReadFile(os.Args[1] + "/" + entry.Name())
		if err != nil {
			panic(err)
		}
		sum = sha256.Sum256(data)
	}
	fmt.Printf("%x\n", sum)
}
