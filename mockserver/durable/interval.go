package durable

// Commits that wait for each other: all of an interval are one transaction of the engine.

import (
	"maps"
	"slices"
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
	s.later = &gathered{write: s.write, buckets: map[string]*waiting{}, ended: make(chan struct{})}
	s.later.writing.Go(func() { s.later.writeEach(interval) })
	return s, nil
}

// mostGathered is how many bytes wait at most: a change that makes it more waits for the disk.
const mostGathered = 64 << 20

// gathered are changes that are not on the disk yet.
type gathered struct {
	write   func(...change) error
	ended   chan struct{}
	writing sync.WaitGroup

	mu      sync.Mutex
	buckets map[string]*waiting
	size    int
	failed  error // why the disk took nothing the last time
}

// waiting is what waits for one bucket.
type waiting struct {
	anew  bool                                          // nothing of what is in the file counts any more
	pairs map[string][]byte                             // nil for one that was taken away
	last  func(put func(key, value []byte) error) error // puts what follows from all changes; nil: nothing does
}

// save takes a change along, whole or not at all. Of what last puts only that of the newest change counts.
func (g *gathered) save(c change, last func(put func(key, value []byte) error) error) error {
	type pair struct {
		key   string
		value []byte
	}
	var all []pair
	if err := c.pairs(func(key, value []byte) error {
		all = append(all, pair{string(key), value})
		return nil
	}); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed != nil {
		return g.failed
	}
	w := g.buckets[c.bucket]
	if w == nil || c.anew {
		w = &waiting{anew: c.anew, pairs: map[string][]byte{}}
		g.buckets[c.bucket] = w
	}
	for _, p := range all {
		w.pairs[p.key] = p.value
		g.size += len(p.key) + len(p.value)
	}
	if last != nil {
		w.last = last
	}
	if g.size > mostGathered {
		g.flush()
	}
	return nil
}

// saveNow makes changes that put others in the place of all that waits for their buckets, and waits for the disk.
func (g *gathered) saveNow(changes ...change) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.write(changes...)
	for _, c := range changes {
		if err == nil {
			delete(g.buckets, c.bucket)
		}
	}
	return err
}

// flush writes what was gathered. What the disk does not take stays. The lock is held.
func (g *gathered) flush() {
	if len(g.buckets) == 0 {
		return
	}
	changes := make([]change, 0, len(g.buckets))
	for bucket, w := range g.buckets {
		changes = append(changes, change{bucket, w.anew, w.put})
	}
	g.failed = g.write(changes...)
	if g.failed == nil {
		g.size = 0
		clear(g.buckets)
	}
}

func (w *waiting) put(put func(key, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(w.pairs)) { // the engine takes longer for any other order
		if err := put([]byte(key), w.pairs[key]); err != nil {
			return err
		}
	}
	if w.last == nil {
		return nil
	}
	return w.last(put)
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
