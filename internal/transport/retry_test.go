package transport

import (
	"testing"
	"time"

	"github.com/ampersat/ampersat/message"
	"pgregory.net/rapid"
)

func TestPausesGrowAndHaveAFloor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		retry := Retry{Attempts: 1000}
		attempt := rapid.IntRange(1, 200).Draw(t, "attempt")
		failure := &message.Error{
			Retryable:  true,
			Status:     rapid.SampledFrom([]int{0, 429, 500, 529}).Draw(t, "status"),
			RetryAfter: time.Duration(rapid.IntRange(0, 120).Draw(t, "retry after")) * time.Second,
		}
		pause, again := retry.pause(attempt, failure)
		if !again {
			t.Fatal("there is no other attempt")
		}
		if pause < failure.RetryAfter {
			t.Fatalf("%v is less than the provider asked for", pause)
		}
		expected := time.Second << min(attempt-1, 10)
		if failure.Status == overloaded {
			expected *= overloadedFactor
		}
		expected = min(expected, time.Minute)
		if pause < expected/2 {
			t.Fatalf("%v is less than half of %v", pause, expected)
		}
		if most := max(expected, failure.RetryAfter) + failure.RetryAfter/4 + time.Second; pause > most {
			t.Fatalf("%v is more than %v", pause, most)
		}
	})
}

func TestPausesAreLeftToChance(t *testing.T) {
	for _, failure := range []*message.Error{{Retryable: true}, {Retryable: true, RetryAfter: 10 * time.Second}} {
		seen := map[time.Duration]bool{}
		for range 20 {
			pause, _ := Retry{}.pause(3, failure)
			seen[pause] = true
		}
		if len(seen) < 10 {
			t.Errorf("%d different pauses in 20", len(seen))
		}
	}
}

func TestWhatIsNotTriedAgain(t *testing.T) {
	for _, c := range []struct {
		name    string
		retry   Retry
		attempt int
		failure *message.Error
		again   bool
	}{
		{"what may pass", Retry{}, 1, &message.Error{Retryable: true}, true},
		{"what may not", Retry{}, 1, &message.Error{}, false},
		{"the fourth time", Retry{}, 4, &message.Error{Retryable: true}, true},
		{"the fifth time", Retry{}, 5, &message.Error{Retryable: true}, false},
		{"never", Retry{Attempts: 1}, 1, &message.Error{Retryable: true}, false},
		{"as long as patience lasts", Retry{}, 1, &message.Error{Retryable: true, RetryAfter: 2 * time.Minute}, true},
		{"no longer", Retry{}, 1, &message.Error{Retryable: true, RetryAfter: 2*time.Minute + 1}, false},
		{"with more patience", Retry{Patience: time.Hour}, 1, &message.Error{Retryable: true, RetryAfter: time.Hour}, true},
	} {
		if _, again := c.retry.pause(c.attempt, c.failure); again != c.again {
			t.Errorf("%s: %v", c.name, again)
		}
	}
}
