package token

import (
	"maps"
	"sync"
)

// Models keeps a [Calibration] for each model, by its name. The zero value is
// empty and ready; it is safe for concurrent use and must not be copied.
type Models struct {
	mu    sync.RWMutex
	known map[string]Calibration
}

// NewModels returns Models that begin with what an earlier [Models.Snapshot]
// returned.
func NewModels(known map[string]Calibration) *Models {
	return &Models{known: maps.Clone(known)}
}

// Observe is called once for every response of a model that reports its usage.
func (m *Models) Observe(model string, p Pair) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]Calibration{}
	}
	m.known[model] = m.known[model].Observe(p)
}

// Estimator returns the [Counter] for a model as it is known now; later
// observations do not change it, so that the counts of one turn agree.
// A model that was never observed has the plain estimate.
func (m *Models) Estimator(model string) Estimator {
	m.mu.RLock()
	known := m.known[model]
	m.mu.RUnlock()
	return known.Estimator()
}

// Snapshot returns what is known, to be saved. It shares nothing with m that
// changes.
func (m *Models) Snapshot() map[string]Calibration {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return maps.Clone(m.known)
}
