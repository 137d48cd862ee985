package durable

// Commits that wait for each other: all of an interval are one transaction of the engine.

import (
	"bytes"
	"sync"
	"time"
)

// OpenInterval is Open for a store that is faster and forgets: each change is on the disk an interval after Save has returned, in one step
// with all others of that interval. A process that ends without Close loses what came since the last one, and no more; what is kept is
// whole. While the disk takes nothing Save refuses, and what came before waits in memory.
func OpenInterval(folder string, interval time.Duration) (*Store, error) {
	s, err := Open(folder)
	if err != nil {
		return nil, err
	}
	s.later = &gathered{write: s.writeShop, pairs: map[string][]byte{}, ended: make(chan struct{})}
	s.later.writing.Go(func() { s.later.writeEach(interval) })
	return s, nil
}

// mostGathered is how many bytes wait at most: a change that makes it more waits for the disk.
const mostGathered = 64 << 20

// gathered are changes that are not on the disk yet.
type gathered struct {
	write   func(anew bool, pairs func(put func(key, value []byte) error) error) error
	ended   chan struct{}
	writing sync.WaitGroup

	mu     sync.Mutex
	anew   bool              // nothing of what is in the file counts any more
	pairs  map[string][]byte // nil for one that was taken away
	size   int
	failed error // why the disk took nothing the last time
}

// save takes a change along, whole or not at all.
func (g *gathered) save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	type pair struct {
		key   string
		value []byte
	}
	var change []pair
	if err := pairs(func(key, value []byte) error {
		change = append(change, pair{string(key), bytes.Clone(value)})
		return nil
	}); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed != nil {
		return g.failed
	}
	if anew {
		g.anew, g.size = true, 0
		clear(g.pairs)
	}
	for _, p := range change {
		g.pairs[p.key] = p.value
		g.size += len(p.key) + len(p.value)
	}
	if g.size > mostGathered {
		g.flush()
	}
	return nil
}

// flush writes what was gathered. What the disk does not take stays. The lock is held.
func (g *gathered) flush() {
	if len(g.pairs) == 0 && !g.anew {
		return
	}
	g.failed = g.write(g.anew, func(put func(key, value []byte) error) error {
		for key, value := range g.pairs {
			if err := put([]byte(key), value); err != nil {
				return err
			}
		}
		return nil
	})
	if g.failed == nil {
		g.anew, g.size = false, 0
		clear(g.pairs)
	}
}

func (g *gathered) writeEach(interval time.Duration) {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-g.ended:
			return
		case <-ticks.C:
			g.mu.Lock()
			g.flush()
			g.mu.Unlock()
		}
	}
}

// stop writes the rest.
func (g *gathered) stop() error {
	close(g.ended)
	g.writing.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.flush()
	return g.failed
}
