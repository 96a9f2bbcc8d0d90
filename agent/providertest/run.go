package providertest

import "testing"

// Run holds a provider to everything that this package asks of it.
func Run(t *testing.T, s Subject) {
	t.Run("golden", func(t *testing.T) { golden(t, s) })
	t.Run("prefix", func(t *testing.T) { prefix(t, s) })
	t.Run("lawful", func(t *testing.T) { lawful(t, s) })
	t.Run("cached share", func(t *testing.T) { cachedShare(t, s) })
	t.Run("cost", func(t *testing.T) { costs(t, s) })
	if s.Open == nil {
		return
	}
	t.Run("answer", func(t *testing.T) { answers(t, s) })
	t.Run("refusal", func(t *testing.T) { refusals(t, s) })
	t.Run("broken stream", func(t *testing.T) { brokenStreams(t, s) })
	t.Run("cancel", func(t *testing.T) { cancels(t, s) })
	t.Run("key", func(t *testing.T) { keys(t, s) })
}
