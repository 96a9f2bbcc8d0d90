package token_test

import (
	"fmt"

	"github.com/ampersat/ampersat/token"
)

func ExampleEstimate() {
	fmt.Println(token.Estimate("Compare the two files and tell me what changed."))
	fmt.Println(token.Estimate("请比较这两个文件，告诉我有什么变化。"))
	fmt.Println(token.Estimate(""))
	// Output:
	// 10
	// 13
	// 0
}

// A text that is too long is cut to its beginning and its end.
func ExampleEstimator_Head() {
	text := "First the beginning, then much that is left out, and at last the end."
	var e token.Estimator
	head, tail := e.Head(text, 5), e.Tail(text, 5)
	fmt.Printf("%s[…] %s\n", text[:head], text[tail:])
	// Output:
	// First the beginning, […] at last the end.
}

// Every response says what its request really cost. After a few of them the
// estimate for that model is right where it matters: on this user's texts.
func ExampleModels() {
	var models token.Models
	for range 5 {
		models.Observe("some-model", token.Pair{Estimated: 40_000, Actual: 46_000})
	}
	fmt.Printf("%.2f\n", models.Estimator("some-model").Factor)
	// Output:
	// 1.15
}

func ExampleArea() {
	rule := token.Area{PixelsPerToken: 750, LongestEdge: 1568, Most: 1600}
	fmt.Println(rule.Count(1000, 1000))
	// Output:
	// 1334
}
