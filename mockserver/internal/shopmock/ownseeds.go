package shopmock

// The seeds that come with requests for sandboxes. Unlike those that have names, each is in memory for its sandbox alone, and a request of
// a megabyte takes up to a hundred: what all of them take has a bound.

import (
	"net/http"
	"sync"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/seed"
)

// maxOwnSeeds is how much memory the seeds of all sandboxes may take, in bytes, before no more of them are taken.
const maxOwnSeeds = 512 << 20

// What a seed takes in memory at most: for each record, and for each byte of its document.
const (
	recordWeight   = 1 << 10
	documentWeight = 32
)

// ownSeeds are those of one server's sandboxes.
type ownSeeds struct {
	most    int64      // how much they may take
	reading sync.Mutex // one is read at a time: that takes several times of what is left of it

	mu    sync.Mutex
	taken int64
}

// ownSeed counts as long as somebody holds it: the sandbox that came with it, and those that were cloned of that one and share its records.
// Nil is a seed that counts for nobody.
type ownSeed struct {
	all     *ownSeeds
	weight  int64
	holders int
}

// read makes a seed from a document, and holds it once.
func (o *ownSeeds) read(document []byte, open func([]byte) (*seed.Seed, error), now time.Time) (*seed.Seed, *ownSeed, error) {
	o.reading.Lock()
	defer o.reading.Unlock()
	made, err := open(document)
	if err != nil {
		return nil, nil, err
	}
	state, err := made.State(now)
	if err != nil {
		return nil, nil, err
	}
	own := &ownSeed{all: o, weight: documentWeight * int64(len(document))}
	for _, table := range state.Tables() {
		own.weight += recordWeight * int64(table.Len())
	}
	own.hold()
	return made, own, nil
}

// room returns why there can be no more of them, if that is so. The error is a *rest.Error.
func (o *ownSeeds) room() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.taken < o.most {
		return nil
	}
	return rest.Errorf(http.StatusConflict, "mock_sandboxes_too_large", "The seeds that sandboxes came with take %d MB of memory "+
		"together: delete some sandboxes, or make those that begin alike clones of one, which share its records.", o.most>>20)
}

// hold lets a seed count for one more.
func (s *ownSeed) hold() { s.change(1) }

// release ends what hold began.
func (s *ownSeed) release() { s.change(-1) }

func (s *ownSeed) change(by int) {
	if s == nil {
		return
	}
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	before := s.holders
	s.holders += by
	switch {
	case before == 0:
		s.all.taken += s.weight
	case s.holders == 0:
		s.all.taken -= s.weight
	}
}
