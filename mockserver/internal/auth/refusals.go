package auth

// Nonces that are refused on purpose, to see whether a client takes the new one and tries again.

import (
	"math/rand/v2"
	"sync"
)

// refusals draws which good nonces are refused: a share of them, never two in a row, so that a client that tries again at once
// comes through.
type refusals struct {
	share float64 // above 0, to MaxReject

	mu      sync.Mutex
	chance  *rand.Rand
	refused bool // the one before
}

// newRefusals returns nil for a share of 0: nothing is refused then.
func newRefusals(share float64, key []byte) *refusals {
	if share <= 0 {
		return nil
	}
	var seed [32]byte
	copy(seed[:], Derive(key, "refusals"))
	return &refusals{share: share, chance: rand.New(rand.NewChaCha8(seed))}
}

// next reports whether a good nonce is refused.
func (r *refusals) next() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	// The nonce after a refused one is never drawn: the odds of the others make up for it.
	r.refused = !r.refused && r.chance.Float64() < r.share/(1-r.share)
	return r.refused
}
