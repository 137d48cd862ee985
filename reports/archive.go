package reports

// The exchanges of a run, compressed while it goes on: they are most of a report, and nothing else needs most of them.

import (
	"bytes"
	"fmt"
	"sync"
)

// Archive holds the exchanges of specs in the order in which they ended, compressed as the file of exchanges is. It compresses them while
// others run. The zero Archive is empty.
type Archive struct {
	packer  *packer
	count   int // of specs
	working sync.WaitGroup

	mu      sync.Mutex
	waiting []Spec
	busy    bool // somebody takes what waits
}

// Add notes at the exchanges of a spec what is gone, if its run leaves nothing behind, and takes them all in. The spec keeps of them what a
// page shows of a spec that deviates from nothing, and all where it deviates. Specs are added one after the other.
func (a *Archive) Add(s *Spec) {
	s.noteGone(func(string, string) bool { return false })
	a.count++
	a.mu.Lock()
	a.waiting = append(a.waiting, *s)
	if !a.busy {
		a.busy = true
		a.working.Go(a.pack)
	}
	a.mu.Unlock()
	if !s.deviates() {
		s.Exchanges = withoutTexts(s.Exchanges)
	}
}

// pack compresses what waits until nothing does.
func (a *Archive) pack() {
	if a.packer == nil {
		a.packer = newPacker(asItIs)
	}
	for {
		a.mu.Lock()
		due := a.waiting
		a.waiting, a.busy = nil, len(due) > 0
		a.mu.Unlock()
		if len(due) == 0 {
			return
		}
		for i := range due {
			a.packer.add(&due[i])
		}
	}
}

// Restore puts all exchanges back into the report of a run whose specs were added, and empties the archive: who wants them back may change
// them.
func (a *Archive) Restore(r *Report) error {
	if a.count == 0 {
		return nil
	}
	all, err := a.close()
	if err != nil {
		return fmt.Errorf("read the exchanges: %w", err)
	}
	bySpec, err := unzip(bytes.NewReader(all.bytes))
	if err != nil {
		return err
	}
	for i := range r.Specs {
		r.Specs[i].Exchanges = bySpec[r.Specs[i].ID]
	}
	return nil
}

// isSafe reports whether what was added can be shown as it is.
func (a *Archive) isSafe() bool {
	a.working.Wait()
	return a.count == 0 || a.packer.safe
}

// block returns the block of a report's exchanges, which the archive has unless it is empty.
func (a *Archive) block(r *Report) (block, error) {
	if a.count == 0 {
		return zipped(r)
	}
	return a.close()
}

// close waits until all is compressed, and empties the archive.
func (a *Archive) close() (block, error) {
	a.working.Wait()
	all, err := a.packer.close()
	a.packer, a.count = nil, 0
	return all, err
}
