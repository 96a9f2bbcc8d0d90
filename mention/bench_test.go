package mention

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// The benchmarks report, next to the time, the ratio to bytes.Count over the
// same text in the same run: a figure that another machine can be held to.

func BenchmarkFindWithoutMentions(b *testing.B) {
	text := strings.Repeat("All work and no play makes Jack a dull boy.\n", 25_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if Find(text) != nil {
			b.Fatal("found something")
		}
	}
	reportRatios(b, text)
}

func BenchmarkFindInInstructions(b *testing.B) {
	data, err := os.ReadFile("testdata/instructions.md")
	if err != nil {
		b.Fatal(err)
	}
	text := string(data)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	found := 0
	for b.Loop() {
		found = len(Find(text))
	}
	b.ReportMetric(float64(found), "mentions")
	reportRatios(b, text)
}

func reportRatios(b *testing.B, text string) {
	ours := float64(b.Elapsed()) / float64(b.N)
	data := []byte(text)
	count := timePerRun(func() { bytes.Count(data, []byte("@")) })
	index := timePerRun(func() {
		for rest := data; ; {
			i := bytes.IndexByte(rest, '@')
			if i < 0 {
				break
			}
			rest = rest[i+1:]
		}
	})
	b.ReportMetric(ours/count, "x-count")
	b.ReportMetric(ours/index, "x-indexbyte")
}

func timePerRun(f func()) float64 {
	runs := 0
	start := time.Now()
	for time.Since(start) < 200*time.Millisecond {
		for range 20 {
			f()
		}
		runs += 20
	}
	return float64(time.Since(start)) / float64(runs)
}
