// Module is a program that starts badly: startup_test.go must notice.
package main

import (
	"fmt"

	"planted.example/module/greedy"
	"planted.example/module/slow"
)

func main() { fmt.Println(slow.Answer, len(greedy.Table)) }
