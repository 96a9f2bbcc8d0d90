package providertest

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
)

// What encoding and streaming may cost. The limits tell what is wrong by an
// order of magnitude, on a machine that does other things too; the figures that
// are promised (100 ms for that many messages) are those of the benchmarks.
const (
	manyMessages  = 10_000
	maxEncode     = 400 * time.Millisecond // for manyMessages
	manyEvents    = 50_000
	maxPerEvent   = 100 * time.Microsecond
	maxHeapGrowth = 4 << 20
)

// history is a session of about that many messages.
func (s Subject) history(messages int) message.Request {
	request := long(messages / 5)
	request.Model = s.Model
	return request
}

// costs holds the limits. A busy machine makes everything slow now and then; the
// best of some attempts counts.
func costs(t *testing.T, s Subject) {
	maxEncode, maxPerEvent := maxEncode*slowness, maxPerEvent*slowness
	t.Run("a long history is encoded quickly, in time that grows with its length", func(t *testing.T) {
		// As much work on both sides: a busy machine interrupts what takes long more
		// often than what does not.
		const times = 4
		long, short := s.history(manyMessages), s.history(manyMessages/times)
		var best, bestShort time.Duration
		enough := func() bool { return best > 0 && best < maxEncode && best < 2*bestShort }
		began := time.Now()
		for attempt := 1; time.Since(began) < s.patience(); attempt++ {
			best, bestShort = fastest(best, s.encodes(t, long, 1)), fastest(bestShort, s.encodes(t, short, times))
			if attempt >= 3 && enough() { // one short run that was held up would hide a fault
				break
			}
		}
		t.Logf("%d messages: %v; as many in %d requests: %v", len(long.Messages), best, times, bestShort)
		if !enough() {
			t.Errorf("want less than %v, and less than twice as long for each message", maxEncode)
		}
	})
	if s.Wire == nil {
		return
	}
	t.Run("a stream costs little for each event, and no memory but for the answer", func(t *testing.T) {
		many := said
		many.Text = strings.Split(strings.Repeat("a few more words|", manyEvents), "|")
		events := []byte(strings.Join(s.Wire(many), ""))
		var best time.Duration
		var grown int64
		for began := time.Now(); time.Since(began) < s.patience(); {
			var took time.Duration
			took, grown = s.streams(t, events)
			if best = fastest(best, took/manyEvents); best < maxPerEvent && grown < maxHeapGrowth {
				break
			}
		}
		t.Logf("%v for each of %d events; the heap grew by %d bytes", best, manyEvents, grown)
		if best >= maxPerEvent || grown >= maxHeapGrowth {
			t.Errorf("want less than %v and less than %d bytes", maxPerEvent, maxHeapGrowth)
		}
	})
}

func fastest(best, took time.Duration) time.Duration {
	if best == 0 || took < best {
		return took
	}
	return best
}

// encodes returns how long it takes to encode a request so many times.
func (s Subject) encodes(t testing.TB, request message.Request, times int) time.Duration {
	t.Helper()
	began := time.Now()
	for range times {
		if _, _, err := s.Encode(request); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(began)
}

// streams reads a stream of many events and returns how long it took, and by how
// much the heap grew between its first tenth and its last.
func (s Subject) streams(t testing.TB, events []byte) (took time.Duration, grown int64) {
	t.Helper()
	whole := stream()
	whole.chunks = []chunk{{data: events}}
	provider := s.Open("https://provider.example", &server{replies: []reply{whole}})
	var heap [2]runtime.MemStats
	var looking time.Duration
	n := 0
	began := time.Now()
	for _, err := range provider.Stream(t.Context(), s.request()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if n == manyEvents/10 || n == manyEvents*9/10 {
			from := time.Now()
			runtime.GC()
			runtime.ReadMemStats(&heap[n/(manyEvents/2)])
			looking += time.Since(from)
		}
	}
	took = time.Since(began) - looking
	if n < manyEvents {
		t.Fatalf("%d events", n)
	}
	return took, int64(heap[1].HeapAlloc) - int64(heap[0].HeapAlloc)
}

// BenchmarkEncode measures the encoder on a history of ten thousand messages.
func BenchmarkEncode(b *testing.B, s Subject) {
	request := s.history(manyMessages)
	body, _, err := s.Encode(request)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Encode(request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStream measures the way of one event from the wire to the reader.
func BenchmarkStream(b *testing.B, s Subject) {
	many := said
	many.Text = strings.Split(strings.Repeat("a few more words|", b.N+1), "|")
	events := []byte(strings.Join(s.Wire(many), ""))
	provider := s.Open("https://provider.example", &server{replies: []reply{stream(string(events))}})
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := agent.Collect(provider.Stream(b.Context(), s.request())); err != nil {
		b.Fatal(err)
	}
}
