package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Digest names content: "sha256:" and 64 lower-case hexadecimal digits.
// The zero value names nothing.
type Digest string

const prefix = "sha256:"

// Of returns the digest of data.
func Of(data []byte) Digest {
	sum := sha256.Sum256(data)
	return FromSum(sum)
}

// FromSum returns the digest for a SHA-256 sum that was computed elsewhere,
// for instance while a file was being read.
func FromSum(sum [sha256.Size]byte) Digest {
	var text [len(prefix) + 2*sha256.Size]byte
	copy(text[:], prefix)
	hex.Encode(text[len(prefix):], sum[:])
	return Digest(text[:])
}

// Parse checks that text is a digest as [Of] writes it.
func Parse(text string) (Digest, error) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return "", fmt.Errorf("parse digest %.80q: it must begin with %q", text, prefix)
	}
	if len(digits) != 2*sha256.Size || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", fmt.Errorf("parse digest %.80q: want 64 lower-case hexadecimal digits after %q", text, prefix)
	}
	return Digest(text), nil
}

// Short returns the first twelve hexadecimal digits, for people.
func (d Digest) Short() string {
	digits := strings.TrimPrefix(string(d), prefix)
	return digits[:min(12, len(digits))]
}

// ErrNotFound is returned by [Store.Get] for a digest the store does not hold.
var ErrNotFound = errors.New("blob: not found")

// Store keeps content by digest.
//
// Put is idempotent: the same bytes are kept once. Get returns the bytes that
// were put, or an error that wraps [ErrNotFound]. Callers must not change what
// Get returns. Implementations are safe for concurrent use.
type Store interface {
	Put(ctx context.Context, data []byte) (Digest, error)
	Get(ctx context.Context, digest Digest) ([]byte, error)
}

// Memory is a [Store] that lives as long as the process. The zero value is
// ready to use.
type Memory struct {
	mu   sync.RWMutex
	data map[Digest][]byte
}

// Put implements [Store].
func (m *Memory) Put(ctx context.Context, data []byte) (Digest, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	digest := Of(data)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, held := m.data[digest]; !held {
		if m.data == nil {
			m.data = make(map[Digest][]byte)
		}
		m.data[digest] = append([]byte{}, data...)
	}
	return digest, nil
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, digest Digest) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	data, held := m.data[digest]
	if !held {
		return nil, fmt.Errorf("get %s: %w", digest.Short(), ErrNotFound)
	}
	// Without room at its end, an append by one caller is not seen by another.
	return data[:len(data):len(data)], nil
}
