package token_test

import (
	"bytes"
	"encoding/base64"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/token"
)

// texts are a few hundred kilobytes of each kind, none of it periodic, so that
// no branch predictor learns it by heart.
func texts(tb testing.TB) map[string]string {
	tb.Helper()
	source, err := os.ReadFile("scan.go")
	if err != nil {
		tb.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{7})
	data := make([]byte, 300_000)
	random.Read(data)
	return map[string]string{
		"prose":   sentences(random, strings.Fields(words), 100_000),
		"go":      sentences(random, strings.SplitAfter(string(source), "\n"), 15_000),
		"base64":  base64.StdEncoding.EncodeToString(data),
		"chinese": sentences(random, strings.Split("我们 的 团队 从 去年 春天 开始 重新 设计 这个 系统 文件 会 改变 ， 目录 可能 非常 大 。", " "), 60_000),
	}
}

const words = `a an the of to in it is was be as at on for from with without and or not but this that these those there here
	one two mention file context reference model message answer question word paragraph sentence nothing something everything
	reads writes keeps places finds resolves remembers understands calculates estimates provider budget conversation directory
	person engineer editor terminal. history, exactly, once. only when needed; never before. quickly carefully silently`

func sentences(random *rand.ChaCha8, from []string, count int) string {
	r := rand.New(random)
	var b strings.Builder
	for range count {
		word := from[r.IntN(len(from))]
		b.WriteString(word)
		if len(word) > 0 && word[0] < 0x80 && !strings.HasSuffix(word, "\n") {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// BenchmarkEstimate reports how many times as long the estimate takes as
// bytes.Count over the same text in the same run, the best of both, which says
// more on a busy machine than the speed does.
func BenchmarkEstimate(b *testing.B) {
	all := texts(b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				token.Estimate(text)
			}
			data, at := []byte(text), []byte("@")
			estimate := best(func() { token.Estimate(text) })
			count := best(func() { bytes.Count(data, at) })
			b.ReportMetric(float64(estimate)/float64(count), "×bytes.Count")
			b.ReportMetric(float64(len(text))/1e6/estimate.Seconds(), "MB/s-best")
		})
	}
}

// best is the shortest of fifty runs.
func best(run func()) time.Duration {
	shortest := time.Duration(1 << 62)
	for range 50 {
		begin := time.Now()
		run()
		shortest = min(shortest, time.Since(begin))
	}
	return shortest
}

func TestEstimateAllocatesNothing(t *testing.T) {
	for name, text := range texts(t) {
		if n := testing.AllocsPerRun(3, func() { token.Estimate(text) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
