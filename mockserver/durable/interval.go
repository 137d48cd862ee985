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

// How many bytes wait at most: a change that makes them more waits for the disk. A row that is not encoded yet counts for one of the usual
// size, since what it is made from is in memory anyway.
const (
	mostGathered = 64 << 20
	usualRow     = 1 << 10
)

// gathered are changes that are not on the disk yet.
type gathered struct {
	write   func(...change) error
	ended   chan struct{}
	writing sync.WaitGroup
	disk    sync.Mutex // held while the disk is written to; it comes before mu

	mu      sync.Mutex
	buckets map[string]*waiting
	size    int   // of all that came since the last writing began
	failed  error // why the disk took nothing the last time
}

// waiting is what waits for one bucket.
type waiting struct {
	anew bool             // nothing of what is in the file counts any more
	rows map[string]value // by their keys
	last func(put) error  // puts what follows from all changes; nil: nothing does
}

// value appends what a key is to have; nil: the key goes.
type value = func(to []byte) ([]byte, error)

// encoded is a value that is there already.
func encoded(bytes []byte) value {
	if bytes == nil {
		return nil
	}
	return func(to []byte) ([]byte, error) { return append(to, bytes...), nil }
}

// addition is a change that is taken along.
type addition struct {
	bucket string
	anew   bool
	rows   []row
	size   int
	last   func(put) error
}

type row struct {
	key   string
	value value
}

func (a *addition) add(key []byte, value value, size int) {
	a.rows, a.size = append(a.rows, row{string(key), value}), a.size+len(key)+size
}

// gathering takes the pairs of a change.
func gathering(c change) (*addition, error) {
	a := &addition{bucket: c.bucket, anew: c.anew}
	return a, c.pairs(func(key, value []byte) error {
		a.add(key, encoded(value), len(value))
		return nil
	})
}

// save takes a change along. Of what the last pairs of changes are only those of the newest one count.
func (g *gathered) save(a *addition) error {
	full, err := g.add(a)
	if full {
		g.flush() //nolint:errcheck // the change was taken: the next one is refused
	}
	return err
}

// add reports, besides, whether so much waits now that nothing more should.
func (g *gathered) add(a *addition) (full bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed != nil {
		return false, g.failed
	}
	w := g.buckets[a.bucket]
	if w == nil || a.anew {
		w = &waiting{anew: a.anew, rows: map[string]value{}}
		g.buckets[a.bucket] = w
	}
	for _, r := range a.rows {
		w.rows[r.key] = r.value
	}
	if a.last != nil {
		w.last = a.last
	}
	g.size += a.size
	return g.size > mostGathered, nil
}

// saveNow makes changes that put others in the place of all that waits for their buckets, and waits for the disk. More may come meanwhile.
func (g *gathered) saveNow(changes ...change) error {
	g.disk.Lock()
	defer g.disk.Unlock()
	taken := g.take(func(bucket string) bool {
		return slices.ContainsFunc(changes, func(c change) bool { return c.bucket == bucket })
	})
	err := g.write(changes...)
	if err != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.putBack(taken)
	}
	return err
}

// flush writes what was gathered, while more may come. What the disk does not take waits again.
func (g *gathered) flush() error {
	g.disk.Lock()
	defer g.disk.Unlock()
	taken := g.take(func(string) bool { return true })
	err := g.writeAll(taken)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed = err; err != nil {
		g.putBack(taken)
	}
	return err
}

// take takes out what waits for some buckets.
func (g *gathered) take(wanted func(bucket string) bool) map[string]*waiting {
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := map[string]*waiting{}
	for bucket, w := range g.buckets {
		if wanted(bucket) {
			taken[bucket] = w
			delete(g.buckets, bucket)
		}
	}
	if len(g.buckets) == 0 {
		g.size = 0
	}
	return taken
}

// putBack lets what was taken out wait under what has come since. The lock is held.
func (g *gathered) putBack(taken map[string]*waiting) {
	for bucket, w := range taken {
		if newer := g.buckets[bucket]; newer != nil {
			w = newer.over(w)
		}
		g.buckets[bucket] = w
	}
}

// writeAll writes what waited for buckets. Nothing may be left of what the disk did not take the last time, and then nothing fails.
func (g *gathered) writeAll(taken map[string]*waiting) error {
	if len(taken) == 0 {
		return nil
	}
	changes := make([]change, 0, len(taken))
	for bucket, w := range taken {
		changes = append(changes, change{bucket, w.anew, w.put})
	}
	return g.write(changes...)
}

// over is what waits when more has come after something earlier.
func (w *waiting) over(earlier *waiting) *waiting {
	if w.anew {
		return w
	}
	maps.Copy(earlier.rows, w.rows)
	if w.last != nil {
		earlier.last = w.last
	}
	return earlier
}

// chunk is how much room is made at a time for encoded rows, which stay until all are written.
const chunk = 1 << 20

func (w *waiting) put(put put) error {
	var room []byte
	for _, key := range slices.Sorted(maps.Keys(w.rows)) { // the engine takes longer for any other order
		if cap(room)-len(room) < chunk/16 {
			room = make([]byte, 0, chunk)
		}
		var encoded []byte
		if append := w.rows[key]; append != nil {
			start, err := len(room), error(nil)
			if room, err = append(room); err != nil {
				return err
			}
			encoded = room[start:len(room):len(room)]
		}
		if err := put([]byte(key), encoded); err != nil {
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
			g.flush() //nolint:errcheck // the next change is refused
		}
	}
}

// stop writes the rest.
func (g *gathered) stop() error {
	close(g.ended)
	g.writing.Wait()
	return g.flush()
}
