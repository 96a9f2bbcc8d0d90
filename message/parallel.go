package message

import (
	"runtime"
	"sync"
)

// manyParts is how many parts are worth the work of several goroutines: a
// prompt may mention a thousand files.
const manyParts = 128

// inChunks calls do for the chunks that n elements are divided into, at once,
// and returns when all are done. There is one chunk where one is enough.
func inChunks(n int, do func(chunk, from, to int)) {
	chunks := chunksOf(n)
	if chunks == 1 {
		do(0, 0, n)
		return
	}
	var wait sync.WaitGroup
	for chunk := range chunks {
		wait.Go(func() { do(chunk, n*chunk/chunks, n*(chunk+1)/chunks) })
	}
	wait.Wait()
}

func chunksOf(n int) int {
	if n < manyParts {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), 8)
}
