package auth

// Nonces of OAuth: each one is good once.

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	// oauthWindow is how far the timestamp of a signed request may be from the shop's clock.
	oauthWindow = 15 * time.Minute
	// noncesPerKey is how many nonces of one API key are remembered.
	noncesPerKey = 1 << 14
)

// replays remembers the nonces of signed requests. Its memory is bounded: where a key brings more nonces than are kept, the
// oldest are forgotten and requests as old as these are refused, so that none is ever taken twice.
type replays struct {
	mu    sync.Mutex
	byKey map[int64]*spent // only keys of the shop come here, after their signature was proven
	since int64            // all nonces that were used later are known

	ahead func(until time.Time) error // see SignInOptions
	noted int64                       // until when it was called
}

// spent are the nonces that one key used.
type spent struct {
	nonces    *simplelru.LRU[[sha256.Size]byte, int64] // → timestamp, in the order of use
	forgotten int64                                    // the newest timestamp of those that fell out
}

func newReplays(since time.Time, ahead func(time.Time) error) *replays {
	return &replays{byKey: map[int64]*spent{}, since: since.Unix(), ahead: ahead, noted: since.Unix()}
}

// use takes a nonce of a key, and reports whether it may be used: it was not used before and is no older than what was
// forgotten.
func (r *replays) use(now time.Time, key, timestamp int64, nonce string) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.note(now, timestamp); err != nil {
		return false, err
	}
	used, known := r.byKey[key]
	if !known {
		used = newSpent()
		used.forgotten = r.since
		r.byKey[key] = used
	}
	digest := sha256.Sum256([]byte(nonce))
	if timestamp <= used.forgotten || used.nonces.Contains(digest) {
		return false, nil
	}
	used.nonces.Add(digest, timestamp)
	return true, nil
}

// noteAhead is for how long it is noted at once that a client's clock is ahead.
const noteAhead = time.Minute

// note lets it be known that there are requests of the future: one that begins again now would take them for new.
func (r *replays) note(now time.Time, timestamp int64) error {
	if r.ahead == nil || timestamp <= max(now.Unix(), r.noted) {
		return nil
	}
	until := time.Unix(timestamp, 0).Add(noteAhead)
	if err := r.ahead(until); err != nil {
		return err
	}
	r.noted = until.Unix()
	return nil
}

func newSpent() *spent {
	used := &spent{}
	// NewLRU fails for sizes below 1 only.
	used.nonces, _ = simplelru.NewLRU(noncesPerKey, func(_ [sha256.Size]byte, timestamp int64) {
		used.forgotten = max(used.forgotten, timestamp)
	})
	return used
}
